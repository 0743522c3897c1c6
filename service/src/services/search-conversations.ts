import type { RequestContext } from "../context.ts";
import { scanLength } from "../queries/conversation-scans.ts";
import type { Postings } from "../queries/postings.ts";
import { selectAllowedConversations } from "../queries/search.ts";
import { narrowsConversations } from "../queries/search-filters.ts";
import { bestConversations } from "../ranking/best-conversations.ts";
import { conversationOf } from "../ranking/hits.ts";
import type { Search } from "./search-input.ts";

/** Which messages with a word of the query a search looks at. */
export interface Reach {
  allows(number: number): boolean;
  /** Whether messages that the filter may allow are left out. */
  isPartial: boolean;
}

const EVERYWHERE: Reach = { allows: () => true, isPartial: false };

/**
 * Choose the conversations that a filter is compared with, when the words stand in more than one search compares.
 *
 * If one scan reads all that the filter allows, as of a person with few conversations, those are chosen. Otherwise the
 * conversations that hold the most of the query are.
 */
export async function chooseConversations(
  { db, limits }: RequestContext,
  { scope }: Search,
  postings: Postings,
): Promise<Reach> {
  if (!narrowsConversations(scope)) return EVERYWHERE;
  const best = bestConversations(postings, scanLength(scope.filter, limits));
  if (best === null) return EVERYWHERE;
  const { allowed, isWhole } = await selectAllowedConversations(db, scope, limits);
  const chosen = isWhole ? new Set(allowed) : best;
  return { allows: (number) => chosen.has(conversationOf(number)), isPartial: !isWhole };
}
