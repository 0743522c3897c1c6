import type {
  ContextAnswer,
  ContextMemory,
  ContextMessage,
  ContextResult,
  MessagesResult,
} from "@engram/spec";
import { type Cost, cutAround } from "../text/cut.ts";
import { joinShapes, SOFT_HYPHEN, shapeOf } from "../text/look-alikes.ts";
import {
  cutPart,
  DATA_LABEL,
  inBrackets,
  indent,
  lowRelevance,
  PART_TOKENS,
  partOf,
  rounded,
  toLine,
  toMinute,
} from "../text/message-lines.ts";
import { inJson, toModelTokens, toWrittenTokens } from "../text/model-tokens.ts";
import { inNoSteps, type Steps } from "../text/pace.ts";
import { CUT_TOKENS_MIN, type Packable, pack } from "../text/packing.ts";
import { pairStart } from "../text/parts.ts";
import type { TextRange } from "../text/words.ts";

/** What a context may include. */
export interface ContextParts {
  /** Null without a conversation. */
  conversationId: string | null;
  /** Number of messages of the conversation. */
  messageCount: number;
  /** The newest messages, oldest first. */
  messages: ContextMessage[];
  /** Best first, and last those that do not hold at `validAtMs`. */
  memories: ContextMemory[];
  validAtMs: number;
  /** Best first. */
  results: MessagesResult[];
}

export interface ContextBudget {
  tokensMax: number;
  /** Weights of the parts. */
  shares: { messages: number; memories: number; results: number };
}

export type ContextBlock = Pick<ContextAnswer, "text" | "tokens" | "messages" | "memories"> & {
  results: Omit<ContextAnswer["results"], "below_min_relevance">;
};

/** Share of the messages' part that one of them may cost, and the newest one. */
const MESSAGE_SHARE = 0.25;
const NEWEST_SHARE = 0.5;
/** A message may cost this much even if its share is less, and is not cut to fewer tokens than `CUT_TOKENS_MIN`. */
const MESSAGE_TOKENS_MIN = 150;
/** Tokens of a line break in a JSON string: the backslash, and a letter that the next word may begin with. */
const BREAK_TOKENS = 2;
/** Neighbors of a match that may be included: all that the search returns. */
const NEIGHBORS_MAX = 20;
const TAG = "engram-context";
/** Digits of the number that the tag has if it occurs in stored text. */
const TAG_DIGITS_MAX = 7;
const FIRST_NUMBER = 2;
/** Letters that look like digits in a number. */
const DIGIT_OF: Record<string, string> = {
  o: "0",
  l: "1",
  i: "1",
  z: "2",
  з: "3",
  s: "5",
  б: "6",
  b: "6",
  g: "9",
};
const shapePattern = (shape: string): string =>
  Array.from(shape, (letter) => (letter === "-" ? `[-${SOFT_HYPHEN}]` : `${letter}${SOFT_HYPHEN}?`)).join("");
const TAKEN = new RegExp(
  `${shapePattern(shapeOf(TAG))}(?:-([\\d${Object.keys(DIGIT_OF).join("")}]{1,${TAG_DIGITS_MAX}}))?`,
  "g",
);
/** Length of the shape of a tag, at most. Each letter may have a soft hyphen after it. */
const TAG_SHAPES_MAX = 2 * TAG.length + 1 + TAG_DIGITS_MAX;
const TAG_SLICE = 4_096;

/** Sources that the line of a memory names. */
const SOURCES_SHOWN = 3;

const MEMORIES_HEADING = "Memories:";
const RESULTS_HEADING = "Found in conversations:";
const messagesHeading = (conversationId: string) => indent(`Newest messages of ${conversationId}:`);

/**
 * Chooses what a context includes, such that its text costs at most `tokensMax`, also as a JSON string: memories and
 * messages within their shares, then search results. What one part does not need, the others get.
 */
