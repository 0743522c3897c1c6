import { readCount, readOptions, readPath } from "../command/options.ts";

/** Default sizes: a million messages in all. */
const ORGANIZATIONS = 200;
const MESSAGES = 5_000;
const QUERIES = 100;

export const USAGE = `Usage: npm run bench:isolation -- [options]

  --organizations N   organizations in the full database; ${ORGANIZATIONS} when not given
  --messages N        messages of each; ${MESSAGES} when not given
  --queries N         queries asked in each mode; ${QUERIES} when not given, of 200 that there are
  --json FILE         write the figures to FILE`;

export interface IsolationArgs {
  organizations: number;
  messages: number;
  queries: number;
  /** Absolute path of the output file; undefined for none. */
  jsonFile: string | undefined;
}

/**
 * @param workingDirectory Base of relative paths.
 * @throws {UsageError} for an invalid command line.
 */
export function readArgs(argv: string[], workingDirectory: string): IsolationArgs {
  const { organizations, messages, queries, json } = parse(argv);
  return {
    organizations: readCount("--organizations", organizations, ORGANIZATIONS),
    messages: readCount("--messages", messages, MESSAGES),
    queries: readCount("--queries", queries, QUERIES),
    jsonFile: readPath(workingDirectory, json),
  };
}

const parse = (argv: string[]) =>
  readOptions(argv, {
    organizations: { type: "string" },
    messages: { type: "string" },
    queries: { type: "string" },
    json: { type: "string" },
  });
