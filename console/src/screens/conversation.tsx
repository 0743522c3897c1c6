import type { Conversation, Message } from "@engram/sdk";
import { useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { ChatRows } from "../chat-rows.ts";
import { type Derived, loadDerived } from "../derived-memories.ts";
import { useFollowing } from "../following.ts";
import { countOrMany, formatNumber } from "../format.ts";
import { Lazy } from "../lazy.tsx";
import { useLoaded } from "../load.ts";
import { type Gap, MessageBlocks } from "../message-blocks.ts";
import { MESSAGES } from "../messages.ts";
import { AddressForm, sendForm } from "../parts/address-form.tsx";
import { Badge, Facts, Screen as Frame, Id, isEmptyObject, Json, Tags, Time } from "../parts/basics.tsx";
import { ChatMessage } from "../parts/chat-message.tsx";
import { ConversationActions } from "../parts/conversation-actions.tsx";
import { DeleteButton } from "../parts/delete-button.tsx";
import { ItemState } from "../parts/item-state.tsx";
import type { MessageAction } from "../parts/message-dialog.tsx";
import { linkFact, ownerFacts } from "../parts/owner-facts.tsx";
import { Presences } from "../parts/presences.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { saveJson } from "../parts/save-json.ts";
import { Empty, Failure, NotLive } from "../parts/states.tsx";
import { Text } from "../parts/text.tsx";
import { VirtualList } from "../parts/virtual-list.tsx";
import { isMarkdown, loadMarkdown, markdown, switchMarkdown } from "../reading.ts";
import { goTo, linkTo, route } from "../route.ts";
import { engram } from "../session.ts";
import { onKeys } from "../shortcuts.ts";
import { wholeConversation } from "../whole-conversation.ts";

const texts = MESSAGES.conversation;
const ROW_HEIGHT = 96;
/** Requests for messages that run at once. */
const LOADS_MAX = 2;
const FOLLOWED = ["messages.appended", "messages.updated", "messages.deleted"] as const;

export function Screen() {
  const id = route.value.path[1] ?? "";
  const loaded = useLoaded(
    (signal) => engram().conversations.get(id, { message_limit: 1 }, { signal }),
    [id],
  );
  const conversation = loaded.value;
  if (conversation === undefined || loaded.error !== undefined)
    return <ItemState title={MESSAGES.columns.conversation} of={loaded} />;
  return (
    <div class="conversation">
      <Frame
        title={conversation.title ? <Text of={conversation.title} /> : texts.untitled}
        note={<Id id={id} />}
        actions={
          <>
            <ConversationActions of={conversation} done={loaded.reload} />
            <button type="button" onClick={async () => saveJson(id, await wholeConversation(id))}>
              {texts.save}
            </button>
            <DeleteButton
              label={texts.delete}
              question={texts.deleteQuestion(formatNumber(conversation.message_count))}
              forgets="conversation"
              remove={(options) => engram().conversations.delete(id, options)}
              done={() => goTo(["conversations"])}
            />
          </>
        }
      >
        <Presences id={id} />
        <Parts conversation={conversation} />
      </Frame>
    </div>
  );
}

function Parts({ conversation }: { conversation: Conversation }) {
  const { id, last_sequence } = conversation;
  // Without them, the conversation is shown all the same.
  const { value: derived } = useLoaded((signal) => loadDerived(id, signal), [id]);
  return (
    <div class="conversation-parts">
      <About {...{ conversation, derived }} />
      {last_sequence === 0 ? (
        <Empty title={texts.noMessages} />
      ) : route.value.query.get("show") === "summaries" ? (
        <Lazy key={id} load={() => import("../parts/summaries.tsx")} />
      ) : (
        <Chat key={id} {...{ conversation, derived }} />
      )}
    </div>
  );
}

type Facet = { conversation: Conversation; derived: Derived | undefined };

function About({ conversation, derived }: Facet) {
  const { id, external_id, tags, metadata, created_at, updated_at, expires_at } = conversation;
  return (
    <Facts
      of={[
        [MESSAGES.columns.messages, formatNumber(conversation.message_count)],
        ...ownerFacts("conversations", conversation),
        [MESSAGES.filterLabels.externalId, external_id && <Text of={external_id} />],
        [MESSAGES.columns.created, <RelativeTime key="created" at={created_at} />],
        [MESSAGES.columns.updated, <RelativeTime key="updated" at={updated_at} />],
        [MESSAGES.columns.expires, expires_at && <Time key="expires" at={expires_at} />],
        linkFact(MESSAGES.navigation.places.entities, ["entities"], { conversation_id: id }),
        linkFact(texts.summaries, ["conversations", id], { show: "summaries" }),
        linkFact(texts.trace, ["trace", id]),
        [
          MESSAGES.columns.memories,
          derived !== undefined && derived.count !== 0 && (
            <a key="memories" href={linkTo(["memories"], { source_conversation_id: id })}>
              {countOrMany(derived.count)}
            </a>
          ),
        ],
        [MESSAGES.columns.tags, tags.length > 0 && <Tags tags={tags} />],
        [
          MESSAGES.filterLabels.metadata,
          !isEmptyObject(metadata) && (
            <details>
              <summary>{MESSAGES.show}</summary>
              <Json of={metadata} />
            </details>
          ),
        ],
      ]}
    />
  );
}

/** The messages. Blocks of them are loaded when they are scrolled to, and new ones appear as they are stored. */
function Chat({ conversation, derived }: Facet) {
  const { id } = conversation;
  const [last, setLast] = useState(conversation.last_sequence);
  const [failure, setFailure] = useState<unknown>();
  const [asked, setAsked] = useState<{ action: MessageAction; message: Message }>();
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const blocks = useMemo(() => new MessageBlocks(id), [id]);
  const range = useRef<[number, number]>([0, 0]);
  const lastNow = useRef(last);
  lastNow.current = last;
  const at = Number(route.value.query.get("at"));
  const rows = new ChatRows(blocks, last);
  const target = Number.isInteger(at) && at > 0 ? rows.rowOf(Math.min(at, last) - 1) : undefined;
  const unfolded = useMemo(() => new Set<string>(), []);
  useEffect(() => {
    if (isMarkdown.value) loadMarkdown();
  }, [isMarkdown.value]);
  useEffect(() => onKeys({ m: switchMarkdown, o: unfold, Enter: unfold }), []);

  const load = (start: number, end: number) => {
    range.current = [start, end];
    // One request may load several blocks.
    for (const block of blocks.missing(start, end).slice(0, LOADS_MAX)) {
      blocks.load(block, lastNow.current).then(() => {
        redraw(0);
        load(...range.current);
      }, setFailure);
    }
  };
  const changed = (first: number, end: number) => {
    blocks.expire(first - 1, end);
    load(...range.current);
  };
  const live = useFollowing(
    async ({ signal, begun }) => {
      const { after } = await engram().events.list({ after: "now", limit: 1 }, { signal });
      // What was stored between the loading of the screen and this position has no later event.
      const { last_sequence: newest } = await engram().conversations.get(
        id,
        { message_limit: 1 },
        { signal },
      );
      setLast((before) => Math.max(before, newest));
      changed(1, Number.POSITIVE_INFINITY);
      begun();
      for await (const { first_sequence, last_sequence } of engram().events.listen({
        ...{ after, conversation_id: id, type: [...FOLLOWED], signal },
      })) {
        if (last_sequence !== null) setLast((before) => Math.max(before, last_sequence));
        changed(first_sequence ?? 1, last_sequence ?? Number.POSITIVE_INFINITY);
      }
    },
    [id],
  );

  const retry = () => {
    setFailure(undefined);
    load(...range.current);
  };
  const memory = route.value.query.get("memory") ?? undefined;
  const go = (sequence: number) => goTo(["conversations", id], { at: String(sequence), memory });
  const memoriesOf = (message: Message) => {
    const ids = derived?.of.get(message.id) ?? [];
    const [first] = ids;
    if (first === undefined) return null;
    const isOne = ids.length === 1 && derived?.isComplete;
    return (
      <a
        class="derived"
        title={texts.derived}
        href={isOne ? linkTo(["memories", first]) : linkTo(["memories"], { source_message_id: message.id })}
      >
        {texts.memories(ids.length)}
      </a>
    );
  };
  const actions = (message: Message) => (
    <>
      {derived?.isComplete === false && (
        <a class="button" href={linkTo(["memories"], { source_message_id: message.id })}>
          {texts.derived}
        </a>
      )}
      {message.role === "tool" && memoriesOf(message)}
      <button type="button" class="small" onClick={() => setAsked({ action: "edit", message })}>
        {MESSAGES.edit}
      </button>
      <button type="button" class="small danger" onClick={() => setAsked({ action: "delete", message })}>
        {texts.deleteMessage}
      </button>
      <a href={linkTo(["context"], { conversation_id: id, as_of: `${id}:${message.sequence}` })}>
        {texts.contextAsOf}
      </a>
      <a href={linkTo(["receipts"], { item_id: message.id })}>{texts.answers}</a>
    </>
  );
  const loadDialog = async (about: { action: MessageAction; message: Message }) => {
    const { MessageDialog } = await import("../parts/message-dialog.tsx");
    const close = () => setAsked(undefined);
    const done = () => {
      close();
      changed(about.message.sequence, about.message.sequence);
    };
    return { Screen: () => <MessageDialog {...about} {...{ conversationId: id, close, done }} /> };
  };
  return (
    <section class="chat">
      <div class="chat-bar">
        {memory !== undefined && <a href={linkTo(["memories", memory])}>← {texts.backToMemory}</a>}
        <button type="button" class="small" onClick={() => go(1)}>
          {texts.first}
        </button>
        <button type="button" class="small" onClick={() => go(last)}>
          {texts.latest}
        </button>
        <AddressForm label={texts.jump}>
          <label>
            <span>{texts.jump}</span>
            <input
              aria-label={texts.jump}
              {...{ type: "number", name: "at", min: 1, max: last, placeholder: `1–${last}` }}
              defaultValue={route.value.query.get("at") ?? ""}
              onChange={sendForm}
            />
          </label>
        </AddressForm>
        <label title={texts.markdownNote}>
          <input type="checkbox" checked={isMarkdown.value} onChange={switchMarkdown} />
          <span>{texts.markdown}</span> <kbd>m</kbd>
        </label>
        {live.isLive && <Badge tone="good">{MESSAGES.events.live}</Badge>}
      </div>
      {failure !== undefined && <Failure error={failure} retry={retry} />}
      <NotLive of={live} />
      <VirtualList
        count={last}
        estimate={ROW_HEIGHT}
        start={target === undefined ? undefined : (rows.runAt(target)?.start ?? target)}
        visit={route.value}
        label={texts.messages}
        onRange={load}
        runAt={(index) => rows.runAt(index)}
        row={(index) => {
          const gap = blocks.gapAt(index, last);
          if (gap !== undefined) return <NotHere gap={gap} conversation={conversation} />;
          const message = blocks.at(index);
          if (!message) return <div class="message waiting" aria-hidden="true" />;
          return (
            <ChatMessage
              {...{ message, unfolded, actions, memoriesOf }}
              results={rows.resultsOf(index)}
              before={rows.before(index)}
              isTarget={index === target}
              format={isMarkdown.value ? markdown.value : null}
            />
          );
        }}
      />
      {asked !== undefined && <Lazy load={() => loadDialog(asked)} meanwhile={null} />}
    </section>
  );
}

/** Unfolds all parts of the message that has the focus, or folds them. @returns False if no message has it. */
function unfold(): boolean {
  const { activeElement } = document;
  if (activeElement?.matches(".message[data-item]") !== true) return false;
  const folds = [...activeElement.querySelectorAll("details")];
  const own = folds.filter(({ classList }) => classList.contains("fold"));
  const shown = own.length > 0 ? own : folds;
  const isOpen = shown.every(({ open }) => open);
  for (const each of shown) each.open = !isOpen;
  return true;
}

/** Messages that were deleted, or that an import found in the conversation that this one continues. */
function NotHere({ gap: { start, end }, conversation }: { gap: Gap; conversation: Conversation }) {
  const origin = start === 0 ? conversation.metadata.branch_of : undefined;
  return (
    <p class="message gone">
      {texts.notHere(formatNumber(end - start), start + 1, end)}{" "}
      {typeof origin === "string" && (
        <a href={linkTo(["conversations", origin], { at: String(end) })}>{texts.continued}</a>
      )}
    </p>
  );
}
