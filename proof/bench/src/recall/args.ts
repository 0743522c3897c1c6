import { readOptions, readPath, UsageError } from "../command/options.ts";
import { HALVES, type Half } from "./halves.ts";
import { isPeer, PEER_NAMES, type PeerName } from "./peers.ts";

export const SCOPES = ["own", "shared"] as const;
export type Scope = (typeof SCOPES)[number];
export const MODES = ["hybrid", "semantic", "keyword"] as const;
export type Mode = (typeof MODES)[number];

export const USAGE = `Usage: npm run bench:recall -- (--set chats|code|languages|notes | --data DIR|FILE.json.gz …) [options]
       npm run bench:recall -- --set longmemeval --data FILE [options]

  --set SET            chats: the conversations with assistants of proof/bench/sets/chats; code: names in code of
                       proof/bench/sets, by a part or in another case; languages: the same talk in the ten
                       languages of proof/bench/languages; notes: the notes of proof/bench/sets
  --data DIR           folder with LoCoMo dialogues, one <n>.json each
  --data FILE.json.gz  transcripts in the layout that proof/bench/README.md describes
                       --data may be given several times
  --half dev|held      only one half of the questions; all of them when not given
  --scope own|shared   one organization per dialogue, or one for all; both when not given; notes are shared, languages
                       have their own
  --mode MODE          hybrid (default), semantic or keyword
  --baselines          ask everything with semantic and with keyword too, for comparison
  --json FILE          write the figures to FILE
  --peers NAME,…       ask what users could take instead, or "all": ${PEER_NAMES.join(", ")}; with --scope own
  --questions FILE     write what each system found for each question, one JSON line each
  --rankings FILE      write Engram's rankings for trec_eval and others to FILE, FILE.sessions, and the evidence to
                       *.qrels; for longmemeval also FILE.jsonl; with one --scope
  --compare FILE       compare with the file of --questions of an earlier run, question by question
  --results DIR        write DIR/recall.md: every system with 95 % intervals; with --scope own
  --floors FILE        exit with 1 when a metric of hybrid search is below its floor in FILE
  --url URL            measure this service instead of starting one; the next two go with it
  --admin-token TOKEN  makes the organizations, which are deleted at the end
  --key KEY            in place of --admin-token, for --scope shared: a key of an empty organization`;

const OWN_SETS = ["chats", "code", "languages", "notes"] as const;
/** The only scope of a set. */
const ONLY_SCOPES: Partial<Record<Source["set"], Scope>> = { languages: "own", notes: "shared" };
type OwnSet = (typeof OWN_SETS)[number];

/** A running service to measure. At least one of `adminToken` and `key` is present. */
export interface Remote {
  url: string;
  adminToken: string | undefined;
  key: string | undefined;
}

/** A set to measure with. */
export interface Source {
  /** Also the name in the floors file. */
  set: "locomo" | "transcripts" | "longmemeval" | OwnSet;
  /** Absolute path of the data; undefined for the repository's own sets. */
  dataPath: string | undefined;
}

export interface RecallArgs {
  sources: [Source, ...Source[]];
  /** Undefined for all questions. */
  half: Half | undefined;
  scopes: Scope[];
  /** The measured mode first, then the baselines, without duplicates. */
  modes: [Mode, ...Mode[]];
  /** Absolute path of the output file; undefined for none. */
  jsonFile: string | undefined;
  peers: readonly PeerName[];
  /** Absolute paths; undefined for none. */
  questionsFile: string | undefined;
  rankingsFile: string | undefined;
  compareFile: string | undefined;
  resultsDirectory: string | undefined;
  floorsFile: string | undefined;
  /** Undefined to start a service. */
  remote: Remote | undefined;
}

/**
 * @param workingDirectory Base of relative paths.
 * @throws {UsageError} for an invalid command line.
 */
