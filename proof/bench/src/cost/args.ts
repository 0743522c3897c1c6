import { readCount, readOptions, readPath } from "../command/options.ts";

/** Default number of messages in the largest organization. */
const MESSAGES = 16_000;

export const USAGE = `Usage: npm run bench:cost -- [options]

  --messages N   messages of the largest organization that is searched; ${MESSAGES} when not given
  --data DIR     LoCoMo dialogues, one <n>.json each, in place of generated conversations
  --json FILE    write the figures to FILE`;

export interface CostArgs {
  messages: number;
  /** Absolute path of the folder with the dialogues; undefined for generated conversations. */
  dataDirectory: string | undefined;
  /** Absolute path of the output file; undefined for none. */
  jsonFile: string | undefined;
}

/**
 * @param workingDirectory Base of relative paths.
 * @throws {UsageError} for an invalid command line.
 */
export function readArgs(argv: string[], workingDirectory: string): CostArgs {
  const { messages, data, json } = parse(argv);
  return {
    messages: readCount("--messages", messages, MESSAGES),
    dataDirectory: readPath(workingDirectory, data),
    jsonFile: readPath(workingDirectory, json),
  };
}

const parse = (argv: string[]) =>
  readOptions(argv, { messages: { type: "string" }, data: { type: "string" }, json: { type: "string" } });
