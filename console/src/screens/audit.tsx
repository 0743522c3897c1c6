import type { AuditEvent } from "@engram/sdk";
import { usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { CREATED } from "../parts/columns.tsx";
import { type Filter, filtered } from "../parts/filters.tsx";
import { ListScreen } from "../parts/list-screen.tsx";
import type { Column } from "../parts/table.tsx";
import { Text } from "../parts/text.tsx";
import { linkTo, route } from "../route.ts";
import { engram } from "../session.ts";

const texts = MESSAGES.audit;
const { columns } = MESSAGES;

const FILTERS: readonly Filter[] = [
  { name: "action", label: columns.action, choices: Object.keys(MESSAGES.auditActions) },
];

const COLUMNS: readonly Column<AuditEvent>[] = [
  { title: columns.action, kind: "wide", cell: ({ action }) => MESSAGES.auditActions[action] },
  {
    title: columns.target,
    cell: ({ target_id }) => (
      <code>
        <Text of={target_id} />
      </code>
    ),
  },
  {
    title: columns.by,
    kind: "minor",
    cell: ({ key_id }) => (key_id === null ? texts.operator : <code>{key_id}</code>),
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
  const pages = usePages(
    (signal) => engram().auditEvents.list({ ...filtered(FILTERS), limit: 50 }, { signal }),
    [route.value.query.toString()],
  );
  return <ListScreen texts={texts} filters={FILTERS} pages={pages} columns={COLUMNS} />;
}
