import type { MastraDBMessage } from "@mastra/core/agent";
import type { StorageThreadType } from "@mastra/core/memory";
import type {
  MemoryStorage,
  StorageResourceType,
  ThreadOrderBy,
  ThreadSortDirection,
} from "@mastra/core/storage";
import type { Conversation, Message, NewMessage } from "../../generated/schema.ts";

export type MessageUpdate = Parameters<MemoryStorage["updateMessages"]>[0]["messages"][number];

/** Where a conversation's metadata tells what a thread has beside its own metadata. */
const THREAD = "mastra_thread";

/** What the conversation itself does not tell of a thread. */
interface ThreadTimes {
  createdAt: string;
  updatedAt: string;
  /** What the conversation held then: when it holds other messages, it was updated later. */
  held: string;
}

const heldBy = ({ last_sequence, message_count }: Conversation) => `${message_count} of ${last_sequence}`;

/** The metadata that a thread's conversation has. */
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
    // As every store of Mastra does: its own values are JSON but for `createdAt`.
    parts: JSON.parse(JSON.stringify(message)),
    external_id: id,
    // Callers hand on dates that came through JSON, too.
    created_at: new Date(createdAt).toISOString(),
  };
}

/** What others appended to the thread without parts is no message of Mastra's. */
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

/** Stored messages with those of `saved` in the place of the ones with their ids, and the others behind. */
export function merged(stored: Message[], saved: NewMessage[]): NewMessage[] {
  // As they have to be said again, for one before them to be changed.
  const same = stored.map(
    ({ id, conversation_id, sequence, stored_at, updated_at, ...said }) => given(said) as NewMessage,
  );
  const all = [...same, ...saved];
  return [...new Map(all.map((message) => [message.external_id ?? message, message])).values()];
}

/** A message with the fields that an update names. */
export function withUpdate(message: MastraDBMessage, update: MessageUpdate): MastraDBMessage {
  const { content: change, ...rest } = update;
  const metadata = { ...message.content.metadata, ...change?.metadata };
  const content = { ...message.content, ...change, ...(change?.metadata && { metadata }) };
  return { ...message, ...given(rest), content };
}

/** By time; of one moment in the order that they have, or in the reverse of it. */
export function inOrder<Item extends { [Field in ThreadOrderBy]?: Date }>(
  items: Item[],
  direction: ThreadSortDirection = "ASC",
  field: ThreadOrderBy = "createdAt",
): Item[] {
  const rising = [...items].sort((a, b) => Number(a[field]) - Number(b[field]));
  return direction === "ASC" ? rising : rising.reverse();
}

/** The fields that have a value. */
const given = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));
