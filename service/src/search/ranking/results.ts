import type {
  MemoryResult,
  FoundMessage as MessageInAnswer,
  MessagesResult,
  SearchAnswer,
  SearchExplanation,
} from "@engram/spec";
import { placesInChunk } from "../../text/cut.ts";
import { jsonBytes } from "../../text/json-bytes.ts";
import { toModelTokens } from "../../text/model-tokens.ts";
import type { Steps } from "../../text/pace.ts";
import { pack } from "../../text/packing.ts";
import type { TextRange } from "../../text/words.ts";
import { conversationOf, rowKeyRange, sequenceOf } from "./matches.ts";

export interface FoundMessage {
  rowKey: number;
  message: MessageInAnswer;
  /** What the content costs a model. */
  tokens: number;
  score: number | null;
  chunkId: string | null;
  /** By `estimateRelevance`; 0 for a neighbor of a match. */
  relevance: number;
  /** Only for a match, and only if requested. */
  explanation?: SearchExplanation;
  conversation: MessagesResult["conversation"] | null;
  /** The memory whose content this message is; null for a message of a conversation. */
  foundMemory: Pick<MemoryResult, "memory" | "chunk" | "ended"> | null;
}

export type Scored = Pick<FoundMessage, "rowKey" | "score">;
type Match = Scored & { score: number };
type FoundMatch = FoundMessage & Match;
type Result = SearchAnswer["results"][number];
/** What of the answer the results decide. */
export type Answer = Pick<SearchAnswer, "results" | "tokens" | "omitted" | "below_min_relevance">;

export interface ResultShape {
  limit: number;
  before: number;
  after: number;
  messagesMax: number;
  /** Maximum size of all results together, as JSON. */
  bytesMax: number;
  minRelevance: number;
  /** Number of best results that are kept although their relevance is lower. */
  keepBest: number;
  /** Called several times with the same content. */
  highlight(content: string): Steps<TextRange[]>;
}

type Extent = Pick<ResultShape, "limit" | "before" | "after">;

/** A result for a caller that packs it together with other texts. */
export interface ResultGroup {
  /** The best match, whole. */
  best: FoundMessage;
  /** The messages that were read, in order. */
  messages: FoundMessage[];
}

/** A range of messages that becomes one result. The first of its matches is the best one. */
interface Span<Match> {
  from: number;
  to: number;
  matches: Match[];
}

/**
 * If the windows of two matches (each match with its neighbors) overlap, they become one result, so that no message is
 * returned twice. The size limit never removes the best match of the first result. With a limit on tokens, `pack`
 * chooses the messages. A result is omitted if none of its messages fits, or if its best match was not read.
 *
 * @param unread messages that exist, but were not read because of a limit.
 */
export function* toResults(
  found: FoundMessage[],
  unread: Scored[],
  shape: ResultShape,
  maxTokens: number = Number.POSITIVE_INFINITY,
): Steps<Answer> {
  const results: Result[] = [];
  let [tokens, bytes, omitted] = [0, 0, 0];
  const byRowKey = new Map(found.map((item) => [item.rowKey, item]));
  const { spans: all } = toSpans(matchesOf([...found, ...unread]), shape);
  const spans = withoutIrrelevant(all, byRowKey, shape);
  const fitting = Number.isFinite(maxTokens) ? yield* packFound(spans, found, shape, maxTokens) : null;
  for (const span of spans) {
    const matches = span.matches.flatMap(({ rowKey }) => byRowKey.get(rowKey) ?? []);
    const chosen =
      fitting?.filter(isInside(span)).slice(0, shape.messagesMax) ??
      bestWindows(matches, found.filter(isInside(span)), shape);
    if (chosen.length === 0 || matches[0]?.rowKey !== span.matches[0]?.rowKey) {
      omitted += 1;
      continue;
    }
    const inside = [...found, ...unread].filter(isInside(span));
    const built = new Map<number, { result: Result; bytes: number }>();
    const build = function* (count: number): Steps<{ result: Result; bytes: number }> {
      const known = built.get(count);
      if (known !== undefined) return known;
      const isCut = count < inside.length;
      const result = yield* toResult(span, chosen.slice(0, count), { isCut, highlight: shape.highlight });
      const measured = { result, bytes: jsonBytes(result) };
      built.set(count, measured);
      return measured;
    };
    const bytesLeft = shape.bytesMax - bytes;
    const most = yield* countWithin(chosen.length, function* (count) {
      return (yield* build(count)).bytes <= bytesLeft;
    });
    const count = results.length === 0 ? Math.max(1, most) : most;
    if (count === 0) {
      omitted += 1;
      continue;
    }
    const { result, bytes: resultBytes } = yield* build(count);
    tokens += cost(chosen.slice(0, count));
    bytes += resultBytes;
    results.push(result);
  }
  // The best match of a result may be missing, because it did not fit.
  return {
    results: results.sort((a, b) => b.score - a.score),
    tokens,
    omitted,
    below_min_relevance: all.length - spans.length,
  };
}

