import type {
  Memory,
  MemoryResult,
  Message,
  MessagesResult,
  SearchAnswer,
  SearchExplanation,
} from "@engram/spec";
import { jsonBytes } from "../text/json-bytes.ts";
import { countTokens } from "../text/tokens.ts";
import type { TextRange } from "../text/words.ts";
import { conversationOf, placesOf, sequenceOf } from "./hits.ts";

/** A message that D1 returned: a match with its score, or a neighbour. */
export interface FoundMessage {
  number: number;
  message: Message;
  score: number | null;
  chunkId: string | null;
  /** 0 to 1; 0 for a neighbour. */
  relevance: number;
  /** Of a match, when it is asked for. */
  explanation?: SearchExplanation;
  /** Null for a neighbour. */
  conversation: MessagesResult["conversation"] | null;
  /** The memory that it holds, with the chunk that matched best; null for what was said. */
  remembered: { memory: Memory; chunk: MemoryResult["chunk"] } | null;
}

/** A place among the messages, of a match with its score or of a neighbour. */
export type Scored = Pick<FoundMessage, "number" | "score">;
type Match = Scored & { score: number };
type FoundMatch = FoundMessage & Match;
type Result = SearchAnswer["results"][number];

/** How results are cut out of a ranking. */
export interface ResultShape {
  /** Most results. */
  limit: number;
  /** Places answered around each match. */
  before: number;
  after: number;
  /** Most messages of one result. */
  messagesMax: number;
  /** Most bytes of all results, as JSON. */
  bytesMax: number;
  /** Where words of the query stand in a match's content. */
  mark(content: string): TextRange[];
}

/** What decides where one result ends and the next begins. */
type Extent = Pick<ResultShape, "limit" | "before" | "after">;

/** A run of places in one conversation with the matches in it, the best one first. */
interface Span<Match> {
  from: number;
  to: number;
  matches: Match[];
}

/**
 * Matches with their neighbours as results, best first, within `limit` results, `bytesMax` and `maxTokens`.
 *
 * Overlapping windows become one result in the place of the better one, so that no message is answered twice. A result
 * holds the windows of its best matches, up to `messagesMax` messages and as far as `bytesMax` goes; the first result
 * always holds its best match. A result with too many tokens is tried without its neighbours, then left out.
 *
 * @param unread messages that exist and were too much to read; a result whose best match is one is left out.
 */
export function toResults(
  found: FoundMessage[],
  unread: Scored[],
  shape: ResultShape,
  maxTokens: number = Number.POSITIVE_INFINITY,
): Pick<SearchAnswer, "results" | "tokens" | "omitted"> {
  const results: Result[] = [];
  let [tokens, bytes, omitted] = [0, 0, 0];
  const byNumber = new Map(found.map((item) => [item.number, item]));
  const mark = once(shape.mark);
  for (const span of toSpans(matchesOf([...found, ...unread]), shape).spans) {
    const matches = span.matches.flatMap(({ number }) => byNumber.get(number) ?? []);
    const windows = bestWindows(matches, found.filter(isInside(span)), shape);
    const chosen = [windows, matches.slice(0, shape.messagesMax)].find(
      (items) => cost(items) <= maxTokens - tokens,
    );
    if (chosen === undefined || chosen[0]?.number !== span.matches[0]?.number) {
      omitted += 1;
      continue;
    }
    const all = [...found, ...unread].filter(isInside(span));
    const wanted = chosen === windows ? all : all.filter(({ score }) => score !== null);
    const resultOf = (count: number) =>
      toResult(span, chosen.slice(0, count), { isCut: count < wanted.length, mark });
    const most = countWithin(chosen.length, (count) => jsonBytes(resultOf(count)) <= shape.bytesMax - bytes);
    const count = results.length === 0 ? Math.max(1, most) : most;
    if (count === 0) {
      omitted += 1;
      continue;
    }
    const result = resultOf(count);
    tokens += cost(chosen.slice(0, count));
    bytes += jsonBytes(result);
    results.push(result);
  }
  return { results, tokens, omitted };
}

/** Messages of the best matches' windows, `messagesMax` at most: the best match, what is nearest to it, and so on. */
function bestWindows(matches: FoundMessage[], inside: FoundMessage[], shape: ResultShape): FoundMessage[] {
  const chosen = new Set<FoundMessage>();
  for (const match of matches) {
    if (chosen.size >= shape.messagesMax) break;
    const { from, to } = windowOf(match, shape);
    const window = inside.filter(({ number }) => number >= from && number <= to);
    for (const item of window.sort((a, b) => distance(a, match) - distance(b, match))) chosen.add(item);
  }
  return [...chosen].slice(0, shape.messagesMax);
}

/** A result is made several times until it fits. */
function once(mark: ResultShape["mark"]): ResultShape["mark"] {
  const known = new Map<string, TextRange[]>();
  return (content) => {
    const ranges = known.get(content) ?? mark(content);
    known.set(content, ranges);
    return ranges;
  };
}

const isInside =
  ({ from, to }: Span<unknown>) =>
  ({ number }: Scored): boolean =>
    number >= from && number <= to;

