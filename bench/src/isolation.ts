// What `npm run bench:isolation` runs: does a search of one organization pay for what others have stored?
import { writeFile } from "node:fs/promises";
import { generatedWorkload } from "./cost/workload.ts";
import { readArgs, USAGE, UsageError } from "./isolation/args.ts";
import { measureIsolation } from "./isolation/measure.ts";
import { findDependence, formatReport } from "./isolation/report.ts";
import { createProgress } from "./recall/progress.ts";

const { show: progress, clear } = createProgress(process.stderr);
const leaving = new AbortController();

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => leaving.abort());

try {
  process.exitCode = await main();
} catch (error) {
  clear();
  if (!leaving.signal.aborted) process.stderr.write(`${explain(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

/** @returns The exit code. */
async function main(): Promise<number> {
  // npm runs scripts in the package; INIT_CWD is where the person stands.
  const args = readArgs(process.argv.slice(2), process.env.INIT_CWD ?? process.cwd());
  const measurement = await measureIsolation(generatedWorkload(), args, progress, leaving.signal);
  clear();
  process.stdout.write(`${formatReport(measurement)}\n`);
  if (args.jsonFile !== undefined) {
    await writeFile(args.jsonFile, `${JSON.stringify(measurement, null, 2)}\n`);
  }
  const dependence = findDependence(measurement);
  for (const line of dependence) process.stdout.write(`${line}\n`);
  return dependence.length === 0 ? 0 : 1;
}

/** What went wrong: a sentence for what people can change, the stack for the rest. */
function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n\n${USAGE}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
