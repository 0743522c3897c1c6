import type { Memory } from "@engram/sdk";
import { LATER } from "../later-messages.ts";
import { engram } from "../session.ts";
import { BulkDialog } from "./bulk-dialog.tsx";
import { BulkReceipt } from "./bulk-receipt.tsx";
import { ForgetField, forgetOf } from "./forget-field.tsx";

const texts = LATER.memoryBulk;

/** Asks, deletes each memory, and counts those that are removed for good. */
export function DeleteMemories(props: {
  items: readonly Memory[];
  nameOf(memory: Memory): string;
  close(hasRun: boolean): void;
}) {
  const { items, nameOf, close } = props;
  return (
    <BulkDialog
      {...{ items, nameOf, close }}
      title={texts.deleteTitle}
      label={texts.deleteCount(items.length)}
      isDanger
      work={({ id }, form) => engram().memories.delete(id, forgetOf(form))}
      report={(done) => <BulkReceipt key={done.length} of={done} text={texts.deleted(done.length)} />}
    >
      <p>{texts.deleteQuestion(items.length)}</p>
      <ForgetField kind="memory" />
    </BulkDialog>
  );
}
