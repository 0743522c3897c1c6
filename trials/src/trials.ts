// What `npm run trials` runs: tries to break the promises of the service, as it really runs on this machine.
import { createProgress } from "../../bench/src/command/progress.ts";
import { readArgs, type TrialArgs, UsageError, usage } from "./args.ts";
import { bombs } from "./bombs.ts";
import { concurrency } from "./concurrency.ts";
import { crash } from "./crash.ts";
import { deletion } from "./deletion.ts";
import { lostResponse } from "./lost-response.ts";
import { outage } from "./outage.ts";
import type { Trial } from "./support/trial.ts";

const TRIALS = [concurrency, lostResponse, crash, outage, bombs, deletion];
/** A broken promise breaks often; the first tell what happened. */
const BROKEN_SHOWN = 20;

const { show: progress, clear } = createProgress(process.stderr);

// Whoever was started notices that we have gone, ends and tidies up.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1));

try {
  const args = readArgs(process.argv.slice(2), TRIALS);
  let broken = 0;
  for (const trial of args.trials) broken += await runTrial(trial, args);
  process.exit(broken === 0 ? 0 : 1);
} catch (error) {
  clear();
  process.stderr.write(
    error instanceof UsageError ? `${error.message}\n\n${usage(TRIALS)}\n` : `${explain(error)}\n`,
  );
  process.exit(error instanceof UsageError ? 2 : 1);
}

/** Run one and print what it found. @returns How many promises broke. */
async function runTrial(trial: Trial, { count, short, seed }: TrialArgs): Promise<number> {
  const { name, counts } = trial;
  const counted = count ?? (short ? counts.short : counts.long);
  const startMs = performance.now();
  const { figures, broken, checks } = await trial.run({ count: counted, short, seed, progress });
  const seconds = ((performance.now() - startMs) / 1_000).toFixed(1);
  clear();
  const lines = [
    `## ${name}`,
    trial.promise,
    "",
    `- ${counts.of}: ${counted.toLocaleString("en")}, seed "${seed}"`,
    ...figures.map(([figure, value]) => `- ${figure}: ${value}`),
    `- ${checks.toLocaleString("en")} checks in ${seconds} s: ${broken.length === 0 ? "held" : `BROKEN ${broken.length} times`}`,
    ...broken.slice(0, BROKEN_SHOWN).map((what) => `  - ${what.replaceAll("\n", "\n    ")}`),
    "",
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  return broken.length;
}

function explain(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
