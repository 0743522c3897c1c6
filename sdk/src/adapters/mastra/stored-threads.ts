// The conversations in which threads are stored. Their tag distinguishes them from other conversations.
import type { Engram } from "../../engram.ts";
import type { Conversation, Message } from "../../generated/schema.ts";
import type { List } from "../../list.ts";
import { ExternalConversation, refused } from "../external-conversation.ts";

const THREAD_TAG = "mastra";

export const threadOf = (client: Engram, id: string, user_id?: string) =>
  // Mastra checks the resource itself, and lets a message of one resource be moved to a thread of another.
  new ExternalConversation(client, id, { tags: [THREAD_TAG], user_id }, { ofAnyUser: true });

/** Conversations of all threads, or of the threads of one resource, most recently changed first. */
export const threadsOf = (client: Engram, user_id?: string): List<Conversation> =>
  client.conversations.list({ tags_all: [THREAD_TAG], limit: 100, user_id });

export const deleteThreads = (client: Engram) => client.conversations.deleteMany({ tags_any: [THREAD_TAG] });

/** The existing messages with these ids, from any thread. */
export async function messagesWith(client: Engram, ids: string[]): Promise<Message[]> {
  const stored = (await threadsWith(client, ids)).flat();
  return stored.filter(({ external_id, parts }) => parts && ids.includes(external_id ?? ""));
}

/** The messages of each thread in `threadIds`, and of each further thread that contains any message still missing. */
export async function threadsWith(
  client: Engram,
  ids: string[],
  threadIds: string[] = [],
): Promise<Message[][]> {
  const named = new Set(threadIds);
  const found = await Promise.all([...named].map((threadId) => threadOf(client, threadId).messages()));
  const missing = new Set<string | null>(ids);
  for (const { external_id } of found.flat()) missing.delete(external_id);
  if (missing.size === 0) return found;
  for await (const { external_id: threadId } of threadsOf(client)) {
    if (threadId === null || named.has(threadId)) continue;
    const stored = await threadOf(client, threadId).messages();
    if (stored.filter(({ external_id }) => missing.delete(external_id)).length > 0) found.push(stored);
    if (missing.size === 0) break;
  }
  return found;
}

export async function deleteMessages(client: Engram, messages: Message[]): Promise<void> {
  for (const { conversation_id, id } of messages)
    await client.messages.delete(conversation_id, id).catch(refused("not_found", () => {}));
}
