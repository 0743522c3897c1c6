import type { AuditEvent, ListAuditEventsQuery } from "@engram/sdk";
import { PAGE_ITEMS_MAX } from "@engram/sdk/limits";
import { usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { AuditAction, AuditBy, AuditMore, AuditRequest, AuditTarget } from "../parts/audit-parts.tsx";
import { CREATED } from "../parts/columns.tsx";
import { type Filter, filtered } from "../parts/filters.tsx";
import { type KeyNames, useKeyNames } from "../parts/key-name.tsx";
import { ListScreen } from "../parts/list-screen.tsx";
import type { Column } from "../parts/table.tsx";
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
    cell: (event) => <AuditAction of={event} />,
  },
  {
    title: columns.target,
    kind: "wide",
    cell: (event) => (
      <>
        <AuditTarget of={event} names={names} />
        <AuditMore of={event} names={names} />
      </>
    ),
  },
  {
    title: columns.by,
    kind: "minor",
    cell: (event) => <AuditBy of={event} names={names} />,
  },
  {
    title: MESSAGES.requestId,
    kind: "extra",
    cell: (event) => <AuditRequest of={event} />,
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
