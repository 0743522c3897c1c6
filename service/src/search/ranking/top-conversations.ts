import { conversationOf } from "./matches.ts";
import type { Postings } from "./postings.ts";

/**
 * The `count` conversations that match the terms best. Rare terms count more; of equal conversations, the newest is
 * chosen. Null if no more than `count` conversations have a term.
 */
export function topConversations(
  { messages, terms: lists }: Pick<Postings, "messages" | "terms">,
  count: number,
): Set<number> | null {
  if (lists.reduce((sum, { length }) => sum + length, 0) <= count) return null;
  const weights = new Map<number, number>();
  for (const list of lists) {
    const weight = Math.log(1 + messages / Math.max(1, list.length));
    let last = -1;
    for (const rowKey of list) {
      const conversation = conversationOf(rowKey);
      if (conversation === last) continue;
      last = conversation;
      weights.set(conversation, (weights.get(conversation) ?? 0) + weight);
    }
  }
  if (weights.size <= count) return null;
  const top = [...weights].sort(([a, x], [b, y]) => y - x || b - a);
  return new Set(top.slice(0, count).map(([conversation]) => conversation));
}
