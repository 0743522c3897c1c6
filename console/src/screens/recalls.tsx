import type { ListRecallsQuery, Recall } from "@engram/sdk";
import { formatNumber } from "../format.ts";
import { usePages } from "../load.ts";
import { CREATED, USER } from "../parts/columns.tsx";
import { commonFilters, type Filter, filtered } from "../parts/filters.tsx";
import { ListScreen } from "../parts/list-screen.tsx";
import { RecallLink } from "../parts/recall-link.tsx";
import type { Column } from "../parts/table.tsx";
import { Text } from "../parts/text.tsx";
import { RECALLS } from "../recall-messages.ts";
import { linkTo, route } from "../route.ts";
import { engram } from "../session.ts";

const texts = RECALLS;

const FILTERS: readonly Filter[] = [
  ...commonFilters("user_id"),
  { name: "run_id", label: texts.run },
  { name: "item_id", label: texts.item, placeholder: "msg_…, mem_…" },
  ...commonFilters("created_after", "created_before"),
];

const COLUMNS: readonly Column<Recall>[] = [
  { title: texts.query, kind: "wide", cell: (recall) => <RecallLink of={recall} /> },
  { title: texts.items, kind: "minor number", cell: ({ items }) => formatNumber(items.length) },
  USER,
  {
    title: texts.run,
    kind: "minor",
    cell: ({ run_id }) =>
      run_id !== null && (
        <a href={linkTo(["receipts"], { run_id })}>
          <Text of={run_id} />
        </a>
      ),
  },
  { title: texts.outcome, kind: "extra", cell: ({ outcome }) => outcome !== null && <Text of={outcome} /> },
  CREATED,
];

/** What recorded searches and contexts answered, also those of one user, run, message or memory. */
export function Screen() {
  const pages = usePages(
    (signal) => {
      const query = { ...filtered(FILTERS), limit: 50 } as ListRecallsQuery;
      return engram().recalls.list(query, { signal });
    },
    [route.value.query.toString()],
  );
  return <ListScreen texts={texts} filters={FILTERS} pages={pages} columns={COLUMNS} />;
}
