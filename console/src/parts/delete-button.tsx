import type { Operation } from "@engram/sdk";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { MESSAGES } from "../messages.ts";
import { Dialog } from "./dialog.tsx";
import { Receipt } from "./receipt.tsx";
import { Failure } from "./states.tsx";

/** A button that asks, deletes, and then shows the receipt until the deletion is complete. */
export function DeleteButton(props: {
  label: string;
  question: ComponentChildren;
  remove(): Promise<Operation>;
  /** Called when the dialog is closed after a deletion. */
  done(): void;
}) {
  const [isOpen, setOpen] = useState(false);
  const [receipt, setReceipt] = useState<Operation>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    setError(undefined);
    try {
      setReceipt(await props.remove());
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  const close = () => {
    setOpen(false);
    setError(undefined);
    if (receipt === undefined) return;
    setReceipt(undefined);
    props.done();
  };
  return (
    <>
      <button type="button" class="danger" onClick={() => setOpen(true)}>
        {props.label}
      </button>
      {isOpen && (
        <Dialog title={receipt === undefined ? props.label : MESSAGES.receipt} close={close}>
          {receipt === undefined ? <p>{props.question}</p> : <Receipt of={receipt} />}
          {error !== undefined && <Failure error={error} />}
          <footer class="actions">
            <button type="button" onClick={close}>
              {receipt === undefined ? MESSAGES.cancel : MESSAGES.close}
            </button>
            {receipt === undefined && (
              <button type="button" class="danger solid" disabled={isBusy} onClick={confirm}>
                {props.label}
              </button>
            )}
          </footer>
        </Dialog>
      )}
    </>
  );
}
