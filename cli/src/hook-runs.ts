import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ContextBody, Engram } from "@engram/sdk";
import { QUERY_CHARACTERS_MAX } from "@engram/sdk/limits";
import { xdgDirectory } from "./config.ts";
import { PROMPT_EVENT, START_EVENT } from "./hook-clients.ts";
import { newMemories } from "./hook-memories.ts";
import { ownProgram } from "./own-program.ts";
import { projectOf } from "./projects.ts";

/** The documented input of a hook, as far as it is used. Both clients name the fields alike. */
interface HookInput {
  hook_event_name?: unknown;
  session_id?: unknown;
  cwd?: unknown;
  prompt?: unknown;
  source?: unknown;
  transcript_path?: unknown;
}

/** What a client reads from the standard output of a hook. */
interface HookOutput {
  systemMessage?: string;
  hookSpecificOutput?: { hookEventName: string; additionalContext: string };
}

const CONTEXT_TOKENS = 2_000;
/** Conversations of a project that are read to find the last one that is not a subagent's. */
const NEWEST_MAX = 50;

/** What the hooks search, chosen when they were installed. */
export const HOOK_SCOPES = ["project", "organization"] as const;
export interface HookReach {
  scope: (typeof HOOK_SCOPES)[number];
  /** Whose memories are searched. */
  user: string | undefined;
}

interface HookRun extends HookReach {
  engram: () => Engram;
  client: string;
  captureEvent: string;
  /** Options of the import. */
  flags: string[];
}

/** The output of a hook; undefined for none. */
export async function runHook(text: string, how: HookRun): Promise<HookOutput | undefined> {
  const input = JSON.parse(text) as HookInput;
  const event = input.hook_event_name;
  if (event === how.captureEvent) {
    if (typeof input.transcript_path === "string") capture(how.client, input.transcript_path, how.flags);
    return undefined;
  }
  if (event === START_EVENT) {
    const failure = takeFailure();
    const context = await startContext(input, how);
    return {
      ...(failure !== undefined && { systemMessage: `Engram: ${failure}` }),
      ...toOutput(START_EVENT, context),
    };
  }
  return event === PROMPT_EVENT ? toOutput(PROMPT_EVENT, await promptContext(input, how)) : undefined;
}

const toOutput = (hookEventName: string, additionalContext: string): HookOutput =>
  additionalContext === "" ? {} : { hookSpecificOutput: { hookEventName, additionalContext } };

const textOf = async (engram: Engram, body: ContextBody): Promise<string> =>
  (await engram.context({ max_tokens: CONTEXT_TOKENS, ...body })).text;

/** The sessions of a project. Those that earlier versions stored have only their directory. */
const sessionsOf = (cwd: string): { metadata: { project: string } | { directory: string } }[] => [
  { metadata: { project: projectOf(cwd) } },
  { metadata: { directory: cwd } },
];

/** The session as `engram import` names it. Codex stores it after each turn, so it would be found, too. */
const storedAs = ({ session_id }: HookInput, { client }: HookRun): string | undefined =>
  typeof session_id === "string" && session_id !== "" ? `${client}:${session_id}` : undefined;

/**
 * Memories of the user, and the end of the last conversation in the project. A resumed one has both already. What a hook
 * gives stays in the transcript, so these come first and are not given again with each prompt.
 */
async function startContext(input: HookInput, how: HookRun): Promise<string> {
  const { source, session_id: session } = input;
  if (source === "resume") return "";
  const client = how.engram();
  const [memories, last] = await Promise.all([
    how.user === undefined ? "" : newMemories(client, { user: how.user, session }),
    lastConversation(client, input, how),
  ]);
  return joined([memories, last]);
}

async function lastConversation(client: Engram, input: HookInput, how: HookRun): Promise<string> {
  const { cwd } = input;
  if (typeof cwd !== "string") return "";
  const own = storedAs(input, how);
  const newest = await Promise.all(
    sessionsOf(cwd).map((filter) =>
      client.conversations.list({ ...filter, limit: NEWEST_MAX }).toArray({ max: NEWEST_MAX }),
    ),
  );
  const [last] = newest
    .flatMap(
      (list) => list.find(({ metadata, external_id }) => !isSubagent(metadata) && external_id !== own) ?? [],
    )
    .sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  return last === undefined ? "" : textOf(client, { conversation_id: last.id });
}

/** A subagent has the id of its session, a colon and its own. */
const isSubagent = ({ source_id }: Record<string, unknown>): boolean => String(source_id).includes(":");

/** What a search for the prompt finds in the project or the organization, and among the memories of the user. */
async function promptContext(input: HookInput, how: HookRun): Promise<string> {
  const { cwd, prompt, session_id: session } = input;
  const { engram, scope, user } = how;
  const query = String(prompt ?? "")
    .trim()
    .slice(-QUERY_CHARACTERS_MAX)
    .toWellFormed();
  // A command of the client is no question.
  if (query === "" || /^\/\w+$/.test(query)) return "";
  if (scope === "project" && typeof cwd !== "string") return "";
  const client = engram();
  const own = storedAs(input, how);
  const filters = scope === "project" ? sessionsOf(String(cwd)) : [{}];
  // The filters by user and by project exclude each other, so each has a request of its own.
  const [memories, ...found] = await Promise.all([
    user === undefined ? "" : newMemories(client, { user, session, query }),
    ...filters.map((filter) =>
      textOf(client, {
        ...{ query, ...filter },
        ...(own !== undefined && { exclude_conversation: own }),
        ...(user !== undefined && WITHOUT_MEMORIES),
      }),
    ),
  ]);
  return joined([memories, found.find((text) => text !== "") ?? ""]);
}

const joined = (texts: string[]): string => texts.filter((text) => text !== "").join("\n");

const WITHOUT_MEMORIES = { shares: { messages: 0, memories: 0, results: 1 }, max_tokens: 1_500 };

const failureFile = (): string =>
  join(xdgDirectory(process.env, "XDG_STATE_HOME", join(".local", "state")), "hooks.log");

/** Starts the import of the transcript and does not wait for it, so that the client does not either. */
function capture(client: string, transcript: string, flags: string[]): void {
  const file = failureFile();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const errors = openSync(file, "w", 0o600);
  const { command, args } = ownProgram(["import", client, transcript, "--json", ...flags]);
  const child = spawn(command, args, { detached: true, stdio: ["ignore", "ignore", errors] });
  // A command that cannot start must not stop the client.
  child.on("error", () => {});
  child.unref();
  closeSync(errors);
}

/** Why the last capture failed; undefined if it did not. Each failure is reported once. */
function takeFailure(): string | undefined {
  try {
    const text = readFileSync(failureFile(), "utf8");
    const { error } = JSON.parse(text) as { error: { message: string } };
    rmSync(failureFile());
    return `The last transcript was not captured. ${error.message}`;
  } catch {
    // There is no file, or it is empty: nothing failed, or the import still runs.
    return undefined;
  }
}
