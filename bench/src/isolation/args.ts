import { resolve } from "node:path";
import { parseArgs } from "node:util";

/** What is measured unless the command line says otherwise: a million messages in all. */
const ORGANIZATIONS = 200;
const MESSAGES = 5_000;
const QUERIES = 100;

export const USAGE = `Usage: npm run bench:isolation -- [options]

  --organizations N   organizations in the full database; ${ORGANIZATIONS} when not given
  --messages N        messages of each; ${MESSAGES} when not given
  --queries N         queries asked in each mode; ${QUERIES} when not given, of 200 that there are
  --json FILE         write the figures to FILE`;

/** A command line that cannot be obeyed; the message says why, for people. */
export class UsageError extends Error {}

export interface IsolationArgs {
  organizations: number;
  messages: number;
  queries: number;
  /** Absolute path of the file to write; undefined for none. */
  jsonFile: string | undefined;
}

/**
 * Read the command line.
 *
 * @param workingDirectory What relative paths start from.
 * @throws {UsageError} when it cannot be obeyed.
 */
export function readArgs(argv: string[], workingDirectory: string): IsolationArgs {
  const { organizations, messages, queries, json } = parse(argv);
  return {
    organizations: toCount("--organizations", organizations, ORGANIZATIONS),
    messages: toCount("--messages", messages, MESSAGES),
    queries: toCount("--queries", queries, QUERIES),
    jsonFile: json === undefined ? undefined : resolve(workingDirectory, json),
  };
}

function toCount(name: string, text: string | undefined, otherwise: number): number {
  const count = text === undefined ? otherwise : Number(text);
  if (!Number.isSafeInteger(count) || count < 1) {
    throw new UsageError(`${name} must be a whole number from 1 on, not "${text}"`);
  }
  return count;
}

function parse(argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      options: {
        organizations: { type: "string" },
        messages: { type: "string" },
        queries: { type: "string" },
        json: { type: "string" },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
