import type { Entity, ExportedLine, ListedConversation, Memory, User } from "@engram/sdk";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { countOrMany, formatNumber } from "../format.ts";
import { useAction, useLoaded } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { Facts, Screen as Frame, Time } from "../parts/basics.tsx";
import { ENTITY_KIND, MEMORY, MENTIONS, SAID_AGO, UPDATED_AGO } from "../parts/columns.tsx";
import { DeleteDialog } from "../parts/delete-dialog.tsx";
import { ItemState } from "../parts/item-state.tsx";
import { ConversationTitle, LastMessage } from "../parts/listed-conversation.tsx";
import { Menu } from "../parts/menu.tsx";
import { Named } from "../parts/named.tsx";
import { linkFact } from "../parts/owner-facts.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { saveLines } from "../parts/save-json.ts";
import { Failure, WhenLoaded } from "../parts/states.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Text } from "../parts/text.tsx";
import { goTo, linkTo, route } from "../route.ts";
import { engram } from "../session.ts";

const texts = MESSAGES.users;
const { columns } = MESSAGES;
/** Items of each list. */
const SHOWN = 5;

/** What is stored of a user. */
export function Screen() {
  const id = route.value.path[1] ?? "";
  const [isDeleting, setDeleting] = useState(false);
  const exported = useExport(id);
  const loaded = useLoaded((signal) => engram().users.get(id, { signal }), [id]);
  const user = loaded.value;
  if (user === undefined || loaded.error !== undefined) return <ItemState title={texts.one} of={loaded} />;
  return (
    <Frame
      title={<Text of={id} />}
      note={texts.one}
      actions={
        <>
          <button
            type="button"
            title={texts.exportText}
            disabled={exported.lines !== undefined}
            onClick={exported.save}
          >
            {exported.lines === undefined ? texts.export : texts.exporting(formatNumber(exported.lines))}
          </button>
          <Menu
            class=""
            items={[{ label: `${texts.delete}…`, isDanger: true, act: () => setDeleting(true) }]}
          />
        </>
      }
    >
      {exported.error !== undefined && <Failure error={exported.error} />}
      <About of={user} />
      <Lists id={id} />
      {isDeleting && (
        <DeleteDialog
          label={texts.delete}
          question={
            <>
              <Named of={id}>{texts.deleteQuestion}</Named>
              <p>{texts.deleteHolds}</p>
            </>
          }
          remove={() => engram().users.delete(id)}
          close={(isDeleted) => {
            setDeleting(false);
            if (isDeleted) goTo(["users"]);
          }}
        />
      )}
    </Frame>
  );
}

function About({ of: user }: { of: User }) {
  const { conversation_count, memory_count, first_seen_at, last_seen_at } = user;
  return (
    <Facts
      of={[
        [columns.conversations, countOrMany(conversation_count)],
        [columns.memories, countOrMany(memory_count)],
        [texts.firstSeen, first_seen_at && <Time at={first_seen_at} />],
        [columns.lastSeen, last_seen_at && <RelativeTime at={last_seen_at} />],
        linkFact(MESSAGES.navigation.places.receipts, ["receipts"], { user_id: user.id }),
      ]}
    />
  );
}

/** Saves all lines of the user's data as a file. `lines` counts those that have arrived, while it runs. */
function useExport(id: string): { lines: number | undefined; error: unknown; save(): void } {
  const [lines, setLines] = useState<number>();
  const { error, run } = useAction();
  const left = useRef(new AbortController());
  useEffect(() => () => left.current.abort(), []);
  const save = () =>
    run(async () => {
      const { signal } = left.current;
      const received: ExportedLine[] = [];
      setLines(0);
      try {
        for await (const line of engram().export({ user_id: id }, { signal })) {
          received.push(line);
          if (received.length % 100 === 0) setLines(received.length);
        }
        saveLines(fileName(id), received);
      } catch (failure) {
        if (!signal.aborted) throw failure;
      } finally {
        setLines(undefined);
      }
    });
  return { lines, error, save };
}

/** A user id as the name of a file. */
const fileName = (id: string): string => `user-${id.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 60)}`;

const CONVERSATIONS: readonly Column<ListedConversation>[] = [
  {
    title: columns.conversation,
    kind: "wide",
    cell: (conversation) => (
      <div class="one-line">
        <a data-item href={linkTo(["conversations", conversation.id])}>
          <ConversationTitle of={conversation} />
        </a>
        <span class="note">
          <LastMessage of={conversation} />
        </span>
      </div>
    ),
  },
  {
    title: columns.messages,
    kind: "minor number",
    cell: ({ message_count }) => formatNumber(message_count),
  },
  SAID_AGO,
];

const MEMORIES: readonly Column<Memory>[] = [MEMORY, UPDATED_AGO];

const ENTITIES: readonly Column<Entity>[] = [
  {
    title: columns.entity,
    kind: "wide",
    cell: ({ id, value }) => (
      <a data-item href={linkTo(["entities", id], { user_id: route.value.path[1] })}>
        <Text of={value} />
      </a>
    ),
  },
  ENTITY_KIND,
  MENTIONS,
];

/** The newest conversations and memories of a user, and the most mentioned entities, each with the way to all of them. */
function Lists({ id }: { id: string }) {
  const where = { user_id: id, limit: SHOWN };
  return (
    <>
      <Newest
        title={MESSAGES.conversations.title}
        place="conversations"
        none={texts.noConversations}
        columns={CONVERSATIONS}
        load={(signal) =>
          engram()
            .conversations.list({ ...where, sort: "last_message_at", include_last_message: true }, { signal })
            .page()
        }
      />
      <Newest
        title={MESSAGES.memories.title}
        place="memories"
        none={texts.noMemories}
        columns={MEMORIES}
        load={(signal) =>
          engram()
            .memories.list({ ...where, sort: "updated_at" }, { signal })
            .page()
        }
      />
      <Newest
        title={MESSAGES.entities.title}
        place="entities"
        none={texts.noEntities}
        columns={ENTITIES}
        load={(signal) =>
          engram()
            .entities.list({ ...where, sort: "mentions" }, { signal })
            .page()
        }
      />
    </>
  );
}

function Newest<T extends { id: string }>(props: {
  title: string;
  place: string;
  none: ComponentChildren;
  columns: readonly Column<T>[];
  load(signal: AbortSignal): Promise<{ items: T[] }>;
}) {
  const { title, place, none, load } = props;
  const id = route.value.path[1] ?? "";
  return (
    <section aria-label={title}>
      <header class="section-head">
        <h2>{title}</h2>
        <a href={linkTo([place], { user_id: id })} aria-label={`${texts.all}: ${title}`}>
          {texts.all}
        </a>
      </header>
      <WhenLoaded of={useLoaded(load, [id])} rows={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="note">{none}</p>
          ) : (
            <Table items={items} columns={props.columns} label={title} />
          )
        }
      </WhenLoaded>
    </section>
  );
}
