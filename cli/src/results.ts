import type { SearchAnswer } from "@engram/sdk";
import { count, oneLine } from "./output.ts";

/** Length of the text shown for a match. */
const MATCH_CHARACTERS = 480;
/** Length of the text shown before the first highlight when the start is cut off. */
const LEAD_CHARACTERS = 120;

/** The part of a text around its first highlight, with every highlight in it marked. */
export function excerpt(
  content: string,
  highlights: { start: number; end: number }[],
  mark: (word: string) => string,
): string {
  const first = highlights[0]?.start ?? 0;
  const from = first + LEAD_CHARACTERS < MATCH_CHARACTERS ? 0 : first - LEAD_CHARACTERS;
  const to = Math.min(content.length, from + MATCH_CHARACTERS);
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
  semantic: "Meaning was not searched: the embedding model or the vector store did not answer.",
  semantic_partial: "Meaning was searched in part only.",
  keyword_partial: "The words stand in more places than one search reads: the newest were searched.",
  phrase_too_long: "A quoted phrase has more than 32 words, which counted as plain words.",
  model_mismatch: "Some were searched by words only: their vectors are of an earlier model.",
  rerank: "The order is that without a reranking model.",
};

/** Notes on what the search did not cover. `what` names the kind of items. */
export function caveats(
  { degraded, pending, omitted }: Pick<SearchAnswer, "degraded" | "pending" | "omitted">,
  what: string,
): string[] {
  return [
    ...degraded.map((missing) => DEGRADED[missing]),
    ...(pending > 0
      ? [`${count(pending)} ${what} can be found by their words only until their vectors are in.`]
      : []),
    ...(omitted > 0 ? [`${count(omitted)} results were left out for their size.`] : []),
  ];
}
