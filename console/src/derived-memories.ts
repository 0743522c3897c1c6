import type { Memory } from "@engram/sdk";
import { PAGE_ITEMS_MAX } from "@engram/sdk/limits";
import { engram } from "./session.ts";

/** Memories that cite messages of a conversation. */
export interface Derived {
  /** Null if they are too many to be counted. */
  count: number | null;
  /** Ids of the memories that cite a message, by its id. */
  of: ReadonlyMap<string, string[]>;
  /** Whether `of` has all of them. */
  isComplete: boolean;
}

/** Reads the newest of them, with all that they cite. */
export async function loadDerived(id: string, signal: AbortSignal): Promise<Derived> {
  const query = { source_conversation_id: id, limit: PAGE_ITEMS_MAX, include_total: true };
  const { items, total, next_cursor } = await engram().memories.list(query, { signal }).page();
  const of = new Map<string, string[]>();
  for (const memory of items)
    for (const messageId of citedIn(memory, id)) of.set(messageId, [...(of.get(messageId) ?? []), memory.id]);
  return { count: total ?? null, of, isComplete: next_cursor === null };
}

const citedIn = ({ sources }: Memory, conversationId: string): Set<string> =>
  new Set(
    sources.flatMap(({ conversation_id, message_id }) =>
      conversation_id === conversationId ? [message_id] : [],
    ),
  );