export function* toBlock(parts: ContextParts, { tokensMax, shares }: ContextBudget): Steps<ContextBlock> {
  const room = Math.max(0, tokensMax - (yield* frameTokens(parts)));
  const memoryEntries = yield* toMemoryEntries(parts, room);
  const heads = yield* headsOf(parts.results);
  const wants = function* (messageNeed: number, shown: readonly MessageEntry[]): Steps<Wants<Want>> {
    return [
      { weight: shares.messages, need: messageNeed },
      { weight: shares.memories, need: tokensOf(memoryEntries) },
      { weight: shares.results, need: yield* neededBy(yield* toItems(parts.results, shown), heads, room) },
    ];
  };
  // Results that are also among the messages need nothing. Which these are is known once some messages are chosen.
  const [most] = allot(room, yield* wants(Number.POSITIVE_INFINITY, []));
  const cuts: Cuts = new Map();
  const newest = (tokens: number) => newestWithin(parts.messages, tokens, most, cuts);
  const messageNeed = tokensOf(yield* newest(room));
  const [messageTokens, memoryTokens] = allot(room, yield* wants(messageNeed, yield* newest(most)));
  const memories = wholeWithin(memoryEntries, memoryTokens);
  const spare = shares.messages === 0 ? 0 : memoryTokens - tokensOf(memories);
  const messages = yield* newest(messageTokens + spare);
  const resultTokens = shares.results === 0 ? 0 : room - tokensOf(memories) - tokensOf(messages);
  const items = yield* toItems(parts.results, messages);
  const results = yield* packWithin(items, heads, resultTokens);
  const found = new Set(items.filter(({ score }) => score !== null).map(({ group }) => group)).size;
  const chosen = { memories, results, messages };
  // The parts can cost less than the whole, because words that meet count as one. The last of them are then left out.
  for (;;) {
    const groups = groupsOf(chosen.results);
    const omitted = {
      messages: parts.conversationId === null ? 0 : parts.messageCount - chosen.messages.length,
      memories: parts.memories.length - chosen.memories.length,
      results: found - groups.length,
    };
    const text = yield* toText(chosen, parts, omitted);
    const tokens = Math.max(yield* toModelTokens(text), yield* toModelTokens(JSON.stringify(text)));
    const isLast = chosen.results.length + chosen.memories.length + chosen.messages.length === 0;
    if (tokens <= tokensMax || isLast)
      return {
        text: isLast ? "" : text,
        tokens: isLast ? 0 : tokens,
        messages: {
          items: chosen.messages.map(({ item }) => item),
          tokens: tokensOf(chosen.messages),
          omitted: omitted.messages,
        },
        memories: {
          items: chosen.memories.map(({ item }) => item),
          tokens: tokensOf(chosen.memories),
          omitted: omitted.memories,
        },
        results: {
          items: groups.map(([group, entries]) =>
            toResult(
              parts.results[group] as MessagesResult,
              entries.map(({ message }) => message),
            ),
          ),
          tokens: tokensOf(chosen.results),
          omitted: omitted.results,
        },
      };
    if (chosen.results.pop() === undefined && chosen.memories.pop() === undefined) chosen.messages.shift();
  }
}

/** A line of the block, or several if the stored text has several. */
interface Entry {
  line: string;
  /** With the line break before it. */
  tokens: number;
}

/** If the line costs more than `tokensMax`, its tokens may be any larger number, and `line` is not to be used. */
function* toEntry<Own extends object>(
  line: string,
  own: Own,
  tokensMax: number = Number.POSITIVE_INFINITY,
): Steps<Own & Entry> {
  const tokens = (yield* contentCost(line, tokensMax)) + BREAK_TOKENS;
  return { ...own, line: tokens > tokensMax ? "" : indent(line), tokens };
}

const tokensOf = (entries: readonly Entry[]): number => entries.reduce((sum, { tokens }) => sum + tokens, 0);

/** Tokens of a text whose further lines are indented, in a JSON string. They are never less than those of the text alone. */
const contentCost: Cost = (content, tokensMax) =>
  toWrittenTokens(content, (part) => inJson(indent(part)), tokensMax);

interface Want {
  weight: number;
  need: number;
}

type Wants<T> = [messages: T, memories: T, results: T];

/** Divides tokens in proportion to the weights. A part that needs less than its share leaves the rest to the others. */
export function allot(total: number, wants: Wants<Want>): Wants<number> {
  const got = wants.map(() => 0);
  let left = total;
  let open = wants.map((_, i) => i).filter((i) => (wants[i] as Want).weight > 0);
  while (open.length > 0) {
    const sum = open.reduce((weights, i) => weights + (wants[i] as Want).weight, 0);
    const shareOf = (i: number) => Math.floor((left * (wants[i] as Want).weight) / sum);
    const content = open.filter((i) => (wants[i] as Want).need <= shareOf(i));
    if (content.length === 0) {
      for (const [i, share] of open.map((i) => [i, shareOf(i)] as const)) got[i] = share;
      break;
    }
    for (const i of content) {
      got[i] = (wants[i] as Want).need;
      left -= got[i];
    }
    open = open.filter((i) => !content.includes(i));
  }
  return got as Wants<number>;
}

type MessageEntry = Entry & { item: ContextMessage };

/** Cut messages, by their id and the tokens that they were cut to. The messages are chosen several times. */
type Cuts = Map<string, MessageEntry | null>;

/**
 * The newest messages that cost at most `tokensMax`, oldest first and without a gap. One that costs more than its share
 * of `whole` is cut to its start.
 */