const distance = (a: Scored, b: Scored): number => Math.abs(a.number - b.number);

/** The largest count up to `most` that fits, where fewer fit as well; 0 for none. Tries `most` first. */
function countWithin(most: number, fits: (count: number) => boolean): number {
  if (fits(most)) return most;
  let [low, high] = [0, most];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** What of `found` `toResults` answers, as long as its other bounds allow: the rest need not be decoded. */
export function withinResults<Item extends Scored>(found: Item[], unread: Scored[], extent: Extent): Item[] {
  const { spans } = toSpans(matchesOf<Scored>([...found, ...unread]), extent);
  return found.filter((item) => spans.some((span) => isInside(span)(item)));
}

/** Matches, best first. */
const matchesOf = <Item extends Scored>(found: Item[]): (Item & { score: number })[] =>
  found
    .filter((item): item is Item & { score: number } => item.score !== null)
    .sort((a, b) => b.score - a.score || a.number - b.number);

/**
 * Messages that were read, and those that were not, with other scores for some matches, which then come before all
 * others in these scores' order.
 */
export function replaceScores(
  [read, unread]: [FoundMessage[], Scored[]],
  scores: ReadonlyMap<number, number>,
): [FoundMessage[], Scored[]] {
  const all = [...read, ...unread];
  const others = all.flatMap(({ number, score }) => (score === null || scores.has(number) ? [] : [score]));
  const drop = Math.max(...others) - Math.min(...scores.values()) + 1;
  const replaced = <Item extends Scored>(item: Item): Item =>
    item.score === null ? item : { ...item, score: scores.get(item.number) ?? item.score - drop };
  return [read.map(replaced), unread.map(replaced)];
}

/** How many of these candidates, best first, it takes to fill that many results. */
export function countForResults(candidates: { number: number }[], extent: Extent): number {
  return toSpans(candidates, extent).taken;
}

function toSpans<Match extends { number: number }>(
  matches: Match[],
  extent: Extent,
): { spans: Span<Match>[]; taken: number } {
  const spans: Span<Match>[] = [];
  let taken = matches.length;
  for (const [place, match] of matches.entries()) {
    const shown = spans.find(({ from, to }) => match.number >= from && match.number <= to);
    if (shown !== undefined) {
      shown.matches.push(match);
      continue;
    }
    if (taken < place) continue;
    const own: Span<Match> = { ...windowOf(match, extent), matches: [match] };
    const [best, ...others] = spans.filter(({ from, to }) => from <= own.to && own.from <= to);
    if (best === undefined) {
      // A further match counts only where it stands in a result already.
      if (spans.length === extent.limit) taken = place;
      else spans.push(own);
      continue;
    }
    // A match between two windows makes all three one.
    for (const other of [...others, own]) {
      best.from = Math.min(best.from, other.from);
      best.to = Math.max(best.to, other.to);
      best.matches.push(...other.matches);
      if (other !== own) spans.splice(spans.indexOf(other), 1);
    }
  }
  return { spans, taken };
}

/** The places of a match and its neighbours, in its conversation. */
function windowOf({ number }: { number: number }, { before, after }: Extent): { from: number; to: number } {
  const { first, last } = placesOf(conversationOf(number));
  return { from: Math.max(first, number - before), to: Math.min(last, number + after) };
}

const cost = (items: FoundMessage[]): number =>
  items.reduce((sum, { message }) => sum + countTokens(message.content), 0);

function toResult(
  span: Span<unknown>,
  items: FoundMessage[],
  { isCut, mark }: Pick<ResultShape, "mark"> & { isCut: boolean },
): Result {
  const matches = items
    .filter((item): item is FoundMatch => item.score !== null)
    .sort((a, b) => b.score - a.score || a.number - b.number);
  const messages = items.toSorted((a, b) => a.number - b.number).map(({ message }) => message);
  const [best] = matches;
  if (best?.remembered) return toMemoryResult(best, best.remembered, mark);
  const [first] = messages;
  const last = messages.at(-1);
  if (!best?.conversation || first === undefined || last === undefined)
    throw new Error("a result without messages");
  return {
    type: "messages",
    conversation_id: best.message.conversation_id,
    conversation: best.conversation,
    start_sequence: first.sequence,
    end_sequence: last.sequence,
    score: best.score,
    relevance: Math.max(...matches.map(({ relevance }) => relevance)),
    matches: matches.map(({ message, score, explanation }) => ({
      message_id: message.id,
      sequence: message.sequence,
      score,
      highlights: mark(message.content),
      ...(explanation === undefined ? {} : { explanation }),
    })),
    messages,
    chunk_id: best.chunkId,
    ...(isCut ? { cut: { from_sequence: sequenceOf(span.from), to_sequence: sequenceOf(span.to) } } : {}),
  };
}

/** A memory is one message, which has no neighbours. */
const toMemoryResult = (
  { message, score, relevance, explanation }: FoundMatch,
  remembered: NonNullable<FoundMessage["remembered"]>,
  mark: ResultShape["mark"],
): MemoryResult => ({
  type: "memory",
  ...remembered,
  score,
  relevance,
  highlights: mark(message.content),
  ...(explanation === undefined ? {} : { explanation }),
});
