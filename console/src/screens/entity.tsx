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
import { type Sentence, sentenceAround } from "../sentence.ts";
import { engram } from "../session.ts";

const texts = MESSAGES.entities;
const { columns } = MESSAGES;

const FILTERS = commonFilters("user_id", "agent_id", "conversation_id");
/** Each mention needs its message and the title of its conversation. */
const LIMIT = 25;

type Row = Mention & { id: string };

/** What a mention is shown with. */
interface Said {
  sentence: Sentence;
  title: string | null;
}

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
function Place({ of: mention, read }: { of: Row; read(mention: Mention): Promise<Said> }) {
  const { conversation_id, sequence, text, id } = mention;
  const { value } = useLoaded(() => read(mention), [id]);
  const { sentence = { text, start: 0, end: text.length }, title } = value ?? {};
  return (
    <div class="mention">
      <a data-item href={linkTo(["conversations", conversation_id], { at: String(sequence) })}>
        <Text of={sentence.text} marks={[sentence]} />
      </a>
      <p class="note">
        {value !== undefined && (title ? <Text of={title} /> : MESSAGES.conversations.untitled)} #{sequence}
      </p>
    </div>
  );
}

/** Reads what mentions are shown with, each message and each conversation once. */
function createReader(): (mention: Mention) => Promise<Said> {
  const kept = new Map<string, Promise<unknown>>();
  const once = <T,>(id: string, load: () => Promise<T>): Promise<T> => {
    const loaded = (kept.get(id) as Promise<T> | undefined) ?? load();
    kept.set(id, loaded);
    return loaded;
  };
  return async ({ conversation_id, message_id, start, end }) => {
    const [{ content }, { title }] = await Promise.all([
      once(message_id, async () => engram().messages.get(conversation_id, message_id)),
      once(conversation_id, async () => engram().conversations.get(conversation_id, { message_limit: 1 })),
    ]);
    return { sentence: sentenceAround(content, start, end), title };
  };
}
