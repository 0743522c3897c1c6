import type { ContextMemory, ContextMessage } from "@engram/spec";
import { type Cost, cutAround } from "../text/cut.ts";
import {
  cutPart,
  inBrackets,
  indent,
  lowRelevance,
  partOf,
  toLine,
  toMinute,
} from "../text/message-lines.ts";
import { inJson, toWrittenTokens } from "../text/model-tokens.ts";
import type { Steps } from "../text/pace.ts";
import { CUT_TOKENS_MIN } from "../text/packing.ts";
import { isDividedAtWords } from "../text/parts.ts";

/** Share of the messages' part that one of them may cost, and the newest one. */
const MESSAGE_SHARE = 0.25;
const NEWEST_SHARE = 0.5;
/** A message may cost this much even if its share is less, and is not cut to fewer tokens than `CUT_TOKENS_MIN`. */
const MESSAGE_TOKENS_MIN = 150;
/** Tokens of a line break in a JSON string: the backslash, and a letter that the next word may begin with. */
export const BREAK_TOKENS = 2;

/** Sources that the line of a memory names. */
const SOURCES_SHOWN = 3;

/** A line of the block, or several if the stored text has several. */
export interface Entry {
  line: string;
  /** With the line break before it. */
  tokens: number;
  /** Whether a part of the line, from the blank before a word to the blank before another, has as many tokens in the block. */
  isExact: boolean;
}

/** If the line costs more than `tokensMax`, its tokens may be any larger number, and `line` is not to be used. */
export function* toEntry<Own extends object>(
  line: string,
  own: Own,
  tokensMax: number = Number.POSITIVE_INFINITY,
): Steps<Own & Entry> {
  const tokens = (yield* contentCost(line, tokensMax)) + BREAK_TOKENS;
  const isExact = isDividedAtWords(line);
  return { ...own, line: tokens > tokensMax ? "" : indent(line), tokens, isExact };
}

export const tokensOf = (entries: readonly Entry[]): number =>
  entries.reduce((sum, { tokens }) => sum + tokens, 0);

/** Tokens of a text whose further lines are indented, in a JSON string. They are never less than those of the text alone. */
export const contentCost: Cost = (content, tokensMax) =>
  toWrittenTokens(content, (part) => inJson(indent(part)), tokensMax);

/** Tokens of a line without the line break before it. */
export const contentTokens = ({ tokens }: Entry): number => tokens - BREAK_TOKENS;

/** Lines of whole items, each counted only as far as that decides anything. */
export class Lines<Item> {
  readonly #items: readonly Item[];
  readonly #write: (item: Item) => string;
  readonly #entries = new Map<Item, Entry & { item: Item }>();

  constructor(items: readonly Item[], write: (item: Item) => string) {
    this.#items = items;
    this.#write = write;
  }

