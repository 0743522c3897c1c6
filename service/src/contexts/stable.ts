import {
  CONTEXT_STABLE_HOURS,
  type ContextAnswer,
  type ContextMemory,
  MESSAGE_PAGE_MAX,
  type Visibility,
} from "@engram/spec";
import type { Moment } from "../filters/moments-queries.ts";
import type { KeyCaller } from "../invocation.ts";
import { messageSlice } from "../messages/pages-queries.ts";
import { sha256Hex } from "../platform/digest.ts";
import { createId } from "../platform/ids.ts";
import { batch, run } from "../platform/sql.ts";
import { summariesAt } from "../summaries/queries.ts";
import type { ContextBlock, ContextBudget, ContextParts } from "./block.ts";
import { tokensOf } from "./entries.ts";
import {
  firstBlock,
  type HeadChange,
  type HeadParts,
  type HeadRoom,
  memoriesIn,
  messagesIn,
  nextBlock,
  type ReadAgain,
  summariesIn,
  toHeadBlock,
  tokensOfBlocks,
  toRoom,
  type WrittenBlock,
  writeAgain,
} from "./heads.ts";
import {
  extendedHead,
  type HeadBlock,
  headById,
  insertedHead,
  memoriesByIds,
  NO_MEMORIES,
} from "./heads-queries.ts";
import { toContextMemory, toContextMessage } from "./results.ts";

const STABLE_MS = CONTEXT_STABLE_HOURS * 3_600_000;
/** Tokens of two line breaks between two blocks, and of what the words at their ends may cost more together. */
const JOIN_TOKENS = 8;

export interface StableInput extends ContextBudget {
  previous: string | null;
  conversationId: string | undefined;
  excludeConversation: string | undefined;
  userId: string | undefined;
  visibility: Visibility[] | undefined;
  agentId: string | undefined;
  metadata: Record<string, string | number | boolean> | undefined;
  asOf: string | undefined;
}

/** The stable part of the context before, with what is stored now of it. */
export interface PreviousHead extends ReadAgain {
  id: string;
  blocks: HeadBlock[];
  expiresAtMs: number;
  /** Whether all messages could be read. */
  isWhole: boolean;
}

/** The stable part of this context. */
export interface Head {
  id: string | null;
  changed: HeadChange | null;
  blocks: WrittenBlock[];
}

/** Reads the stable part that the request continues, or says why it continues none. */
export async function readPrevious(
  { db, principal, runtime, limits }: KeyCaller,
  input: StableInput,
  moment: Moment | null,
): Promise<PreviousHead | HeadChange> {
  const { previous: id, conversationId, userId, visibility, agentId, metadata } = input;
  if (id === null) return "new";
  const head = await run(db, headById(principal.organizationId, id, runtime.nowMs()));
  if (head === null || head.requestHash !== (await hashOf(principal, input, id))) return "unknown_previous";
  const { blocks, expiresAtMs } = head;
  const ranges = blocks.flatMap(({ messages }) => messages ?? []);
  const [first, last] = [ranges[0], ranges.at(-1)];
  const places = blocks.flatMap(({ summaries }) => summaries ?? []);
  const { memories, summaries, slice } = await batch(db, {
    memories: memoriesByIds(
      principal,
      blocks.flatMap((block) => block.memories),
      { for_user: userId, visibility, agent_id: agentId, metadata },
      moment,
    ),
    summaries:
      places.length === 0 ? null : summariesAt(principal.organizationId, conversationId ?? "", places),
    slice:
      first === undefined || last === undefined
        ? null
        : messageSlice(
            principal,
            {
              conversationId: conversationId ?? "",
              fromSequence: first.from,
              toSequence: last.to,
              limit: MESSAGE_PAGE_MAX,
              end: "first",
              moment,
            },
            limits,
          ),
  });
  return {
    id,
    blocks,
    expiresAtMs,
    memories: new Map(
      memories.map((memory) => [memory.id, toContextMemory(memory, { ended: false, relevance: null })]),
    ),
    summaries: summaries ?? [],
    messages: (slice?.messages ?? []).map(toContextMessage),
    isWhole: slice?.complete !== false,
  };
}

