// What `npm run bench:reindex` runs: what does a change of the model take from recall, and does it come back?
import { isEngramError } from "@engram/sdk";
import { generateChats } from "./chats/chats.ts";
import { createProgress } from "./recall/progress.ts";
import { measureReindex } from "./reindex/measure.ts";
import { findFaults, formatReport } from "./reindex/report.ts";

/** One in so many of the chats' users, since everything is asked ten times over. */
const USERS_SHARE = 4;
const { show: progress, clear } = createProgress(process.stderr);
const leaving = new AbortController();

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => leaving.abort());

try {
  process.exitCode = await main();
} catch (error) {
  clear();
  if (!leaving.signal.aborted) process.stderr.write(`${explain(error)}\n`);
  // Questions that are under way would go on trying to reach the service.
  process.exit(1);
}

/** @returns The exit code. */
async function main(): Promise<number> {
  const chats = generateChats();
  const set = { ...chats, dialogues: chats.dialogues.filter((_, i) => i % USERS_SHARE === 0) };
  const measurement = await measureReindex(set, progress, leaving.signal);
  clear();
  process.stdout.write(`${formatReport(measurement, set)}\n\n`);
  const faults = findFaults(measurement);
  process.stdout.write(
    faults.length === 0
      ? "Every question scores as if the organization had been filled under the new model.\n"
      : `${faults.join("\n")}\n`,
  );
  return faults.length === 0 ? 0 : 1;
}

/** What went wrong: a sentence for what people can change, the stack for the rest. */
function explain(error: unknown): string {
  if (isEngramError(error)) return `The service failed: ${error.message} (${error.code})`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
