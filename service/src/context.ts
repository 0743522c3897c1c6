import type { ExportLine, ProblemCode, Scope } from "@engram/spec";
import type { ApiError } from "./errors.ts";
import type { ServiceLimits } from "./limits.ts";
import { type Log, toFields } from "./log.ts";
import { type AccessIssuer, type AccessVariables, cloudflareAccess } from "./ports/access.ts";
import { type AiBinding, type Embedder, workersAiEmbedder } from "./ports/embedder.ts";
import { type Enricher, type EnrichmentBinding, workersAiEnricher } from "./ports/enricher.ts";
import { inTurns } from "./ports/large-writes.ts";
import { Meter } from "./ports/meter.ts";
import type { RateLimitBinding } from "./ports/rate-limits.ts";
import { type RerankBinding, type Reranker, workersAiReranker } from "./ports/reranker.ts";
import { type VectorizeBinding, type VectorStore, vectorizeStore } from "./ports/vectors.ts";
import type { IdempotentRequest } from "./queries/idempotency-keys.ts";
import type { Runtime } from "./runtime.ts";
import type { UsageCounts } from "./services/usage-counts.ts";
import { type IsolateTurns, Pace } from "./text/pace.ts";

export interface Env extends AccessVariables {
  DB: D1Database;
  AI: AiBinding;
  VECTORIZE: VectorizeBinding;
  /** Files of the docs page. */
  ASSETS: Fetcher;
  EMBEDDING_MODEL: string;
  EMBEDDING_DIMENSIONS: string;
  RERANK_MODEL: string;
  /** Empty: memories are not enriched. */
  ENRICHMENT_MODEL: string;
  KEY_RATE_LIMIT: RateLimitBinding;
  ORGANIZATION_RATE_LIMIT: RateLimitBinding;
  /** The limits of the two bindings, as sent in the header. A binding does not expose them. */
  RATE_LIMIT_POLICY: string;
  /** Comma-separated hosts that requests may name. Empty: any host. */
  ALLOWED_HOSTS?: string;
  /** Unset: organizations cannot be created over HTTP. */
  ADMIN_TOKEN?: string;
}

export interface Principal {
  organizationId: string;
  /** The organization's number in the term prefix of the keyword index. */
  organizationNumber: number;
  keyId: string;
  /** The part of the secret that may be shown. */
  keyPrefix: string;
  scopes: readonly Scope[];
  /** The only agent whose data the key can read and write; null for all agents. */
  agentId: string | null;
  expiresAtMs: number | null;
}

export interface ServiceContext {
  db: D1Database;
  embedder: Embedder;
  reranker: Reranker;
  /** Null when no text model is configured. */
  enricher: Enricher | null;
  vectors: VectorStore;
  /** Null when Cloudflare Access is not configured. */
  access: AccessIssuer | null;
  runtime: Runtime;
  limits: ServiceLimits;
  /** Pauses long computations, so that other requests can run. */
  pace: Pace;
  log: Log;
  /** Counts the calls to the bindings through this context. */
  meter: Meter;
  /** Usage per key, accumulated over requests. */
  usage: UsageCounts;
  /** Keeps the Worker alive until the promise settles. */
  waitUntil(work: Promise<unknown>): void;
  /** Runs work after the response. Its calls, and a failure, are counted and logged separately. */
  defer(event: string, work: (ctx: ServiceContext) => Promise<unknown>): void;
}

/** Dependencies of a service function that acts for a key. Each call of its `db` checks the key. */
export interface RequestContext extends ServiceContext {
  principal: Principal;
  /** For work that must finish even if the key is revoked meanwhile: its `db` checks no key. */
  system: ServiceContext;
}

/** A line of a body by its number, from 1: its value, or why it is rejected. */
export type BodyLine = { line: number } & ({ value: ExportLine } | { problem: ApiError });

export interface AppEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    /** Operation id of the contract, or the name of another route; absent for an unknown route. */
    operation?: string;
    problem?: ProblemCode;
    service: ServiceContext;
    /** Only on routes that require a key. */
    request: RequestContext;
    /** Whether the operator sent the request; false on requests with a key. */
    isOperator: boolean;
    /** Text of the body, once it is known to be JSON that can be stored exactly. */
    bodyText: string;
    /** Non-blank lines of the body, for routes that take lines. */
    lines: BodyLine[];
    /** Number of lines in the body, including blank ones. */
    lineCount: number;
    /** Makes a repeated POST take effect once; null without an `Idempotency-Key`. */
    idempotency: IdempotentRequest | null;
  };
}

export interface Surroundings {
  env: Env;
  runtime: Runtime;
  limits: ServiceLimits;
  usage: UsageCounts;
  turns: IsolateTurns;
  log: Log;
  /** Keeps the Worker alive until the promise settles. */
  waitUntil(work: Promise<unknown>): void;
}

/** Wraps the bindings as ports, with their counts at zero. */
export function createServiceContext(surroundings: Surroundings, isBackground = false): ServiceContext {
  const { env, runtime, limits, usage, turns, log, waitUntil } = surroundings;
  const meter = new Meter(() => runtime.nowMs());
  const ai = meter.model(env.AI);
  return {
    db: inTurns(meter.database(env.DB), {
      turns: turns.largeWrites,
      charactersMax: limits.ordinaryWriteCharacters,
      isBackground,
    }),
    embedder: workersAiEmbedder(ai, env.EMBEDDING_MODEL, Number(env.EMBEDDING_DIMENSIONS)),
    // One binding runs every model. Each port types the input of its own model.
    reranker: workersAiReranker(ai as unknown as RerankBinding, env.RERANK_MODEL),
    enricher:
      env.ENRICHMENT_MODEL === ""
        ? null
        : workersAiEnricher(ai as unknown as EnrichmentBinding, env.ENRICHMENT_MODEL),
    vectors: vectorizeStore(meter.index(env.VECTORIZE)),
    access: cloudflareAccess(env),
    runtime,
    limits,
    pace: new Pace(limits.sliceCharacters, turns.computation, isBackground),
    log,
    meter,
    usage,
    waitUntil,
    defer: (event, work) => waitUntil(runLogged(surroundings, event, work)),
  };
}

/**
 * Runs background work and logs one line with its cost, and a second one if it failed.
 *
 * @returns the result of the work; undefined when it failed.
 */
export async function runLogged<T>(
  surroundings: Surroundings,
  event: string,
  work: (ctx: ServiceContext) => Promise<T>,
): Promise<T | undefined> {
  const { runtime, log } = surroundings;
  const ctx = createServiceContext(surroundings, true);
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
