import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ContextBody, Engram } from "@engram/sdk";
import { QUERY_CHARACTERS_MAX } from "@engram/sdk/limits";
import { PROMPT_EVENT, START_EVENT } from "./hook-clients.ts";
import { newMemories, PROMPT_TOKENS, type Recorded } from "./hook-memories.ts";
import { noteFailure, takeFailure } from "./hook-state.ts";
import { explain } from "./output.ts";
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

/** Upper bound on the end of the last conversation. */
const START_TOKENS = 2_000;
/** Upper bound on what a prompt gets. Nobody has asked for it, and the agent has tools to search for more. */
const PROMPT_TOKENS_MAX = 600;
/**
 * Lowest relevance of what a prompt gets. By proof/bench/README.md, some 5 of 100 prompts about other things then get
 * anything, instead of 87, and a quarter of what would answer a prompt is left out.
 */
const PROMPT_RELEVANCE_MIN = 0.25;
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
  captureEvents: readonly string[];
  /** Options of the import. */
  flags: string[];
}

/**
 * The output of a hook; undefined for none.
 *
 * @throws {Error} If a prompt gets no context because something fails. The start of a session says so in its output.
 */
export async function runHook(text: string, how: HookRun): Promise<HookOutput | undefined> {
  const input = JSON.parse(text) as HookInput;
  const event = input.hook_event_name;
  if (how.captureEvents.includes(String(event))) capture(input, how);
  if (event === PROMPT_EVENT) return toOutput(PROMPT_EVENT, await promptContext(input, how));
  if (event !== START_EVENT) return undefined;
  const context = await startContext(input, how).catch((error: unknown) => {
    noteFailure(how.client, noContext(error));
    return "";
  });
  const failure = takeFailure(how.client);
  return {
    ...(failure !== undefined && { systemMessage: `Engram: ${failure}` }),
    ...toOutput(START_EVENT, context),
  };
}

export const noContext = (error: unknown): string => `The agent got no context. ${explain(error).text}`;

const toOutput = (hookEventName: string, additionalContext: string): HookOutput =>
  additionalContext === "" ? {} : { hookSpecificOutput: { hookEventName, additionalContext } };

const textOf = async (engram: Engram, body: ContextBody): Promise<string> =>
  (await engram.context(body)).text;

/** The receipts of what a session got have its id. */
const recordOf = (
  { session_id: session, hook_event_name: event }: HookInput,
  { client }: HookRun,
): Recorded => ({
  ...(typeof session === "string" && session !== "" && { run_id: session }),
  metadata: { client, event },
});

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
    how.user === undefined
      ? ""
      : newMemories(client, { user: how.user, session, record: recordOf(input, how) }),
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
  if (last === undefined) return "";
  const record = recordOf(input, how);
  return textOf(client, { conversation_id: last.id, max_tokens: START_TOKENS, record });
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
  const asked = { query, min_relevance: PROMPT_RELEVANCE_MIN };
  const record = recordOf(input, how);
  // The filters by user and by project exclude each other, so each has a request of its own.
  const [memories, found] = await Promise.all([
    user === undefined ? "" : newMemories(client, { user, session, prompt: asked, record }),
    firstFound<Pick<ContextBody, "metadata">>(
      scope === "project" ? sessionsOf(String(cwd)) : [{}],
      (filter) => {
        const own = storedAs(input, how);
        return textOf(client, {
          ...{ ...asked, ...filter, record, max_tokens: PROMPT_TOKENS_MAX },
          ...(own !== undefined && { exclude_conversation: own }),
          ...(user !== undefined && WITHOUT_MEMORIES),
        });
      },
    ),
  ]);
  return joined([memories, found]);
}

/** The first text that is not empty. The others are not asked for, so that receipts have only what the agent got. */
async function firstFound<Filter>(
  filters: readonly Filter[],
  find: (filter: Filter) => Promise<string>,
): Promise<string> {
  for (const filter of filters) {
    const text = await find(filter);
    if (text !== "") return text;
  }
  return "";
}

const joined = (texts: string[]): string => texts.filter((text) => text !== "").join("\n");

const WITHOUT_MEMORIES = {
  shares: { messages: 0, memories: 0, results: 1 },
  max_tokens: PROMPT_TOKENS_MAX - PROMPT_TOKENS,
};

/** Starts the import of the transcript and does not wait for it, so that the client does not either. */
function capture({ transcript_path: transcript }: HookInput, { client, flags }: HookRun): void {
  // A session in which nothing was said has none.
  if (typeof transcript !== "string" || !existsSync(transcript)) return;
  // Claude Code writes the messages of each subagent into a file of its own.
  const subagents = join(transcript.replace(/\.jsonl$/, ""), "subagents");
  const { command, args } = ownProgram([
    ...["hooks", "capture", "--client", client, ...flags, transcript],
    ...(existsSync(subagents) ? [subagents] : []),
  ]);
  const child = spawn(command, args, { detached: true, stdio: "ignore" });
  // A command that cannot start must not stop the client.
  child.on("error", (error) => noteFailure(client, notCaptured(error.message)));
  child.unref();
}

export const notCaptured = (why: string): string => `The last transcript was not captured. ${why}`;
