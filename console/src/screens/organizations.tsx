import type { ListedOrganization } from "@engram/sdk";
import { useState } from "preact/hooks";
import { formatNumber } from "../format.ts";
import { LATER } from "../later-messages.ts";
import { usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { Badge } from "../parts/basics.tsx";
import { CREATED } from "../parts/columns.tsx";
import { DeleteButton } from "../parts/delete-button.tsx";
import { Field } from "../parts/field.tsx";
import { fieldText } from "../parts/fields.ts";
import { ListScreen } from "../parts/list-screen.tsx";
import { SecretDialog } from "../parts/secret-dialog.tsx";
import { Text } from "../parts/text.tsx";
import { engram } from "../session.ts";

const texts = LATER.organizations;
const { columns } = MESSAGES;

/** The operator's view. It needs the admin token. */
export function Screen() {
  const pages = usePages((signal) => engram().organizations.list({ limit: 50 }, { signal }), []);
  const [isCreating, setCreating] = useState(false);
  return (
    <ListScreen<ListedOrganization>
      texts={texts}
      actions={
        <button type="button" class="primary" onClick={() => setCreating(true)}>
          {texts.create}
        </button>
      }
      pages={pages}
      columns={[
        {
          title: columns.name,
          kind: "wide",
          cell: ({ id, name, deleted_at }) => (
            <>
              <strong>
                <Text of={name} />
              </strong>{" "}
              {deleted_at !== null && <Badge tone="bad">{texts.deleted}</Badge>}
              <code class="note">{id}</code>
            </>
          ),
        },
        {
          title: columns.conversations,
          kind: "minor number",
          cell: ({ conversation_count }) => formatNumber(conversation_count),
        },
        {
          title: columns.messages,
          kind: "number",
          cell: ({ message_count }) => formatNumber(message_count),
        },
        {
          title: columns.memories,
          kind: "minor number",
          cell: ({ memory_count }) => formatNumber(memory_count),
        },
        {
          title: columns.lastActive,
          kind: "minor",
          cell: ({ last_active_on }) => last_active_on ?? <span class="note">{texts.never}</span>,
        },
        { ...CREATED, kind: "extra" },
        {
          title: "",
          cell: ({ id, name, deleted_at }) =>
            deleted_at === null && (
              <DeleteButton
                label={texts.delete}
                question={
                  <p>
                    <Text of={texts.deleteQuestion(name)} />
                  </p>
                }
                remove={() => engram().organizations.delete(id)}
                done={pages.reload}
              />
            ),
        },
      ]}
    >
      {isCreating && (
        <Create
          close={() => {
            setCreating(false);
            pages.reload();
          }}
        />
      )}
    </ListScreen>
  );
}

function Create({ close }: { close(): void }) {
  return (
    <SecretDialog
      title={texts.create}
      text={texts.firstKey}
      make={async (form) => (await engram().organizations.create({ name: fieldText(form, "name") })).key}
      close={close}
    >
      <Field label={columns.name} name="name" required />
    </SecretDialog>
  );
}
