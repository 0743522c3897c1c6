import type { Message, SearchAnswer } from "@engram/spec";
import { countTokens } from "../text/tokens.ts";

/** A message that D1 returned: a match with its score, or a neighbour. */
export interface FoundMessage {
  number: number;
  conversationNumber: number;
  message: Message;
  score: number | null;
  chunkId: string | null;
  conversation: SearchAnswer["results"][number]["conversation"];
}

type Result = SearchAnswer["results"][number];

/** A run of places in one conversation with the matches in it. */
interface Span {
  from: number;
  to: number;
  matches: (FoundMessage & { score: number })[];
}

/**
 * Matches with their neighbours as results, best first, within `limit` results and `maxTokens`.
 *
 * Overlapping windows become one result in the place of the better one, so that no message is
 * answered twice. A result that does not fit whole is tried without its neighbours, then left out.
 */
export function toResults(
  found: FoundMessage[],
  options: { limit: number; before: number; after: number; maxTokens: number | undefined },
): Pick<SearchAnswer, "results" | "tokens" | "omitted"> {
  const matches = found
    .filter((item): item is FoundMessage & { score: number } => item.score !== null)
    .sort((a, b) => b.score - a.score || a.number - b.number);
  const results: Result[] = [];
  let tokens = 0;
  let omitted = 0;
  for (const span of toSpans(matches, options)) {
    const room = (options.maxTokens ?? Number.POSITIVE_INFINITY) - tokens;
    const inside = found.filter(({ number }) => number >= span.from && number <= span.to);
    const chosen = [inside, span.matches].find((items) => cost(items) <= room);
    if (chosen === undefined) {
      omitted += 1;
      continue;
    }
    tokens += cost(chosen);
    results.push(toResult(span, chosen));
  }
  return { results, tokens, omitted };
}

function toSpans(
  matches: (FoundMessage & { score: number })[],
  options: { limit: number; before: number; after: number },
): Span[] {
  const spans: Span[] = [];
  for (const match of matches) {
    const shown = spans.find(({ from, to }) => match.number >= from && match.number <= to);
    if (shown !== undefined) {
      shown.matches.push(match);
      continue;
    }
    const own: Span = {
      from: match.number - options.before,
      to: match.number + options.after,
      matches: [match],
    };
    const [best, ...others] = spans.filter((span) => overlap(span, own));
    if (best === undefined) {
      if (spans.length === options.limit) break;
      spans.push(own);
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
  return spans;
}

const overlap = (a: Span, b: Span): boolean =>
  a.from <= b.to && b.from <= a.to && a.matches[0]?.conversationNumber === b.matches[0]?.conversationNumber;

const cost = (items: FoundMessage[]): number =>
  items.reduce((sum, { message }) => sum + countTokens(message.content), 0);

function toResult(span: Span, items: FoundMessage[]): Result {
  const matches = span.matches.toSorted((a, b) => b.score - a.score);
  const messages = items.toSorted((a, b) => a.number - b.number).map(({ message }) => message);
  const [best] = matches;
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
    matches: matches.map(({ message, score }) => ({
      message_id: message.id,
      sequence: message.sequence,
      score,
    })),
    messages,
    chunk_id: best.chunkId,
  };
}
