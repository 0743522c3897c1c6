import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { bundleWorker, toManifest } from "../../../../local/src/bundle.ts";
import { prepareEmbeddings } from "../../../../local/src/embeddings/embeddings.ts";
import { fireCrons } from "../../../../local/src/start/cron.ts";
import { earlierDatabaseFile } from "../../../../local/src/start/database.ts";
import { Disk } from "../../../../local/src/start/disk.ts";
import { applyMigrations } from "../../../../local/src/start/migrations.ts";
import { onPort } from "../../../../local/src/start/port.ts";
import { ROOT } from "../../../../local/src/start/service.ts";
import { guardWorkerd, workerdPids } from "../../../../local/src/start/watchdog.ts";
import {
  localWorker,
  readProductionConfig,
  startRuntime,
  type WorkerOptions,
} from "../../../../local/src/start/workers.ts";
import { residentBytes } from "../../../support/memory.ts";

const NAME = "engram";
const ADMIN_TOKEN = "engram_admin_scale";
const HOST = "127.0.0.1";
/** As on Cloudflare. `npm start` sweeps more often, which would slow down D1 here, and with it all else. */
const CRON_INTERVAL_MS = 60_000;

export const PLACES = ["d1", "cell"] as const;
export type PlaceName = (typeof PLACES)[number];

/** Calls of each place. */
export type Calls = Record<PlaceName, number>;

/** Milliseconds that the thread of workerd ran, and that it could run, but other work on the machine did. */
export interface Processor {
  ranMs: number;
  waitedMs: number;
}

/** The product's Worker with D1 and cells, as in production, in workerd. */
export interface PlacesService {
  url: string;
  adminToken: string;
  /** Adds this time to each call of D1 and of a cell. Resolves to the calls since the last time. */
  setNetwork(ms: number): Promise<Calls>;
  /** Resident memory of workerd; NaN without /proc. */
  memoryBytes(): number;
  /** Processor time of workerd; NaN without /proc. */
  processor(): Processor;
  stop(): Promise<void>;
}

/** @param directory Of the data, which stays. */
export async function startPlaces(directory: string): Promise<PlacesService> {
  guardWorkerd();
  const state = join(directory, "state");
  const temporaryPath = join(directory, "temporary");
  mkdirSync(temporaryPath, { recursive: true });
  migrateD1(state);
  const config = readProductionConfig(ROOT);
  const print = (line: string) => void process.stderr.write(`${line}\n`);
  const embeddings = await prepareEmbeddings("words", directory, print);
  const [service, local] = await Promise.all([
    bundleWorker(join(import.meta.dirname, "../served/scale-worker.mjs")),
    bundleWorker(join(ROOT, "local/src/worker.ts")),
  ]);
  const disk = new Disk({ path: directory, note: print });
  const paths = { statePath: state, temporaryPath };
  const stand = localWorker({
    config,
    manifest: toManifest(local),
    embeddings,
    textModel: undefined,
    vars: {},
  });
  const vars = {
    ...config.vars,
    EMBEDDING_MODEL: embeddings.model,
    EMBEDDING_DIMENSIONS: String(embeddings.dimensions),
    ENRICHMENT_MODEL: "",
    RATE_LIMIT_POLICY: "",
    ADMIN_TOKEN,
  };
  const { url, runtime } = await onPort(
    0,
    async (port) => {
      const worker = workerOf({ config, manifest: toManifest(service), vars, port });
      return { url: `http://${HOST}:${port}`, runtime: await startRuntime(paths, [worker, stand], disk) };
    },
    print,
  );
  const stopCrons = fireCrons({
    ...{ runtime, crons: config.crons, intervalMs: CRON_INTERVAL_MS },
    isPaused: () => false,
  });
  return {
    url,
    adminToken: ADMIN_TOKEN,
    setNetwork: async (ms) => (await (await fetch(`${url}/network?ms=${ms}`)).json()) as Calls,
    memoryBytes: () => workerdPids().reduce((sum, pid) => sum + residentBytes(pid), 0),
    processor: () => processorOf(workerdPids()[0]),
    stop() {
      stopCrons();
      return runtime.dispose();
    },
  };
}

function processorOf(pid: number | undefined): Processor {
  try {
    const [ranNs, waitedNs] = readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ").map(Number);
    return { ranMs: Number(ranNs) / 1e6, waitedMs: Number(waitedNs) / 1e6 };
  } catch {
    return { ranMs: Number.NaN, waitedMs: Number.NaN };
  }
}

function workerOf(input: {
  config: ReturnType<typeof readProductionConfig>;
  manifest: ReturnType<typeof toManifest>;
  vars: Record<string, string>;
  port: number;
}): WorkerOptions {
  const { compatibilityDate, compatibilityFlags } = input.config;
  const texts = Object.entries(input.vars).map(([name, value]) => [name, { type: "text", value }]);
  return {
    config: {
      ...{ name: NAME, compatibilityDate, compatibilityFlags, manifest: input.manifest },
      env: {
        ...Object.fromEntries(texts),
        DB: { type: "d1", id: "DB" },
        CELLS: { type: "durable-object", worker: NAME, exportName: "Cell" },
        HUB: { type: "durable-object", worker: NAME, exportName: "Hub" },
        AI: { type: "worker", worker: "engram-local", exportName: "LocalAI" },
        VECTORIZE: { type: "worker", worker: "engram-local", exportName: "LocalVectorize" },
      },
      exports: {
        Cell: { type: "durable-object", storage: "sqlite" },
        Hub: { type: "durable-object", storage: "sqlite" },
      },
    },
    dev: { unsafeDirectSockets: [{ host: HOST, port: input.port }] },
  };
}

/** Applies the migrations to the file of Miniflare's D1, before it is opened. */
function migrateD1(state: string): void {
  const file = earlierDatabaseFile(state);
  mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file);
  try {
    applyMigrations(database, join(ROOT, "migrations"));
  } finally {
    database.close();
  }
}
