import type { RequestContext } from "../context.ts";
import { scanLength } from "../queries/conversation-scans.ts";
import type { Postings } from "../queries/postings.ts";
import { selectAllowedConversations } from "../queries/search.ts";
import { narrowsConversations } from "../queries/search-filters.ts";
import { bestConversations } from "../ranking/best-conversations.ts";
import { conversationOf } from "../ranking/hits.ts";
import type { Search } from "./search-input.ts";

/** Which messages with a query term a search considers. */
export interface Reach {
  allows(number: number): boolean;
  /** Whether messages that the filter may allow are left out. */
  isPartial: boolean;
}

const EVERYWHERE: Reach = { allows: () => true, isPartial: false };

/**
 * Chooses the conversations to check against a filter when the terms occur in more conversations than one
 * search can check.
 *
 * If one scan reads all conversations that the filter allows, for example those of a user with few, it
 * chooses those. Otherwise it chooses the conversations that match the query best by terms.
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
