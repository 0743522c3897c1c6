import type { ExportLine, ProblemCode } from "@engram/spec";
import type { ApiError } from "./errors.ts";
import type { Isolate, IsolateCaches } from "./isolate.ts";
import type { ServiceLimits } from "./limits.ts";
import type { HubNamespace, Listeners } from "./live/listeners.ts";
import type { StreamListener } from "./live/subscriptions.ts";
import { type AccessIssuer, type AccessVariables, cloudflareAccess } from "./platform/access.ts";
import type { AiBinding } from "./platform/ai.ts";
import { interceptCalls } from "./platform/database-calls.ts";
import { enforceDeadlines } from "./platform/deadlines.ts";
import { type Embedder, workersAiEmbedder } from "./platform/embedder.ts";
import { type Enricher, workersAiEnricher } from "./platform/enricher.ts";
import type { IdempotentRequest } from "./platform/idempotency-queries.ts";
import { serializeLargeWrites } from "./platform/large-writes.ts";
import { type Log, toFields } from "./platform/log.ts";
import { Meter } from "./platform/meter.ts";
import type { Mutexes } from "./platform/mutex.ts";
import type { Principal } from "./platform/principal.ts";
import type { RateLimitBinding } from "./platform/rate-limits.ts";
import { type Reranker, workersAiReranker } from "./platform/reranker.ts";
import type { Runtime } from "./platform/runtime.ts";
import type { StorageBinding } from "./platform/storage.ts";
import type { UsagePlace } from "./platform/usage-places.ts";
import { type VectorizeBinding, type VectorStore, vectorizeStore } from "./platform/vectors.ts";
import type { Waker } from "./platform/waker.ts";
import { type WebhookSender, webhookSender } from "./platform/webhook-sender.ts";
import { Pace } from "./text/pace.ts";
import type { UsageCounts } from "./usage/counts.ts";
import { type InvokeDeliver, wakeWebhooks } from "./webhooks/deliveries.ts";

export interface Env extends AccessVariables {
  DB: D1Database;
  AI: AiBinding;
  VECTORIZE: VectorizeBinding;
  ASSETS: Fetcher;
  EMBEDDING_MODEL: string;
  EMBEDDING_DIMENSIONS: string;
  RERANK_MODEL: string;
  /**
   * Seconds without a further append after which the last messages of a conversation are embedded. Absent or 0: at once.
   */
  INDEX_QUIET_SECONDS?: string | undefined;
  /** Text model that writes tags and summaries of memories. If empty, none are written. */
  ENRICHMENT_MODEL: string;
  /** If absent, there are no sockets. */
  HUB?: HubNamespace | undefined;
  /** If absent, the requests of a key have no rate limit. */
  KEY_RATE_LIMIT?: RateLimitBinding | undefined;
  /** If absent, the requests of an organization have no rate limit. */
  ORGANIZATION_RATE_LIMIT?: RateLimitBinding | undefined;
  /**
   * Value of the response header `RateLimit-Policy`. The Worker cannot read the limits from the two bindings. Absent
   * without rate limits.
   */
  RATE_LIMIT_POLICY?: string | undefined;
  /**
   * Hosts that the `Host` header of a request may name, separated by commas. If empty or absent, any host is allowed.
   */
  ALLOWED_HOSTS?: string;
  /** Token of the operator, who creates organizations over HTTP. If absent, they cannot be created over HTTP. */
  ADMIN_TOKEN?: string;
  /**
   * Hosts that webhooks may use though they are not public, separated by commas: exact names, each with or without a port.
   */
  WEBHOOK_HOSTS?: string | undefined;
  /** Sends the requests of webhooks. If absent, the Worker sends them itself. */
  WEBHOOKS?: Pick<Fetcher, "fetch"> | undefined;
  /** Reports whether the disk of the database is nearly full. If absent, D1 has the only limit. */
  STORAGE?: StorageBinding | undefined;
  /** Present in requests to the API that the MCP endpoint makes. */
  MCP_CALL?: McpCall | undefined;
}

/** A call of an MCP tool, or another request to the API that the MCP endpoint makes. */
export interface McpCall {
  /** Null for a request of no tool, such as one that reads a resource. */
  tool: string | null;
  /** The agent and the user that the URL of the MCP request names; null for all. */
  binding: Pick<Principal, "agentId" | "userId">;
}

export interface ServiceContext {
  db: D1Database;
  embedder: Embedder;
  reranker: Reranker;
  /** Null when no text model is configured. */
  enricher: Enricher | null;
  vectors: VectorStore;
  /** Time without a further append after which the open windows at the end of a conversation are indexed. */
  indexQuietMs: number;
  /** Null when Cloudflare Access is not configured. */
  access: AccessIssuer | null;
  runtime: Runtime;
  limits: ServiceLimits;
  mutexes: Mutexes;
  /** Lets other requests run during long computations. */
  pace: Pace;
  log: Log;
  meter: Meter;
  /** Counts of the use of each key by all requests of this isolate (running copy of the Worker). */
  usage: UsageCounts;
  caches: IsolateCaches;
  listeners: Listeners;
  webhooks: WebhookSender;
  /** Hosts that webhooks may use though they are not public. */
  webhookHosts: string;
  /** The secrets of webhooks are encrypted with a key that is derived from it. Empty without one. */
  adminToken: string;
  /** Sends new events of an organization to its sockets and webhooks, after the response. */
  wakeListeners(organizationId: string): void;
  /** For a request that waits for changes of an organization. */
  openWaker(organizationId: string, listener?: StreamListener | null): Promise<Waker>;
  /** Absent where an invocation cannot start others: the sweep then sends what is left. */
  invokeDeliver?: InvokeDeliver | undefined;
  waitUntil(work: Promise<unknown>): void;
  /**
   * Runs work that the response does not wait for. Its log entries, named by `event`, state its cost and its error.
   */
  defer(event: string, work: (ctx: ServiceContext) => Promise<unknown>): void;
}

