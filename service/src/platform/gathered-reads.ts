import type { CallInterceptor, DatabaseCall, Result } from "./database-calls.ts";
import { isWrite } from "./deadlines.ts";

/** Steps of the microtask queue in which further reads join a call. Reads of parallel work are a few steps apart. */
const STEPS = 16;

/**
 * Sends reads that parallel work makes at nearly the same time in one call, which then is one transaction. A call takes
 * longer than most statements. Which reads come together does not change what they return, except that a failure of one
 * is a failure of all.
 */
export function gatherReads(): CallInterceptor {
  let open: { statements: DatabaseCall["statements"]; results: Promise<Result[]> } | null = null;
  return async (call, send) => {
    if (call.statements.some(({ sql }) => isWrite(sql))) return send();
    if (open === null) {
      const statements: DatabaseCall["statements"] = [];
      open = { statements, results: sendLater(statements) };
    }
    const { statements, results } = open;
    const place = statements.length;
    statements.push(...call.statements);
    return (await results).slice(place, place + call.statements.length);

    async function sendLater(gathered: DatabaseCall["statements"]): Promise<Result[]> {
      for (let step = 0; step < STEPS; step++) await null;
      open = null;
      return send({ kind: "batch", statements: gathered });
    }
  };
}