/**
 * The same results with all of their messages that were read, best first, without highlights. With a limit on tokens,
 * `pack` chooses the messages, and cuts long ones.
 */
export function* toGroups(
  found: FoundMessage[],
  unread: Scored[],
  shape: ResultShape,
  maxTokens: number = Number.POSITIVE_INFINITY,
): Steps<{ results: ResultGroup[] } & Omit<Answer, "results" | "tokens">> {
  const byRowKey = new Map(found.map((item) => [item.rowKey, item]));
  const { spans: all } = toSpans(matchesOf([...found, ...unread]), shape);
  const spans = withoutIrrelevant(all, byRowKey, shape);
  const kept = Number.isFinite(maxTokens) ? yield* packFound(spans, found, shape, maxTokens) : found;
  const results = spans.flatMap((span): ResultGroup[] => {
    const best = byRowKey.get(span.matches[0]?.rowKey ?? -1);
    const messages = kept.filter(isInside(span)).sort((a, b) => a.rowKey - b.rowKey);
    return best === undefined || messages.length === 0 ? [] : [{ best, messages }];
  });
  return {
    results: results.sort((a, b) => (b.best.score ?? 0) - (a.best.score ?? 0)),
    omitted: spans.length - results.length,
    below_min_relevance: all.length - spans.length,
  };
}

/**
 * Leaves out spans below `minRelevance`, except the best ones that are kept. A span whose best match was not read stays,
 * because its relevance is unknown. A relevance of 0 means that no word of the query is known.
 */
function withoutIrrelevant(
  spans: Span<Scored>[],
  byRowKey: ReadonlyMap<number, FoundMessage>,
  { minRelevance, keepBest }: Pick<ResultShape, "minRelevance" | "keepBest">,
): Span<Scored>[] {
  return spans.filter(({ matches: [first] }, rank) => {
    const relevance = byRowKey.get(first?.rowKey ?? -1)?.relevance ?? minRelevance;
    return relevance >= minRelevance || (rank < keepBest && relevance > 0);
  });
}

/** The messages that cost at most `maxTokens` together, most important first. Long ones are cut. */
function* packFound(
  spans: Span<unknown>[],
  found: FoundMessage[],
  { before, after, highlight }: Pick<ResultShape, "before" | "after" | "highlight">,
  maxTokens: number,
): Steps<FoundMessage[]> {
  const items = spans.flatMap((span, group) =>
    found.filter(isInside(span)).map((item) => ({
      item,
      group,
      place: item.rowKey,
      score: item.score,
      content: item.message.content,
      tokens: item.tokens,
      overhead: 0,
    })),
  );
  const chosen = yield* pack(items, {
    tokensMax: maxTokens,
    cost: toModelTokens,
    before,
    after,
    groupOverhead: () => 0,
    cutOverhead: 0,
    *places({ item, content }) {
      return placesInChunk(yield* highlight(content), item.foundMemory?.chunk ?? null);
    },
  });
  const messages: FoundMessage[] = [];
  for (const [{ item }, range] of chosen) messages.push(yield* cutMessage(item, range));
  return messages;
}

function* cutMessage(item: FoundMessage, { start, end }: TextRange): Steps<FoundMessage> {
  const { content } = item.message;
  if (end - start === content.length) return item;
  const part = {
    content: content.slice(start, end),
    content_start: start,
    content_end: end,
    content_length: content.length,
  };
  const { message, foundMemory } = item;
  return {
    ...item,
    message: { ...message, ...part },
    tokens: yield* toModelTokens(part.content),
    foundMemory: foundMemory && { ...foundMemory, memory: { ...foundMemory.memory, ...part } },
  };
}

/**
 * The messages of a result, most important first: the best match, its neighbors (nearest first), then the next match,
 * and so on, at most `messagesMax`. Of a result that is too large, the last ones are left out.
 */
function bestWindows(matches: FoundMessage[], inside: FoundMessage[], shape: ResultShape): FoundMessage[] {
  const chosen = new Set<FoundMessage>();
  for (const match of matches) {
    if (chosen.size >= shape.messagesMax) break;
    const { from, to } = windowOf(match, shape);
    const window = inside.filter(({ rowKey }) => rowKey >= from && rowKey <= to);
    for (const item of window.sort((a, b) => distance(a, match) - distance(b, match))) chosen.add(item);
  }
  return [...chosen].slice(0, shape.messagesMax);
}

const isInside =
  ({ from, to }: Span<unknown>) =>
  ({ rowKey }: Scored): boolean =>
    rowKey >= from && rowKey <= to;

const distance = (a: Scored, b: Scored): number => Math.abs(a.rowKey - b.rowKey);

/**
 * The highest count up to `most` that fits, found by binary search; 0 is not tested. If a count fits, every lower one
 * must fit too.
 */
