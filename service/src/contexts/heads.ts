import type { ContextAnswer, ContextMemory, ContextMessage, ContextSummary } from "@engram/spec";
import { isHeld } from "../memories/fields.ts";
import { cutPart, indent, toLine } from "../text/message-lines.ts";
import type { Steps } from "../text/pace.ts";
import type { ContextBudget } from "./block.ts";
import {
  type Entry,
  fittingLine,
  Lines,
  type MessageEntry,
  type MessageLines,
  memoryLine,
  messageTokensMax,
  newestWithin,
  toEntry,
  tokensOf,
} from "./entries.ts";
import { framed, frameTokens, MEMORIES_HEADING, section } from "./frame.ts";
import type { HeadBlock } from "./heads-queries.ts";
import { coverWithin, type SummaryEntry, summariesHeading, toSummaryEntry } from "./summaries.ts";

/** Why a stable part was made anew. */
export type HeadChange = NonNullable<ContextAnswer["stable_changed"]>;

/** A block of the stable part, as a text. */
export interface WrittenBlock {
  memories: (Entry & { item: ContextMemory })[];
  /** Of what is before its messages. */
  summaries: SummaryEntry[];
  messages: MessageEntry[];
  text: string;
  tokens: number;
}

/** What a stable part is made of. */
export interface HeadParts {
  conversationId: string | null;
  /** The newest messages, oldest first. */
  messages: ContextMessage[];
  /** The newest memories of the user or agent, newest first. */
  memories: ContextMemory[];
  validAtMs: number;
  /** Of the conversation. */
  summaries?: readonly ContextSummary[] | undefined;
}

/** Share of the messages' part that the stable part may take. The newest messages have the rest. */
const STABLE_SHARE = 0.6;
/** Share of the room for newest messages that they keep when the others move into the stable part. */
const KEPT_SHARE = 0.5;
/** Share of its room that a new stable part takes, so that it can grow. */
const FILLED_SHARES = { messages: 0.5, memories: 0.75 };
/** A block has at least so many tokens besides its frame, which takes about half of it. */
const BLOCK_TOKENS_MIN = 120;
/** The stable part is made anew once so many times the messages that it has room for are between it and the newest. */
const STALE_FACTOR = 12;

const messagesHeading = (conversationId: string | null) =>
  indent(`Earlier messages of ${conversationId ?? ""}:`);

/** Tokens that the stable part and its parts may have. */
export interface HeadRoom {
  /** Of all messages, and of all memories, wherever they stand. */
  messages: number;
  memories: number;
  summaries: number;
  stableMessages: number;
  newestMessages: number;
  stable: number;
}

export function toRoom({ tokensMax, shares }: ContextBudget): HeadRoom {
  const sum = shares.messages + shares.memories + shares.results + (shares.summaries ?? 0);
  const part = (share: number) => (sum === 0 ? 0 : Math.floor((tokensMax * share) / sum));
  const messages = part(shares.messages);
  const memories = part(shares.memories);
  const stableMessages = Math.floor(STABLE_SHARE * messages);
  return {
    messages,
    memories,
    summaries: part(shares.summaries ?? 0),
    stableMessages,
    newestMessages: messages - stableMessages,
    stable: stableMessages + memories + part(shares.summaries ?? 0),
  };
}

export const tokensOfBlocks = (blocks: readonly WrittenBlock[]): number =>
  blocks.reduce((sum, { tokens }) => sum + tokens, 0);
export const memoriesIn = (blocks: readonly WrittenBlock[]) => blocks.flatMap(({ memories }) => memories);
export const summariesIn = (blocks: readonly WrittenBlock[]) => blocks.flatMap(({ summaries }) => summaries);
export const messagesIn = (blocks: readonly WrittenBlock[]) => blocks.flatMap(({ messages }) => messages);

/** What was read again for a stored stable part. */
export interface ReadAgain {
  memories: ReadonlyMap<string, ContextMemory>;
  summaries: readonly ContextSummary[];
  messages: readonly ContextMessage[];
}

/**
 * Writes the blocks again from what is stored now.
 *
 * @returns a reason if something is missing or has ended. Whether the texts are the same is left to the caller.
 */
