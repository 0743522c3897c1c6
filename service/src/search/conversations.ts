import { scanLength } from "../filters/scans-queries.ts";
import type { KeyCaller } from "../invocation.ts";
import { selectAllowedConversations } from "./conversations-queries.ts";
import { narrowsConversations } from "./filters-queries.ts";
import type { SearchRequest } from "./input.ts";
import { conversationOf } from "./ranking/matches.ts";
import type { Postings } from "./ranking/postings.ts";
import { topConversations } from "./ranking/top-conversations.ts";

export interface ConversationScope {
  allows(rowKey: number): boolean;
  /** Whether conversations that match the filter may be left out. */
  isPartial: boolean;
}

const ALL_CONVERSATIONS: ConversationScope = { allows: () => true, isPartial: false };

/**
 * Limits a search by words to the conversations that one scan can compare with the filter. Without a filter of
 * conversations, or
 * if one scan can compare all conversations that contain words of the query, all are allowed. Otherwise, if one scan can
 * read all conversations that match the filter, such as those of one user, only these are allowed. If not, only the
 * conversations that match the words best are allowed, and the search is partial.
 */
export async function chooseConversations(
  { db, limits }: KeyCaller,
  { scope }: SearchRequest,
  postings: Postings,
): Promise<ConversationScope> {
  if (!narrowsConversations(scope)) return ALL_CONVERSATIONS;
  const top = topConversations(postings, scanLength(scope.filter, limits));
  if (top === null) return ALL_CONVERSATIONS;
  const { allowed, isWhole } = await selectAllowedConversations(db, scope, limits);
  const chosen = isWhole ? new Set(allowed) : top;
  return { allows: (rowKey) => chosen.has(conversationOf(rowKey)), isPartial: !isWhole };
}
