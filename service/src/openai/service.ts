import type { Conversation, NewMessage } from "@engram/spec";
import * as conversations from "../conversations/service.ts";
import { deleteOne } from "../deletions/service.ts";
import { notFound } from "../errors.ts";
import type { KeyCaller } from "../invocation.ts";
import { listInOrder } from "../messages/pages.ts";
import * as messages from "../messages/service.ts";
import type { Idempotent } from "../platform/idempotency.ts";
import type { IdempotentRequest } from "../platform/idempotency-queries.ts";
import { refuseLargeWrite } from "../platform/write-bytes.ts";
import { type Item, toItem } from "./items.ts";

interface Answer {
  id: string;
  object: "conversation";
  /** Seconds. */
  created_at: number;
  metadata: Record<string, unknown>;
}

interface ItemList {
  object: "list";
  data: (Item & { id: string })[];
  /** Empty without items. */
  first_id: string;
  last_id: string;
  has_more: boolean;
}

interface ItemRef {
  conversationId: string;
  itemId: string;
}

/** If it fails between the two writes, a conversation without items stays, and a repeated request adds them. */
export async function createConversation(
  caller: KeyCaller,
  { items, ...given }: { items: NewMessage[] } & Parameters<typeof conversations.createConversation>[1],
  idempotency: IdempotentRequest | null,
): Promise<Idempotent<Answer>> {
  refuseLargeWrite(items);
  const { answer, replayed } = await conversations.createConversation(caller, given, idempotency);
  const { conversation } = answer;
  if (items.length > 0) {
    const ofItems = idempotency && { ...idempotency, operation: `${idempotency.operation}.items` };
    await append(caller, conversation.id, items, ofItems);
  }
  return { answer: toAnswer(conversation), replayed };
}

export async function getConversation(caller: KeyCaller, id: string): Promise<Answer> {
  const found = { id, messageLimit: 0, fromSequence: 1, asOf: undefined };
  return toAnswer((await conversations.getConversation(caller, found)).conversation);
}

export async function updateConversation(
  caller: KeyCaller,
  id: string,
  metadata: Record<string, unknown>,
): Promise<Answer> {
  const changed = await conversations.updateConversation(caller, { id, versions: null }, { metadata });
  return toAnswer(changed.conversation);
}

export async function deleteConversation(caller: KeyCaller, id: string) {
  await deleteOne(caller, "conversations", { id, versions: null, forget: false });
  return { id, object: "conversation.deleted" as const, deleted: true as const };
}

export async function createItems(
  caller: KeyCaller,
  { conversationId, items }: { conversationId: string; items: NewMessage[] },
  idempotency: IdempotentRequest | null,
): Promise<Idempotent<ItemList>> {
  const { answer, replayed } = await append(caller, conversationId, items, idempotency);
  const data = items.map((message, i) => toItem({ ...message, id: answer.message_ids[i] ?? "" }));
  return { answer: toList(data, false), replayed };
}

export async function listItems(
  caller: KeyCaller,
  input: { conversationId: string; after: string | undefined; limit: number; order: "asc" | "desc" },
): Promise<ItemList> {
  const { conversationId, after: itemId, limit, order } = input;
  const after =
    itemId === undefined ? null : (await findMessage(caller, { conversationId, itemId })).sequence;
  const { messages: page, complete } = await listInOrder(caller, { conversationId, after, limit, order });
  return toList(page.map(toItem), !complete);
}

export const getItem = async (caller: KeyCaller, ref: ItemRef): Promise<Item & { id: string }> =>
  toItem(await findMessage(caller, ref));

/** The conversation without the item. */
export async function deleteItem(caller: KeyCaller, ref: ItemRef): Promise<Answer> {
  const { conversationId } = ref;
  const { id } = await findMessage(caller, ref);
  await messages.deleteMessage(caller, { conversationId, id, forget: false });
  return getConversation(caller, conversationId);
}

const append = (
  caller: KeyCaller,
  conversationId: string,
  items: NewMessage[],
  idempotency: IdempotentRequest | null,
) =>
  messages.appendMessages(caller, { conversationId, messages: items, waitUntilIndexed: false }, idempotency);

/** @throws {ApiError} `not_found`. */
async function findMessage(caller: KeyCaller, { conversationId, itemId }: ItemRef) {
  const message = await messages.findMessage(caller, { conversationId, name: itemId });
  // The external id of a message that is no item of OpenAI's names nothing here.
  if (message === null || toItem(message).id !== itemId) throw notFound("item");
  return message;
}

const toList = (data: ItemList["data"], has_more: boolean): ItemList => ({
  object: "list",
  data,
  first_id: data[0]?.id ?? "",
  last_id: data.at(-1)?.id ?? "",
  has_more,
});

const toAnswer = ({ id, created_at, metadata }: Conversation): Answer => ({
  id,
  object: "conversation",
  created_at: Math.floor(Date.parse(created_at) / 1_000),
  metadata,
});
