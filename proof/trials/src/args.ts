import { parseArgs } from "node:util";
import type { Trial } from "./support/trial.ts";

/** An invalid command line; the message explains why. */
export class UsageError extends Error {}

export interface TrialArgs {
  trials: Trial[];
  /** Undefined for each trial's default. */
  count: number | undefined;
  short: boolean;
  seed: string;
  older: string | undefined;
  place: "cell" | undefined;
}

/** Parse the command line. @throws {UsageError} When it is invalid. */
export function readArgs(argv: string[], all: readonly Trial[]): TrialArgs {
  const { values, positionals } = parse(argv);
  const except = values.except ?? [];
  const unknown = [...positionals, ...except].find((name) => !all.some((trial) => trial.name === name));
  if (unknown !== undefined) throw new UsageError(`There is no trial "${unknown}"`);
  const trials = all.filter(
    ({ name }) => (positionals.length === 0 || positionals.includes(name)) && !except.includes(name),
  );
  const count = values.count === undefined ? undefined : Number(values.count);
  if (count !== undefined && (!Number.isSafeInteger(count) || count < 1)) {
    throw new UsageError(`--count must be a whole number from 1 on, not "${values.count}"`);
  }
  if (count !== undefined && trials.length !== 1)
    throw new UsageError("--count goes with the name of one trial");
  return {
    trials,
    count,
    short: values.short ?? false,
    seed: values.seed ?? "engram",
    older: values.older,
    place: values.cells ? "cell" : undefined,
  };
}

export function usage(all: readonly Trial[]): string {
  const lines = all.map(
    ({ name, counts: { of, long, short } }) => `  ${name.padEnd(14)} ${of}: ${long}, short ${short}`,
  );
  return `Usage: npm run trials -- [NAME…] [--except NAME]… [--short] [--cells] [--count N] [--seed TEXT] [--older COMMIT]

Without a name all of them run, but for those after --except. With --cells, each organization is in a cell. --older is for rolling. What --count counts, by trial:
${lines.join("\n")}`;
}

function parse(argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        except: { type: "string", multiple: true },
        count: { type: "string" },
        short: { type: "boolean" },
        seed: { type: "string" },
        older: { type: "string" },
        cells: { type: "boolean" },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
