import type { ListMentionsQuery, Mention } from "@engram/sdk";
import { usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { Id } from "../parts/basics.tsx";
import { CREATED } from "../parts/columns.tsx";
import { commonFilters, filtered } from "../parts/filters.tsx";
import { ListScreen } from "../parts/list-screen.tsx";
import type { Column } from "../parts/table.tsx";
import { Text } from "../parts/text.tsx";
import { linkTo, route } from "../route.ts";
import { engram } from "../session.ts";

const texts = MESSAGES.entities;
const { columns } = MESSAGES;

const FILTERS = commonFilters("user_id", "agent_id", "conversation_id");

const COLUMNS: readonly Column<Mention & { id: string }>[] = [
  {
    title: texts.mentions,
    kind: "wide",
    cell: ({ conversation_id, sequence, text }) => (
      <a data-item href={linkTo(["conversations", conversation_id], { at: String(sequence) })}>
        <Text of={text} />
      </a>
    ),
  },
  { title: columns.sequence, kind: "number", cell: ({ sequence }) => sequence },
  {
    title: columns.conversation,
    kind: "minor",
    cell: ({ conversation_id }) => <code>{conversation_id}</code>,
  },
  CREATED,
];

/** The places where messages mention an entity. */
export function Screen() {
  const { path, query } = route.value;
  const id = path[1] ?? "";
  const pages = usePages(
    (signal) =>
      engram().entities.mentions(id, { ...filtered(FILTERS), limit: 50 } as ListMentionsQuery, { signal }),
    [id, query.toString()],
  );
  const written = pages.items[0]?.text;
  const items = pages.items.map((mention) => ({ ...mention, id: `${mention.message_id}/${mention.start}` }));
  return (
    <ListScreen
      texts={{ title: texts.mentions, none: texts.noMentions, noneText: texts.noMentionsText }}
      title={written === undefined ? texts.one : <Text of={written} />}
      note={<Id id={id} />}
      actions={
        written !== undefined && (
          <a class="button" href={linkTo(["search"], { q: written, in: "conversations" })}>
            {texts.find}
          </a>
        )
      }
      filters={FILTERS}
      pages={{ ...pages, items }}
      columns={COLUMNS}
    />
  );
}