export function readArgs(argv: string[], workingDirectory: string): RecallArgs {
  const values = parse(argv);
  const sources = readSources(values, workingDirectory);
  const scopes = readScopes(sources[0].set, values.scope);
  const mode = oneOf("--mode", MODES, values.mode);
  const half = values.half === undefined ? undefined : oneOf("--half", HALVES, values.half);
  if (sources[0].set === "languages" && half !== undefined) {
    throw new UsageError("--set languages is the same questions in each language: no --half");
  }
  if (values.floors !== undefined && (mode !== "hybrid" || half !== undefined)) {
    throw new UsageError("--floors are those of hybrid search over all questions: no --mode, no --half");
  }
  if (sources.length > 1 && (values.json ?? values.rankings ?? values.floors) !== undefined) {
    throw new UsageError("--json, --rankings and --floors are of one set: name one --data");
  }
  const peers = readPeers(values.peers);
  if ((peers.length > 0 || values.results !== undefined) && scopes.includes("shared")) {
    throw new UsageError("--peers and --results compare within one dialogue: they need --scope own");
  }
  const { questions, rankings, compare } = values;
  if (sources[0].set === "notes" && (questions ?? rankings ?? compare) !== undefined) {
    throw new UsageError("--questions, --rankings and --compare are of dialogues: no --set notes");
  }
  if (rankings !== undefined && scopes.length > 1) {
    throw new UsageError("--rankings are those of one --scope");
  }
  const fromHere = (path: string | undefined) => readPath(workingDirectory, path);
  const baselines = (values.baselines ? MODES : []).filter((other) => other !== mode && other !== "hybrid");
  return {
    sources,
    half,
    scopes,
    modes: [mode, ...baselines],
    jsonFile: fromHere(values.json),
    peers,
    questionsFile: fromHere(questions),
    rankingsFile: fromHere(rankings),
    compareFile: fromHere(compare),
    resultsDirectory: fromHere(values.results),
    floorsFile: fromHere(values.floors),
    remote: readRemote(values, scopes),
  };
}

const parse = (argv: string[]) =>
  readOptions(argv, {
    set: { type: "string" },
    data: { type: "string", multiple: true, default: [] },
    half: { type: "string" },
    scope: { type: "string" },
    mode: { type: "string", default: "hybrid" },
    baselines: { type: "boolean", default: false },
    json: { type: "string" },
    peers: { type: "string", default: "" },
    questions: { type: "string" },
    rankings: { type: "string" },
    compare: { type: "string" },
    results: { type: "string" },
    floors: { type: "string" },
    url: { type: "string" },
    key: { type: "string" },
    "admin-token": { type: "string" },
  });

function readSources(
  { set, data }: ReturnType<typeof parse>,
  workingDirectory: string,
): RecallArgs["sources"] {
  const [first, ...others] = data.map((path): Source => {
    const dataPath = readPath(workingDirectory, path);
    if (set === "longmemeval") return { set, dataPath };
    return { set: path.endsWith(".json.gz") ? "transcripts" : "locomo", dataPath };
  });
  if ((first === undefined) === (set === undefined || set === "longmemeval")) {
    throw new UsageError(
      "Name what to measure with: either a --set or --data with a folder of dialogues, or longmemeval and its --data",
    );
  }
  if (first !== undefined) return [first, ...others];
  return [{ set: oneOf("--set", OWN_SETS, set ?? ""), dataPath: undefined }];
}

function readPeers(given: string): readonly PeerName[] {
  if (given === "all") return PEER_NAMES;
  return given.split(",").flatMap((name) => {
    if (name === "") return [];
    if (!isPeer(name)) throw new UsageError(`--peers must be among ${PEER_NAMES.join(", ")}, not "${name}"`);
    return [name];
  });
}

function oneOf<Name extends string>(option: string, names: readonly Name[], given: string): Name {
  const name = names.find((candidate) => candidate === given);
  if (name === undefined) throw new UsageError(`${option} must be ${names.join(" or ")}, not "${given}"`);
  return name;
}

function readScopes(set: Source["set"], given: string | undefined): Scope[] {
  const scope = given === undefined ? undefined : oneOf("--scope", SCOPES, given);
  const only = ONLY_SCOPES[set];
  if (only === undefined) return scope === undefined ? [...SCOPES] : [scope];
  if (scope !== undefined && scope !== only) {
    throw new UsageError(`--set ${set} has only the scope ${only}: no --scope ${scope}`);
  }
  return [only];
}

function readRemote(values: ReturnType<typeof parse>, scopes: Scope[]): Remote | undefined {
  const { url, key, "admin-token": adminToken } = values;
  if (url === undefined) {
    if (key !== undefined || adminToken !== undefined) {
      throw new UsageError("--key and --admin-token go with --url");
    }
    return undefined;
  }
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new UsageError(`--url must be an http or https address, not "${url}"`);
  }
  if (adminToken === undefined && key === undefined) {
    throw new UsageError("--url needs --admin-token, or --key with --scope shared");
  }
  if (adminToken === undefined && scopes.includes("own")) {
    throw new UsageError("--scope own makes an organization per dialogue and needs --admin-token");
  }
  return { url, key, adminToken };
}
