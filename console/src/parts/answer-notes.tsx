import type { SearchAnswer } from "@engram/sdk";
import { MESSAGES } from "../messages.ts";
import { Badge } from "./basics.tsx";

const texts = MESSAGES.search;

/** What an answer lacks: items that wait for the index, results of too little relevance, and retrievers that failed. */
export function AnswerNotes(props: Pick<SearchAnswer, "pending" | "degraded" | "below_min_relevance">) {
  const { pending, below_min_relevance: below, degraded } = props;
  return (
    <>
      {pending > 0 && <Badge tone="busy">{texts.pending(pending)}</Badge>}
      {below > 0 && <Badge tone="plain">{texts.below(below)}</Badge>}
      {degraded.map((reason) => (
        <span key={reason} title={texts.degradedText[reason]}>
          <Badge tone="bad">{texts.degraded[reason]}</Badge>
        </span>
      ))}
    </>
  );
}
