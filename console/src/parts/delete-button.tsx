import { useState } from "preact/hooks";
import { DeleteDialog, type Deletion } from "./delete-dialog.tsx";

/** A button that asks, deletes, and then shows the receipt. `done` is called when the dialog is closed after that. */
export function DeleteButton({ done, ...deletion }: Deletion & { done(): void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="danger" onClick={() => setOpen(true)}>
        {deletion.label}
      </button>
      {isOpen && (
        <DeleteDialog
          {...deletion}
          close={(isDeleted) => {
            setOpen(false);
            if (isDeleted) done();
          }}
        />
      )}
    </>
  );
}
