import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Log, LogLevel, Miniflare, type MiniflareOptions, type Request, Response } from "miniflare";
import { parse } from "smol-toml";
import type { Embeddings } from "../embeddings/embeddings.ts";
import { EXTRACTIVE_MODEL } from "../enricher/model.ts";
import type { EndpointTextModel, TextInput } from "../enrichment/endpoint.ts";

export type WorkerOptions = MiniflareOptions["workers"][number];
export type Manifest = NonNullable<WorkerOptions["config"]["manifest"]>;

type Bindings = NonNullable<WorkerOptions["config"]["env"]>;
type FetcherBinding = Extract<Bindings[string], { type: "fetcher" }>;

/** Name of the product's Worker within the runtime. */
const SERVICE_WORKER = "engram";
const LOCAL_WORKER = "engram-local";
const ASSETS_WORKER = "engram-assets";
const HOST = "127.0.0.1";

/**
 * wrangler's name for a local database without an id. Fixed, since an id that a later deployment writes
 * into wrangler.toml must not lead away from the data that is already here.
 */
const DATABASE_ID = "DB";

/** The embedder that is built into the local Worker. */
const BUILT_IN = { model: "engram/use-pieces-256d-int8", dimensions: 256 };

/** What the local start takes from wrangler.toml. */
export interface ProductionConfig {
  compatibilityDate: string;
  compatibilityFlags: string[];
  vars: Record<string, string>;
  crons: string[];
  /** Where the files of the docs page are gathered, from the repository's root. */
  assetsDirectory: string;
}

/** Read what of the production configuration holds on one machine, too. */
export function readProductionConfig(root: string): ProductionConfig {
  const config = parse(readFileSync(join(root, "wrangler.toml"), "utf8"));
  const triggers = asTable(config.triggers);
  const vars = Object.entries(asTable(config.vars)).map(([name, value]) => [name, String(value)]);
  return {
    compatibilityDate: String(config.compatibility_date),
    compatibilityFlags: asStrings(config.compatibility_flags),
    vars: Object.fromEntries(vars),
    crons: asStrings(triggers.crons),
    assetsDirectory: String(asTable(config.assets).directory),
  };
}

/** Requests that each may send in 10 seconds. */
export interface RateLimits {
  key: number;
  organization: number;
}

const RATE_LIMIT_SECONDS = 10;
/** On one machine there are no neighbours to protect; a loop without end is still slowed down. */
const LOCAL_RATE_LIMITS: RateLimits = { key: 100_000, organization: 100_000 };

const rateLimit = (namespace: string, limit: number) =>
  ({ type: "rate-limit", namespace, simple: { limit, period: RATE_LIMIT_SECONDS } }) as const;

/** The product's Worker, unchanged, with local bindings of the names that it has in production. */
export function serviceWorker(input: {
  config: ProductionConfig;
  manifest: Manifest;
  port: number;
  adminToken: string;
  embeddings: Embeddings | undefined;
  textModel: EndpointTextModel | undefined;
  rateLimits: RateLimits | undefined;
  vars: Record<string, string>;
}): WorkerOptions {
  const { key, organization } = input.rateLimits ?? LOCAL_RATE_LIMITS;
  const texts = {
    ...input.config.vars,
    RATE_LIMIT_POLICY: `"key";q=${key};w=${RATE_LIMIT_SECONDS}, "organization";q=${organization};w=${RATE_LIMIT_SECONDS}`,
    ...modelVars(input),
    ALLOWED_HOSTS: `${HOST}:${input.port},localhost:${input.port}`,
    ADMIN_TOKEN: input.adminToken,
    ...input.vars,
  };
  return {
    config: {
      name: SERVICE_WORKER,
      compatibilityDate: input.config.compatibilityDate,
      compatibilityFlags: input.config.compatibilityFlags,
      manifest: input.manifest,
      env: {
        ...textBindings(texts),
        DB: { type: "d1", id: DATABASE_ID },
        AI: { type: "worker", worker: LOCAL_WORKER, exportName: "LocalAI" },
        VECTORIZE: { type: "worker", worker: LOCAL_WORKER, exportName: "LocalVectorize" },
        ASSETS: { type: "worker", worker: ASSETS_WORKER },
        KEY_RATE_LIMIT: rateLimit("1001", key),
        ORGANIZATION_RATE_LIMIT: rateLimit("1002", organization),
      },
    },
    // Straight to the Worker: the entry that Miniflare puts before it obeys headers (MF-Original-URL) that
    // would let a page in a browser feign the host, and answers exceptions with their stack.
    dev: { unsafeDirectSockets: [{ host: HOST, port: input.port }] },
  };
}

/** The Worker that stands where Workers AI and Vectorize stand in production. */
export function localWorker(input: {
  config: ProductionConfig;
  manifest: Manifest;
  embeddings: Embeddings | undefined;
  textModel: EndpointTextModel | undefined;
  vars: Record<string, string>;
}): WorkerOptions {
  return {
    config: {
      name: LOCAL_WORKER,
      compatibilityDate: input.config.compatibilityDate,
      compatibilityFlags: input.config.compatibilityFlags,
      manifest: input.manifest,
      env: {
        ...textBindings({ ...modelVars(input), ...input.vars }),
        ...embeddingBinding(input.embeddings),
        ...enrichmentBinding(input.textModel),
        VECTOR_STORE: { type: "durable-object", worker: LOCAL_WORKER, exportName: "VectorStore" },
      },
      exports: { VectorStore: { type: "durable-object", storage: "sqlite" } },
    },
  };
}

