import type { MastraDBMessage } from "@mastra/core/agent";
import type { StorageThreadType } from "@mastra/core/memory";
import type { MemoryStorage, StorageResourceType } from "@mastra/core/storage";
import type { Conversation, Message, NewMessage } from "../../generated/schema.ts";
import { readableText } from "../json.ts";

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
  const times = { createdAt: toIso(createdAt), updatedAt: toIso(updatedAt), held: heldBy(conversation) };
  return { ...metadata, [THREAD]: times };
}

export function toThread(conversation: Conversation): StorageThreadType {
  const { [THREAD]: told, ...metadata } = conversation.metadata;
  const times = told as ThreadTimes | undefined;
  return {
    id: conversation.external_id ?? conversation.id,
    resourceId: conversation.user_id ?? "",
    title: conversation.title ?? undefined,
    createdAt: new Date(times?.createdAt ?? conversation.created_at),
    updatedAt: new Date(times?.held === heldBy(conversation) ? times.updatedAt : conversation.updated_at),
    metadata,
  };
}

export function toNewMessage(message: MastraDBMessage): NewMessage {
  return {
    role: message.role === "user" || message.role === "assistant" ? message.role : "system",
    content: readableText(message.content.parts.filter(({ type }) => type === "text")),
    // As every store of Mastra does: its own values are JSON but for `createdAt`.
    parts: JSON.parse(JSON.stringify({ ...message, createdAt: toIso(message.createdAt) })),
    external_id: message.id,
    created_at: toIso(message.createdAt),
  };
}

/** What others appended to the thread without parts is no message of Mastra's. */
export function toMastraMessages(stored: Message[]): MastraDBMessage[] {
  return stored.flatMap(({ parts }) => {
    if (parts === null) return [];
    const message = parts as unknown as MastraDBMessage;
    return { ...message, createdAt: new Date(message.createdAt) };
  });
}

/** A stored message as it has to be said again, for one before it to be changed. */
function toSameMessage(message: Message): NewMessage {
  const { id, conversation_id, sequence, stored_at, updated_at, ...said } = message;
  const given = Object.entries(said).filter(([, value]) => value !== null);
  return Object.fromEntries(given) as unknown as NewMessage;
}

export function toResourceMessage(resource: StorageResourceType): NewMessage {
  return {
    role: "system",
    content: resource.workingMemory ?? "",
    parts: JSON.parse(JSON.stringify(resource)),
  };
}

export function toResource(stored: Message[]): StorageResourceType | null {
  const resource = stored[0]?.parts as unknown as StorageResourceType | undefined;
  if (resource === undefined) return null;
  return { ...resource, createdAt: new Date(resource.createdAt), updatedAt: new Date(resource.updatedAt) };
}

/** Stored messages with those of `saved` in the place of the ones with their ids, and the others behind. */
export function merged(stored: Message[], saved: NewMessage[]): NewMessage[] {
  const byId = new Map(stored.map((message) => [message.external_id ?? message.id, toSameMessage(message)]));
  for (const message of saved) byId.set(message.external_id ?? "", message);
  return [...byId.values()];
}

/** A message with the fields that an update names. */
export function withUpdate(message: MastraDBMessage, update: MessageUpdate): MastraDBMessage {
  const { content: change, ...rest } = update;
  const named = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const metadata = { ...message.content.metadata, ...change?.metadata };
  const content = { ...message.content, ...change, ...(change?.metadata && { metadata }) };
  return { ...message, ...named, content };
}

/** By time; of one moment in the order that they have, or in the reverse of it. */
export function inOrder<Field extends string, Item extends Record<Field, Date>>(
  items: Item[],
  field: Field,
  direction: "ASC" | "DESC",
): Item[] {
  const rising = [...items].sort((a, b) => Number(a[field]) - Number(b[field]));
  return direction === "ASC" ? rising : rising.reverse();
}

/** Callers hand on dates that came through JSON, too. */
const toIso = (date: Date | string) => new Date(date).toISOString();
