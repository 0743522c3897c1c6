import type { Entity, ListEntitiesQuery } from "@engram/sdk";
import { ENTITY_MENTIONS_RANKED_MAX } from "@engram/sdk/limits";
import { countOrMany, formatNumber } from "../format.ts";
import { usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { ENTITY_KIND, MENTIONS } from "../parts/columns.tsx";
import { commonFilters, type Filter, filtered } from "../parts/filters.tsx";
import { ListScreen } from "../parts/list-screen.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import type { Column } from "../parts/table.tsx";
import { Text } from "../parts/text.tsx";
import { linkTo, type Query, route } from "../route.ts";
import { engram } from "../session.ts";

const texts = MESSAGES.entities;
const { filterLabels, columns } = MESSAGES;

/** The filters that the mentions of an entity have, too. */
const MENTION_FILTERS = commonFilters("user_id", "agent_id", "conversation_id");

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
  ...MENTION_FILTERS,
  {
    ...{ name: "sort", label: filterLabels.sort, isField: true },
    ...{ placeholder: columns.mentions, choices: ["value"] },
  },
];

const COLUMNS: readonly Column<Entity>[] = [
  {
    title: columns.entity,
    kind: "wide",
    cell: ({ id, value }) => (
      <a data-item href={linkTo(["entities", id], filtered(MENTION_FILTERS) as Query)}>
        <Text of={value} />
      </a>
    ),
  },
  ENTITY_KIND,
  MENTIONS,
  {
    title: columns.conversations,
    kind: "minor number",
    cell: ({ conversation_count }) => countOrMany(conversation_count),
  },
  { title: columns.lastSeen, kind: "minor", cell: ({ last_seen_at }) => <RelativeTime at={last_seen_at} /> },
];

export function Screen() {
  const pages = usePages(
    (signal) => {
      const query = { sort: "mentions", ...filtered(FILTERS), limit: 50 } as ListEntitiesQuery;
      return engram().entities.list(query, { signal });
    },
    [route.value.query.toString()],
  );
  return (
    <ListScreen
      texts={{ ...texts, note: texts.note(formatNumber(ENTITY_MENTIONS_RANKED_MAX)) }}
      filters={FILTERS}
      pages={pages}
      columns={COLUMNS}
    />
  );
}
