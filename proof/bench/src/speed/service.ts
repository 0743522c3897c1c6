import { join } from "node:path";
import type { Embedder } from "../../../../local/src/embedder/embedder.ts";
import { proportionalBytes, watchProportional } from "../../../support/memory.ts";
import { type ServiceProcess, startServiceProcess } from "../../../support/service-process.ts";
import { type AtOnce, type AtOnceSizes, measureAtOnce } from "./at-once.ts";
import { engramStore, engramStores, memoryStore, type Remote, remoteStores } from "./engram.ts";
import { type Exact, exactLines, exactWindows } from "./exact.ts";
import { type BareInserts, emptyRequest, insertBare, memoryWork } from "./limits.ts";
import { measureSystem, type OpenStore, VECTORS_ONLY } from "./measure.ts";
import type { MeasuredRound } from "./peers.ts";
import { type FrequentRequests, measureRequests } from "./requests.ts";
import type { Matrix } from "./vectors.ts";
import type { Workload } from "./workload.ts";

/** Titles and plot labels of the ways to store lines in Engram. */
export const OWN = {
  engram: { title: "Engram over HTTP", label: "Engram", toStore: engramStore },
  memories: { title: "Engram over HTTP, each as a memory", label: "Engram, memories", toStore: memoryStore },
} as const;

/** Start the service as `npm start` runs it, with a route for bare inserts into its database. */
export const startSpeedService = (): Promise<ServiceProcess> =>
  startServiceProcess({ serviceEntry: join(import.meta.dirname, "../served/bare-inserts-worker.mjs") });

interface OwnInput {
  workload: Workload;
  /** Vectors of the workload's lines. */
  matrix: Matrix;
  embedder: Embedder;
  singles: number;
  progress(text: string): void;
}

/**
 * Measure one round of Engram, then its most frequent requests, then the lower bound for storing the same rows in the
 * same database.
 */
export async function measureEngram(
  service: ServiceProcess,
  input: OwnInput,
): Promise<{
  restBytes: number;
  round: MeasuredRound;
  requests: FrequentRequests;
  inserts: BareInserts;
  windows: number;
}> {
  const restBytes = proportionalBytes(service.pid);
  const { exact, windows } = exactWindows(input.workload.talks, input.embedder);
  const round = await measureStores(service, engramStores(service), exact, input);
  const { queries, warmUps } = input.workload;
  input.progress("searching long messages");
  const requests = await measureRequests(service, { queries: queries.length, warmUps: warmUps.length });
  const inserts = await insertBare(service.url, input.workload, input.singles);
  return { restBytes, round, requests, inserts, windows };
}

/** Measure one round of a service that runs. Which vectors it makes is unknown, so no exact scores are compared. */
export async function measureRemote(
  name: keyof typeof OWN,
  remote: Remote,
  { workload, singles, progress }: OwnInput,
  signal: AbortSignal,
): Promise<MeasuredRound> {
  const round = await measureSystem(remoteStores(remote, OWN[name].toStore, signal), workload, {
    singles,
    exactOf: () => null,
    baselines: { empty: () => emptyRequest(remote.url) },
    progress,
  });
  return { ...round, memoryBytes: Number.NaN };
}

/** Measure Engram with several clients at once. */
export const measureOwnAtOnce = (
  name: keyof typeof OWN,
  service: ServiceProcess,
  sizes: AtOnceSizes,
  progress: (text: string) => void,
): Promise<AtOnce> => measureAtOnce(engramStores(service, OWN[name].toStore), sizes, progress);

/** Measure one round with each line stored as a memory with its own vector. */
export function measureMemories(service: ServiceProcess, input: OwnInput): Promise<MeasuredRound> {
  const exact = exactLines(input.matrix, input.embedder);
  return measureStores(service, engramStores(service, memoryStore), exact, input);
}

async function measureStores(
  service: ServiceProcess,
  open: OpenStore,
  exact: Exact,
  { workload, matrix, embedder, singles, progress }: OwnInput,
): Promise<MeasuredRound> {
  const watch = watchProportional(service.pid);
  const round = await measureSystem(open, workload, {
    singles,
    exactOf: (way) => (way === VECTORS_ONLY ? exact : null),
    baselines: { empty: () => emptyRequest(service.url), ...memoryWork(workload, matrix, embedder) },
    progress,
  });
  return { ...round, memoryBytes: watch.stop() };
}
