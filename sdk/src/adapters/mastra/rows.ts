import type { MastraDBMessage } from "@mastra/core/agent";
import type { StorageThreadType } from "@mastra/core/memory";
import type {
  MemoryStorage,
  StorageListMessagesInput,
  ThreadOrderBy,
  ThreadSortDirection,
} from "@mastra/core/storage";
import type { Conversation, Message, NewMessage } from "../../generated/schema.ts";
import { wellFormed } from "../../well-formed.ts";
import { readableText, wellFormedJson } from "../json.ts";
import { toParts } from "../parts.ts";
import { itemsIn, type StoredItem, toSameMessage } from "../pieces.ts";

export type MessageUpdate = Parameters<MemoryStorage["updateMessages"]>[0]["messages"][number];

/** Field of the conversation's metadata that holds `ThreadTimes`. */
const THREAD = "mastra_thread";

/** Times of a thread as Mastra set them. They differ from the conversation's own times. */
interface ThreadTimes {
  createdAt: string;
  updatedAt: string;
  /**
   * Value of `heldBy` for the conversation when `updatedAt` was set. If that value has changed, messages were written
   * or deleted since, and the conversation's own `updated_at` is used instead.
   */
  held: string;
}

const heldBy = ({ last_sequence, message_count }: Conversation) => `${message_count} of ${last_sequence}`;

export function threadMetadata(thread: StorageThreadType, conversation: Conversation) {
  const { metadata, createdAt, updatedAt } = thread;
  return { ...wellFormedJson(metadata), [THREAD]: { createdAt, updatedAt, held: heldBy(conversation) } };
}

export function toThread(conversation: Conversation): StorageThreadType {
  const { [THREAD]: times = {}, ...metadata } = conversation.metadata;
  const { createdAt, updatedAt, held } = times as Partial<ThreadTimes>;
  return {
    id: conversation.external_id ?? conversation.id,
    resourceId: conversation.user_id ?? "",
    title: conversation.title ?? undefined,
    createdAt: new Date(createdAt ?? conversation.created_at),
    updatedAt: new Date((held === heldBy(conversation) && updatedAt) || conversation.updated_at),
    metadata,
  };
}

export function toNewMessage(message: MastraDBMessage): NewMessage {
  const { id, role, content, createdAt } = message;
  return {
    role: role === "user" || role === "assistant" ? role : "system",
    content: readableText(content.parts.filter(({ type }) => type === "text")),
    ...toParts(message),
    external_id: wellFormed(id),
    // Mastra's type is `Date`, but callers may pass a string that they read from JSON.
    created_at: new Date(createdAt).toISOString(),
  };
}

/** The messages of Mastra in stored messages. Leaves out messages of other programs. */
export const toMastraItems = (stored: Message[]): StoredItem<MastraDBMessage>[] =>
  itemsIn<MastraDBMessage>(stored).map(({ value, pieces }) => {
    const createdAt = new Date(pieces.at(-1)?.created_at ?? value.createdAt);
    return { value: { ...value, createdAt }, pieces };
  });

export const toMastraMessages = (stored: Message[]): MastraDBMessage[] =>
  toMastraItems(stored).map(({ value }) => value);

/**
 * The stored messages, with each message of `saved` in place of the stored one with the same id, or at the end if there
 * is none.
 */
export function merged(stored: Message[], saved: NewMessage[]): NewMessage[] {
  const ids = new Set(saved.map(({ external_id }) => external_id));
  // Of a message that is replaced, only the last piece stays, whose place the new one takes.
  const earlier = new Set(
    toMastraItems(stored).flatMap(({ pieces }) =>
      ids.has(pieces.at(-1)?.external_id ?? undefined) ? pieces.slice(0, -1) : [],
    ),
  );
  const all = [...stored.filter((message) => !earlier.has(message)).map(toSameMessage), ...saved];
  return [...new Map(all.map((message) => [message.external_id ?? message, message])).values()];
}

export function withUpdate(message: MastraDBMessage, update: MessageUpdate): MastraDBMessage {
  const { content: change, ...rest } = update;
  const metadata = { ...message.content.metadata, ...change?.metadata };
  const content = { ...message.content, ...change, ...(change?.metadata && { metadata }) };
  return { ...message, ...given(rest), content };
}

/** Sorts by time. Items with equal times keep their order, which is reversed for `"DESC"`. */
export function inOrder<Item extends { [Field in ThreadOrderBy]?: Date }>(
  items: Item[],
  direction: ThreadSortDirection = "ASC",
  field: ThreadOrderBy = "createdAt",
): Item[] {
  const rising = [...items].sort((a, b) => Number(a[field]) - Number(b[field]));
  return direction === "ASC" ? rising : rising.reverse();
}

/** The fields of an object, without those that are null or undefined. */
const given = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));

/** The messages that Mastra's option `include` names, each with as many of its neighbors as the option requests. */
export const withNeighbors = (
  threads: MastraDBMessage[][],
  include: NonNullable<StorageListMessagesInput["include"]>,
): MastraDBMessage[] =>
  threads.flatMap((messages) =>
    include.flatMap(({ id, withPreviousMessages = 0, withNextMessages = 0 }) => {
      const at = messages.findIndex((message) => message.id === id);
      return at < 0 ? [] : messages.slice(Math.max(0, at - withPreviousMessages), at + withNextMessages + 1);
    }),
  );
