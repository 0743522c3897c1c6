import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { readCount, readOptions, readPath, UsageError } from "../command/options.ts";
import type { Remote } from "./engram.ts";
import { isPeer, PEERS, type PeerName } from "./peers.ts";
import { OWN } from "./service.ts";
import { LOCOMO_MESSAGES } from "./workload.ts";

export type SystemName = keyof typeof OWN | PeerName;
const SYSTEMS = [...Object.keys(OWN), ...Object.keys(PEERS)] as SystemName[];
const ROUNDS = 2;
const RESULTS = join(import.meta.dirname, "../../results");

export const USAGE = `Usage: npm run bench:speed -- [options]

  --only NAMES    of ${SYSTEMS.join(", ")}: systems to measure, separated by commas; default all
  --messages N    how many each system stores; ${LOCOMO_MESSAGES} when not given
  --rounds N      how often each system is measured; ${ROUNDS} when not given
  --at-once       only the calls of eight clients at once
  --large         100,000 messages in Engram, too: in one conversation, and in one organization
  --url URL       measure Engram at this address instead of starting it, and no other system; once, unless --rounds
  --key-file FILE with --url: holds a key of an empty organization, with the scopes read, write and delete
  --out DIR       write speed.md and speed.svg there: proof/bench/results when not given, and nowhere with --only,
                  --messages, --at-once or --url
  --json FILE     write the figures to FILE`;

export interface SpeedArgs {
  systems: SystemName[];
  messages: number;
  rounds: number;
  /** Measure only the calls of several clients at once. */
  onlyAtOnce: boolean;
  large: boolean;
  /** Undefined to start the systems. */
  remote: Remote | undefined;
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
  const values = parse(argv);
  const { only, messages, rounds, large, out, json, "at-once": onlyAtOnce } = values;
  const named = only?.split(",").map((name) => name.trim());
  const unknown = named?.find((name) => !SYSTEMS.some((system) => system === name));
  if (unknown !== undefined) {
    throw new UsageError(`--only knows ${SYSTEMS.join(", ")}, not "${unknown}"`);
  }
  const remote = readRemote(values, workingDirectory);
  const measurable = remote === undefined ? SYSTEMS : SYSTEMS.filter((name) => !isPeer(name));
  const started = named?.find((name) => !measurable.some((system) => system === name));
  if (started !== undefined) throw new UsageError(`--url measures Engram, not "${started}"`);
  const isWhole = only === undefined && messages === undefined && remote === undefined && !onlyAtOnce;
  return {
    systems: measurable.filter((name) => named?.includes(name) ?? true),
    messages: readCount("--messages", messages, LOCOMO_MESSAGES),
    rounds: readCount("--rounds", rounds, remote === undefined ? ROUNDS : 1),
    onlyAtOnce,
    large,
    remote,
    resultsDirectory: out === undefined ? (isWhole ? RESULTS : undefined) : resolve(workingDirectory, out),
    jsonFile: readPath(workingDirectory, json),
  };
}

function readRemote(
  { url, "key-file": keyFile, large, "at-once": onlyAtOnce }: ReturnType<typeof parse>,
  workingDirectory: string,
): Remote | undefined {
  if (url === undefined && keyFile === undefined) return undefined;
  if (url === undefined || keyFile === undefined) throw new UsageError("--url and --key-file go together");
  if (large || onlyAtOnce) {
    const option = large ? "--large" : "--at-once";
    throw new UsageError(`${option} measures a service that the benchmark starts: no --url`);
  }
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new UsageError(`--url must be an http or https address, not "${url}"`);
  }
  try {
    return { url, key: readFileSync(resolve(workingDirectory, keyFile), "utf8").trim() };
  } catch {
    throw new UsageError(`--key-file cannot be read: ${keyFile}`);
  }
}

const parse = (argv: string[]) =>
  readOptions(argv, {
    only: { type: "string" },
    messages: { type: "string" },
    rounds: { type: "string" },
    "at-once": { type: "boolean", default: false },
    large: { type: "boolean", default: false },
    url: { type: "string" },
    "key-file": { type: "string" },
    out: { type: "string" },
    json: { type: "string" },
  });
