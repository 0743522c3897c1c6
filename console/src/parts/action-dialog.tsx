import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { MESSAGES } from "../messages.ts";
import { Dialog } from "./dialog.tsx";
import { Failure } from "./states.tsx";

/** A dialog with a form and one action. It stays open with the problem if the action fails. */
export function ActionDialog(props: {
  title: string;
  /** Text of the button. */
  label: string;
  isDanger?: boolean;
  act(form: FormData): Promise<void>;
  close(): void;
  children: ComponentChildren;
}) {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await props.act(new FormData(event.currentTarget as HTMLFormElement));
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog title={props.title} close={props.close}>
      <form class="fields" onSubmit={submit}>
        {props.children}
        {error !== undefined && <Failure error={error} />}
        <footer class="actions">
          <button type="button" onClick={props.close}>
            {MESSAGES.cancel}
          </button>
          <button type="submit" class={props.isDanger ? "danger solid" : "primary"} disabled={isBusy}>
            {props.label}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
