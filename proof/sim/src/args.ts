import { parseArgs } from "node:util";
import { LOADS, type Load, type LoadName } from "./load/loads.ts";

const SEEDS = 500;

export const USAGE = `Usage: npm run sim -- [options]

  --seeds N   how many seeds to run; ${SEEDS} when not given
  --from N    the first of them; 1 when not given
  --seed N    run this one again, and show all that happens in it
  --load NAME run a load without faults instead: ${Object.keys(LOADS).join(", ")}
  --minutes N how long the load takes, in simulated minutes
  --rate N    how many messages it appends in a second`;

/** An invalid command line; the message explains why. */
export class UsageError extends Error {}

/** One seed to show in full, a range of seeds to run, or a load. */
export type Args = { seed: number } | { from: number; seeds: number } | { load: Load };

/** Parse the command line. @throws {UsageError} When it is invalid. */
export function readArgs(argv: string[]): Args {
  const { seed, seeds, from, load, minutes, rate } = parse(argv);
  if (load !== undefined) {
    if (seed !== undefined || seeds !== undefined || from !== undefined) {
      throw new UsageError("--load goes only with --minutes and --rate");
    }
    return { load: toLoad(load, { minutes, rate }) };
  }
  if (minutes !== undefined || rate !== undefined) throw new UsageError("--minutes and --rate need --load");
  if (seed === undefined) {
    return { from: toCount("--from", from ?? "1"), seeds: toCount("--seeds", seeds ?? String(SEEDS)) };
  }
  if (seeds !== undefined || from !== undefined) throw new UsageError("--seed goes alone");
  return { seed: toCount("--seed", seed) };
}

function toLoad(
  name: string,
  { minutes, rate }: { minutes?: string | undefined; rate?: string | undefined },
): Load {
  if (!Object.hasOwn(LOADS, name)) {
    throw new UsageError(`--load must be one of ${Object.keys(LOADS).join(", ")}, not "${name}"`);
  }
  const load = LOADS[name as LoadName];
  return {
    ...load,
    minutes: minutes === undefined ? load.minutes : toCount("--minutes", minutes),
    appendsPerSecond: rate === undefined ? load.appendsPerSecond : toCount("--rate", rate),
  };
}

function toCount(name: string, text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1 || count > 0x7fffffff) {
    throw new UsageError(`${name} must be a whole number from 1 to 2147483647, not "${text}"`);
  }
  return count;
}

function parse(argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      options: {
        seed: { type: "string" },
        seeds: { type: "string" },
        from: { type: "string" },
        load: { type: "string" },
        minutes: { type: "string" },
        rate: { type: "string" },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
