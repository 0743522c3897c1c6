import type { Recall } from "@engram/sdk";
import { firstWords } from "../format.ts";
import { queryOf } from "../kept-request.ts";
import { RECALLS } from "../recall-messages.ts";
import { linkTo } from "../route.ts";
import { Text } from "./text.tsx";

/** The title of a receipt: the first words of its query. */
export const recallTitle = (recall: Recall): string => firstWords(queryOf(recall)) || RECALLS.noQuery;

/** A receipt by its query, with a link to it, and what was asked. */
export function RecallLink({ of: recall }: { of: Recall }) {
  return (
    <div class="mention">
      <a data-item href={linkTo(["receipts", recall.id])}>
        <Text of={recallTitle(recall)} />
      </a>
      <p class="note">{RECALLS.operations[recall.operation]}</p>
    </div>
  );
}
