import type { Webhook, WebhookWithSecret } from "@engram/sdk";
import { useState } from "preact/hooks";
import { MESSAGES } from "../messages.ts";
import { goTo } from "../route.ts";
import { engram } from "../session.ts";
import { ActionDialog } from "./action-dialog.tsx";
import { Dialog } from "./dialog.tsx";
import { Secret } from "./secret.tsx";
import { Text } from "./text.tsx";
import { WebhookFields, webhookSettings } from "./webhook-fields.tsx";

const texts = MESSAGES.webhooks;

/** What a dialog asks for. */
export type WebhookAction = "edit" | "after" | "rotate" | "delete";

export function WebhookDialog(props: { of: Webhook; action: WebhookAction; close(): void }) {
  const { of: webhook, action, close } = props;
  const { id, url } = webhook;
  const [made, setMade] = useState<WebhookWithSecret>();
  const { webhooks } = engram();
  if (made !== undefined)
    return (
      <Dialog title={texts.rotate} close={close}>
        <Secret of={made} close={close} />
      </Dialog>
    );
  if (action === "edit")
    return (
      <ActionDialog
        title={MESSAGES.edit}
        label={MESSAGES.save}
        close={close}
        act={async (form) => {
          await webhooks.update(id, webhookSettings(form));
          close();
        }}
      >
        <WebhookFields of={webhook} />
      </ActionDialog>
    );
  if (action === "after")
    return (
      <ActionDialog
        title={texts.after}
        label={texts.after}
        close={close}
        act={async (form) => {
          await webhooks.update(id, { after: Number(form.get("after")) });
          close();
        }}
      >
        <p>{texts.afterText}</p>
        <label>
          <span>{texts.afterNumber}</span>
          <input name="after" type="number" min={0} max={webhook.after} required defaultValue={0} />
        </label>
      </ActionDialog>
    );
  return (
    <ActionDialog
      title={texts[action]}
      label={texts[action]}
      isDanger={action === "delete"}
      close={close}
      act={async () => {
        if (action === "rotate") return setMade(await webhooks.rotate(id));
        await webhooks.delete(id);
        goTo(["webhooks"]);
      }}
    >
      <p>
        <strong>
          <Text of={url} />
        </strong>
      </p>
      <p>{action === "rotate" ? texts.rotateText : texts.deleteText}</p>
    </ActionDialog>
  );
}
