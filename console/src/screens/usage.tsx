import type { Usage } from "@engram/sdk";
import { PAGE_ITEMS_MAX } from "@engram/sdk/limits";
import { formatBytes, formatDay, formatNumber } from "../format.ts";
import { usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { type Filter, filtered } from "../parts/filters.tsx";
import { ListScreen } from "../parts/list-screen.tsx";
import type { Column } from "../parts/table.tsx";
import { route } from "../route.ts";
import { engram } from "../session.ts";

const texts = MESSAGES.usage;
const { columns } = MESSAGES;

const FILTERS: readonly Filter[] = [
  { name: "from", label: texts.from, type: "date" },
  { name: "to", label: texts.to, type: "date" },
  { name: "key_id", label: columns.key },
];

const COLUMNS: readonly Column<Usage & { id: string }>[] = [
  { title: columns.day, cell: ({ day }) => <time dateTime={day}>{formatDay(day)}</time> },
  {
    title: columns.key,
    kind: "wide",
    cell: ({ key_id }) => (key_id === null ? <span class="note">{texts.noKey}</span> : <code>{key_id}</code>),
  },
  { title: columns.requests, kind: "number", cell: ({ requests }) => formatNumber(requests) },
  { title: columns.messages, kind: "number", cell: ({ messages }) => formatNumber(messages) },
  { title: columns.size, kind: "minor number", cell: ({ message_bytes }) => formatBytes(message_bytes) },
  { title: columns.searches, kind: "number", cell: ({ searches }) => formatNumber(searches) },
  { title: columns.embeddings, kind: "minor number", cell: ({ embeddings }) => formatNumber(embeddings) },
];

export function Screen() {
  const pages = usePages(
    (signal) => engram().usage.list({ ...filtered(FILTERS), limit: PAGE_ITEMS_MAX }, { signal }),
    [route.value.query.toString()],
  );
  const items = pages.items.map((usage) => ({ ...usage, id: `${usage.day}/${usage.key_id}` }));
  return <ListScreen texts={texts} filters={FILTERS} pages={{ ...pages, items }} columns={COLUMNS} />;
}
