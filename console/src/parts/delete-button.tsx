import type { Operation } from "@engram/sdk";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { DeleteDialog } from "./delete-dialog.tsx";

/** A button that asks, deletes, and then shows the receipt. */
export function DeleteButton(props: {
  label: string;
  question: ComponentChildren;
  remove(): Promise<Operation>;
  /** Called when the dialog is closed after a deletion. */
  done(): void;
}) {
  const { label, question, remove, done } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="danger" onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && (
        <DeleteDialog
          {...{ label, question, remove }}
          close={(isDeleted) => {
            setOpen(false);
            if (isDeleted) done();
          }}
        />
      )}
    </>
  );
}
