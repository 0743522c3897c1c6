import type { ServiceLimits } from "../limits.ts";
import type { Mutex } from "./mutex.ts";

/**
 * Runs background work. Of work that processes more than `ordinaryIndexBytes` of content, an isolate (running copy of
 * the Worker) runs one at a time, because all of its requests share one memory.
 */
export async function runLargeWork<T>(
  { mutexes, limits }: { mutexes: { largeRuns: Mutex }; limits: Pick<ServiceLimits, "ordinaryIndexBytes"> },
  contentBytes: number,
  work: () => Promise<T>,
): Promise<T> {
  return contentBytes <= limits.ordinaryIndexBytes ? work() : mutexes.largeRuns.run(false, work);
}
