import type { Webhook } from "@engram/sdk";
import { useState } from "preact/hooks";
import { useLoaded } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { Screen as Frame } from "../parts/basics.tsx";
import { CREATED } from "../parts/columns.tsx";
import { SecretDialog } from "../parts/secret-dialog.tsx";
import { Empty, WhenLoaded } from "../parts/states.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Text } from "../parts/text.tsx";
import { eventsOf, WebhookFields, webhookSettings } from "../parts/webhook-fields.tsx";
import { WebhookState } from "../parts/webhook-state.tsx";
import { linkTo } from "../route.ts";
import { engram } from "../session.ts";
import { WEBHOOKS } from "../webhook-messages.ts";

const texts = WEBHOOKS;
const { columns } = MESSAGES;

const COLUMNS: readonly Column<Webhook>[] = [
  {
    title: columns.url,
    kind: "wide",
    cell: ({ id, url }) => (
      <a data-item href={linkTo(["webhooks", id])}>
        <Text of={url} />
      </a>
    ),
  },
  { title: columns.status, cell: (webhook) => <WebhookState of={webhook} /> },
  {
    title: columns.events,
    kind: "minor",
    cell: (webhook) => <span class="two-lines">{eventsOf(webhook)}</span>,
  },
  { title: columns.sentUpTo, kind: "minor number", cell: ({ after }) => after },
  { ...CREATED, kind: "extra" },
];

export function Screen() {
  const [isCreating, setCreating] = useState(false);
  const loaded = useLoaded((signal) => engram().webhooks.list({ signal }), []);
  const close = () => {
    setCreating(false);
    loaded.reload();
  };
  return (
    <Frame
      title={texts.title}
      note={texts.note}
      actions={
        <button type="button" class="primary" onClick={() => setCreating(true)}>
          {texts.create}
        </button>
      }
    >
      <WhenLoaded of={loaded}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={texts.none}>{texts.noneText}</Empty>
          ) : (
            <Table items={items} columns={COLUMNS} label={texts.title} />
          )
        }
      </WhenLoaded>
      {isCreating && (
        <SecretDialog
          title={texts.create}
          make={(form) => engram().webhooks.create(webhookSettings(form))}
          close={close}
        >
          <WebhookFields />
        </SecretDialog>
      )}
    </Frame>
  );
}
