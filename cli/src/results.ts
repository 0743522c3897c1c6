import type { SearchAnswer } from "@engram/sdk";
import { pairStart } from "./importers/text-cuts.ts";
import { count, oneLine } from "./output.ts";

const MATCH_CHARACTERS = 480;
/** Characters shown before the first highlight. */
const LEAD_CHARACTERS = 120;

export function excerpt(
  content: string,
  highlights: { start: number; end: number }[],
  mark: (word: string) => string,
): string {
  const first = highlights[0]?.start ?? 0;
  const from = first + LEAD_CHARACTERS < MATCH_CHARACTERS ? 0 : pairStart(content, first - LEAD_CHARACTERS);
  const to = pairStart(content, Math.min(content.length, from + MATCH_CHARACTERS));
  let text = from > 0 ? "…" : "";
  let at = from;
  for (const { start, end } of highlights) {
    if (end > to) break;
    text += oneLine(content.slice(at, start)) + mark(oneLine(content.slice(start, end)));
    at = end;
  }
  return text + oneLine(content.slice(at, to)) + (to < content.length ? "…" : "");
}

const DEGRADED: Record<SearchAnswer["degraded"][number], string> = {
  semantic: "Only keyword search ran: the embedding model or the vector store did not respond.",
  semantic_partial: "The search by meaning is incomplete.",
  keyword_partial: "The words occur in more places than one search reads. Matches may be missing.",
  phrase_too_long: "A quoted phrase has more than 32 words and was searched as separate words.",
  model_mismatch: "Some messages were searched by words only, because their vectors are of an earlier model.",
  rerank: "The results are not reranked: the reranking model did not respond.",
};

export function caveats(
  { degraded, pending, omitted }: Pick<SearchAnswer, "degraded" | "pending" | "omitted">,
  what: string,
): string[] {
  return [
    ...degraded.map((missing) => DEGRADED[missing]),
    ...(pending > 0 ? [`${count(pending)} ${what} are not yet found by meaning.`] : []),
    ...(omitted > 0 ? [`${count(omitted)} results were omitted because of their size.`] : []),
  ];
}
