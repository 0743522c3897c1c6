import type { MastraDBMessage } from "@mastra/core/agent";
import type { StorageThreadType } from "@mastra/core/memory";
import type {
  MemoryStorage,
  StorageListMessagesInput,
  StorageResourceType,
  ThreadOrderBy,
  ThreadSortDirection,
} from "@mastra/core/storage";
import type { Conversation, Message, NewMessage } from "../../generated/schema.ts";

export type MessageUpdate = Parameters<MemoryStorage["updateMessages"]>[0]["messages"][number];

/** Metadata field for thread data that is not in the thread's own metadata. */
const THREAD = "mastra_thread";

/** Thread data that the conversation itself does not have. */
interface ThreadTimes {
  createdAt: string;
  updatedAt: string;
  /**
   * The conversation's message count and last sequence when `updatedAt` was set. If they differ now,
   * `updatedAt` is outdated.
   */
  held: string;
}

const heldBy = ({ last_sequence, message_count }: Conversation) => `${message_count} of ${last_sequence}`;

export function threadMetadata(thread: StorageThreadType, conversation: Conversation) {
  const { metadata, createdAt, updatedAt } = thread;
  return { ...metadata, [THREAD]: { createdAt, updatedAt, held: heldBy(conversation) } };
}

export function toThread(conversation: Conversation): StorageThreadType {
  const { [THREAD]: told = {}, ...metadata } = conversation.metadata;
  const { createdAt, updatedAt, held } = told as Partial<ThreadTimes>;
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
    content: content.parts.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n"),
    // As Mastra's own stores do: all values except `createdAt` are JSON.
    parts: JSON.parse(JSON.stringify(message)),
    external_id: id,
    // Callers may pass dates as strings, after a round trip through JSON.
    created_at: new Date(createdAt).toISOString(),
  };
}

/** Messages without `parts` were appended by other means and are left out. */
export function toMastraMessages(stored: Message[]): MastraDBMessage[] {
  return stored.flatMap(({ parts, created_at }) =>
    parts ? { ...(parts as unknown as MastraDBMessage), createdAt: new Date(created_at) } : [],
  );
}

export function toResourceMessage(resource: StorageResourceType): NewMessage {
  return {
    role: "system",
    content: resource.workingMemory ?? "",
    parts: { ...resource },
  };
}

export function toResource(stored: Message[]): StorageResourceType | null {
  const resource = stored[0]?.parts as unknown as StorageResourceType | undefined;
  return resource
    ? { ...resource, createdAt: new Date(resource.createdAt), updatedAt: new Date(resource.updatedAt) }
    : null;
}

/** Replace stored messages by those in `saved` with the same id, and append the rest of `saved`. */
export function merged(stored: Message[], saved: NewMessage[]): NewMessage[] {
  // Drop the fields that the service assigns, because an earlier change makes these messages be written
  // again.
  const same = stored.map(
    ({ id, conversation_id, sequence, stored_at, updated_at, ...said }) => given(said) as NewMessage,
  );
  const all = [...same, ...saved];
  return [...new Map(all.map((message) => [message.external_id ?? message, message])).values()];
}

export function withUpdate(message: MastraDBMessage, update: MessageUpdate): MastraDBMessage {
  const { content: change, ...rest } = update;
  const metadata = { ...message.content.metadata, ...change?.metadata };
  const content = { ...message.content, ...change, ...(change?.metadata && { metadata }) };
  return { ...message, ...given(rest), content };
}

/** Sort by time. Items with equal times keep their order, or the reverse for descending order. */
export function inOrder<Item extends { [Field in ThreadOrderBy]?: Date }>(
  items: Item[],
  direction: ThreadSortDirection = "ASC",
  field: ThreadOrderBy = "createdAt",
): Item[] {
  const rising = [...items].sort((a, b) => Number(a[field]) - Number(b[field]));
  return direction === "ASC" ? rising : rising.reverse();
}

/** The fields that are neither null nor undefined. */
const given = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));

/** The included messages of the threads, each with its neighbors in the thread. */
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
