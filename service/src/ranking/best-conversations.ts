import type { Postings } from "../queries/postings.ts";
import { conversationOf } from "./hits.ts";

/**
 * The `count` conversations that match the query best, where rare terms count more. Ties go to the newest.
 *
 * @returns their numbers; null when at most `count` conversations hold a term, so that no choice is needed.
 */
export function bestConversations(
  { messages, words }: Pick<Postings, "messages" | "words">,
  count: number,
): Set<number> | null {
  if (words.reduce((sum, { length }) => sum + length, 0) <= count) return null;
  const weights = new Map<number, number>();
  for (const list of words) {
    const weight = Math.log(1 + messages / Math.max(1, list.length));
    let last = -1;
    for (const number of list) {
      const conversation = conversationOf(number);
      if (conversation === last) continue;
      last = conversation;
      weights.set(conversation, (weights.get(conversation) ?? 0) + weight);
    }
  }
  if (weights.size <= count) return null;
  const best = [...weights].sort(([a, x], [b, y]) => y - x || b - a);
  return new Set(best.slice(0, count).map(([number]) => number));
}
