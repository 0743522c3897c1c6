import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Log, LogLevel, Miniflare, type MiniflareOptions, type Request, Response } from "miniflare";
import { parse } from "smol-toml";
import { toManifest, type WorkerModule } from "../bundle.ts";
import type { Embeddings } from "../embeddings/embeddings.ts";
import { EXTRACTIVE_MODEL } from "../enricher/model.ts";
import type { EndpointTextModel, TextInput } from "../enrichment/endpoint.ts";
import { postWebhook } from "../webhooks/post.ts";
import type { Disk } from "./disk.ts";
import type { Call } from "./first-key.ts";
import { StartError } from "./start-error.ts";

export type WorkerOptions = MiniflareOptions["workers"][number];
export type Manifest = NonNullable<WorkerOptions["config"]["manifest"]>;

type Bindings = NonNullable<WorkerOptions["config"]["env"]>;
type FetcherBinding = Extract<Bindings[string], { type: "fetcher" }>;

const SERVICE_WORKER = "engram";
const CELLS_WORKER = "engram-cells";
const LOCAL_WORKER = "engram-local";
const ASSETS_WORKER = "engram-assets";
const HOST = "127.0.0.1";

/** The main module of the service's Worker here: the Worker of production, with an object in place of D1. */
const SERVICE_MAIN = `
import handlers, * as service from "./service.js";
import { entrypointOnDatabase, objectOnDatabase, onDatabase } from "./database.js";
export { Database } from "./database.js";
export const Background = entrypointOnDatabase(service.Background);
export const Hub = objectOnDatabase(service.Hub);
export const Cell = objectOnDatabase(service.Cell);
export default onDatabase(handlers);
`;

/**
 * V8 flags of workerd, which runs many isolates. Each would keep up to 16 MB or more for new objects. With
 * less than 4 MB, a search spends a sixth of its processor time on collecting them. With
 * `--optimize-for-size`, workerd cannot use its compile cache, and says so on each start.
 */
const WORKERD_V8_FLAGS = "--max-semi-space-size=4";

/** How workerd reports SQLite's reason, such as a full disk or a damaged file. */
const SQLITE_FAILURE = /SQLite failed; [^=]*= (.+?): SQLITE_/;

export interface ProductionConfig {
  compatibilityDate: string;
  compatibilityFlags: string[];
  vars: Record<string, string>;
  crons: string[];
  assetsDirectory: string;
}

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

/** Requests that are allowed in 10 seconds. */
export interface RateLimits {
  key: number;
  organization: number;
}

const RATE_LIMIT_SECONDS = 10;

interface ServiceModules {
  service: WorkerModule[];
  database: WorkerModule[];
  /** Of the Worker that has the cells; undefined if it is the same. */
  cells: WorkerModule[] | undefined;
}

/**
 * The service's Worker, and the one that has the cells, if it is another. They are configured as in production, but their
 * bindings lead to local replacements.
 */
