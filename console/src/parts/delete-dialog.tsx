import type { Operation } from "@engram/sdk";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { MESSAGES } from "../messages.ts";
import { ActionDialog } from "./action-dialog.tsx";
import { Dialog } from "./dialog.tsx";
import { Receipt } from "./receipt.tsx";

/** Asks, deletes, and then shows the receipt until the deletion is complete. */
export function DeleteDialog(props: {
  label: string;
  question: ComponentChildren;
  remove(): Promise<Operation>;
  /** `isDeleted` says whether the dialog is closed after a deletion. */
  close(isDeleted: boolean): void;
}) {
  const { label, question, remove, close } = props;
  const [receipt, setReceipt] = useState<Operation>();
  if (receipt === undefined)
    return (
      <ActionDialog
        title={label}
        isDanger
        act={async () => setReceipt(await remove())}
        close={() => close(false)}
      >
        <p>{question}</p>
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