export type Caller = KeyCaller | OperatorCaller | AnonymousCaller;

export interface AnonymousCaller extends ServiceContext {
  kind: "anonymous";
  principal: null;
}

export interface OperatorCaller extends ServiceContext {
  kind: "operator";
  principal: null;
}

/** Each call of `db` also checks that the key is still valid. */
export interface KeyCaller extends ServiceContext {
  kind: "key";
  principal: Principal;
  /** What the usage of this request counts for. */
  place: UsagePlace;
  /** For work that must finish even if the key is revoked meanwhile: its `db` checks no key. */
  system: ServiceContext;
}

/** A line of the request body. `line` is its number, from 1. `problem` is the error of an invalid line. */
export type BodyLine = { line: number } & ({ value: ExportLine } | { problem: ApiError });

export interface AppEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    /** Operation id from the OpenAPI document, or a name for a route that is not in it. Absent for an unknown route. */
    operation?: string;
    problem?: ProblemCode;
    /** Anonymous until the request is authorized. */
    caller: Caller;
    /** The value of a body of JSON, which can be stored without a change. Undefined without a body. */
    body?: unknown;
    /** Non-blank lines of the body, for routes that read NDJSON. */
    lines: BodyLine[];
    /** Number of lines in the body, including blank lines. */
    lineCount: number;
    /** Null without an `Idempotency-Key`. */
    idempotency: IdempotentRequest | null;
  };
}

/** The environment of one request or one background run. */
export interface InvocationEnv {
  isolate: Isolate;
  env: Env;
  log: Log;
  invokeDeliver?: InvokeDeliver;
  /** Keeps the Worker alive until the promise settles. */
  waitUntil(work: Promise<unknown>): void;
}

/**
 * Wraps the bindings, so that their calls are counted, calls of D1 have a time limit, writes need free storage, and an
 * isolate runs large writes to D1 one at a time. The time limit does not include the wait of a large write.
 */
export function createServiceContext(invocation: InvocationEnv, isBackground = false): ServiceContext {
  const { isolate, env, log, waitUntil } = invocation;
  const { runtime, limits, usage, mutexes, caches } = isolate;
  const meter = new Meter(() => runtime.nowMs());
  const ai = meter.model(env.AI);
  const service: ServiceContext = {
    db: interceptCalls(
      env.DB,
      ...(isBackground ? [isolate.giveWay] : []),
      serializeLargeWrites(mutexes.largeWrites, {
        charactersMax: limits.ordinaryWriteCharacters,
        isBackground,
      }),
      meter.countCall,
      isolate.storage.guardCalls(env.STORAGE, () => runtime.nowMs()),
      enforceDeadlines(limits),
    ),
    embedder: workersAiEmbedder(ai, env.EMBEDDING_MODEL, Number(env.EMBEDDING_DIMENSIONS)),
    reranker: workersAiReranker(ai, env.RERANK_MODEL),
    enricher: env.ENRICHMENT_MODEL === "" ? null : workersAiEnricher(ai, env.ENRICHMENT_MODEL),
    vectors: vectorizeStore(meter.index(env.VECTORIZE)),
    indexQuietMs: 1_000 * Number(env.INDEX_QUIET_SECONDS ?? 0),
    access: cloudflareAccess(env, caches.publishedKeys),
    runtime,
    limits,
    mutexes,
    pace: new Pace(limits.sliceCharacters, mutexes.computation, isBackground),
    log,
    meter,
    usage,
    caches,
    listeners: isolate.listeners,
    openWaker: (organizationId, listener = null) =>
      isolate.listeners.openWaker(env.HUB, { organizationId, listener, runtime }),
    webhooks: webhookSender(env.WEBHOOKS),
    webhookHosts: env.WEBHOOK_HOSTS ?? "",
    adminToken: env.ADMIN_TOKEN ?? "",
    wakeListeners: (organizationId) => {
      waitUntil(isolate.listeners.wake(env.HUB, organizationId, runtime.nowMs()));
      waitUntil(wakeWebhooks(service, organizationId));
    },
    invokeDeliver: invocation.invokeDeliver,
    waitUntil,
    defer: (event, work) => waitUntil(runLogged(invocation, event, work)),
  };
  return service;
}

/** Runs the work and logs its cost. If the work fails, also logs the error and resolves to undefined. */
export async function runLogged<T>(
  invocation: InvocationEnv,
  event: string,
  work: (ctx: ServiceContext) => Promise<T>,
): Promise<T | undefined> {
  const { log } = invocation;
  const { runtime } = invocation.isolate;
  const ctx = createServiceContext(invocation, true);
  const startMs = runtime.nowMs();
  try {
    return await work(ctx);
  } catch (error) {
    log.error(`${event} failed`, error);
    return undefined;
  } finally {
    log.info(event, toFields(ctx.meter, runtime.nowMs() - startMs));
  }
}
