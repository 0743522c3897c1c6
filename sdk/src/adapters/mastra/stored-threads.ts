// The conversations in which threads are stored. Their tag distinguishes them from other conversations.

import type { MastraDBMessage } from "@mastra/core/agent";
import type { Engram } from "../../engram.ts";
import { MESSAGE_PAGE_MAX, PAGE_ITEMS_MAX } from "../../generated/limits.ts";
import type { Conversation, Message } from "../../generated/schema.ts";
import type { List } from "../../list.ts";
import { wellFormed } from "../../well-formed.ts";
import { ALL, ExternalConversation, refused } from "../external-conversation.ts";
import type { StoredItem } from "../pieces.ts";
import { toMastraItems } from "./rows.ts";

const THREAD_TAG = "mastra";

export const threadOf = (client: Engram, id: string, user_id?: string) =>
  // Mastra checks the resource itself, and lets a message of one resource be moved to a thread of another.
  new ExternalConversation(client, id, { tags: [THREAD_TAG], user_id }, { ofAnyUser: true });

/**
 * Conversations of all threads, or of the threads of one resource. The most recently changed come first, or with
 * `stable`, the oldest: then a change of a thread between two pages neither hides nor repeats one.
 */
export const threadsOf = (
  client: Engram,
  { user_id, stable = false }: { user_id?: string | undefined; stable?: boolean } = {},
): List<Conversation> =>
  client.conversations.list({
    ...{ tags_all: [THREAD_TAG], limit: PAGE_ITEMS_MAX, user_id },
    ...(stable && { sort: "created_at", order: "asc" }),
  });

export const deleteThreads = (client: Engram) => client.conversations.deleteMany({ tags_any: [THREAD_TAG] });

/** The existing messages with these ids, from any thread. */
export async function messagesWith(client: Engram, ids: string[]): Promise<StoredItem<MastraDBMessage>[]> {
  const items = (await threadsWith(client, ids)).flatMap(toMastraItems);
  return items.filter(({ value }) => ids.includes(value.id));
}

/** The messages of each thread in `threadIds`, and of each further thread that contains any message still missing. */
export async function threadsWith(
  client: Engram,
  ids: string[],
  threadIds: string[] = [],
): Promise<Message[][]> {
  const named = new Set(threadIds);
  const found = await Promise.all([...named].map((threadId) => threadOf(client, threadId).messages()));
  const missing = new Set<string | null>(ids.map(wellFormed));
  for (const { external_id } of found.flat()) missing.delete(external_id);
  if (missing.size === 0) return found;
  for await (const { id, external_id: threadId } of threadsOf(client)) {
    if (threadId === null || named.has(threadId)) continue;
    const stored = await client.messages
      .list(id, { limit: MESSAGE_PAGE_MAX })
      .toArray(ALL)
      .catch(refused("not_found", (): Message[] => []));
    if (stored.filter(({ external_id }) => missing.delete(external_id)).length > 0) found.push(stored);
    if (missing.size === 0) break;
  }
  return found;
}

export async function deleteMessages(client: Engram, items: StoredItem<unknown>[]): Promise<void> {
  // The last piece first: without it, the message is not returned.
  for (const { conversation_id, id } of items.flatMap(({ pieces }) => pieces.toReversed()))
    await client.messages.delete(conversation_id, id).catch(refused("not_found", () => {}));
}
