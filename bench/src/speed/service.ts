import { join } from "node:path";
import type { Embedder } from "../../../local/src/embedder/embedder.ts";
import { type Child, startChild } from "./child.ts";
import { engramStores } from "./engram.ts";
import { exactWindows } from "./exact.ts";
import { type BareInserts, emptyRequest, insertBare, memoryWork } from "./limits.ts";
import { measureSystem, VECTORS_ONLY } from "./measure.ts";
import type { MeasuredRound } from "./peers.ts";
import { watchResident } from "./resident.ts";
import type { Matrix } from "./vectors.ts";
import type { Workload } from "./workload.ts";

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

/** Measure one round of Engram, and after it what the same rows take in the same database at the least. */
export async function measureEngram(
  service: SpeedService,
  input: {
    workload: Workload;
    /** Of the workload's lines. */
    matrix: Matrix;
    embedder: Embedder;
    singles: number;
    progress(text: string): void;
  },
): Promise<{ round: MeasuredRound; inserts: BareInserts; windows: number }> {
  const { workload, matrix, embedder, singles, progress } = input;
  const { exact, windows } = exactWindows(workload.talks, embedder);
  const watch = watchResident(service.child.pid);
  const round = await measureSystem(engramStores(service), workload, {
    singles,
    exactOf: (way) => (way === VECTORS_ONLY ? exact : null),
    beside: { empty: () => emptyRequest(service.url), ...memoryWork(workload, matrix, embedder) },
    progress,
  });
  const residentBytes = watch.stop();
  const inserts = await insertBare(service.url, workload, singles);
  return { round: { ...round, residentBytes }, inserts, windows };
}
