import type { AuditEvent } from "@engram/sdk";
import { usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { Screen as Frame, Time } from "../parts/basics.tsx";
import { type Filter, Filters, filterValue } from "../parts/filters.tsx";
import { Empty } from "../parts/states.tsx";
import { type Column, PagedTable } from "../parts/table.tsx";
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
  { title: columns.created, cell: ({ created_at }) => <Time at={created_at} /> },
];

export function Screen() {
  const pages = usePages(
    (signal) =>
      engram().auditEvents.list(
        { action: filterValue<AuditEvent["action"]>("action"), limit: 50 },
        { signal },
      ),
    [route.value.query.toString()],
  );
  return (
    <Frame title={texts.title} note={texts.note}>
      <Filters filters={FILTERS} />
      <PagedTable
        pages={pages}
        columns={COLUMNS}
        label={texts.title}
        empty={<Empty title={texts.none}>{texts.noneText}</Empty>}
      />
    </Frame>
  );
}
