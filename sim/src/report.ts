import type { Run } from "./simulate.ts";

/** Lines of a failed run that are shown when it is one of many. */
const LINES = 40;

/** What a failed run violated, the last that happened before, and how to see it again. */
export function describeFailure({ seed, failure, trace }: Run): string {
  if (failure === null) return "";
  const last = trace.slice(-LINES).join("\n");
  return `\nSeed ${seed} violates ${failure.message}\n\n${last}\n\nAgain, whole: npm run sim -- --seed ${seed}\n`;
}

/** One run, whole. */
export function describeRun({ seed, steps, hash, trace, failure }: Run): string {
  const end = failure === null ? "all invariants hold" : `violates ${failure.message}`;
  return `${trace.join("\n")}\n\nSeed ${seed}: ${steps} events, trace ${hash.slice(0, 16)}, ${end}.\n`;
}
