import type { AuditEvent, Conversation, Event, Memory, Recall } from "@engram/sdk";
import { PAGE_ITEMS_MAX } from "@engram/sdk/limits";
import { readBefore, readEnds } from "../event-log.ts";
import { formatNumber } from "../format.ts";
import { type Pages, unlessForbidden, useLoaded, usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { AuditAction, AuditBy, AuditMore, AuditRequest, AuditTarget } from "../parts/audit-parts.tsx";
import { Screen as Frame, Id } from "../parts/basics.tsx";
import { CREATED, MEMORY, UPDATED_AGO } from "../parts/columns.tsx";
import { EventText } from "../parts/event-text.tsx";
import { ItemState } from "../parts/item-state.tsx";
import { type KeyNames, useKeyNames } from "../parts/key-name.tsx";
import { RecallLink } from "../parts/recall-link.tsx";
import { Empty, Failure, Loading, WhenLoaded } from "../parts/states.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Text } from "../parts/text.tsx";
import { linkTo, route } from "../route.ts";
import { engram } from "../session.ts";
import { TRACES } from "../trace-messages.ts";

const texts = TRACES;
const { columns } = MESSAGES;
/** Memories that are shown, with the way to all. */
const SHOWN = 5;

/** What read, changed and was made of a conversation, or what a request changed, by its id. */
export function Screen() {
  const id = route.value.path[1] ?? "";
  return id.startsWith("req_") ? <OfRequest key={id} id={id} /> : <OfConversation key={id} id={id} />;
}

function OfConversation({ id }: { id: string }) {
  const loaded = useLoaded(
    (signal) => engram().conversations.get(id, { message_limit: 1 }, { signal }),
    [id],
  );
  const conversation = loaded.value;
  if (conversation === undefined || loaded.error !== undefined)
    return <ItemState title={texts.trace} of={loaded} />;
  return <ConversationTrace of={conversation} />;
}

function ConversationTrace({ of: conversation }: { of: Conversation }) {
  const { id, title } = conversation;
  const targets = new Set([id]);
  const readers = useReaders(id);
  // A deletion names the message, so that those that an answer had are known to be of this conversation.
  const known = new Set([id, ...readers.items.flatMap(({ items }) => idsIn(items, targets))]);
  return (
    <Frame
      title={<Text of={texts.ofConversation(title || MESSAGES.conversation.untitled)} />}
      note={texts.noteOfConversation}
      actions={
        <a class="button" href={linkTo(["conversations", id])}>
          {texts.openConversation}
        </a>
      }
    >
      <Readers title={texts.readers} of={readers} targets={targets} />
      <Changes of={conversation} targets={known} />
      <Derived id={id} />
    </Frame>
  );
}

function OfRequest({ id }: { id: string }) {
  const names = useKeyNames();
  const loaded = useLoaded(
    (signal) => engram().auditEvents.list({ request_id: id, limit: PAGE_ITEMS_MAX }, { signal }).page(),
    [id],
  );
  const readers = useReaders();
  const targets = new Set([id, ...(loaded.value?.items ?? []).map(({ target_id }) => target_id)]);
  return (
    <Frame
      title={texts.ofRequest}
      note={
        <>
          {texts.noteOfRequest} <Id id={id} />
        </>
      }
    >
      <section aria-label={texts.writers}>
        <h2>{texts.writers}</h2>
        <WhenLoaded of={loaded} rows={2}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title={texts.noRequest}>{texts.noRequestText}</Empty>
            ) : (
              <Table
                items={items.map(toChange)}
                columns={changesWith(names, new Map())}
                label={texts.writers}
              />
            )
          }
        </WhenLoaded>
      </section>
      <Readers title={texts.readersOfRequest} of={readers} targets={targets} />
    </Frame>
  );
}

/** The newest receipts: of a conversation, or all, because the API does not find them by request. */
const useReaders = (conversation_id?: string): Pages<Recall> =>
  usePages(
    (signal) =>
      engram().recalls.list(
        { ...(conversation_id && { conversation_id }), limit: PAGE_ITEMS_MAX },
        { signal },
      ),
    [conversation_id],
  );

/** Ids of the items that are targets, or messages of a conversation that is one. */
const idsIn = (items: Recall["items"], targets: ReadonlySet<string>): string[] =>
  items.flatMap(({ id, conversation_id }) =>
    targets.has(id) || targets.has(conversation_id ?? "") ? [id] : [],
  );