export function serviceWorkers(input: {
  config: ProductionConfig;
  modules: ServiceModules;
  port: number;
  allowedHosts: string[];
  publicUrls: string[];
  webhookHosts: string[];
  adminToken: string;
  embeddings: Embeddings;
  textModel: EndpointTextModel | undefined;
  disk: Disk;
  rateLimits: RateLimits | undefined;
  /** Resolves when the first key is stored. Undefined if there is one. */
  opening: Promise<void> | undefined;
  vars: Record<string, string>;
}): WorkerOptions[] {
  const { RATE_LIMIT_POLICY: _, ...vars } = input.config.vars;
  const { cells, ...own } = input.modules;
  const cell: NonNullable<WorkerOptions["config"]["exports"]> = hasCells(input.vars)
    ? { Cell: { type: "durable-object", storage: "sqlite" } }
    : {};
  const texts = {
    ...vars,
    ...modelVars(input),
    ALLOWED_HOSTS: [HOST, "localhost", "[::1]", ...input.allowedHosts].join(","),
    PUBLIC_URLS: input.publicUrls.join(","),
    WEBHOOK_HOSTS: input.webhookHosts.join(","),
    ADMIN_TOKEN: input.adminToken,
    INDEX_QUIET_SECONDS: "0.2",
    INDEX_FIRST_AT_ONCE: "true",
    ...input.vars,
  };
  const config: WorkerOptions["config"] = {
    name: SERVICE_WORKER,
    compatibilityDate: input.config.compatibilityDate,
    compatibilityFlags: input.config.compatibilityFlags,
    manifest: serviceManifest(own),
    env: {
      ...textBindings(texts),
      DATABASE: { type: "durable-object", worker: SERVICE_WORKER, exportName: "Database" },
      AI: { type: "worker", worker: LOCAL_WORKER, exportName: "LocalAI" },
      VECTORIZE: { type: "worker", worker: LOCAL_WORKER, exportName: "LocalVectorize" },
      ASSETS: { type: "worker", worker: ASSETS_WORKER },
      ARCHIVES: { type: "r2", name: "archives" },
      HUB: { type: "durable-object", worker: SERVICE_WORKER, exportName: "Hub" },
      WEBHOOKS: {
        type: "fetcher",
        handler: (request: Request) => postWebhook(request, { hosts: input.webhookHosts }),
      },
      STORAGE: { type: "fetcher", handler: (request: Request) => reportStorage(request, input.disk) },
      ...(input.rateLimits === undefined ? {} : rateLimitBindings(input.rateLimits)),
      ...openingBinding(input.opening),
      ...cellsBinding(input.vars, cells === undefined ? SERVICE_WORKER : CELLS_WORKER),
    },
    exports: {
      ...(cells === undefined ? cell : {}),
      Hub: { type: "durable-object", storage: "sqlite" },
      Database: { type: "durable-object", storage: "sqlite" },
    },
  };
  const service: WorkerOptions = {
    config,
    // Requests reach the Worker directly, not through Miniflare's entry. That obeys headers (MF-Original-URL)
    // that would let a page in a browser forge the host, and responds to exceptions with their stack.
    dev: { unsafeDirectSockets: [{ host: HOST, port: input.port }] },
  };
  if (cells === undefined) return [service];
  const manifest = serviceManifest({ ...own, service: cells });
  return [service, { config: { ...config, name: CELLS_WORKER, manifest, exports: cell } }];
}

function serviceManifest({ service, database }: Omit<ServiceModules, "cells">): Manifest {
  const main: WorkerModule = { type: "ESModule", path: "main.js", contents: SERVICE_MAIN };
  const named = (path: string, [script, ...others]: WorkerModule[]) =>
    script === undefined ? [] : [{ ...script, path }, ...others];
  return toManifest([main, ...named("service.js", service), ...named("database.js", database)]);
}

/** `npm start` has none: one thread serves all organizations. A trial says where new organizations are, and so has some. */
const hasCells = (vars: Record<string, string>): boolean => vars.DEFAULT_PLACE !== undefined;

const cellsBinding = (vars: Record<string, string>, worker: string): Bindings =>
  hasCells(vars) ? { CELLS: { type: "durable-object", worker, exportName: "Cell" } } : {};

function openingBinding(opening: Promise<void> | undefined): Record<string, FetcherBinding> {
  if (opening === undefined) return {};
  return { OPENING: { type: "fetcher", handler: async () => opening.then(() => new Response()) } };
}

/** Answers the service's question whether the disk is full. After a failed call, it asks for `/failed`. */
async function reportStorage({ url }: Request, disk: Disk): Promise<Response> {
  const isFull = url.endsWith("/failed") ? await disk.isFullAfterFailure() : disk.isFull();
  return new Response(isFull ? "full" : "free");
}

/** Miniflare's rate limiters write to a database for each request. That takes about 2 ms each. */
function rateLimitBindings({ key, organization }: RateLimits): Bindings {
  const policyOf = (name: string, limit: number) => `"${name}";q=${limit};w=${RATE_LIMIT_SECONDS}`;
  const policy = `${policyOf("key", key)}, ${policyOf("organization", organization)}`;
  const simple = (limit: number) => ({ limit, period: RATE_LIMIT_SECONDS }) as const;
  return {
    RATE_LIMIT_POLICY: { type: "text", value: policy },
    KEY_RATE_LIMIT: { type: "rate-limit", namespace: "1001", simple: simple(key) },
    ORGANIZATION_RATE_LIMIT: { type: "rate-limit", namespace: "1002", simple: simple(organization) },
  };
}

