import {
  CITED_CHARACTERS_MAX,
  type FoundSummary,
  SEARCH_SUMMARIES_MAX,
  type SearchAnswer,
} from "@engram/spec";
import type { KeyCaller } from "../invocation.ts";
import { toTimestamp } from "../platform/batch.ts";
import { type CitedMessageRow, selectCoveringSummaries } from "../summaries/queries.ts";
import { countModelTokens } from "../text/model-tokens.ts";

/**
 * Adds to the results of messages the summaries of their best matches, each with the messages that it cites. A summary is
 * part of the result of its messages, so it never ranks above them.
 *
 * @param tokensMax what all results together may cost.
 */
export async function withSummaries(
  { db, principal }: KeyCaller,
  answer: SearchAnswer,
  tokensMax = Number.POSITIVE_INFINITY,
): Promise<SearchAnswer> {
  const places = answer.results.flatMap((result, place) => {
    const [best] = result.type === "messages" ? result.matches : [];
    return best === undefined || result.type === "memory"
      ? []
      : [{ place, conversation_id: result.conversation_id, sequence: best.sequence }];
  });
  const found = places.length === 0 ? [] : await selectCoveringSummaries(db, principal, places);
  const own = new Map<number, FoundSummary[]>();
  const known = new Set<string>();
  let { tokens } = answer;
  for (const { place, summary, messages } of found) {
    const { conversation_id, ...shown } = summary;
    const id = `${conversation_id} ${summary.from_sequence}`;
    if (known.size === SEARCH_SUMMARIES_MAX || known.has(id)) continue;
    const cited = messages.map((message) => toCited(message, shown.sentences));
    const cost = [...shown.sentences.map(({ text }) => text), ...cited.map(({ content }) => content)]
      .map(countModelTokens)
      .reduce((sum, one) => sum + one, 0);
    if (tokens + cost > tokensMax) continue;
    tokens += cost;
    known.add(id);
    own.set(place, [{ ...shown, messages: cited }]);
  }
  const results = answer.results.map((result, place) =>
    result.type === "messages" ? { ...result, summaries: own.get(place) ?? [] } : result,
  );
  return { ...answer, results, tokens };
}

function toCited(
  { id, sequence, role, name, content, created_at_ms }: CitedMessageRow,
  sentences: FoundSummary["sentences"],
): FoundSummary["messages"][number] {
  const places = sentences.flatMap(({ text, cites }) =>
    cites.flatMap(({ message_id, start }) => (message_id === id ? [{ text, start }] : [])),
  );
  return {
    message_id: id,
    sequence,
    role,
    name,
    content: content === null ? (places[0]?.text ?? "") : partOf(content, places[0]?.start ?? 0),
    created_at: toTimestamp(created_at_ms),
  };
}

/** A part of a long text from a place on, or its end if that is nearer. */
function partOf(text: string, start: number): string {
  if (text.length <= CITED_CHARACTERS_MAX) return text;
  const from = Math.min(start, text.length - CITED_CHARACTERS_MAX);
  return text.slice(from, from + CITED_CHARACTERS_MAX).toWellFormed();
}
