import type { ListMentionsQuery, Mention } from "@engram/sdk";
import { usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { Screen as Frame, Id, Time } from "../parts/basics.tsx";
import { type Filter, Filters, filterValue } from "../parts/filters.tsx";
import { Empty } from "../parts/states.tsx";
import { type Column, PagedTable } from "../parts/table.tsx";
import { Text } from "../parts/text.tsx";
import { linkTo, route } from "../route.ts";
import { engram } from "../session.ts";

const texts = MESSAGES.entities;
const { filterLabels, columns } = MESSAGES;

const FILTERS: readonly Filter[] = [
  { name: "user_id", label: filterLabels.user },
  { name: "agent_id", label: filterLabels.agent },
  { name: "conversation_id", label: filterLabels.conversation },
];

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
  { title: columns.created, cell: ({ created_at }) => <Time at={created_at} /> },
];

/** The places where messages mention an entity. */
export function Screen() {
  const { path, query } = route.value;
  const id = path[1] ?? "";
  const pages = usePages(
    (signal) =>
      engram().entities.mentions(
        id,
        {
          ...{ user_id: filterValue("user_id"), agent_id: filterValue("agent_id") },
          ...{ conversation_id: filterValue("conversation_id"), limit: 50 },
        } as ListMentionsQuery,
        { signal },
      ),
    [id, query.toString()],
  );
  const written = pages.items[0]?.text;
  const items = pages.items.map((mention) => ({ ...mention, id: `${mention.message_id}/${mention.start}` }));
  return (
    <Frame
      title={written === undefined ? texts.one : <Text of={written} />}
      note={<Id id={id} />}
      actions={
        written !== undefined && (
          <a class="button" href={linkTo(["search"], { q: written, in: "conversations" })}>
            {texts.find}
          </a>
        )
      }
    >
      <Filters filters={FILTERS} />
      <PagedTable
        pages={{ ...pages, items }}
        columns={COLUMNS}
        label={texts.mentions}
        empty={<Empty title={texts.noMentions}>{texts.noMentionsText}</Empty>}
      />
    </Frame>
  );
}
