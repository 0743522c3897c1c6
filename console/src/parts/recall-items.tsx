import type { Recall, RecalledItem } from "@engram/sdk";
import { useState } from "preact/hooks";
import { formatNumber } from "../format.ts";
import { MESSAGES } from "../messages.ts";
import { RECALLS } from "../recall-messages.ts";
import type { ReadItem } from "../recalled-items.ts";
import { nameOf, RecalledItemName, RecalledState } from "./recalled-item.tsx";
import { Empty } from "./states.tsx";
import { type Column, Table } from "./table.tsx";

const texts = RECALLS;
/** Rows that are shown at first and added on request. Each reads its item. */
const STEP = 25;

type Row = Omit<RecalledItem, "id"> & { id: string; item: RecalledItem };

/** The items of an answer in its order, each with its state now, and whether it was used. */
export function RecallItems(props: {
  of: Recall;
  read: ReadItem;
  used: ReadonlySet<string>;
  toggle(id: string): void;
}) {
  const { read, used, toggle } = props;
  const { items } = props.of;
  const [shown, setShown] = useState(STEP);
  if (items.length === 0) return <Empty title={texts.noItems} />;
  const rows = items.slice(0, shown).map((item) => ({ ...item, id: `${item.part} ${item.id}`, item }));
  const has = (field: "version" | "relevance" | "score") => items.some((item) => item[field] !== null);
  const isContext = items.some(({ part }) => part !== "results");
  const all: readonly (Column<Row> | false)[] = [
    {
      title: texts.used,
      kind: "check",
      cell: ({ item }) => (
        <input
          type="checkbox"
          aria-label={texts.usedOf(nameOf(item))}
          checked={used.has(item.id)}
          onChange={() => toggle(item.id)}
        />
      ),
    },
    { title: texts.oneItem, kind: "wide", cell: ({ item }) => <RecalledItemName of={item} read={read} /> },
    isContext && { title: texts.part, kind: "minor", cell: ({ part }) => texts.parts[part] },
    { title: texts.now, cell: ({ item }) => <RecalledState of={item} read={read} /> },
    has("version") && { title: texts.version, kind: "extra number", cell: ({ version }) => version },
    has("relevance") && {
      ...{ title: texts.relevance, kind: "minor number" },
      cell: ({ relevance }) => relevance?.toFixed(2),
    },
    has("score") && { title: texts.score, kind: "minor number", cell: ({ score }) => score?.toFixed(2) },
  ];
  return (
    <section aria-label={texts.items}>
      <h2>{texts.items}</h2>
      <Table items={rows} columns={all.filter((column) => column !== false)} label={texts.items} />
      <footer class="table-foot">
        <span class="note">{MESSAGES.shownOf(formatNumber(rows.length), formatNumber(items.length))}</span>
        {shown < items.length && (
          <button type="button" onClick={() => setShown(shown + STEP)}>
            {MESSAGES.more}
          </button>
        )}
      </footer>
    </section>
  );
}
