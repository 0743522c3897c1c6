// What `npm run bench:speed` runs: how fast is Engram, beside other systems and beside what cannot be beaten?
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createProgress } from "./recall/progress.ts";
import { readArgs, type SpeedArgs, USAGE, UsageError } from "./speed/args.ts";
import { isPeer } from "./speed/peers.ts";
import { plotMeasurement } from "./speed/plot.ts";
import { formatReport } from "./speed/report.ts";
import { addLarge, runSpeed } from "./speed/run.ts";
import type { Measurement } from "./speed/summary.ts";

const PLOT = "speed.svg";
const { show: progress, clear } = createProgress(process.stderr);
const cleanups: (() => Promise<void>)[] = [];
let leaving = false;

process.once("SIGINT", () => leave(130));
process.once("SIGTERM", () => leave(143));
process.once("SIGHUP", () => leave(129));

try {
  const { skipped } = await main();
  // Peers may be missing; Engram may not.
  await leave(skipped.some(({ name }) => !isPeer(name)) ? 1 : 0);
} catch (error) {
  // What fails because we are stopping is no news.
  if (!leaving) {
    clear();
    process.stderr.write(`${explain(error)}\n`);
    await leave(error instanceof UsageError ? 2 : 1);
  }
}

async function main(): Promise<Measurement> {
  // npm runs scripts in the package; INIT_CWD is where the person stands.
  const args = readArgs(process.argv.slice(2), process.env.INIT_CWD ?? process.cwd());
  const options = { progress, onStart: (stop: () => Promise<void>) => void cleanups.push(stop) };
  let measurement = await runSpeed(args, options);
  if (args.large) {
    // So that what comes now does not lose what was measured.
    await writeResults(measurement, args);
    measurement = await addLarge(measurement, options);
  }
  await writeResults(measurement, args);
  clear();
  process.stdout.write(`${formatReport(measurement)}\n`);
  return measurement;
}

async function writeResults(measurement: Measurement, args: SpeedArgs): Promise<void> {
  if (args.resultsDirectory !== undefined) {
    await mkdir(args.resultsDirectory, { recursive: true });
    await writeFile(join(args.resultsDirectory, "speed.md"), `${formatReport(measurement, PLOT)}\n`);
    await writeFile(join(args.resultsDirectory, PLOT), plotMeasurement(measurement));
  }
  if (args.jsonFile !== undefined) {
    await writeFile(args.jsonFile, `${JSON.stringify(measurement, null, 2)}\n`);
  }
}

/** Stop what was started, once, then exit. */
async function leave(code: number): Promise<void> {
  if (leaving) return;
  leaving = true;
  clear();
  for (const cleanup of cleanups) {
    await cleanup().catch((error: unknown) => process.stderr.write(`${explain(error)}\n`));
  }
  process.exit(code);
}

/** What went wrong: a sentence for what people can change, the stack for the rest. */
function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n\n${USAGE}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