/** The receipts among those that were looked at whose answers had the targets, or whose run has their id. */
function Readers(props: { title: string; of: Pages<Recall>; targets: ReadonlySet<string> }) {
  const { title, targets } = props;
  const { items, error, isLoading, hasMore, more, reload } = props.of;
  const found = items.filter(
    (recall) => targets.has(recall.run_id ?? "") || idsIn(recall.items, targets).length > 0,
  );
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {error !== undefined && <Failure error={error} retry={items.length === 0 ? reload : more} />}
      {isLoading && items.length === 0 && <Loading rows={2} />}
      {found.length > 0 && (
        <Table<Recall>
          items={found}
          label={title}
          columns={[
            { title: texts.answer, kind: "wide", cell: (recall) => <RecallLink of={recall} /> },
            {
              title: texts.count,
              kind: "number",
              cell: (recall) => formatNumber(idsIn(recall.items, targets).length),
            },
            CREATED,
          ]}
        />
      )}
      {!isLoading && error === undefined && found.length === 0 && <p class="note">{texts.noReaders}</p>}
      {items.length > 0 && (
        <footer class="table-foot">
          <span class="note">
            {found.length === items.length
              ? texts.found(formatNumber(found.length))
              : texts.looked(formatNumber(found.length), formatNumber(items.length))}
          </span>
          {hasMore && (
            <button type="button" disabled={isLoading} onClick={more}>
              {isLoading ? MESSAGES.loading : texts.further}
            </button>
          )}
        </footer>
      )}
    </section>
  );
}

/** A change, as the log of events or the audit log has it. */
interface Change {
  id: string;
  created_at: string;
  event?: Event;
  audit?: AuditEvent;
}

const toChange = (audit: AuditEvent): Change => ({ id: audit.id, created_at: audit.created_at, audit });

/** What was done, and in narrow pages by whom and by which request, which have no columns there. */
const AuditText = ({ of: audit, names }: { of: AuditEvent; names: KeyNames }) => (
  <>
    <AuditAction of={audit} />
    <AuditTarget of={audit} names={names} />
    <AuditMore of={audit} names={names} />
  </>
);

const changesWith = (names: KeyNames, titles: ReadonlyMap<string, string>): readonly Column<Change>[] => [
  {
    title: columns.event,
    kind: "wide",
    cell: ({ event, audit }) => (
      <>
        {event && <EventText of={event} names={titles} />}
        {audit && <AuditText of={audit} names={names} />}
      </>
    ),
  },
  { title: columns.by, kind: "minor", cell: ({ audit }) => audit && <AuditBy of={audit} names={names} /> },
  { title: MESSAGES.requestId, kind: "extra", cell: ({ audit }) => audit && <AuditRequest of={audit} /> },
  CREATED,
];

/** The changes of a conversation, newest first. */
function Changes({ of: { id, title }, targets }: { of: Conversation; targets: ReadonlySet<string> }) {
  const names = useKeyNames();
  const loaded = useLoaded(
    async (signal) => {
      const readEvents = async () => {
        const { end, oldest } = await readEnds(signal);
        return readBefore(end, oldest, { conversation_id: id }, signal);
      };
      const audit = engram().auditEvents.list({ limit: PAGE_ITEMS_MAX }, { signal }).page();
      return Promise.all([readEvents(), unlessForbidden(audit)]);
    },
    [id],
  );
  return (
    <section aria-label={texts.writers}>
      <h2>{texts.writers}</h2>
      <p class="search-state note">{texts.writersNote}</p>
      <WhenLoaded of={loaded} rows={3}>
        {([{ events }, audit]) => {
          const done = (audit?.items ?? []).filter(({ target_id }) => targets.has(target_id)).map(toChange);
          const changes = [
            ...events.map((event) => ({ id: event.id, created_at: event.created_at, event })),
            ...done,
          ];
          changes.sort((a, b) => b.created_at.localeCompare(a.created_at));
          return (
            <>
              {audit === null && <p class="note">{texts.auditForbidden}</p>}
              {changes.length === 0 ? (
                <p class="note">{texts.noWriters}</p>
              ) : (
                <Table
                  items={changes}
                  columns={changesWith(names, new Map([[id, title || MESSAGES.conversation.untitled]]))}
                  label={texts.writers}
                />
              )}
            </>
          );
        }}
      </WhenLoaded>
    </section>
  );
}

const MEMORIES: readonly Column<Memory>[] = [MEMORY, UPDATED_AGO];

/** The newest memories that cite messages of a conversation, and the way to its summaries. */
function Derived({ id }: { id: string }) {
  const where = { source_conversation_id: id };
  const loaded = useLoaded(
    (signal) =>
      engram()
        .memories.list({ ...where, sort: "updated_at", limit: SHOWN }, { signal })
        .page(),
    [id],
  );
  return (
    <section aria-label={texts.derived}>
      <header class="section-head">
        <h2>{texts.derived}</h2>
        <span class="actions">
          <a href={linkTo(["memories"], where)} aria-label={`${texts.all}: ${texts.derived}`}>
            {texts.all}
          </a>
          <a href={linkTo(["conversations", id], { show: "summaries" })}>{texts.summaries}</a>
        </span>
      </header>
      <WhenLoaded of={loaded} rows={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="note">{texts.noDerived}</p>
          ) : (
            <Table items={items} columns={MEMORIES} label={texts.derived} />
          )
        }
      </WhenLoaded>
    </section>
  );
}