/** Continues the stable part, or begins a new one. Stores a row if it is another one than before. */
export async function openHead(
  caller: KeyCaller,
  input: StableInput,
  previous: PreviousHead | HeadChange,
  parts: HeadParts,
): Promise<Head> {
  const room = toRoom(input);
  const continued = await continueHead(caller, previous, parts, room);
  if (typeof continued !== "string") {
    if (!continued.hasGrown) {
      await extend(caller, previous as PreviousHead);
      return { id: (previous as PreviousHead).id, changed: null, blocks: continued.blocks };
    }
    return { id: await store(caller, input, continued.blocks), changed: null, blocks: continued.blocks };
  }
  const first = await caller.pace.run(firstBlock(parts, room));
  const blocks = first === null ? [] : [first];
  return { id: await store(caller, input, blocks), changed: continued, blocks };
}

async function continueHead(
  { pace }: KeyCaller,
  previous: PreviousHead | HeadChange,
  parts: HeadParts,
  room: HeadRoom,
): Promise<{ blocks: WrittenBlock[]; hasGrown: boolean } | HeadChange> {
  if (typeof previous === "string") return previous;
  if (!previous.isWhole) return "over_share";
  const written = await pace.run(writeAgain(previous.blocks, previous, parts));
  if (typeof written === "string") return written;
  const hashes = await Promise.all(written.map(({ text }) => sha256Hex(text)));
  if (hashes.some((hash, i) => hash !== previous.blocks[i]?.hash)) return "edited";
  const next = await pace.run(nextBlock(written, parts, room));
  if (next === "over_share") return next;
  return { blocks: next === null ? written : [...written, next], hasGrown: next !== null };
}

/** @returns the id of the row. Null for nothing, which needs none. */
async function store(
  { db, principal, runtime }: KeyCaller,
  input: StableInput,
  blocks: readonly WrittenBlock[],
): Promise<string | null> {
  if (blocks.length === 0) return null;
  const { organizationId } = principal;
  const id = createId(runtime, "ctx");
  const stored = await Promise.all(
    blocks.map(async (block) => toHeadBlock(block, await sha256Hex(block.text))),
  );
  const userId = input.userId ?? principal.userId ?? "";
  await run(
    db,
    insertedHead({
      organizationId,
      id,
      requestHash: await hashOf(principal, input, id),
      conversationId: messagesIn(blocks).length === 0 ? "" : (input.conversationId ?? ""),
      userId: memoriesIn(blocks).length === 0 ? NO_MEMORIES : userId,
      blocks: stored,
      expiresAtMs: runtime.nowMs() + STABLE_MS,
    }),
  );
  return id;
}

/** A stable part in use does not expire. It is not extended by each request, because each would write. */
async function extend(
  { db, principal, runtime }: KeyCaller,
  { id, expiresAtMs }: PreviousHead,
): Promise<void> {
  const nowMs = runtime.nowMs();
  if (expiresAtMs - nowMs < STABLE_MS / 2)
    await run(db, extendedHead(principal.organizationId, id, nowMs + STABLE_MS));
}

/** The id is hashed, too, so that equal requests have different hashes. */
const hashOf = (
  principal: KeyCaller["principal"],
  { conversationId, excludeConversation, userId, visibility, agentId, metadata, asOf }: StableInput,
  id: string,
): Promise<string> =>
  sha256Hex(
    JSON.stringify([
      id,
      ...[principal.agentId, principal.userId],
      ...[conversationId, excludeConversation, userId, agentId, asOf].map((value) => value ?? null),
      Object.entries(metadata ?? {}).sort(([one], [other]) => (one < other ? -1 : 1)),
      // Parts that were stored before there was a visibility stay valid.
      ...(visibility === undefined ? [] : [visibility.toSorted()]),
    ]),
  );

