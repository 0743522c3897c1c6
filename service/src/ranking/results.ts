import type {
  Memory,
  MemoryResult,
  Message,
  MessagesResult,
  SearchAnswer,
  SearchExplanation,
} from "@engram/spec";
import { countTokens } from "../text/tokens.ts";
import type { TextRange } from "../text/words.ts";
import { conversationOf } from "./hits.ts";

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
  conversation: MessagesResult["conversation"];
  /** The memory that it holds, with the chunk that matched best; null for what was said. */
  remembered: { memory: Memory; chunk: MemoryResult["chunk"] } | null;
}

type Scored = Pick<FoundMessage, "number" | "score">;
type FoundMatch = FoundMessage & { score: number };
type Result = SearchAnswer["results"][number];

/** How results are cut out of a ranking. */
export interface ResultShape {
  /** Most results. */
  limit: number;
  /** Places answered around each match. */
  before: number;
  after: number;
  /** Where words of the query stand in a match's content. */
  mark(content: string): TextRange[];
}

/** A run of places in one conversation with the matches in it. */
interface Span<Match> {
  from: number;
  to: number;
  matches: Match[];
}

/**
 * Matches with their neighbours as results, best first, within `limit` results and `maxTokens`.
 *
 * Overlapping windows become one result in the place of the better one, so that no message is
 * answered twice. A result that does not fit whole is tried without its neighbours, then left out.
 */
export function toResults(
  found: FoundMessage[],
  shape: ResultShape,
  maxTokens: number = Number.POSITIVE_INFINITY,
): Pick<SearchAnswer, "results" | "tokens" | "omitted"> {
  const results: Result[] = [];
  let tokens = 0;
  let omitted = 0;
  for (const span of toSpans(matchesOf(found), shape).spans) {
    const room = maxTokens - tokens;
    const inside = found.filter(({ number }) => number >= span.from && number <= span.to);
    const chosen = [inside, span.matches].find((items) => cost(items) <= room);
    if (chosen === undefined) {
      omitted += 1;
      continue;
    }
    tokens += cost(chosen);
    results.push(toResult(span, chosen, shape.mark));
  }
  return { results, tokens, omitted };
}

/** What of it `toResults` answers, as long as `maxTokens` allows: the rest need not be read. */
export function withinResults<Item extends Scored>(found: Item[], shape: Omit<ResultShape, "mark">): Item[] {
  const { spans } = toSpans(matchesOf(found), shape);
  return found.filter(({ number }) => spans.some(({ from, to }) => number >= from && number <= to));
}

/** Matches, best first. */
const matchesOf = <Item extends Scored>(found: Item[]): (Item & { score: number })[] =>
  found
    .filter((item): item is Item & { score: number } => item.score !== null)
    .sort((a, b) => b.score - a.score || a.number - b.number);

/** Messages with other scores for some matches, which then come before all others in these scores' order. */
export function replaceScores(found: FoundMessage[], scores: ReadonlyMap<number, number>): FoundMessage[] {
  const others = found.flatMap(({ number, score }) => (score === null || scores.has(number) ? [] : [score]));
  const drop = Math.max(...others) - Math.min(...scores.values()) + 1;
  return found.map((item) =>
    item.score === null ? item : { ...item, score: scores.get(item.number) ?? item.score - drop },
  );
}

/** How many of these candidates, best first, it takes to fill that many results. */
export function countForResults(candidates: { number: number }[], shape: Omit<ResultShape, "mark">): number {
  return toSpans(candidates, shape).taken;
}

function toSpans<Match extends { number: number }>(
  matches: Match[],
  shape: Omit<ResultShape, "mark">,
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
    const own: Span<Match> = {
      from: match.number - shape.before,
      to: match.number + shape.after,
      matches: [match],
    };
    const [best, ...others] = spans.filter((span) => overlap(span, own));
    if (best === undefined) {
      // The rest is only told where it stands in a result already.
      if (spans.length === shape.limit) taken = place;
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

function overlap(a: Span<{ number: number }>, b: Span<{ number: number }>): boolean {
  const [one, other] = [a.matches[0], b.matches[0]];
  const together = one && other && conversationOf(one.number) === conversationOf(other.number);
  return together === true && a.from <= b.to && b.from <= a.to;
}

const cost = (items: FoundMessage[]): number =>
  items.reduce((sum, { message }) => sum + countTokens(message.content), 0);

function toResult(span: Span<FoundMatch>, items: FoundMessage[], mark: ResultShape["mark"]): Result {
  const matches = span.matches.toSorted((a, b) => b.score - a.score);
  const messages = items.toSorted((a, b) => a.number - b.number).map(({ message }) => message);
  const [best] = matches;
  if (best?.remembered) return toMemoryResult(best, best.remembered, mark);
  const [first] = messages;
  const last = messages.at(-1);
  if (best === undefined || first === undefined || last === undefined)
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
