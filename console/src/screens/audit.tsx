import type { AuditEvent } from "@engram/sdk";
import { PAGE_ITEMS_MAX } from "@engram/sdk/limits";
import { useEffect } from "preact/hooks";
import { usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { Copy } from "../parts/basics.tsx";
import { CREATED } from "../parts/columns.tsx";
import { type Filter, filtered, filterValue } from "../parts/filters.tsx";
import { KeyName, type KeyNames, useKeyNames } from "../parts/key-name.tsx";
import { ListScreen } from "../parts/list-screen.tsx";
import type { Column } from "../parts/table.tsx";
import { Text } from "../parts/text.tsx";
import { linkTo, route } from "../route.ts";
import { engram } from "../session.ts";

const texts = MESSAGES.audit;
const { columns } = MESSAGES;

/** Events among which a request is looked for. The API has no filter for it. */
const LOOKED_THROUGH = 2_000;

const ACTION: Filter = {
  name: "action",
  label: columns.action,
  choices: Object.keys(MESSAGES.auditActions),
};
const FILTERS: readonly Filter[] = [
  ACTION,
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
    cell: ({ target_id }) => <Target id={target_id} names={names} />,
  },
  {
    title: columns.by,
    kind: "minor",
    cell: ({ key_id }) => (key_id === null ? texts.operator : <KeyName id={key_id} names={names} />),
  },
  {
    title: MESSAGES.requestId,
    kind: "extra",
    cell: ({ request_id }) =>
      request_id !== null && (
        <span class="with-copy">
          <code>{request_id}</code> <Copy text={request_id} />
        </span>
      ),
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
  const wanted = filterValue("request_id");
  const pages = usePages(
    (signal) => engram().auditEvents.list({ ...filtered([ACTION]), limit: PAGE_ITEMS_MAX }, { signal }),
    [route.value.query.toString()],
  );
  const read = pages.items.length;
  const found = wanted === undefined ? pages.items : pages.items.filter((each) => each.request_id === wanted);
  const isLooking = wanted !== undefined && found.length === 0 && pages.hasMore && read < LOOKED_THROUGH;
  useEffect(() => {
    if (isLooking && !pages.isLoading && pages.error === undefined) pages.more();
  }, [isLooking, pages.isLoading]);
  return (
    <ListScreen
      texts={texts}
      filters={FILTERS}
      pages={{ ...pages, items: found, isLoading: pages.isLoading || isLooking }}
      columns={columnsOf(names)}
    />
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
