import type { Operation } from "@engram/sdk";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { MESSAGES } from "../messages.ts";
import { ActionDialog } from "./action-dialog.tsx";
import { Dialog } from "./dialog.tsx";
import { ForgetField, type Forgotten, forgetOf } from "./forget-field.tsx";
import { Receipt } from "./receipt.tsx";

/** What is asked before a deletion, and how it is done. */
export interface Deletion {
  label: string;
  question: ComponentChildren;
  /** What the box "never take it back in" is about. Without it, the dialog has no such box. */
  forgets?: Forgotten;
  remove(options: { forget?: true }): Promise<Operation>;
}

/** Asks, deletes, and then shows the receipt until the deletion is complete. */
export function DeleteDialog(
  props: Deletion & {
    /** `isDeleted` says whether the dialog is closed after a deletion. */
    close(isDeleted: boolean): void;
  },
) {
  const { label, question, forgets, remove, close } = props;
  const [receipt, setReceipt] = useState<Operation>();
  if (receipt === undefined)
    return (
      <ActionDialog
        title={label}
        isDanger
        act={async (form) => setReceipt(await remove(forgetOf(form)))}
        close={() => close(false)}
      >
        {typeof question === "string" ? <p>{question}</p> : question}
        {forgets && <ForgetField kind={forgets} />}
      </ActionDialog>
    );
  return (
    <Dialog title={MESSAGES.deletion} close={() => close(true)}>
      <Receipt of={receipt} />
      <footer class="actions">
        <button type="button" onClick={() => close(true)}>
          {MESSAGES.close}
        </button>
      </footer>
    </Dialog>
  );
}
