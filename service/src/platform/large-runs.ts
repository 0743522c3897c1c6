import type { ServiceLimits } from "../limits.ts";
import type { Turns } from "../text/pace.ts";

/**
 * Runs background work that keeps much in memory. Of work for more than `ordinaryIndexBytes`, an isolate (running copy
 * of the Worker) runs one at a time, because all of its requests share one memory.
 *
 * @param bytes size of the content that the work processes.
 */
export async function runInTurn<T>(
  { turns, limits }: { turns: { largeRuns: Turns }; limits: Pick<ServiceLimits, "ordinaryIndexBytes"> },
  bytes: number,
  work: () => Promise<T>,
): Promise<T> {
  if (bytes <= limits.ordinaryIndexBytes) return work();
  const owner = {};
  await turns.largeRuns.next(owner, false);
  try {
    return await work();
  } finally {
    turns.largeRuns.end(owner);
  }
}