  /** Tokens of all lines. If they are more than `most`, the result may be any larger number. */
  *tokens(most: number): Steps<number> {
    let tokens = 0;
    for (const item of this.#items) {
      if (tokens > most) break;
      tokens += (yield* this.#entry(item, most - tokens)).tokens;
    }
    return tokens;
  }

  /** The lines, in order, that fit together. */
  *within(tokensMax: number): Steps<(Entry & { item: Item })[]> {
    const fitting: (Entry & { item: Item })[] = [];
    let left = tokensMax;
    for (const item of this.#items) {
      const entry = yield* this.#entry(item, left);
      if (entry.tokens > left) continue;
      fitting.push(entry);
      left -= entry.tokens;
    }
    return fitting;
  }

  *#entry(item: Item, tokensMax: number): Steps<Entry & { item: Item }> {
    const known = this.#entries.get(item);
    if (known !== undefined) return known;
    const entry = yield* toEntry(this.#write(item), { item }, tokensMax);
    if (entry.tokens <= tokensMax) this.#entries.set(item, entry);
    return entry;
  }
}

export type MessageEntry = Entry & { item: ContextMessage };

/**
 * Lines of whole messages by their id, and of cut ones by their id and the tokens that they were cut to. The messages are
 * chosen several times.
 */
export type MessageLines = Map<string, MessageEntry | null>;

/**
 * The newest messages that cost at most `tokensMax`, oldest first and without a gap. One that costs more than its share
 * of `whole` is cut to its start. Those before may be left out once they cost more than `enough`.
 */
export function* newestWithin(
  messages: readonly ContextMessage[],
  {
    tokensMax,
    whole,
    enough = Number.POSITIVE_INFINITY,
  }: { tokensMax: number; whole: number; enough: number | undefined },
  lines: MessageLines,
): Steps<MessageEntry[]> {
  const entries: MessageEntry[] = [];
  let left = tokensMax;
  for (const message of messages.toReversed()) {
    if (tokensMax - left > enough) break;
    const most = messageTokensMax(left, whole, entries.length === 0 ? NEWEST_SHARE : MESSAGE_SHARE);
    const entry = yield* fittingLine(message, most, lines);
    if (entry === null) break;
    entries.unshift(entry);
    left -= entry.tokens;
  }
  return entries;
}

/** Tokens that the line of one message may have. */
export const messageTokensMax = (left: number, whole: number, share = MESSAGE_SHARE): number =>
  Math.min(left, Math.max(MESSAGE_TOKENS_MIN, share * whole)) - BREAK_TOKENS;

/** The message, or its start, in a line of at most `tokensMax`. Null if too little of it would be left. */
export function* fittingLine(
  message: ContextMessage,
  tokensMax: number,
  lines: MessageLines,
): Steps<MessageEntry | null> {
  const known = lines.get(message.id);
  const whole = known ?? (yield* toEntry(toLine(message), { item: message }, tokensMax + BREAK_TOKENS));
  if (whole.tokens <= tokensMax + BREAK_TOKENS) {
    lines.set(message.id, whole);
    return whole;
  }
  const key = `${message.id} ${tokensMax}`;
  const knownCut = lines.get(key);
  const cut = knownCut === undefined ? yield* cutTo(message, tokensMax) : knownCut;
  lines.set(key, cut);
  return cut;
}

function* cutTo(message: ContextMessage, tokensMax: number): Steps<MessageEntry | null> {
  const { content } = message;
  // Its offsets are at most as long as these.
  const longest = cutPart(message, { start: content.length, end: content.length });
  const most = tokensMax - (yield* contentCost(toLine(longest, "")));
  if (most < CUT_TOKENS_MIN) return null;
  const item = cutPart(message, yield* cutAround(content, [], most, contentCost));
  return yield* toEntry(toLine(item), { item });
}

/** For a memory that does not hold: since when, or from when; null for others. */
const unheld = ({ ended, valid_from, valid_until }: ContextMemory, atMs: number): string | null => {
  if (ended) return `ended ${toMinute(valid_until ?? "")}`;
  return valid_from !== null && Date.parse(valid_from) > atMs ? `from ${toMinute(valid_from)}` : null;
};

export function memoryLine(item: ContextMemory, validAtMs: number): string {
  const remarks = inBrackets(
    ...[unheld(item, validAtMs), lowRelevance(item.relevance), partOf(item), citationOf(item)],
  );
  return `${item.id} ${toMinute(item.created_at)}${remarks}: ${item.content}`;
}

/**
 * The messages that a memory cites, as `from [3] [7] of conv_…`, so that a model can read them. Null if there are none, or
 * if all are deleted.
 */
function citationOf({ sources }: ContextMemory): string | null {
  const left = sources.filter(({ state }) => state !== "deleted");
  const shown = Map.groupBy(left.slice(0, SOURCES_SHOWN), ({ conversation_id }) => conversation_id);
  if (shown.size === 0) return null;
  const places = [...shown].map(
    ([id, cited]) => `${[...new Set(cited.map(({ sequence }) => `[${sequence}]`))].join(" ")} of ${id}`,
  );
  const more = left.length > SOURCES_SHOWN ? [`${left.length - SOURCES_SHOWN} more`] : [];
  return `from ${[...places, ...more].join(" and ")}`;
}
