import type { Webhook } from "@engram/sdk";
import { MESSAGES } from "../messages.ts";
import { goTo } from "../route.ts";
import { engram } from "../session.ts";
import { ActionDialog } from "./action-dialog.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import { Text } from "./text.tsx";
import { WebhookFields, webhookSettings } from "./webhook-fields.tsx";

const texts = MESSAGES.webhooks;

/** What a dialog asks for. */
export type WebhookAction = "edit" | "after" | "rotate" | "delete";

export function WebhookDialog(props: { of: Webhook; action: WebhookAction; close(): void }) {
  const { of: webhook, action, close } = props;
  const { id, url } = webhook;
  const { webhooks } = engram();
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
  const shown = (
    <>
      <p>
        <strong>
          <Text of={url} />
        </strong>
      </p>
      <p>{action === "rotate" ? texts.rotateText : texts.deleteText}</p>
    </>
  );
  if (action === "rotate")
    return (
      <SecretDialog title={texts.rotate} make={() => webhooks.rotate(id)} close={close}>
        {shown}
      </SecretDialog>
    );
  return (
    <ActionDialog
      title={texts.delete}
      label={texts.delete}
      isDanger
      close={close}
      act={async () => {
        await webhooks.delete(id);
        goTo(["webhooks"]);
      }}
    >
      {shown}
    </ActionDialog>
  );
}