export function* writeAgain(
  blocks: readonly HeadBlock[],
  read: ReadAgain,
  { conversationId, validAtMs }: Pick<HeadParts, "conversationId" | "validAtMs">,
): Steps<WrittenBlock[] | HeadChange> {
  const written: WrittenBlock[] = [];
  for (const block of blocks) {
    const memories = block.memories.flatMap((id) => read.memories.get(id) ?? []);
    const { from, to, count, cuts } = block.messages ?? { from: 0, to: -1, count: 0, cuts: {} };
    const messages = read.messages.filter(({ sequence }) => sequence >= from && sequence <= to);
    if (memories.length < block.memories.length || messages.length < count) return "deleted";
    if (memories.some((memory) => !isHeld(memory, validAtMs))) return "ended";
    const summaries = (block.summaries ?? []).flatMap(
      ([level, start]) =>
        read.summaries.find((one) => one.level === level && one.from_sequence === start) ?? [],
    );
    // A change to a message takes the summaries over it.
    if (messages.length > count || summaries.length < (block.summaries ?? []).length) return "edited";
    const memoryEntries: WrittenBlock["memories"] = [];
    for (const item of memories) memoryEntries.push(yield* toEntry(memoryLine(item, validAtMs), { item }));
    const summaryEntries: SummaryEntry[] = [];
    for (const item of summaries) summaryEntries.push(yield* toSummaryEntry(item));
    const messageEntries: MessageEntry[] = [];
    for (const message of messages) {
      const end = cuts[message.sequence] ?? message.content.length;
      const item = cutPart(message, { start: 0, end: Math.min(end, message.content.length) });
      messageEntries.push(yield* toEntry(toLine(item), { item }));
    }
    const entries = { memories: memoryEntries, summaries: summaryEntries, messages: messageEntries };
    written.push(yield* writeBlock(entries, conversationId));
  }
  return written;
}

type Entries = Pick<WrittenBlock, "memories" | "summaries" | "messages">;

function* writeBlock(entries: Entries, conversationId: string | null): Steps<WrittenBlock> {
  const sections = [
    section(MEMORIES_HEADING, entries.memories),
    section(indent(summariesHeading(conversationId ?? "")), entries.summaries),
    section(messagesHeading(conversationId), entries.messages),
  ].filter(({ length }) => length > 1);
  return { ...entries, ...(yield* framed(sections, null)) };
}

/** What the row of a block says. */
export const toHeadBlock = ({ memories, summaries, messages }: WrittenBlock, hash: string): HeadBlock => ({
  memories: memories.map(({ item }) => item.id),
  summaries:
    summaries.length === 0 ? undefined : summaries.map(({ item }) => [item.level, item.from_sequence]),
  messages:
    messages.length === 0
      ? null
      : {
          from: messages[0]?.item.sequence ?? 0,
          to: messages.at(-1)?.item.sequence ?? 0,
          count: messages.length,
          cuts: Object.fromEntries(
            messages.flatMap(({ item }) =>
              item.content_end === undefined ? [] : [[item.sequence, item.content_end]],
            ),
          ),
        },
  hash,
});

/** The first block of a new stable part. Null if there is too little for one. */
export function* firstBlock(parts: HeadParts, room: HeadRoom): Steps<WrittenBlock | null> {
  const memories = yield* heldMemories(parts, parts.memories, FILLED_SHARES.memories * room.memories);
  const older = yield* beforeKept(parts.messages, room);
  const messages = yield* fitting(older.toReversed(), FILLED_SHARES.messages * room.stableMessages, room);
  const entries = { memories, summaries: [], messages: messages.reverse() };
  const block = yield* fittingBlock(entries, parts.conversationId, room.stable);
  const first = block?.messages[0]?.item.sequence;
  const before = (parts.summaries ?? []).filter(({ to_sequence: to }) => first !== undefined && to < first);
  if (block === null || before.length === 0) return block;
  const heading = yield* frameTokens([indent(summariesHeading(parts.conversationId ?? ""))], null);
  const summaries = yield* coverWithin(
    before,
    Math.min(room.summaries, room.stable - block.tokens) - heading,
  );
  return summaries.length === 0 ? block : yield* writeBlock({ ...block, summaries }, parts.conversationId);
}

/**
 * What the stable part grows by: messages that no longer are among the newest, and memories that are newer than those
 * in it. Null for nothing, or too little; `over_share` if the stable part is full and far behind.
 */
