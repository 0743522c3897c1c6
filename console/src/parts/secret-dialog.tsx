import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { MESSAGES } from "../messages.ts";
import { ActionDialog } from "./action-dialog.tsx";
import { Copy } from "./basics.tsx";
import { Dialog } from "./dialog.tsx";

/** A form whose action makes a secret. The secret is shown this once, until the user says that it is stored. */
export function SecretDialog(props: {
  title: string;
  /** What to do with the secret. */
  text?: string;
  make(form: FormData): Promise<{ secret: string }>;
  close(): void;
  children: ComponentChildren;
}) {
  const [secret, setSecret] = useState<string>();
  if (secret === undefined)
    return (
      <ActionDialog
        title={props.title}
        act={async (form) => setSecret((await props.make(form)).secret)}
        close={props.close}
      >
        {props.children}
      </ActionDialog>
    );
  return (
    <Dialog title={props.title} close={props.close}>
      <p>{props.text ?? MESSAGES.secretOnce}</p>
      <p class="secret">
        <code>{secret}</code>
        <Copy text={secret} />
      </p>
      <footer class="actions">
        <button type="button" class="primary" onClick={props.close}>
          {MESSAGES.secretKept}
        </button>
      </footer>
    </Dialog>
  );
}