/**
 * The files of the docs page, in a Worker of their own: with files of its own the product's Worker would
 * stand behind Miniflare's router for them, which takes a third of the time of a `GET /health`.
 */
export function assetsWorker(config: ProductionConfig, directory: string): WorkerOptions {
  return {
    config: {
      name: ASSETS_WORKER,
      compatibilityDate: config.compatibilityDate,
      manifest: moduleOf("export default { fetch: (request, env) => env.ASSETS.fetch(request) };"),
      env: { ASSETS: { type: "assets" } },
      assets: { directory, hasUserWorker: true, runWorkerFirst: true },
    },
  };
}

/** A Worker that does nothing, to reach the database before the service is up. */
export function migrationWorker(config: ProductionConfig): WorkerOptions {
  return {
    config: {
      name: SERVICE_WORKER,
      compatibilityDate: config.compatibilityDate,
      manifest: moduleOf("export default {};"),
      env: { DB: { type: "d1", id: DATABASE_ID } },
    },
  };
}

const moduleOf = (contents: string): Manifest => ({
  mainModule: "index.mjs",
  modules: { "index.mjs": { type: "esm", contents } },
});

/** A runtime of these Workers, ready to serve, that reaches out to nobody and prints errors, or all that they log. */
export async function startRuntime(
  data: { statePath: string; temporaryPath: string },
  workers: WorkerOptions[],
  printsAll = false,
): Promise<Miniflare> {
  const runtime = createQuietly(data.temporaryPath, {
    host: HOST,
    port: 0,
    workers,
    resourcePersistencePath: data.statePath,
    // Each of these would otherwise reach the network or write outside the data directory.
    cf: false,
    telemetry: { enabled: false },
    enableDevRegistry: false,
    unsafeLocalExplorer: false,
    unsafeObservability: false,
    logRequests: false,
    // How cron.ts reaches the scheduled handler; only through the port that Miniflare keeps to itself.
    unsafeTriggerHandlers: true,
    log: new Log(LogLevel.ERROR, { prefix: "engram" }),
    handleStructuredLogs: ({ level, message }) => {
      if (printsAll || level === "error" || level === "warn") process.stderr.write(`${message}\n`);
    },
    unsafeHandleRuntimeRestart: () => {
      process.stderr.write("The Workers runtime crashed and was started again.\n");
    },
  });
  try {
    await runtime.ready;
  } catch (error) {
    await runtime.dispose().catch(() => {});
    throw error;
  }
  return runtime;
}

/**
 * A Miniflare that leaves signals to its caller, where its own handlers would end the process before
 * anything is put in order, and that keeps its scratch files with the data, where the next start removes
 * what a killed one has left.
 */
function createQuietly(temporaryPath: string, options: MiniflareOptions): Miniflare {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const before = new Map(signals.map((signal) => [signal, new Set(process.listeners(signal))]));
  const { TMPDIR } = process.env;
  process.env.TMPDIR = temporaryPath;
  try {
    return new Miniflare(options);
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    for (const signal of signals) {
      for (const listener of process.listeners(signal)) {
        if (!before.get(signal)?.has(listener)) process.off(signal, listener);
      }
    }
  }
}

function modelVars(input: { embeddings: Embeddings | undefined; textModel: EndpointTextModel | undefined }) {
  const { model, dimensions } = input.embeddings ?? BUILT_IN;
  return {
    EMBEDDING_MODEL: model,
    EMBEDDING_DIMENSIONS: String(dimensions),
    ENRICHMENT_MODEL: input.textModel?.model ?? EXTRACTIVE_MODEL,
  };
}

/**
 * An embedder of this process as the local Worker calls it: texts as JSON, answered by their vectors' numbers
 * as float32, or by an error as Workers AI words it.
 *
 * Miniflare brings the calls here; nobody else can, since they carry a secret that only workerd is told.
 */
function embeddingBinding(embeddings: Embeddings | undefined): Record<string, FetcherBinding> {
  if (embeddings === undefined) return {};
  const handler = answering(async (texts) => {
    const vectors = await embeddings.embed(texts as string[]);
    return Buffer.concat(vectors.map(toBytes));
  });
  return { EMBEDDINGS: { type: "fetcher", handler } };
}

/** A text model of this process likewise: its input as JSON, answered by what it says. */
function enrichmentBinding(textModel: EndpointTextModel | undefined): Record<string, FetcherBinding> {
  if (textModel === undefined) return {};
  return {
    ENRICHMENT: { type: "fetcher", handler: answering((input) => textModel.answer(input as TextInput)) },
  };
}

/** Answers a request's JSON with what `answer` makes of it, or with the words of what it throws. */
function answering(answer: (asked: unknown) => Promise<string | Buffer>) {
  return async (request: Request) => {
    try {
      return new Response(await answer(await request.json()));
    } catch (error) {
      return new Response(error instanceof Error ? error.message : String(error), { status: 500 });
    }
  };
}

function toBytes({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function textBindings(vars: Record<string, string>): Record<string, { type: "text"; value: string }> {
  const bindings = Object.entries(vars).map(([name, value]) => [name, { type: "text" as const, value }]);
  return Object.fromEntries(bindings);
}

function asTable(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function asStrings(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