function* newestWithin(
  messages: readonly ContextMessage[],
  tokensMax: number,
  whole: number,
  cuts: Cuts,
): Steps<MessageEntry[]> {
  const entries: MessageEntry[] = [];
  let left = tokensMax;
  for (const message of messages.toReversed()) {
    const share = (entries.length === 0 ? NEWEST_SHARE : MESSAGE_SHARE) * whole;
    const most = Math.min(left, Math.max(MESSAGE_TOKENS_MIN, share)) - BREAK_TOKENS;
    const key = `${message.id} ${most}`;
    const known = cuts.get(key);
    const entry = known === undefined ? yield* cutTo(message, most) : known;
    cuts.set(key, entry);
    if (entry === null) break;
    entries.unshift(entry);
    left -= entry.tokens;
  }
  return entries;
}

/** The message, or its start, in a line of at most `tokensMax`. Null if too little of it would be left. */
function* cutTo(message: ContextMessage, tokensMax: number): Steps<MessageEntry | null> {
  const { content } = message;
  const whole = yield* toEntry(toLine(message), { item: message }, tokensMax + BREAK_TOKENS);
  if (whole.tokens <= tokensMax + BREAK_TOKENS) return whole;
  // Its offsets are at most as long as these.
  const longest = cutPart(message, { start: content.length, end: content.length });
  const most = tokensMax - (yield* contentCost(toLine(longest, "")));
  if (most < CUT_TOKENS_MIN) return null;
  const item = cutPart(message, yield* cutAround(content, [], most, contentCost));
  return yield* toEntry(toLine(item), { item });
}

type MemoryEntry = Entry & { item: ContextMemory };

/** For a memory that does not hold: since when, or from when; null for others. */
const unheld = ({ ended, valid_from, valid_until }: ContextMemory, atMs: number): string | null => {
  if (ended) return `ended ${toMinute(valid_until ?? "")}`;
  return valid_from !== null && Date.parse(valid_from) > atMs ? `from ${toMinute(valid_from)}` : null;
};

