import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ContextBody, Engram } from "@engram/sdk";
import { xdgDirectory } from "./config.ts";
import { PROMPT_EVENT, START_EVENT } from "./hook-clients.ts";
import { ownProgram } from "./own-program.ts";

/** The documented input of a hook, as far as it is used. Both clients name the fields alike. */
interface HookInput {
  hook_event_name?: unknown;
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
/** Conversations of a directory that are read to find the last one that is not a subagent's. */
const NEWEST_MAX = 50;
const QUERY_CHARACTERS_MAX = 10_000;

/** The output of a hook; undefined for none. */
export async function runHook(
  text: string,
  how: { engram: () => Engram; client: string; captureEvent: string; flags: string[] },
): Promise<HookOutput | undefined> {
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

/** The end of the last conversation in the directory. A resumed one has its messages already. */
async function startContext(
  { cwd, source }: HookInput,
  { engram }: { engram: () => Engram },
): Promise<string> {
  if (typeof cwd !== "string" || source === "resume") return "";
  const client = engram();
  const newest = await client.conversations
    .list({ metadata: { directory: cwd }, limit: NEWEST_MAX })
    .toArray({ max: NEWEST_MAX });
  const last = newest.find(({ metadata }) => !isSubagent(metadata));
  return last === undefined ? "" : textOf(client, { conversation_id: last.id });
}

/** A subagent has the id of its session, a colon and its own. */
const isSubagent = ({ source_id }: Record<string, unknown>): boolean => String(source_id).includes(":");

/** What a search for the prompt finds. */
async function promptContext({ prompt }: HookInput, { engram }: { engram: () => Engram }): Promise<string> {
  const query = String(prompt ?? "")
    .trim()
    .slice(-QUERY_CHARACTERS_MAX)
    .toWellFormed();
  // A command of the client is no question.
  if (query === "" || /^\/\w+$/.test(query)) return "";
  return textOf(engram(), { query });
}

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
