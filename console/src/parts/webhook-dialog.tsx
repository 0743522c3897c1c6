import type { Webhook } from "@engram/sdk";
import { MESSAGES } from "../messages.ts";
import { goTo } from "../route.ts";
import { engram } from "../session.ts";
import { WEBHOOKS } from "../webhook-messages.ts";
import { ActionDialog } from "./action-dialog.tsx";
import { Field } from "./field.tsx";
import { Named } from "./named.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import { WebhookFields, webhookSettings } from "./webhook-fields.tsx";

const texts = WEBHOOKS;

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
        close={close}
        act={async (form) => {
          await webhooks.update(id, { after: Number(form.get("after")) });
          close();
        }}
      >
        <p>{texts.afterText}</p>
        <Field
          label={texts.afterNumber}
          {...{ name: "after", type: "number", min: 0, max: webhook.after, required: true, defaultValue: 0 }}
        />
      </ActionDialog>
    );
  const shown = <Named of={url}>{action === "rotate" ? texts.rotateText : texts.deleteText}</Named>;
  if (action === "rotate")
    return (
      <SecretDialog title={texts.rotate} make={() => webhooks.rotate(id)} close={close}>
        {shown}
      </SecretDialog>
    );
  return (
    <ActionDialog
      title={texts.delete}
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
