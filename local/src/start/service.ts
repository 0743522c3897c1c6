import { join, resolve } from "node:path";
import { stop as stopEsbuild } from "esbuild";
import type { Miniflare } from "miniflare";
import { bundleWorker, toManifest } from "../bundle.ts";
import type { EmbeddingChoice } from "../embeddings/choice.ts";
import { type Embeddings, prepareEmbeddings, rememberModel } from "../embeddings/embeddings.ts";
import type { EndpointAddress } from "../endpoints/address.ts";
import { EndpointTextModel } from "../enrichment/endpoint.ts";
import { gatherConsoleAssets } from "./console-assets.ts";
import { CRON_INTERVAL_MS, fireCrons } from "./cron.ts";
import { type DataDirectory, openDataDirectory } from "./data-directory.ts";
import { prepareDatabase } from "./database.ts";
import { Disk } from "./disk.ts";
import { gatherDocsAssets } from "./docs-assets.ts";
import { ensureKey } from "./first-key.ts";
import { onPort, PortTakenError } from "./port.ts";
import { guardWorkerd } from "./watchdog.ts";
import type { RateLimits } from "./workers.ts";

export const ROOT = resolve(import.meta.dirname, "../../..");

export interface ServiceOptions {
  /** 0 means any free port. Undefined means the default port or, if it is taken, one of the next ports. */
  port?: number | undefined;
  /** Default `.engram` in the repository. */
  dataDirectory?: string | undefined;
  /** Default: the model on this machine that the data directory was used with, or the model of words. */
  embeddings?: EmbeddingChoice | undefined;
  enrichment?: EndpointAddress | undefined;
  /** Names that requests may have in `Host`, in addition to the loopback interface's. */
  allowedHosts?: string[];
  /** URLs at which proxies serve the service. Requests may have their hosts in `Host`. */
  publicUrls?: string[];
  /** Hosts of private networks that webhooks may use. */
  webhookHosts?: string[];
  logsRequests?: boolean;
  /** Variables of the service's Worker. They take precedence over those in wrangler.toml. */
  vars?: Record<string, string>;
  /** Variables of the Worker that replaces Workers AI and Vectorize. */
  localVars?: Record<string, string>;
  cronIntervalMs?: number;
  /** Tests set this and the next four options, to have rate limits, and to use other Workers and migrations. */
  rateLimits?: RateLimits;
  serviceEntry?: string;
  /** Entry of the Worker that has the cells, if it is another one, as while a new version is deployed. */
  cellEntry?: string;
  localEntry?: string;
  migrationsDirectory?: string;
}

export interface Service {
  url: string;
  /** Has every scope. */
  key: string;
  adminToken: string;
  dataDirectory: string;
  /** Description of the embedding model. Undefined if it is the default. */
  embedder: string | undefined;
  /** Whether an earlier start used another embedding model, whose vectors this one cannot search. */
  hasNewModel: boolean;
  /** Description of the text model. Undefined if the built-in one is used. */
  textModel: string | undefined;
  /** Stops the service. Requests in progress are aborted. */
  stop(): Promise<void>;
}

const printLine = (line: string): void => void process.stderr.write(`${line}\n`);

/** @throws {StartError} For problems that the user can fix. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  guardWorkerd();
  const data = await openDataDirectory(resolve(options.dataDirectory ?? join(ROOT, ".engram")));
  const disk = new Disk({ path: data.path, note: printLine });
  let runtime: Miniflare | undefined;
  let embeddings: Embeddings | undefined;
  const textModel = options.enrichment && new EndpointTextModel(options.enrichment, printLine);
  const isFirst = data.readKey() === undefined;
  const keyStored = Promise.withResolvers<void>();
  try {
    const { url, ...started } = await onPort(
      options.port,
      async (port) => {
        const url = `http://127.0.0.1:${port}`;
        data.announce(url);
        embeddings ??= await prepareEmbeddings(options.embeddings, data.path, printLine);
        const parts = { embeddings, textModel, disk, opening: isFirst ? keyStored.promise : undefined };
        return { url, embeddings, ...(await startWorkers(data, port, options, parts)) };
      },
      printLine,
    );
    runtime = started.runtime;
    // Only now, because the start needs all processor cores.
    started.embeddings.warmUp?.();
    const hasNewModel = rememberModel(started.embeddings.model, data.path, isFirst);
    const key = await ensureKey((path, init) => fetch(`${url}${path}`, init), data);
    keyStored.resolve();
    const intervalMs = options.cronIntervalMs ?? CRON_INTERVAL_MS;
    const stopCrons = fireCrons({ ...started, intervalMs, isPaused: () => disk.isFull() });
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopCrons();
      embeddings?.queue?.stop();
      textModel?.stop();
      stopped ??= started.runtime.dispose().finally(() => data.release());
      return stopped;
    };
    return {
      ...{ url, key, adminToken: data.adminToken, dataDirectory: data.path },
      ...{ embedder: started.embeddings.description, hasNewModel, textModel: textModel?.description, stop },
    };
  } catch (error) {
    embeddings?.queue?.stop();
    await runtime?.dispose();
    data.release();
    throw disk.toStartError(error);
  }
}

/**
 * Starts the Workers. At the first start, `opening` holds requests back until the key is stored, so a client that gets
 * a response can read the key.
 *
 * @throws {PortTakenError} If another program uses the port.
 */
async function startWorkers(
  data: DataDirectory,
  port: number,
  options: ServiceOptions,
  parts: {
    embeddings: Embeddings;
    textModel: EndpointTextModel | undefined;
    disk: Disk;
    opening: Promise<void> | undefined;
  },
): Promise<{ runtime: Miniflare; crons: string[] }> {
  const bundles = Promise.all([
    bundleWorker(options.serviceEntry ?? join(ROOT, "service/src/worker.ts")),
    bundleWorker(join(ROOT, "local/src/database/service.ts")),
    bundleWorker(options.localEntry ?? join(ROOT, "local/src/worker.ts")),
    options.cellEntry === undefined ? undefined : bundleWorker(options.cellEntry),
  ]);
  bundles.catch(() => {});
  // This and loading the next module take as long as bundling, which runs in another process at the same time.
  prepareDatabase(data.statePath, options.migrationsDirectory ?? join(ROOT, "migrations"));
  const workers = await import("./workers.ts");
  const config = workers.readProductionConfig(ROOT);
  const [[service, database, local, cells]] = await Promise.all([
    bundles,
    gatherConsoleAssets(ROOT, config.assetsDirectory),
  ]);
  await stopEsbuild();
  const serve = [
    ...workers.serviceWorkers({
      config,
      modules: { service, database, cells },
      port,
      allowedHosts: options.allowedHosts ?? [],
      publicUrls: options.publicUrls ?? [],
      webhookHosts: options.webhookHosts ?? [],
      adminToken: data.adminToken,
      ...parts,
      rateLimits: options.rateLimits,
      vars: options.vars ?? {},
    }),
    workers.localWorker({
      config,
      manifest: toManifest(local),
      ...parts,
      vars: options.localVars ?? {},
    }),
    workers.assetsWorker(config, gatherDocsAssets(ROOT, config.assetsDirectory)),
  ];
  try {
    const runtime = await workers.startRuntime(data, serve, parts.disk, options.logsRequests);
    return { runtime, crons: config.crons };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_ADDRESS_IN_USE")
      throw new PortTakenError(port);
    throw error;
  }
}
