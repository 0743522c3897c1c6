// Entry of `npm run trials`: tries to break the promises of the service as it runs on this machine.
import { availableParallelism } from "node:os";
import { createProgress, type Progress } from "../../support/progress.ts";
import { archives } from "./archives.ts";
import { readArgs, type TrialArgs, UsageError, usage } from "./args.ts";
import { bombs } from "./bombs.ts";
import { crash } from "./crash.ts";
import { deletion } from "./deletion.ts";
import { eventReaders } from "./event-readers.ts";
import { moves } from "./moves.ts";
import { noisyNeighbour } from "./noisy-neighbour.ts";
import { describeFailure, describeFindings, describeTrial, explain, holds } from "./report.ts";
import { rolling } from "./rolling.ts";
import { slowReaders } from "./slow-readers.ts";
import { soak } from "./soak.ts";
import { judgeLog } from "./support/log.ts";
import { type Idle, Machine } from "./support/machine.ts";
import { Findings, type Trial } from "./support/trial.ts";
import { transfer } from "./transfer.ts";

/** Trials with long waits come first, so that the others can run meanwhile. */
const TRIALS = [
  deletion,
  moves,
  rolling,
  crash,
  eventReaders,
  transfer,
  archives,
  bombs,
  noisyNeighbour,
  slowReaders,
  soak,
];

/** Checked against the log of every service that a trial started. */
const LOG = {
  name: "log",
  promise: "No line that a service printed contains a key, token, idempotency key or text that a trial sent.",
};

/** Keeps its places while it waits. */
const waitAlone: Idle = (wait) => wait();

const { show, clear } = createProgress(process.stderr);

// Child processes notice the exit, stop and clean up.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1));

try {
  process.exit((await runTrials(readArgs(process.argv.slice(2), TRIALS))) ? 0 : 1);
} catch (error) {
  clear();
  process.stderr.write(
    error instanceof UsageError ? `${error.message}\n\n${usage(TRIALS)}\n` : `${explain(error)}\n`,
  );
  process.exit(error instanceof UsageError ? 2 : 1);
}

/** Run the trials and print their reports in order. @returns Whether every promise held. */
async function runTrials(args: TrialArgs): Promise<boolean> {
  const machine = new Machine(args.short ? availableParallelism() : 1);
  const progressOf = shareProgress(args.trials);
  const runs = args.trials.map((trial) => runTrial(trial, args, machine, progressOf(trial)));
  let allHeld = true;
  for (const run of runs) {
    const { report, held } = await run;
    allHeld &&= held;
    clear();
    process.stdout.write(report);
  }
  const findings = new Findings();
  judgeLog(findings);
  process.stdout.write(describeFindings(LOG, [], findings));
  return allHeld && holds(findings);
}

/**
 * A short trial runs concurrently with others, unless it measures. A long one runs alone, even while it
 * waits.
 */
async function runTrial(
  trial: Trial,
  { count, short, seed, older, place }: TrialArgs,
  machine: Machine,
  progress: Progress,
): Promise<{ report: string; held: boolean }> {
  const counted = count ?? (short ? trial.counts.short : trial.counts.long);
  return machine.use(trial.measures ? machine.places : 1, async (idle) => {
    const startMs = performance.now();
    const input = { count: counted, short, seed, older, place, progress, idle: short ? idle : waitAlone };
    try {
      const findings = await trial.run(input);
      const report = describeTrial(trial, input, findings, performance.now() - startMs);
      return { report, held: holds(findings) };
    } catch (error) {
      return { report: describeFailure(trial, error), held: false };
    } finally {
      progress("");
    }
  });
}

/** One progress line with the latest text of each trial. */
function shareProgress(trials: readonly Trial[]): (trial: Trial) => Progress {
  const said = new Map<Trial, string>();
  return (trial) => (text) => {
    said.set(trial, text);
    const line = trials
      .map((one) => said.get(one) ?? "")
      .filter((part) => part !== "")
      .join("; ");
    if (line !== "") show(line);
  };
}
