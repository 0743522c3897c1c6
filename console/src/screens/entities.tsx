import type { Entity, ListEntitiesQuery } from "@engram/sdk";
import { formatNumber } from "../format.ts";
import { usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { Screen as Frame, Time } from "../parts/basics.tsx";
import { type Filter, Filters, filterValue } from "../parts/filters.tsx";
import { Empty } from "../parts/states.tsx";
import { type Column, PagedTable } from "../parts/table.tsx";
import { Text } from "../parts/text.tsx";
import { linkTo, route } from "../route.ts";
import { engram } from "../session.ts";

const texts = MESSAGES.entities;
const { filterLabels, columns } = MESSAGES;

const FILTERS: readonly Filter[] = [
  {
    name: "kind",
    label: filterLabels.kind,
    choices: [
      ...["file", "symbol", "error_code", "command", "url", "ticket"],
      ...["version", "date", "amount", "email", "quoted_name"],
    ],
  },
  { name: "prefix", label: texts.prefix, placeholder: "src/" },
  { name: "user_id", label: filterLabels.user },
  { name: "agent_id", label: filterLabels.agent },
  { name: "conversation_id", label: filterLabels.conversation },
];

const COLUMNS: readonly Column<Entity>[] = [
  {
    title: columns.entity,
    kind: "wide",
    cell: ({ id, value }) => (
      <a data-item href={linkTo(["entities", id], scope())}>
        <Text of={value} />
      </a>
    ),
  },
  { title: columns.kind, cell: ({ kind }) => kind.replaceAll("_", " ") },
  { title: columns.mentions, kind: "number", cell: ({ mention_count }) => counted(mention_count) },
  {
    title: columns.conversations,
    kind: "minor number",
    cell: ({ conversation_count }) => counted(conversation_count),
  },
  { title: columns.lastSeen, kind: "minor", cell: ({ last_seen_at }) => <Time at={last_seen_at} /> },
];

const counted = (value: number | null): string => (value === null ? texts.many : formatNumber(value));

/** The filters that the mentions of an entity have, too. */
const scope = () => ({
  user_id: filterValue("user_id"),
  agent_id: filterValue("agent_id"),
  conversation_id: filterValue("conversation_id"),
});

export function Screen() {
  const { query } = route.value;
  const pages = usePages(
    (signal) =>
      engram().entities.list(
        {
          ...{ kind: filterValue("kind"), prefix: filterValue("prefix"), ...scope(), limit: 50 },
        } as ListEntitiesQuery,
        { signal },
      ),
    [query.toString()],
  );
  return (
    <Frame title={texts.title} note={texts.note}>
      <Filters filters={FILTERS} />
      <PagedTable
        pages={pages}
        columns={COLUMNS}
        label={texts.title}
        empty={<Empty title={query.size > 0 ? texts.noMatch : texts.none}>{texts.noneText}</Empty>}
      />
    </Frame>
  );
}
