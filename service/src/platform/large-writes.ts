import type { CallInterceptor, DatabaseCall } from "./database-calls.ts";
import type { Mutex } from "./mutex.ts";

/**
 * Sends the large batches of an isolate (running copy of the Worker) one after the other. D1 runs calls in the order of
 * arrival, so other calls that arrive during a large batch run before the next large batch.
 */
export const serializeLargeWrites =
  (
    mutex: Mutex,
    { charactersMax, isBackground }: { charactersMax: number; isBackground: boolean },
  ): CallInterceptor =>
  (call, send) =>
    call.kind === "batch" && charactersOf(call) > charactersMax ? mutex.run(isBackground, send) : send();

const charactersOf = ({ statements }: DatabaseCall): number =>
  statements
    .flatMap(({ values }) => values)
    .reduce((sum: number, value) => sum + (typeof value === "string" ? value.length : 0), 0);
