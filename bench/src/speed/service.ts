import { join } from "node:path";
import type { Embedder } from "../../../local/src/embedder/embedder.ts";
import { type Child, startChild } from "./child.ts";
import { engramStores, memoryStore } from "./engram.ts";
import { type Exact, exactLines, exactWindows } from "./exact.ts";
import { type BareInserts, emptyRequest, insertBare, memoryWork } from "./limits.ts";
import { measureSystem, type OpenStore, VECTORS_ONLY } from "./measure.ts";
import type { MeasuredRound } from "./peers.ts";
import { watchResident } from "./resident.ts";
import type { Matrix } from "./vectors.ts";
import type { Workload } from "./workload.ts";

/** What Engram keeps the same lines as, by the name of the system: for the table, and for the plot. */
export const OWN = {
  engram: { title: "Engram over HTTP", label: "Engram" },
  memories: { title: "Engram over HTTP, each as a memory", label: "Engram, memories" },
} as const;

/** Run as a program, since nothing here may know the inside of the service. */
const PROGRAM = join(import.meta.dirname, "../../test/support/speed-service.ts");

/** The service as `npm start` serves it, on a free port, with a database of its own. */
export interface SpeedService {
  url: string;
  adminToken: string;
  child: Child;
}

/** Start it. @throws {Error} with what it printed when it does not come up. */
export async function startSpeedService(): Promise<SpeedService> {
  const child = await startChild(PROGRAM);
  try {
    const { url, adminToken } = (await child.receive()) as { url: string; adminToken: string };
    return { url, adminToken, child };
  } catch (error) {
    await child.stop();
    throw error;
  }
}

interface OwnInput {
  workload: Workload;
  /** Of the workload's lines. */
  matrix: Matrix;
  embedder: Embedder;
  singles: number;
  progress(text: string): void;
}

/** Measure one round of Engram, and after it what the same rows take in the same database at the least. */
export async function measureEngram(
  service: SpeedService,
  input: OwnInput,
): Promise<{ round: MeasuredRound; inserts: BareInserts; windows: number }> {
  const { exact, windows } = exactWindows(input.workload.talks, input.embedder);
  const round = await measureStores(service, engramStores(service), exact, input);
  const inserts = await insertBare(service.url, input.workload, input.singles);
  return { round, inserts, windows };
}

/** Measure one round of memories: each line is one, with a vector of its own. */
export function measureMemories(service: SpeedService, input: OwnInput): Promise<MeasuredRound> {
  const exact = exactLines(input.matrix, input.embedder);
  return measureStores(service, engramStores(service, memoryStore), exact, input);
}

async function measureStores(
  service: SpeedService,
  open: OpenStore,
  exact: Exact,
  { workload, matrix, embedder, singles, progress }: OwnInput,
): Promise<MeasuredRound> {
  const watch = watchResident(service.child.pid);
  const round = await measureSystem(open, workload, {
    singles,
    exactOf: (way) => (way === VECTORS_ONLY ? exact : null),
    beside: { empty: () => emptyRequest(service.url), ...memoryWork(workload, matrix, embedder) },
    progress,
  });
  return { ...round, residentBytes: watch.stop() };
}
