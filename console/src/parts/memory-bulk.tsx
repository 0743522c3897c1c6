import type { Memory } from "@engram/sdk";
import { useState } from "preact/hooks";
import { firstWords } from "../format.ts";
import { LATER } from "../later-messages.ts";
import { MESSAGES } from "../messages.ts";
import { engram } from "../session.ts";
import { BulkDialog } from "./bulk-dialog.tsx";
import { BulkReceipt } from "./bulk-receipt.tsx";
import { ForgetField, forgetOf } from "./forget-field.tsx";
import { SelectionBar } from "./selection-bar.tsx";

const texts = LATER.memoryBulk;

/** Deletes the selected memories. `deleted` is called when the dialog of a deletion is closed. */
export function MemoryBulk(props: { items: readonly Memory[]; clear(): void; deleted(): void }) {
  const { items, clear, deleted } = props;
  // The dialog keeps its items, also when they leave the list.
  const [asked, setAsked] = useState<readonly Memory[]>();
  return (
    <>
      <SelectionBar count={items.length} clear={clear}>
        <button type="button" class="danger" onClick={() => setAsked(items)}>
          {MESSAGES.bulk.delete}
        </button>
      </SelectionBar>
      {asked !== undefined && (
        <BulkDialog
          title={texts.deleteTitle}
          label={texts.deleteCount(asked.length)}
          isDanger
          items={asked}
          nameOf={nameOf}
          work={({ id }, form) => engram().memories.delete(id, forgetOf(form))}
          report={(done) => <BulkReceipt key={done.length} of={done} text={texts.deleted(done.length)} />}
          close={(hasRun) => {
            setAsked(undefined);
            if (hasRun) deleted();
          }}
        >
          <p>{texts.deleteQuestion(asked.length)}</p>
          <ForgetField kind="memory" />
        </BulkDialog>
      )}
    </>
  );
}

export const nameOf = ({ content }: Memory): string => firstWords(content) || MESSAGES.memories.without;
