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

/** What the deployment binds; see wrangler.toml. */
export interface Env extends AccessVariables {
  DB: D1Database;
  AI: AiBinding;
  VECTORIZE: VectorizeBinding;
  /** Files of the docs page. */
  ASSETS: Fetcher;
  EMBEDDING_MODEL: string;
  EMBEDDING_DIMENSIONS: string;
  RERANK_MODEL: string;
  /** Empty: nothing is written beside what people write. */
  ENRICHMENT_MODEL: string;
  KEY_RATE_LIMIT: RateLimitBinding;
  ORGANIZATION_RATE_LIMIT: RateLimitBinding;
  /** What the two allow, as the header says it: a binding does not tell. */
  RATE_LIMIT_POLICY: string;
  /** Comma-separated hosts that requests may name; empty: any. */
  ALLOWED_HOSTS?: string;
  /** Unset: organizations cannot be created over HTTP. */
  ADMIN_TOKEN?: string;
}

/** Who is asking, as their key says. */
export interface Principal {
  organizationId: string;
  /** The organization's mark on the tokens of the keyword index. */
  organizationNumber: number;
  keyId: string;
  /** The part of the secret that may be shown. */
  keyPrefix: string;
  scopes: readonly Scope[];
  /** The one agent whose data the key sees and writes; null for all. */
  agentId: string | null;
  expiresAtMs: number | null;
}

/** What every service can reach. */
export interface ServiceContext {
  db: D1Database;
  embedder: Embedder;
  reranker: Reranker;
  /** Null where no text model describes memories. */
  enricher: Enricher | null;
  vectors: VectorStore;
  /** Null where nobody comes in by Cloudflare Access. */
  access: AccessIssuer | null;
  runtime: Runtime;
  limits: ServiceLimits;
  /** Pauses in long computations, so that other requests go on. */
  pace: Pace;
  log: Log;
  /** Counts what is asked of the bindings through this context. */
  meter: Meter;
  /** What was done for each key, added up over requests. */
  usage: UsageCounts;
  /** Keeps the Worker alive until this has settled. */
  waitUntil(work: Promise<unknown>): void;
  /** Work that goes on after the answer, counted and logged on its own, its failure too. */
  defer(event: string, work: (ctx: ServiceContext) => Promise<unknown>): void;
}

/** What a service that acts for a key can reach. Each call of its `db` checks the key. */
export interface RequestContext extends ServiceContext {
  principal: Principal;
  /** For work that has to be finished after the key has ended: its `db` checks no key. */
  system: ServiceContext;
}

/** A line of a body by its number, from 1: what it holds, or why it cannot be taken. */
export type BodyLine = { line: number } & ({ value: ExportLine } | { problem: ApiError });

/** Hono's types of this app. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    /** Operation id of the contract, or what else is served; absent where nothing is. */
    operation?: string;
    /** Set once the answer is a problem. */
    problem?: ProblemCode;
    service: ServiceContext;
    /** Only behind a key. */
    request: RequestContext;
    /** Null behind a key; the operator otherwise. */
    isOperator: boolean;
    /** Text of the body, once it is known to be JSON that can be kept exactly. */
    bodyText: string;
    /** Lines of the body, where it has lines, but for blank ones. */
    lines: BodyLine[];
    /** How many lines the body has, blank ones too. */
    lineCount: number;
    /** What makes a repeated POST have its effect once; null without an `Idempotency-Key`. */
    idempotency: IdempotentRequest | null;
  };
}

/** What a piece of work runs on. */
export interface Surroundings {
  env: Env;
  runtime: Runtime;
  limits: ServiceLimits;
  usage: UsageCounts;
  turns: IsolateTurns;
  log: Log;
  /** Keeps the Worker alive until this has settled. */
  waitUntil(work: Promise<unknown>): void;
}

/** The bindings as services know them, counted from zero. */
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
    // One binding runs every model, and each port knows the input of its own.
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
 * Run work that answers no request: one line tells what it took, another that it failed.
 *
 * @returns what the work resolved to; undefined when it failed.
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
