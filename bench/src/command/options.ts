import { resolve } from "node:path";
import { type ParseArgsConfig, parseArgs } from "node:util";

/** What people can change: its message is all that they need to be told. */
export class CommandError extends Error {}

/** A command line that cannot be obeyed; its message stands before the usage. */
export class UsageError extends CommandError {}

type Options = NonNullable<ParseArgsConfig["options"]>;

/** Options of a command line. @throws {UsageError} for one that is not known, or lacks its value. */
export function readOptions<Known extends Options>(argv: string[], options: Known) {
  try {
    return parseArgs({ args: argv, options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** A count that an option gives. @throws {UsageError} unless it is a whole number from 1 on. */
export function readCount(option: string, given: string | undefined, otherwise: number): number {
  const count = given === undefined ? otherwise : Number(given);
  if (!Number.isSafeInteger(count) || count < 1) {
    throw new UsageError(`${option} must be a whole number from 1 on, not "${given}"`);
  }
  return count;
}

/** A path that an option gives, absolute; undefined for none. */
export const readPath = (workingDirectory: string, given: string | undefined): string | undefined =>
  given === undefined ? undefined : resolve(workingDirectory, given);