function* toMemoryEntries(
  { memories, validAtMs }: Pick<ContextParts, "memories" | "validAtMs">,
  tokensMax: number,
): Steps<MemoryEntry[]> {
  const entries: MemoryEntry[] = [];
  for (const item of memories) {
    const remarks = inBrackets(
      ...[unheld(item, validAtMs), lowRelevance(item.relevance), partOf(item), citationOf(item)],
    );
    const line = `${item.id} ${toMinute(item.created_at)}${remarks}: ${item.content}`;
    entries.push(yield* toEntry(line, { item }, tokensMax));
  }
  return entries;
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

/** The entries, in order, that fit together. */
function wholeWithin<Own extends Entry>(entries: readonly Own[], tokensMax: number): Own[] {
  let left = tokensMax;
  return entries.filter(({ tokens }) => {
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
}

/** A message of a search result. `group` is the place of the result. */
interface Item extends Packable {
  message: ContextMessage;
  places: readonly TextRange[];
}

type ResultEntry = Entry & { group: number; message: ContextMessage };

function* toItems(results: readonly MessagesResult[], shown: readonly MessageEntry[]): Steps<Item[]> {
  const ids = new Set(shown.map(({ item }) => item.id));
  const items: Item[] = [];
  for (const [group, { messages, matches }] of results.entries()) {
    for (const found of messages.filter(({ id }) => !ids.has(id))) {
      const match = matches.find(({ message_id }) => message_id === found.id);
      items.push({
        message: toContextMessage(found),
        group,
        place: found.sequence,
        score: match?.score ?? null,
        content: found.content,
        overhead: (yield* contentCost(toLine(found, ""))) + BREAK_TOKENS,
        places: match?.highlights ?? [],
      });
    }
  }
  return items;
}

const headOf = ({ conversation_id, conversation: { title }, relevance }: MessagesResult): string =>
  `${conversation_id}${title === null ? "" : ` ${title}`} (relevance ${rounded(relevance)})`;

/** The first line of each result. */
function* headsOf(results: readonly MessagesResult[]): Steps<Entry[]> {
  const heads: Entry[] = [];
  for (const result of results) heads.push(yield* toEntry(headOf(result), {}));
  return heads;
}

/** Tokens of all results. If they are more than `tokensMax`, the result may be any larger number. */
function* neededBy(items: readonly Item[], heads: readonly Entry[], tokensMax: number): Steps<number> {
  let tokens = tokensOf(heads);
  for (const { overhead, content } of items) {
    if (tokens > tokensMax) break;
    tokens += overhead + (yield* contentCost(content, tokensMax - tokens));
  }
  return tokens;
}

/** The chosen messages of the results, those that were chosen last at the end. */
function* packWithin(items: Item[], heads: readonly Entry[], tokensMax: number): Steps<ResultEntry[]> {
  const chosen = yield* pack(items, {
    tokensMax,
    cost: contentCost,
    before: NEIGHBORS_MAX,
    after: NEIGHBORS_MAX,
    groupOverhead: (group) => heads[group]?.tokens ?? 0,
    cutOverhead: PART_TOKENS,
    places: ({ places }) => inNoSteps(places),
  });
  const entries: ResultEntry[] = [];
  for (const [{ message, group }, range] of chosen) {
    const item = cutPart(message, range);
    entries.push(yield* toEntry(toLine(item), { group, message: item }));
  }
  return entries;
}

/** The chosen messages by result, in the order of the results and of the messages. */
function groupsOf(entries: readonly ResultEntry[]): [group: number, entries: ResultEntry[]][] {
  const groups = [...new Set(entries.map(({ group }) => group))].sort((a, b) => a - b);
  return groups.map((group) => [
    group,
    entries.filter((entry) => entry.group === group).sort((a, b) => a.message.sequence - b.message.sequence),
  ]);
}

const toResult = (result: MessagesResult, messages: ContextMessage[]): ContextResult => ({
  conversation_id: result.conversation_id,
  title: result.conversation.title,
  relevance: result.relevance,
  messages,
});

export const toContextMessage = ({
  id,
  sequence,
  role,
  name,
  tool_call_id,
  tool_name,
  content,
  content_start,
  content_end,
  content_length,
  created_at,
}: ContextMessage): ContextMessage => ({
  id,
  sequence,
  role,
  name,
  tool_call_id,
  tool_name,
  content,
  ...(content_start !== undefined && { content_start, content_end, content_length }),
  created_at,
});

interface Omitted {
  messages: number;
  memories: number;
  results: number;
}

function* toText(
  chosen: { memories: readonly Entry[]; results: readonly ResultEntry[]; messages: readonly Entry[] },
  { conversationId, results }: ContextParts,
  omitted: Omitted,
): Steps<string> {
  const linesOf = (entries: readonly Entry[]) => entries.map(({ line }) => line);
  const found = groupsOf(chosen.results).map(([group, entries]) =>
    [indent(headOf(results[group] as MessagesResult)), ...linesOf(entries)].join("\n"),
  );
  const sections = [
    [MEMORIES_HEADING, ...linesOf(chosen.memories)],
    [RESULTS_HEADING, ...found],
    [messagesHeading(conversationId ?? ""), ...linesOf(chosen.messages)],
  ].filter(({ length }) => length > 1);
  return yield* framed(
    sections.map((lines) => lines.join("\n")),
    omitted,
  );
}

/** Puts tags around the sections that occur nowhere within them. */
function* framed(sections: string[], { messages, memories, results }: Omitted, tag?: string): Steps<string> {
  const left = [
    ...(messages > 0 ? [`${messages} earlier messages`] : []),
    ...(memories > 0 ? [`${memories} memories`] : []),
    ...(results > 0 ? [`${results} search results`] : []),
  ].join(", ");
  const body = [DATA_LABEL, ...sections, ...(left === "" ? [] : [`Left out: ${left}.`])].join("\n\n");
  const name = tag ?? (yield* tagFor(body));
  return `<${name}>\n${body}\n</${name}>`;
}

/** A tag that the text does not contain, nor anything that looks like it. */
function* tagFor(text: string): Steps<string> {
  const taken = new Set<number>();
  let shape = "";
  for (let start = 0; start < text.length; ) {
    const end = Math.min(text.length, pairStart(text, start + TAG_SLICE));
    // Begins with the end of the slice before, which may begin a tag.
    shape = joinShapes(shape.slice(-TAG_SHAPES_MAX), shapeOf(text.slice(start, end)));
    for (const [, digits] of shape.matchAll(TAKEN)) {
      taken.add(FIRST_NUMBER - 1);
      const number = digits?.replace(/\D/g, (letter) => DIGIT_OF[letter] ?? "") ?? "";
      for (let length = 1; length <= number.length; length++) taken.add(Number(number.slice(0, length)));
    }
    yield end - start;
    start = end;
  }
  if (taken.size === 0) return TAG;
  let number = FIRST_NUMBER;
  while (taken.has(number)) number++;
  return `${TAG}-${number}`;
}

/** Most that all but the entries can cost. */
function* frameTokens({ conversationId, messageCount, memories, results }: ContextParts): Steps<number> {
  const headings = [MEMORIES_HEADING, RESULTS_HEADING, messagesHeading(conversationId ?? "")];
  const omitted = { messages: messageCount, memories: memories.length, results: results.length };
  const tag = `${TAG}-${"9".repeat(TAG_DIGITS_MAX)}`;
  return yield* toModelTokens(JSON.stringify(yield* framed(headings, omitted, tag)));
}
