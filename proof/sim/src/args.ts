import { parseArgs } from "node:util";

const SEEDS = 500;

export const USAGE = `Usage: npm run sim -- [options]

  --seeds N   how many seeds to run; ${SEEDS} when not given
  --from N    the first of them; 1 when not given
  --seed N    run this one again, and show all that happens in it`;

/** An invalid command line; the message explains why. */
export class UsageError extends Error {}

/** One seed to show in full, or a range of seeds to run. */
export type Args = { seed: number } | { from: number; seeds: number };

/** Parse the command line. @throws {UsageError} When it is invalid. */
export function readArgs(argv: string[]): Args {
  const { seed, seeds, from } = parse(argv);
  if (seed === undefined) {
    return { from: toCount("--from", from ?? "1"), seeds: toCount("--seeds", seeds ?? String(SEEDS)) };
  }
  if (seeds !== undefined || from !== undefined) throw new UsageError("--seed goes alone");
  return { seed: toCount("--seed", seed) };
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
      options: { seed: { type: "string" }, seeds: { type: "string" }, from: { type: "string" } },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
