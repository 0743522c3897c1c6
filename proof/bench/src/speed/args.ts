import { join, resolve } from "node:path";
import { readCount, readOptions, readPath, UsageError } from "../command/options.ts";
import { PEERS, type PeerName } from "./peers.ts";
import { OWN } from "./service.ts";
import { LOCOMO_MESSAGES } from "./workload.ts";

export type SystemName = keyof typeof OWN | PeerName;
export const SYSTEMS = [...Object.keys(OWN), ...Object.keys(PEERS)] as SystemName[];
const ROUNDS = 2;
const RESULTS = join(import.meta.dirname, "../../results");

export const USAGE = `Usage: npm run bench:speed -- [options]

  --only NAMES    of ${SYSTEMS.join(", ")}: systems to measure, separated by commas; default all
  --messages N    how many each system stores; ${LOCOMO_MESSAGES} when not given
  --rounds N      how often each system is measured; ${ROUNDS} when not given
  --large         100,000 messages in Engram, too: in one conversation, and in one organization
  --out DIR       write speed.md and speed.svg there: proof/bench/results when not given, and nowhere with --only
                  or --messages
  --json FILE     write the figures to FILE`;

export interface SpeedArgs {
  systems: SystemName[];
  messages: number;
  rounds: number;
  large: boolean;
  /** Absolute path of the folder for table and plot; undefined for none. */
  resultsDirectory: string | undefined;
  /** Absolute path of the output file; undefined for none. */
  jsonFile: string | undefined;
}

/**
 * @param workingDirectory Base of relative paths.
 * @throws {UsageError} for an invalid command line.
 */
export function readArgs(argv: string[], workingDirectory: string): SpeedArgs {
  const { only, messages, rounds, large, out, json } = parse(argv);
  const named = only?.split(",").map((name) => name.trim());
  const unknown = named?.find((name) => !SYSTEMS.some((system) => system === name));
  if (unknown !== undefined) {
    throw new UsageError(`--only knows ${SYSTEMS.join(", ")}, not "${unknown}"`);
  }
  const isWhole = only === undefined && messages === undefined;
  return {
    systems: SYSTEMS.filter((name) => named?.includes(name) ?? true),
    messages: readCount("--messages", messages, LOCOMO_MESSAGES),
    rounds: readCount("--rounds", rounds, ROUNDS),
    large,
    resultsDirectory: out === undefined ? (isWhole ? RESULTS : undefined) : resolve(workingDirectory, out),
    jsonFile: readPath(workingDirectory, json),
  };
}

const parse = (argv: string[]) =>
  readOptions(argv, {
    only: { type: "string" },
    messages: { type: "string" },
    rounds: { type: "string" },
    large: { type: "boolean", default: false },
    out: { type: "string" },
    json: { type: "string" },
  });
