import { resolve } from "node:path";
import { type ParseArgsConfig, parseArgs } from "node:util";

/** An error that the user can resolve. Its message is all that is printed. */
export class CommandError extends Error {}

/** An invalid command line. Its message is printed before the usage. */
export class UsageError extends CommandError {}

type Options = NonNullable<ParseArgsConfig["options"]>;

/** @throws {UsageError} for an unknown option or a missing value. */
export function readOptions<Known extends Options>(argv: string[], options: Known) {
  try {
    return parseArgs({ args: argv, options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** @throws {UsageError} unless the value is a whole number of at least 1. */
export function readCount(option: string, given: string | undefined, otherwise: number): number {
  const count = given === undefined ? otherwise : Number(given);
  if (!Number.isSafeInteger(count) || count < 1) {
    throw new UsageError(`${option} must be a whole number from 1 on, not "${given}"`);
  }
  return count;
}

/** The absolute path of an option; undefined when it is absent. */
export const readPath = (workingDirectory: string, given: string | undefined): string | undefined =>
  given === undefined ? undefined : resolve(workingDirectory, given);
