import type { Run } from "./simulate.ts";

/** Trace lines shown of a failed run among many. */
const LINES = 40;

/** The violated invariant, the last events before it, and the command that repeats the run. */
export function describeFailure({ seed, failure, trace }: Run): string {
  if (failure === null) return "";
  const last = trace.slice(-LINES).join("\n");
  return `\nSeed ${seed} violates ${failure.message}\n\n${last}\n\nAgain, whole: npm run sim -- --seed ${seed}\n`;
}

export function describeRun({ seed, steps, hash, trace, failure }: Run): string {
  const end = failure === null ? "all invariants hold" : `violates ${failure.message}`;
  return `${trace.join("\n")}\n\nSeed ${seed}: ${steps} events, trace ${hash.slice(0, 16)}, ${end}.\n`;
}
