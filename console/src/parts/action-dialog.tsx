import type { ComponentChildren } from "preact";
import { useAction } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { Dialog } from "./dialog.tsx";
import { Failure } from "./states.tsx";

/** A dialog with a form and one action. It stays open with the problem if the action fails. */
export function ActionDialog(props: {
  title: string;
  /** Text of the button. The title if it is absent. */
  label?: string;
  isDanger?: boolean;
  act(form: FormData): Promise<void>;
  close(): void;
  children: ComponentChildren;
}) {
  const { isBusy, error, run } = useAction();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    return run(() => props.act(form));
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
            {props.label ?? props.title}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