/** What the dynamic part may include besides the stable one. */
export function besides({ blocks }: Head, parts: ContextParts): ContextParts {
  const messages = messagesIn(blocks).map(({ item }) => item);
  const last = messages.at(-1)?.sequence ?? 0;
  const memories = new Set(memoriesIn(blocks).map(({ item }) => item.id));
  const shown = new Set(messages.map(({ id }) => id));
  const summarized = summariesIn(blocks).map(({ item }) => item);
  return {
    ...parts,
    messageCount: parts.messageCount - messages.length,
    messages: parts.messages.filter(({ sequence }) => sequence > last),
    shownFrom: messages[0]?.sequence,
    summaries: parts.summaries?.filter((one) =>
      summarized.every(
        (other) => one.from_sequence > other.to_sequence || one.to_sequence < other.from_sequence,
      ),
    ),
    hasEarlier: parts.hasEarlier && (parts.messages[0]?.sequence ?? 0) > last + 1,
    memories: parts.memories.filter(({ id }) => !memories.has(id)),
    results: parts.results.map((result) => ({
      ...result,
      messages: result.messages.filter(({ message }) => !shown.has(message.id)),
    })),
  };
}

/** What the stable part leaves of the budget. A part with a share keeps some of it. */
export function budgetBesides({ blocks }: Head, { tokensMax, shares }: ContextBudget): ContextBudget {
  const room = toRoom({ tokensMax, shares });
  const left = (share: number, tokens: number) => (share === 0 ? 0 : Math.max(1, tokens));
  return {
    tokensMax: tokensMax - tokensOfBlocks(blocks) - JOIN_TOKENS * blocks.length,
    shares: {
      messages: left(shares.messages, room.messages - tokensOf(messagesIn(blocks))),
      memories: left(shares.memories, room.memories - tokensOf(memoriesIn(blocks))),
      results: left(shares.results, tokensMax - room.messages - room.memories - room.summaries),
      summaries: shares.summaries
        ? left(shares.summaries, room.summaries - tokensOf(summariesIn(blocks)))
        : shares.summaries,
    },
  };
}

type StableBlock = ContextBlock & Pick<ContextAnswer, "stable" | "dynamic" | "stable_id" | "stable_changed">;

/** @param found memories that the query found. */
export function joined(
  { id, changed, blocks }: Head,
  dynamic: ContextBlock,
  found: readonly ContextMemory[],
): StableBlock {
  const texts = [...blocks.map(({ text }) => text), ...(dynamic.text === "" ? [] : [dynamic.text])];
  const relevanceOf = new Map(found.map((memory) => [memory.id, memory.relevance]));
  const [messages, memories, summaries] = [messagesIn(blocks), memoriesIn(blocks), summariesIn(blocks)];
  return {
    ...dynamic,
    text: texts.join("\n\n"),
    tokens: tokensOfBlocks(blocks) + dynamic.tokens + JOIN_TOKENS * Math.max(0, texts.length - 1),
    messages: {
      ...dynamic.messages,
      items: [...messages.map(({ item }) => item), ...dynamic.messages.items],
      tokens: tokensOf(messages) + dynamic.messages.tokens,
    },
    memories: {
      ...dynamic.memories,
      items: [
        ...memories.map(({ item }) => ({ ...item, relevance: relevanceOf.get(item.id) ?? null })),
        ...dynamic.memories.items,
      ],
      tokens: tokensOf(memories) + dynamic.memories.tokens,
    },
    ...(dynamic.summaries && {
      summaries: {
        items: [...dynamic.summaries.items, ...summaries.map(({ item }) => item)].sort(
          (a, b) => a.from_sequence - b.from_sequence,
        ),
        tokens: tokensOf(summaries) + dynamic.summaries.tokens,
      },
    }),
    stable: blocks.map(({ text }) => text),
    dynamic: dynamic.text,
    stable_id: id,
    stable_changed: changed,
  };
}
