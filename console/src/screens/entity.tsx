import type { ListMentionsQuery, Mention } from "@engram/sdk";
import { useMemo } from "preact/hooks";
import { useLoaded, usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { Id } from "../parts/basics.tsx";
import { commonFilters, filtered } from "../parts/filters.tsx";
import { ListScreen } from "../parts/list-screen.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import type { Column } from "../parts/table.tsx";
import { Text } from "../parts/text.tsx";
import { linkTo, route } from "../route.ts";
import { createReader, type ReadSaid } from "../said.ts";
import { sentenceAround } from "../sentence.ts";
import { engram } from "../session.ts";

const texts = MESSAGES.entities;
const { columns } = MESSAGES;

const FILTERS = commonFilters("user_id", "agent_id", "conversation_id");
/** Each mention needs its message and the title of its conversation. */
const LIMIT = 25;

type Row = Mention & { id: string };

/** The places where messages mention an entity. */
export function Screen() {
  const { path, query } = route.value;
  const id = path[1] ?? "";
  const where = [id, query.toString()];
  const pages = usePages(
    (signal) =>
      engram().entities.mentions(id, { ...filtered(FILTERS), limit: LIMIT } as ListMentionsQuery, { signal }),
    where,
  );
  const read = useMemo(createReader, where);
  const written = pages.items[0]?.text;
  const items = pages.items.map((mention) => ({ ...mention, id: `${mention.message_id}/${mention.start}` }));
  const listColumns: readonly Column<Row>[] = [
    { title: texts.mentions, kind: "wide", cell: (mention) => <Place of={mention} read={read} /> },
    { title: columns.created, cell: ({ created_at }) => <RelativeTime at={created_at} /> },
  ];
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
      columns={listColumns}
    />
  );
}

/** The sentence of a mention. Until it is loaded, and if it cannot be, the mention alone. */
function Place({ of: mention, read }: { of: Row; read: ReadSaid }) {
  const { conversation_id, message_id, sequence, text, start, end, id } = mention;
  const { value } = useLoaded(() => read(conversation_id, message_id), [id]);
  const sentence =
    value === undefined
      ? { text, start: 0, end: text.length }
      : sentenceAround(value.message.content, start, end);
  return (
    <div class="mention">
      <a data-item href={linkTo(["conversations", conversation_id], { at: String(sequence) })}>
        <Text of={sentence.text} marks={[sentence]} />
      </a>
      <p class="note">
        {value !== undefined && (value.title ? <Text of={value.title} /> : MESSAGES.conversations.untitled)} #
        {sequence}
      </p>
    </div>
  );
}
