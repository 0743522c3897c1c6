import { readOptions, readPath, UsageError } from "../command/options.ts";
import { HALVES, type Half } from "./halves.ts";

export const SCOPES = ["own", "shared"] as const;
export type Scope = (typeof SCOPES)[number];
export const MODES = ["hybrid", "semantic", "keyword"] as const;
export type Mode = (typeof MODES)[number];

export const USAGE = `Usage: npm run bench:recall -- (--set chats|code|languages|notes | --data DIR|FILE.json.gz) [options]

  --set SET            chats: the conversations with assistants that proof/bench/src/chats makes; code: names in code of
                       proof/bench/src/code, by a part or in another case; languages: the same talk in the ten
                       languages of proof/bench/languages; notes: the notes of proof/bench/src/notes
  --data DIR           folder with LoCoMo dialogues, one <n>.json each
  --data FILE.json.gz  transcripts in the layout that proof/bench/README.md describes
  --half dev|held      only one half of the questions; all of them when not given
  --scope own|shared   one organization per dialogue, or one for all; both when not given; notes are shared, languages
                       have their own
  --mode MODE          hybrid (default), semantic or keyword
  --baselines          ask everything with semantic and with keyword too, for comparison
  --json FILE          write the figures to FILE
  --floors FILE        exit with 1 when a metric of hybrid search is below its floor in FILE
  --url URL            measure this service instead of starting one; the next two go with it
  --admin-token TOKEN  makes the organizations, which are deleted at the end
  --key KEY            in place of --admin-token, for --scope shared: a key of an empty organization`;

const OWN_SETS = ["chats", "code", "languages", "notes"] as const;
/** The only scope of a set. */
const ONLY_SCOPES: Partial<Record<RecallArgs["set"], Scope>> = { languages: "own", notes: "shared" };
type OwnSet = (typeof OWN_SETS)[number];

/** A running service to measure. At least one of `adminToken` and `key` is present. */
export interface Remote {
  url: string;
  adminToken: string | undefined;
  key: string | undefined;
}

export interface RecallArgs {
  /** Also the name in the floors file. */
  set: "locomo" | "transcripts" | OwnSet;
  /** Absolute path of the data; undefined for the repository's own sets. */
  dataPath: string | undefined;
  /** Undefined for all questions. */
  half: Half | undefined;
  scopes: Scope[];
  /** The measured mode first, then the baselines, without duplicates. */
  modes: [Mode, ...Mode[]];
  /** Absolute path of the output file; undefined for none. */
  jsonFile: string | undefined;
  /** Absolute path of the floors file; undefined for none. */
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
  if ((values.data === undefined) === (values.set === undefined)) {
    throw new UsageError("Name what to measure with: either a --set or --data with a folder of dialogues");
  }
  const given = values.data?.endsWith(".json.gz") ? "transcripts" : "locomo";
  const set = values.set === undefined ? given : oneOf("--set", OWN_SETS, values.set);
  const scopes = readScopes(set, values.scope);
  const mode = oneOf("--mode", MODES, values.mode);
  const half = values.half === undefined ? undefined : oneOf("--half", HALVES, values.half);
  if (set === "languages" && half !== undefined) {
    throw new UsageError("--set languages is the same questions in each language: no --half");
  }
  if (values.floors !== undefined && (mode !== "hybrid" || half !== undefined)) {
    throw new UsageError("--floors are those of hybrid search over all questions: no --mode, no --half");
  }
  const fromHere = (path: string | undefined) => readPath(workingDirectory, path);
  const baselines = (values.baselines ? MODES : []).filter((other) => other !== mode && other !== "hybrid");
  return {
    set,
    dataPath: fromHere(values.data),
    half,
    scopes,
    modes: [mode, ...baselines],
    jsonFile: fromHere(values.json),
    floorsFile: fromHere(values.floors),
    remote: readRemote(values, scopes),
  };
}

const parse = (argv: string[]) =>
  readOptions(argv, {
    set: { type: "string" },
    data: { type: "string" },
    half: { type: "string" },
    scope: { type: "string" },
    mode: { type: "string", default: "hybrid" },
    baselines: { type: "boolean", default: false },
    json: { type: "string" },
    floors: { type: "string" },
    url: { type: "string" },
    key: { type: "string" },
    "admin-token": { type: "string" },
  });

function oneOf<Name extends string>(option: string, names: readonly Name[], given: string): Name {
  const name = names.find((candidate) => candidate === given);
  if (name === undefined) throw new UsageError(`${option} must be ${names.join(" or ")}, not "${given}"`);
  return name;
}

function readScopes(set: RecallArgs["set"], given: string | undefined): Scope[] {
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
