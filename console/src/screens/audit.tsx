import type { AuditEvent, ListAuditEventsQuery } from "@engram/sdk";
import { PAGE_ITEMS_MAX } from "@engram/sdk/limits";
import { usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { Copy } from "../parts/basics.tsx";
import { CREATED } from "../parts/columns.tsx";
import { type Filter, filtered } from "../parts/filters.tsx";
import { KeyName, type KeyNames, useKeyNames } from "../parts/key-name.tsx";
import { ListScreen } from "../parts/list-screen.tsx";
import type { Column } from "../parts/table.tsx";
import { Text } from "../parts/text.tsx";
import { linkTo, route } from "../route.ts";
import { engram } from "../session.ts";

const texts = MESSAGES.audit;
const { columns } = MESSAGES;

const FILTERS: readonly Filter[] = [
  { name: "action", label: columns.action, choices: Object.keys(MESSAGES.auditActions) },
  { name: "request_id", label: MESSAGES.requestId, placeholder: "req_…" },
];

const columnsOf = (names: KeyNames): readonly Column<AuditEvent>[] => [
  {
    title: columns.action,
    cell: ({ action }) => <span class="audit-action">{MESSAGES.auditActions[action]}</span>,
  },
  {
    title: columns.target,
    kind: "wide",
    cell: (event) => (
      <>
        <Target id={event.target_id} names={names} />
        <p class="for-minor note">
          {columns.by} <By of={event} names={names} />
        </p>
        <div class="for-extra note">
          <Request of={event} />
        </div>
      </>
    ),
  },
  {
    title: columns.by,
    kind: "minor",
    cell: (event) => <By of={event} names={names} />,
  },
  {
    title: MESSAGES.requestId,
    kind: "extra",
    cell: (event) => <Request of={event} />,
  },
  {
    title: columns.operation,
    kind: "minor",
    cell: ({ operation_id }) =>
      operation_id !== null && (
        <a data-item href={linkTo(["operations", operation_id])}>
          {MESSAGES.show}
        </a>
      ),
  },
  CREATED,
];

export function Screen() {
  const names = useKeyNames();
  const pages = usePages(
    (signal) => {
      const query = { ...filtered(FILTERS), limit: PAGE_ITEMS_MAX } as ListAuditEventsQuery;
      return engram().auditEvents.list(query, { signal });
    },
    [route.value.query.toString()],
  );
  return <ListScreen texts={texts} filters={FILTERS} pages={pages} columns={columnsOf(names)} />;
}

function By({ of: { key_id }, names }: { of: AuditEvent; names: KeyNames }) {
  return key_id === null ? texts.operator : <KeyName id={key_id} names={names} />;
}

function Request({ of: { request_id } }: { of: AuditEvent }) {
  return (
    request_id !== null && (
      <span class="with-copy">
        <code>{request_id}</code> <Copy text={request_id} />
      </span>
    )
  );
}

/** What was changed, by its name if it is a key, with a link if it has a page. */
function Target({ id, names }: { id: string; names: KeyNames }) {
  if (names.has(id)) return <KeyName id={id} names={names} />;
  const shown = (
    <code>
      <Text of={id} />
    </code>
  );
  return id.startsWith("wh_") ? <a href={linkTo(["webhooks", id])}>{shown}</a> : shown;
}
