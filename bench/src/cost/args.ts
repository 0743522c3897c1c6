import { resolve } from "node:path";
import { parseArgs } from "node:util";

/** Messages of the largest organization searched, unless the command line says otherwise. */
const MESSAGES = 16_000;

export const USAGE = `Usage: npm run bench:cost -- [options]

  --messages N   messages of the largest organization that is searched; ${MESSAGES} when not given
  --data DIR     LoCoMo dialogues, one <n>.json each, in place of generated conversations
  --json FILE    write the figures to FILE`;

/** A command line that cannot be obeyed; the message says why, for people. */
export class UsageError extends Error {}

export interface CostArgs {
  messages: number;
  /** Absolute path of the folder with the dialogues; undefined to make conversations up. */
  dataDirectory: string | undefined;
  /** Absolute path of the file to write; undefined for none. */
  jsonFile: string | undefined;
}

/**
 * Read the command line.
 *
 * @param workingDirectory What relative paths start from.
 * @throws {UsageError} when it cannot be obeyed.
 */
export function readArgs(argv: string[], workingDirectory: string): CostArgs {
  const { messages, data, json } = parse(argv);
  const count = messages === undefined ? MESSAGES : Number(messages);
  if (!Number.isSafeInteger(count) || count < 1) {
    throw new UsageError(`--messages must be a whole number from 1 on, not "${messages}"`);
  }
  const absolute = (path: string | undefined) =>
    path === undefined ? undefined : resolve(workingDirectory, path);
  return { messages: count, dataDirectory: absolute(data), jsonFile: absolute(json) };
}

function parse(argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      options: { messages: { type: "string" }, data: { type: "string" }, json: { type: "string" } },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