export function* nextBlock(
  blocks: readonly WrittenBlock[],
  parts: HeadParts,
  room: HeadRoom,
): Steps<WrittenBlock | null | "over_share"> {
  const [memories, messages] = [memoriesIn(blocks), messagesIn(blocks)];
  const summaryRoom = room.summaries - tokensOf(summariesIn(blocks));
  const left = room.stable - tokensOfBlocks(blocks);
  const memoryRoom = room.memories - tokensOf(memories);
  const messageRoom = room.stableMessages - tokensOf(messages);
  if (left < 0 || memoryRoom < 0 || summaryRoom < 0 || messageRoom < 0) return "over_share";
  const newest = memories
    .map(({ item }) => item.created_at)
    .sort()
    .at(-1);
  const later = parts.memories.filter(({ created_at }) => created_at > (newest ?? ""));
  const last = messages.at(-1)?.item.sequence ?? 0;
  const pending = parts.messages.filter(({ sequence }) => sequence > last);
  const older = yield* beforeKept(pending, room);
  const isNext = (parts.messages[0]?.sequence ?? 0) <= last + 1;
  const next = {
    memories: yield* heldMemories(parts, later, memoryRoom),
    summaries: [],
    messages:
      last === 0
        ? (yield* fitting(older.toReversed(), FILLED_SHARES.messages * messageRoom, room)).reverse()
        : yield* fitting(isNext ? older : [], messageRoom, room),
  };
  const block = yield* fittingBlock(next, parts.conversationId, left);
  if (block !== null) return block;
  const laterTokens = yield* linesOf(parts, later).tokens(room.memories);
  const between = (pending[older.length]?.sequence ?? last + 1) - last - 1;
  const average = messages.length === 0 ? 0 : tokensOf(messages) / messages.length;
  const isBehind = between * average > STALE_FACTOR * room.stableMessages;
  return isBehind || laterTokens > room.memories ? "over_share" : null;
}

const wholeOf = ({ messages }: HeadRoom) => ({ whole: messages, enough: undefined });

const linesOf = ({ validAtMs }: HeadParts, memories: readonly ContextMemory[]) =>
  new Lines(memories, (item) => memoryLine({ ...item, relevance: null }, validAtMs));

const heldMemories = (parts: HeadParts, memories: readonly ContextMemory[], tokensMax: number) =>
  linesOf(
    parts,
    memories.filter((memory) => isHeld(memory, parts.validAtMs)),
  ).within(tokensMax);

/** The messages that are no longer among the newest. None as long as all have room there. */
function* beforeKept(messages: readonly ContextMessage[], room: HeadRoom): Steps<ContextMessage[]> {
  const lines: MessageLines = new Map();
  const within = (tokensMax: number) => newestWithin(messages, { ...wholeOf(room), tokensMax }, lines);
  if ((yield* within(room.newestMessages)).length === messages.length) return [];
  const kept = yield* within(KEPT_SHARE * room.newestMessages);
  return messages.slice(0, messages.length - Math.max(1, kept.length));
}

/** The messages from the first of the list on, without a gap, that fit. */
function* fitting(
  messages: readonly ContextMessage[],
  tokensMax: number,
  room: HeadRoom,
): Steps<MessageEntry[]> {
  const entries: MessageEntry[] = [];
  const lines: MessageLines = new Map();
  let left = tokensMax;
  for (const message of messages) {
    const entry = yield* fittingLine(message, messageTokensMax(left, room.messages), lines);
    if (entry === null) break;
    entries.push(entry);
    left -= entry.tokens;
  }
  return entries;
}

/** Without the last ones that do not fit. Null if there is too little. */
function* fittingBlock(
  entries: Entries,
  conversationId: string | null,
  tokensMax: number,
): Steps<WrittenBlock | null> {
  const frame = yield* frameTokens([MEMORIES_HEADING, messagesHeading(conversationId)], null);
  let { memories: chosen, messages: said } = entries;
  while (tokensOf(chosen) + tokensOf(said) + frame > tokensMax && chosen.length + said.length > 0) {
    if (said.length > 0) said = said.slice(0, -1);
    else chosen = chosen.slice(0, -1);
  }
  if (tokensOf(chosen) + tokensOf(said) < BLOCK_TOKENS_MIN) return null;
  return yield* writeBlock({ ...entries, memories: chosen, messages: said }, conversationId);
}
