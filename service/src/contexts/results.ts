import type { ContextMemory, ContextMessage, ContextResult } from "@engram/spec";
import type { FoundGroups } from "../search/service.ts";
import { cutPart, PART_TOKENS, rounded, toLine } from "../text/message-lines.ts";
import type { Steps } from "../text/pace.ts";
import { type Packable, pack } from "../text/packing.ts";
import type { TextRange } from "../text/words.ts";
import { BREAK_TOKENS, contentCost, type Entry, type MessageEntry, toEntry, tokensOf } from "./entries.ts";

/** Neighbors of a match that may be included: all that the search returns. */
const NEIGHBORS_MAX = 20;
/** A result whose messages are not chosen yet. */
export type ResultGroup = FoundGroups["answer"]["results"][number];
/** Finds the places of a content that match the query. */
export type Highlight = (content: string) => Steps<readonly TextRange[]>;

/** A message of a search result. `group` is the place of the result. */
export interface Item extends Packable {
  message: ContextMessage;
}

export type ResultEntry = Entry & { group: number; message: ContextMessage };

export function* toItems(results: readonly ResultGroup[]): Steps<Item[]> {
  const items: Item[] = [];
  for (const [group, { messages }] of results.entries()) {
    for (const { message, score } of messages) {
      items.push({
        message: toContextMessage(message),
        group,
        place: message.sequence,
        score,
        content: message.content,
        overhead: (yield* contentCost(toLine(message, ""))) + BREAK_TOKENS,
      });
    }
  }
  return items;
}

export function withoutShown(items: readonly Item[], shown: readonly MessageEntry[]): Item[] {
  const ids = new Set(shown.map(({ item }) => item.id));
  return items.filter(({ message }) => !ids.has(message.id));
}

const titleOf = ({ best }: ResultGroup): string | null => best.conversation?.title ?? null;

export function headOf(result: ResultGroup): string {
  const { message, relevance } = result.best;
  const title = titleOf(result);
  return `${message.conversation_id}${title === null ? "" : ` ${title}`} (relevance ${rounded(relevance)})`;
}

/** The first line of each result. */
export function* headsOf(results: readonly ResultGroup[]): Steps<Entry[]> {
  const heads: Entry[] = [];
  for (const result of results) heads.push(yield* toEntry(headOf(result), {}));
  return heads;
}

/** Tokens of all results. If they are more than `tokensMax`, the result may be any larger number. */
export function* neededBy(items: readonly Item[], heads: readonly Entry[], tokensMax: number): Steps<number> {
  let tokens = tokensOf(heads);
  for (const item of items) {
    const left = tokensMax - tokens;
    if (left < 0) break;
    const content = item.tokens ?? (yield* contentCost(item.content, left));
    if (content <= left) item.tokens = content;
    tokens += item.overhead + content;
  }
  return tokens;
}

/** The chosen messages of the results, those that were chosen last at the end. */
export function* packWithin(
  items: Item[],
  heads: readonly Entry[],
  tokensMax: number,
  highlight: Highlight,
): Steps<ResultEntry[]> {
  const chosen = yield* pack(items, {
    tokensMax,
    cost: contentCost,
    before: NEIGHBORS_MAX,
    after: NEIGHBORS_MAX,
    groupOverhead: (group) => heads[group]?.tokens ?? 0,
    cutOverhead: PART_TOKENS,
    places: ({ content }) => highlight(content),
  });
  const entries: ResultEntry[] = [];
  for (const [{ message, group }, range] of chosen) {
    const item = cutPart(message, range);
    entries.push(yield* toEntry(toLine(item), { group, message: item }));
  }
  return entries;
}

/** The chosen messages by result, in the order of the results and of the messages. */
export function groupsOf(entries: readonly ResultEntry[]): [group: number, entries: ResultEntry[]][] {
  const groups = [...new Set(entries.map(({ group }) => group))].sort((a, b) => a - b);
  return groups.map((group) => [
    group,
    entries.filter((entry) => entry.group === group).sort((a, b) => a.message.sequence - b.message.sequence),
  ]);
}

export const toResult = (result: ResultGroup, messages: ContextMessage[]): ContextResult => ({
  conversation_id: result.best.message.conversation_id,
  title: titleOf(result),
  relevance: result.best.relevance,
  messages,
});

/** What a context says of a memory, or of a part of it. */
export function toContextMemory(
  memory: Omit<ContextMemory, "ended" | "relevance">,
  { ended, relevance }: Pick<ContextMemory, "ended" | "relevance">,
): ContextMemory {
  const { id, content, content_start, content_end, content_length, sources } = memory;
  const { valid_from, valid_until, created_at } = memory;
  const part = content_start !== undefined && { content_start, content_end, content_length };
  return { id, content, ...part, sources, valid_from, valid_until, created_at, ended, relevance };
}

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
