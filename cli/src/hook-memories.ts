import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ContextBody, Engram } from "@engram/sdk";
import { CONTEXT_TOKENS_MAX } from "@engram/sdk/limits";
import { stateDirectory } from "./hook-state.ts";

/** How a prompt is searched. */
export type Prompt = Required<Pick<ContextBody, "query" | "min_relevance">>;
/** What the receipt of a context says of the hook. */
export type Recorded = NonNullable<ContextBody["record"]>;

/** What an agent got of the memories of its user in one session, and still has. */
interface Given {
  stable_id: string;
  /** Number of blocks of the stable part. */
  blocks: number;
  /** Upper bound on their tokens. */
  tokens: number;
}

/** Tokens of new memories that the start of a session and a prompt may add. */
const START_TOKENS = 500;
export const PROMPT_TOKENS = 300;
const SHARES = { messages: 0, memories: 1, results: 0 };
/** A stable part that was not continued for a day exists no more. */
const KEPT_MS = 2 * 24 * 3_600_000;

/**
 * Gets the memories of a user that the agent does not have yet. What a hook has once given stays in the session's
 * transcript, so it is not given again. If one of them was edited or deleted, all are given anew.
 *
 * @param prompt undefined at the start of a session, where the memories are given that keep their place.
 */
export async function newMemories(
  engram: Engram,
  { user, session, prompt, record }: { user: string; session: unknown; prompt?: Prompt; record: Recorded },
): Promise<string> {
  const file = fileOf(session);
  const given = prompt === undefined ? undefined : readGiven(file);
  const {
    stable = [],
    dynamic = "",
    stable_id,
    stable_changed,
    tokens,
  } = await engram.context({
    ...prompt,
    user_id: user,
    record,
    shares: SHARES,
    max_tokens: Math.min(
      CONTEXT_TOKENS_MAX,
      (prompt === undefined ? START_TOKENS : PROMPT_TOKENS) + (given?.tokens ?? 0),
    ),
    layout: "stable",
    previous: given?.stable_id ?? null,
  });
  const isContinued = given !== undefined && stable_changed === null;
  if (file !== undefined && stable_id && stable_id !== given?.stable_id)
    writeGiven(file, { stable_id, blocks: stable.length, tokens });
  const fresh = isContinued ? stable.slice(given.blocks) : stable;
  return [...fresh, ...(prompt === undefined ? [] : [dynamic])].filter((text) => text !== "").join("\n\n");
}

const directory = (): string => join(stateDirectory(), "hook-sessions");

/** None for an id that is no name of a file. */
const fileOf = (session: unknown): string | undefined =>
  typeof session === "string" && /^[\w-]{1,100}$/.test(session)
    ? join(directory(), `${session}.json`)
    : undefined;

function readGiven(file: string | undefined): Given | undefined {
  if (file === undefined) return undefined;
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Given;
  } catch {
    // There is none yet, or two hooks wrote it at once: then all are given again.
    return undefined;
  }
}

function writeGiven(file: string, given: Given): void {
  mkdirSync(directory(), { recursive: true, mode: 0o700 });
  for (const name of readdirSync(directory())) {
    const other = join(directory(), name);
    if (Date.now() - (statSync(other, { throwIfNoEntry: false })?.mtimeMs ?? 0) > KEPT_MS)
      rmSync(other, { force: true });
  }
  writeFileSync(file, JSON.stringify(given), { mode: 0o600 });
}