export function localWorker(input: {
  config: ProductionConfig;
  manifest: Manifest;
  embeddings: Embeddings;
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
 * A separate Worker for static files. If the service's Worker had them, every request would pass through
 * Miniflare's router for static files, which takes a third of the time of a `GET /health`.
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

const moduleOf = (contents: string): Manifest => ({
  mainModule: "index.mjs",
  modules: { "index.mjs": { type: "esm", contents } },
});

/**
 * Starts the Workers. Prints errors and warnings, or with `printsAll` the whole log, but not the errors of a full disk,
 * of which `disk` notes the first.
 */
export async function startRuntime(
  data: { statePath: string; temporaryPath: string },
  workers: WorkerOptions[],
  disk: Disk,
  printsAll = false,
): Promise<Miniflare> {
  const runtime = createQuietly(data.temporaryPath, {
    host: HOST,
    port: 0,
    workers,
    resourcePersistencePath: data.statePath,
    // Without these settings, Miniflare would use the network or write outside the data directory.
    cf: false,
    telemetry: { enabled: false },
    enableDevRegistry: false,
    unsafeLocalExplorer: false,
    unsafeObservability: false,
    logRequests: false,
    // Lets cron.ts call the cron handler. Only requests to Miniflare's internal port can do that.
    unsafeTriggerHandlers: true,
    log: new Log(LogLevel.ERROR, { prefix: "engram" }),
    handleStructuredLogs: ({ level, message }) => {
      if (disk.explains(message)) return;
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
    const reason = SQLITE_FAILURE.exec(String(error))?.[1];
    if (reason === undefined) throw error;
    throw new StartError(
      `The database in ${data.statePath} cannot be used: ${reason}.\nSet ENGRAM_DATA to another directory.`,
    );
  }
  return runtime;
}

/** Calls the first Worker of a runtime, which needs no port. */
export const callerOf =
  (runtime: Miniflare): Call =>
  (path, init) =>
    runtime.dispatchFetch(`http://${HOST}${path}`, init);

/**
 * Creates Miniflare without its signal handlers, which would end this process before it has cleaned up. Its
 * temporary files are in `temporaryPath`, so that the next start can remove them if this process is killed.
 */
function createQuietly(temporaryPath: string, options: MiniflareOptions): Miniflare {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const before = new Map(signals.map((signal) => [signal, new Set(process.listeners(signal))]));
  const { TMPDIR } = process.env;
  process.env.TMPDIR = temporaryPath;
  process.env.MINIFLARE_WORKERD_V8_FLAGS ??= WORKERD_V8_FLAGS;
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

function modelVars(input: { embeddings: Embeddings; textModel: EndpointTextModel | undefined }) {
  const { model, dimensions } = input.embeddings;
  return {
    EMBEDDING_MODEL: model,
    EMBEDDING_DIMENSIONS: String(dimensions),
    ENRICHMENT_MODEL: input.textModel?.model ?? EXTRACTIVE_MODEL,
  };
}

/**
 * Lets a Worker call the embedding model in this process. The request has the texts as JSON. The response has
 * the numbers of the vectors as float32, or an error message in the form of Workers AI. Calls pass through
 * Miniflare with a secret that only workerd knows, so no other program can make them.
 */
function embeddingBinding({ queue }: Embeddings): Record<string, FetcherBinding> {
  if (queue === undefined) return {};
  const handler = answering(async (texts) => {
    const vectors = await queue.embed(texts as string[]);
    return Buffer.concat(vectors.map(toBytes));
  });
  return { EMBEDDINGS: { type: "fetcher", handler } };
}

function enrichmentBinding(textModel: EndpointTextModel | undefined): Record<string, FetcherBinding> {
  if (textModel === undefined) return {};
  return {
    ENRICHMENT: { type: "fetcher", handler: answering((input) => textModel.answer(input as TextInput)) },
  };
}

/**
 * Turns a function into a request handler. If the function throws, the response has status 500 and the
 * error's message.
 */
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
