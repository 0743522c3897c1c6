import type { Conversation, Message } from "@engram/sdk";
import { useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { formatNumber } from "../format.ts";
import { useLoaded } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { Facts, Screen as Frame, Id, isEmptyObject, Json, Tags, Time } from "../parts/basics.tsx";
import { ConversationActions } from "../parts/conversation-actions.tsx";
import { DeleteButton } from "../parts/delete-button.tsx";
import { MessageView } from "../parts/message-view.tsx";
import { Presences } from "../parts/presences.tsx";
import { Empty, Failure, Loading } from "../parts/states.tsx";
import { Text } from "../parts/text.tsx";
import { VirtualList } from "../parts/virtual-list.tsx";
import { goTo, linkTo, route } from "../route.ts";
import { engram } from "../session.ts";

const texts = MESSAGES.conversation;
const ROW_HEIGHT = 96;
const BLOCK = 50;

export function Screen() {
  const id = route.value.path[1] ?? "";
  const loaded = useLoaded(
    (signal) => engram().conversations.get(id, { message_limit: 1 }, { signal }),
    [id],
  );
  const conversation = loaded.value;
  if (loaded.error !== undefined) return <Failure error={loaded.error} retry={loaded.reload} />;
  if (conversation === undefined) return <Loading />;
  return (
    <div class="conversation">
      <Frame
        title={conversation.title ? <Text of={conversation.title} /> : texts.untitled}
        note={<Id id={id} />}
        actions={
          <>
            <ConversationActions of={conversation} done={loaded.reload} />
            <button type="button" onClick={() => saveAsFile(conversation)}>
              {texts.save}
            </button>
            <DeleteButton
              label={texts.delete}
              question={texts.deleteQuestion(formatNumber(conversation.message_count))}
              remove={() => engram().conversations.delete(id)}
              done={() => goTo(["conversations"])}
            />
          </>
        }
      >
        <Presences id={id} />
        <About conversation={conversation} />
        {conversation.last_sequence === 0 ? (
          <Empty title={texts.noMessages} />
        ) : (
          <Chat conversation={conversation} />
        )}
      </Frame>
    </div>
  );
}

function About({ conversation }: { conversation: Conversation }) {
  const { user_id, agent_id, external_id, tags, metadata, created_at, updated_at } = conversation;
  return (
    <Facts
      of={[
        [MESSAGES.columns.messages, formatNumber(conversation.message_count)],
        [
          MESSAGES.columns.user,
          user_id && (
            <a href={linkTo(["conversations"], { user_id })}>
              <Text of={user_id} />
            </a>
          ),
        ],
        [
          MESSAGES.columns.agent,
          agent_id && (
            <a href={linkTo(["conversations"], { agent_id })}>
              <Text of={agent_id} />
            </a>
          ),
        ],
        [MESSAGES.filterLabels.externalId, external_id && <Text of={external_id} />],
        [MESSAGES.columns.created, <Time key="created" at={created_at} />],
        [MESSAGES.columns.updated, <Time key="updated" at={updated_at} />],
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
function Chat({ conversation }: { conversation: Conversation }) {
  const { id } = conversation;
  const [last, setLast] = useState(conversation.last_sequence);
  const [failure, setFailure] = useState<{ error: unknown; block: number }>();
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const blocks = useMemo(() => new Blocks(id), [id]);
  const range = useRef<[number, number]>([0, 0]);
  const asked = Number(route.value.query.get("at"));
  const target = Number.isInteger(asked) && asked > 0 ? Math.min(asked, last) : undefined;

  const load = (start: number, end: number) => {
    range.current = [start, end];
    for (const block of blocks.missing(start, end)) {
      blocks.load(block).then(
        () => redraw(0),
        (error) => setFailure({ error, block }),
      );
    }
  };
  useEffect(() => {
    const controller = new AbortController();
    const follow = async () => {
      const types = ["messages.appended", "messages.updated", "messages.deleted"] as const;
      const listening = engram().events.listen({
        conversation_id: id,
        type: [...types],
        signal: controller.signal,
      });
      for await (const { first_sequence, last_sequence } of listening) {
        blocks.expire((first_sequence ?? 1) - 1, last_sequence ?? Number.POSITIVE_INFINITY);
        if (last_sequence !== null) setLast((before) => Math.max(before, last_sequence));
        load(...range.current);
      }
    };
    // Without the log of events, the messages are those of the moment at which the screen was opened.
    follow().catch(() => {});
    return () => controller.abort();
  }, [id]);

  const retry = () => {
    setFailure(undefined);
    load(...range.current);
  };
  const go = (sequence: number) => goTo(["conversations", id], { at: String(sequence) });
  return (
    <>
      <div class="chat-bar">
        <button type="button" class="small" onClick={() => go(1)}>
          {texts.first}
        </button>
        <button type="button" class="small" onClick={() => go(last)}>
          {texts.latest}
        </button>
        <label>
          <span>{texts.jump}</span>
          <input
            type="number"
            min={1}
            max={last}
            value={target}
            placeholder={`1–${last}`}
            onChange={({ currentTarget }) => currentTarget.value !== "" && go(Number(currentTarget.value))}
          />
        </label>
      </div>
      {failure !== undefined && <Failure error={failure.error} retry={retry} />}
      <VirtualList
        count={last}
        estimate={ROW_HEIGHT}
        start={target === undefined ? undefined : target - 1}
        label={texts.messages}
        onRange={load}
        row={(index) => {
          const message = blocks.at(index);
          if (message === undefined) return <div class="message waiting" aria-hidden="true" />;
          if (message === null) return <p class="message gone">{texts.gone(index + 1)}</p>;
          return <MessageView message={message} isTarget={index + 1 === target} />;
        }}
      />
    </>
  );
}

/** The loaded messages of a conversation, in blocks of consecutive sequences. */
class Blocks {
  readonly #conversationId: string;
  readonly #loading = new Set<number>();
  /** Blocks that are shown, but have to be loaded again. */
  readonly #stale = new Set<number>();
  readonly #blocks = new Map<number, Map<number, Message>>();

  constructor(conversationId: string) {
    this.#conversationId = conversationId;
  }

  /** Blocks of a range of indexes that have to be loaded and are not on their way. */
  missing(start: number, end: number): number[] {
    const first = Math.floor(start / BLOCK);
    const count = Math.ceil(end / BLOCK) - first;
    return Array.from({ length: Math.max(0, count) }, (_, i) => first + i).filter(
      (block) => (!this.#blocks.has(block) || this.#stale.has(block)) && !this.#loading.has(block),
    );
  }

  async load(block: number): Promise<void> {
    this.#loading.add(block);
    this.#stale.delete(block);
    const query = { from_sequence: block * BLOCK + 1, to_sequence: (block + 1) * BLOCK, limit: BLOCK };
    try {
      const messages = await engram().messages.list(this.#conversationId, query).toArray({ max: BLOCK });
      this.#blocks.set(block, new Map(messages.map((message) => [message.sequence, message])));
    } finally {
      this.#loading.delete(block);
    }
  }

  /** Notes that messages of a range of indexes changed. */
  expire(start: number, end: number): void {
    for (const block of this.#blocks.keys()) {
      if ((block + 1) * BLOCK > start && block * BLOCK < end) this.#stale.add(block);
    }
  }

  /** Undefined while it is not loaded. Null if there is no such message, because it was deleted. */
  at(index: number): Message | null | undefined {
    const block = this.#blocks.get(Math.floor(index / BLOCK));
    return block === undefined ? undefined : (block.get(index + 1) ?? null);
  }
}

/** Saves the conversation with all its messages as a JSON file. */
async function saveAsFile({ id }: Conversation): Promise<void> {
  const { messages: _, ...conversation } = await engram().conversations.get(id, { message_limit: 1 });
  const messages = await engram()
    .messages.list(id, { limit: 1_000 })
    .toArray({ max: Number.POSITIVE_INFINITY });
  const text = JSON.stringify({ ...conversation, messages }, null, 2);
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = Object.assign(document.createElement("a"), { href: url, download: `${id}.json` });
  link.click();
  URL.revokeObjectURL(url);
}
