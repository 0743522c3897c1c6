import type { Grant } from "@engram/sdk";
import { PAGE_ITEMS_MAX } from "@engram/sdk/limits";
import { useState } from "preact/hooks";
import { LATER } from "../later-messages.ts";
import { usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { ActionDialog } from "../parts/action-dialog.tsx";
import { Badge, Time } from "../parts/basics.tsx";
import { Bound } from "../parts/bound.tsx";
import { CREATED } from "../parts/columns.tsx";
import { KeyName, useKeyNames } from "../parts/key-name.tsx";
import { ListScreen } from "../parts/list-screen.tsx";
import { Named } from "../parts/named.tsx";
import type { Column } from "../parts/table.tsx";
import { Text } from "../parts/text.tsx";
import { engram } from "../session.ts";

const texts = LATER.grants;
const { columns } = MESSAGES;

/** The clients that people have connected by signing in. */
export function Screen() {
  const pages = usePages((signal) => engram().grants.list({ limit: PAGE_ITEMS_MAX }, { signal }), []);
  const names = useKeyNames();
  const [ended, end] = useState<Grant>();
  const listColumns: readonly Column<Grant>[] = [
    {
      title: texts.client,
      kind: "wide",
      cell: ({ client_name, client_domain }) => (
        <>
          <strong>
            <Text of={client_name} />
          </strong>{" "}
          {client_domain === null ? (
            <Badge tone="plain">{texts.notVerified}</Badge>
          ) : (
            <span class="note">
              <Text of={client_domain} />
            </span>
          )}
        </>
      ),
    },
    {
      title: columns.scopes,
      kind: "minor",
      cell: ({ scopes }) => <span class="scopes">{scopes.join(", ")}</span>,
    },
    { title: columns.bound, kind: "extra", cell: (grant) => <Bound to={grant} /> },
    { title: columns.key, kind: "minor", cell: ({ key_id }) => <KeyName id={key_id} names={names} /> },
    CREATED,
    { title: columns.expires, kind: "extra", cell: ({ expires_at }) => <Time at={expires_at} /> },
    {
      title: "",
      cell: (grant) => (
        <div class="actions">
          <button type="button" class="small danger" onClick={() => end(grant)}>
            {texts.end}
          </button>
        </div>
      ),
    },
  ];
  return (
    <ListScreen texts={texts} pages={pages} columns={listColumns}>
      {ended !== undefined && (
        <ActionDialog
          title={texts.endTitle}
          isDanger
          act={async () => {
            await engram().grants.delete(ended.id);
            end(undefined);
            pages.change((before) => before.filter(({ id }) => id !== ended.id));
          }}
          close={() => end(undefined)}
        >
          <Named of={ended.client_name}>{texts.endText}</Named>
        </ActionDialog>
      )}
    </ListScreen>
  );
}
