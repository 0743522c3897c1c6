import { readCount, readOptions, readPath } from "../command/options.ts";

/** The size for which the bound of half a second is promised. */
const MESSAGES = 100_000;
const RUNS = 3;

export const USAGE = `Usage: npm run bench:worst-queries -- [options]

  --messages N   messages of each organization; ${MESSAGES} when not given
  --runs N       times that each query is asked; ${RUNS} when not given
  --json FILE    write the figures to FILE`;

export interface WorstQueriesArgs {
  messages: number;
  runs: number;
  /** Absolute path of the output file; undefined for none. */
  jsonFile: string | undefined;
}

/**
 * @param workingDirectory Base of relative paths.
 * @throws {UsageError} for an invalid command line.
 */
export function readArgs(argv: string[], workingDirectory: string): WorstQueriesArgs {
  const { messages, runs, json } = readOptions(argv, {
    messages: { type: "string" },
    runs: { type: "string" },
    json: { type: "string" },
  });
  return {
    messages: readCount("--messages", messages, MESSAGES),
    runs: readCount("--runs", runs, RUNS),
    jsonFile: readPath(workingDirectory, json),
  };
}
