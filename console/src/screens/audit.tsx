import {
  type AuditEvent,
  type AuditVerification,
  type ListAuditEventsQuery,
  verifyAuditEvents,
} from "@engram/sdk";
import { PAGE_ITEMS_MAX } from "@engram/sdk/limits";
import { useState } from "preact/hooks";
import { useAction, usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { AuditAction, AuditBy, AuditMore, AuditRequest, AuditTarget } from "../parts/audit-parts.tsx";
import { Badge } from "../parts/basics.tsx";
import { CREATED } from "../parts/columns.tsx";
import { type Filter, filtered } from "../parts/filters.tsx";
import { type KeyNames, useKeyNames } from "../parts/key-name.tsx";
import { ListScreen } from "../parts/list-screen.tsx";
import { Failure } from "../parts/states.tsx";
import type { Column } from "../parts/table.tsx";
import { linkTo, route } from "../route.ts";
import { engram } from "../session.ts";
import { TRACES } from "../trace-messages.ts";

const texts = TRACES.audit;
const { columns } = MESSAGES;

const FILTERS: readonly Filter[] = [
  { name: "action", label: columns.action, choices: Object.keys(TRACES.auditActions) },
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

/** Checks the chain of all events in the browser, so that the service is not believed. */
function Verify() {
  const { isBusy, error, run } = useAction();
  const [verified, setVerified] = useState<AuditVerification>();
  const verify = async () => {
    const all = engram().auditEvents.list({ order: "asc", limit: PAGE_ITEMS_MAX });
    setVerified(await verifyAuditEvents(await all.toArray({ max: Number.POSITIVE_INFINITY })));
  };
  return (
    <>
      <span role="status">
        {verified !== undefined && (
          <Badge tone={verified.problems.length === 0 ? "good" : "bad"}>
            {verified.problems[0] ?? TRACES.verified(verified.events)}
          </Badge>
        )}
        {error !== undefined && <Failure error={error} />}
      </span>
      <button type="button" disabled={isBusy} onClick={() => run(verify)}>
        {isBusy ? TRACES.verifying : TRACES.verify}
      </button>
    </>
  );
}

export function Screen() {
  const names = useKeyNames();
  const pages = usePages(
    (signal) => {
      const query = { ...filtered(FILTERS), limit: PAGE_ITEMS_MAX } as ListAuditEventsQuery;
      return engram().auditEvents.list(query, { signal });
    },
    [route.value.query.toString()],
  );
  return (
    <ListScreen
      texts={texts}
      actions={<Verify />}
      filters={FILTERS}
      pages={pages}
      columns={columnsOf(names)}
    />
  );
}
