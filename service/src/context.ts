import type { Scope } from "@engram/spec";
import { type AiBinding, type Embedder, workersAiEmbedder } from "./ports/embedder.ts";
import { type VectorizeBinding, type VectorStore, vectorizeStore } from "./ports/vectors.ts";
import type { IdempotentRequest } from "./queries/idempotency-keys.ts";
import type { Runtime } from "./runtime.ts";

/** What the deployment binds; see wrangler.toml. */
export interface Env {
  DB: D1Database;
  AI: AiBinding;
  VECTORIZE: VectorizeBinding;
  /** Files of the docs page. */
  ASSETS: Fetcher;
  EMBEDDING_MODEL: string;
  EMBEDDING_DIMENSIONS: string;
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
  scopes: readonly Scope[];
  /** The one agent whose data the key sees and writes; null for all. */
  agentId: string | null;
  expiresAtMs: number | null;
}

/** What every service can reach. */
export interface ServiceContext {
  db: D1Database;
  embedder: Embedder;
  vectors: VectorStore;
  runtime: Runtime;
  /** Goes on after the answer; a failure is logged. */
  defer(work: Promise<unknown>): void;
}

/** What a service that acts for a key can reach. */
export interface RequestContext extends ServiceContext {
  principal: Principal;
}

/** Hono's types of this app. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    service: ServiceContext;
    /** Only behind a key. */
    request: RequestContext;
    /** Null behind a key; the operator otherwise. */
    isOperator: boolean;
    /** Text of the body, once it is known to be JSON that can be kept exactly. */
    bodyText: string;
    /** What makes a repeated POST have its effect once; null without an `Idempotency-Key`. */
    idempotency: IdempotentRequest | null;
  };
}

/** The bindings as services know them. */
export function createServiceContext(
  env: Env,
  runtime: Runtime,
  defer: (work: Promise<unknown>) => void,
): ServiceContext {
  return {
    db: env.DB,
    embedder: workersAiEmbedder(env.AI, env.EMBEDDING_MODEL, Number(env.EMBEDDING_DIMENSIONS)),
    vectors: vectorizeStore(env.VECTORIZE),
    runtime,
    defer,
  };
}
