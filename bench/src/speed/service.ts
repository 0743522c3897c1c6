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

/** Titles and plot labels of the ways to store lines in Engram. */
export const OWN = {
  engram: { title: "Engram over HTTP", label: "Engram" },
  memories: { title: "Engram over HTTP, each as a memory", label: "Engram, memories" },
} as const;

/** Started as a program, because the bench must not import the service's internals. */
const PROGRAM = join(import.meta.dirname, "../../test/support/speed-service.ts");

/** The service as `npm start` runs it, on a free port, with a new database. */
export interface SpeedService {
  url: string;
  adminToken: string;
  child: Child;
}

/** @throws {Error} with its output when it does not start. */
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
  /** Vectors of the workload's lines. */
  matrix: Matrix;
  embedder: Embedder;
  singles: number;
  progress(text: string): void;
}

/** Measure one round of Engram, and then the lower bound for storing the same rows in the same database. */
export async function measureEngram(
  service: SpeedService,
  input: OwnInput,
): Promise<{ round: MeasuredRound; inserts: BareInserts; windows: number }> {
  const { exact, windows } = exactWindows(input.workload.talks, input.embedder);
  const round = await measureStores(service, engramStores(service), exact, input);
  const inserts = await insertBare(service.url, input.workload, input.singles);
  return { round, inserts, windows };
}

/** Measure one round with each line stored as a memory with its own vector. */
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
