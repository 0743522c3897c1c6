// Entry of `npm run sim`: runs the service once per seed, with every fault that can occur.
import { availableParallelism } from "node:os";
import { readArgs, USAGE, UsageError } from "./args.ts";
import { COVERAGE_SEEDS, missingEvents } from "./coverage.ts";
import { describeLoad, runLoad } from "./load/load.ts";
import { describeFailure, describeRun } from "./report.ts";
import { simulate } from "./simulate.ts";
import { runSeeds } from "./worker-pool.ts";

/** Failed seeds after which the command stops. */
const FAILURES_MAX = 5;

try {
  process.exitCode = await main();
} catch (error) {
  const isUsage = error instanceof UsageError;
  process.stderr.write(isUsage ? `${error.message}\n\n${USAGE}\n` : `${(error as Error).stack}\n`);
  process.exitCode = isUsage ? 2 : 1;
}

/** @returns The exit code. */
async function main(): Promise<number> {
  const args = readArgs(process.argv.slice(2));
  if ("load" in args) {
    const report = await runLoad(args.load);
    process.stdout.write(describeLoad(report));
    return report.problems.length === 0 ? 0 : 1;
  }
  if ("seed" in args) {
    const run = await simulate(args.seed);
    process.stdout.write(describeRun(run));
    return run.failure === null ? 0 : 1;
  }
  const started = performance.now();
  const happened = new Set<string>();
  let [done, steps, failures] = [0, 0, 0];
  await runSeeds(
    { ...args, threads: availableParallelism() },
    (run) => {
      done += 1;
      steps += run.steps;
      if (run.failure !== null) failures += 1;
      for (const event of run.events) happened.add(event);
      process.stdout.write(describeFailure(run));
      if (done % 100 === 0) process.stderr.write(`${done} of ${args.seeds} seeds\n`);
    },
    () => failures >= FAILURES_MAX,
  );
  const seconds = (performance.now() - started) / 1_000;
  const pace = `${(done / seconds).toFixed(1)} a second`;
  process.stdout.write(
    `${done} seeds, ${steps} events, ${failures} failed; ${seconds.toFixed(0)} s, ${pace}.\n`,
  );
  const missing = done < COVERAGE_SEEDS ? [] : missingEvents(happened);
  for (const event of missing) process.stdout.write(`Never happened: ${event}\n`);
  return failures === 0 && missing.length === 0 ? 0 : 1;
}