function* countWithin(most: number, fits: (count: number) => Steps<boolean>): Steps<number> {
  if (yield* fits(most)) return most;
  let [low, high] = [0, most];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (yield* fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** The items that `toResults` can return. The caller need not decode the others. */
export function withinResults<Item extends Scored>(found: Item[], unread: Scored[], extent: Extent): Item[] {
  const { spans } = toSpans(matchesOf<Scored>([...found, ...unread]), extent);
  return found.filter((item) => spans.some((span) => isInside(span)(item)));
}

const matchesOf = <Item extends Scored>(found: Item[]): (Item & { score: number })[] =>
  found
    .filter((item): item is Item & { score: number } => item.score !== null)
    .sort((a, b) => b.score - a.score || a.rowKey - b.rowKey);

/**
 * Gives the messages in `scores` their new scores. Lowers all other scores by the same amount, so that these messages
 * rank first and the others keep their order.
 */
export function replaceScores(
  [read, unread]: [FoundMessage[], Scored[]],
  scores: ReadonlyMap<number, number>,
): [FoundMessage[], Scored[]] {
  if (scores.size === 0) return [read, unread];
  const all = [...read, ...unread];
  const others = all.flatMap(({ rowKey, score }) => (score === null || scores.has(rowKey) ? [] : [score]));
  const drop = Math.max(...others) - Math.min(...scores.values()) + 1;
  const replaced = <Item extends Scored>(item: Item): Item =>
    item.score === null ? item : { ...item, score: scores.get(item.rowKey) ?? item.score - drop };
  return [read.map(replaced), unread.map(replaced)];
}

export function countForResults(candidates: { rowKey: number }[], extent: Extent): number {
  return toSpans(candidates, extent, true).needed;
}

/** @param onlyCounts ends once `needed` is known, so that `spans` are incomplete. */
function toSpans<Match extends { rowKey: number }>(
  matches: Match[],
  extent: Extent,
  onlyCounts = false,
): { spans: Span<Match>[]; needed: number } {
  const spans: Span<Match>[] = [];
  let needed = matches.length;
  for (const [index, match] of matches.entries()) {
    const shown = spans.find(({ from, to }) => match.rowKey >= from && match.rowKey <= to);
    if (shown !== undefined) {
      shown.matches.push(match);
      continue;
    }
    if (needed < index) {
      if (onlyCounts) break;
      continue;
    }
    const span: Span<Match> = { ...windowOf(match, extent), matches: [match] };
    const [best, ...others] = spans.filter(({ from, to }) => from <= span.to && span.from <= to);
    if (best === undefined) {
      // There are enough results. Further matches count only if they are in one of them.
      if (spans.length === extent.limit) needed = index;
      else spans.push(span);
      continue;
    }
    // If a match lies between two windows and overlaps both, all three become one.
    for (const other of [...others, span]) {
      best.from = Math.min(best.from, other.from);
      best.to = Math.max(best.to, other.to);
      best.matches.push(...other.matches);
      if (other !== span) spans.splice(spans.indexOf(other), 1);
    }
  }
  return { spans, needed };
}

function windowOf({ rowKey }: { rowKey: number }, { before, after }: Extent): { from: number; to: number } {
  const { windowFirst, last } = rowKeyRange(conversationOf(rowKey));
  return { from: Math.max(windowFirst, rowKey - before), to: Math.min(last, rowKey + after) };
}

const cost = (items: FoundMessage[]): number => items.reduce((sum, { tokens }) => sum + tokens, 0);

function* toResult(
  span: Span<unknown>,
  items: FoundMessage[],
  { isCut, highlight }: Pick<ResultShape, "highlight"> & { isCut: boolean },
): Steps<Result> {
  const matches = items
    .filter((item): item is FoundMatch => item.score !== null)
    .sort((a, b) => b.score - a.score || a.rowKey - b.rowKey);
  const messages = items.toSorted((a, b) => a.rowKey - b.rowKey).map(({ message }) => message);
  const [best] = matches;
  if (best?.foundMemory) return yield* toMemoryResult(best, best.foundMemory, highlight);
  const [first] = messages;
  const last = messages.at(-1);
  if (!best?.conversation || first === undefined || last === undefined)
    throw new Error("a result without messages");
  const found: MessagesResult["matches"] = [];
  for (const { message, score, explanation } of matches) {
    found.push({
      message_id: message.id,
      sequence: message.sequence,
      score,
      highlights: yield* highlight(message.content),
      ...(explanation === undefined ? {} : { explanation }),
    });
  }
  return {
    type: "messages",
    conversation_id: best.message.conversation_id,
    conversation: best.conversation,
    start_sequence: first.sequence,
    end_sequence: last.sequence,
    score: best.score,
    relevance: best.relevance,
    matches: found,
    messages,
    chunk_id: best.chunkId,
    ...(isCut ? { cut: { from_sequence: sequenceOf(span.from), to_sequence: sequenceOf(span.to) } } : {}),
  };
}

/** A memory is one message, which has no neighbors. */
function* toMemoryResult(
  { message, score, relevance, explanation }: FoundMatch,
  remembered: NonNullable<FoundMessage["foundMemory"]>,
  highlight: ResultShape["highlight"],
): Steps<MemoryResult> {
  return {
    type: "memory",
    ...remembered,
    score,
    relevance,
    highlights: yield* highlight(message.content),
    ...(explanation === undefined ? {} : { explanation }),
  };
}
