import type { MessageRole } from "@engram/spec";
import type { Owner } from "./batch.ts";
import {
  type Condition,
  type ConversationFilter,
  conversationConditions,
  given,
} from "./conversation-filters.ts";

/** What a search is narrowed to. */
export interface SearchFilter extends ConversationFilter {
  conversationId?: string | undefined;
  roles?: MessageRole[] | undefined;
  names?: string[] | undefined;
  saidAfterMs?: number | undefined;
  saidBeforeMs?: number | undefined;
}

/** Who searches what. */
export interface SearchScope {
  owner: Owner;
  /** What stands before the words of each corpus in the keyword index. */
  marks: string[];
  filter: SearchFilter;
}

/** What narrows the organization's conversations to those of the scope, over `c`. */
export const conversationsOfScope = ({ owner, filter }: SearchScope): Condition[] => [
  ...conversationConditions(owner, filter),
  ...given("c.id = $", filter.conversationId),
];

/** What narrows their messages, over `m` of `c`. */
export const messagesOfScope = ({ filter }: SearchScope): Condition[] => [
  // What holds a memory has a role that means nothing.
  ...given("m.role IN (SELECT value FROM json_each($)) AND c.kind = 'conversation'", filter.roles),
  ...given("m.created_at_ms >= $", filter.saidAfterMs),
  ...given("m.created_at_ms < $", filter.saidBeforeMs),
  ...given("m.name IN (SELECT value FROM json_each($))", filter.names),
];

/** Whether the filter leaves out conversations of the owner's. */
export const narrowsConversations = (scope: SearchScope): boolean =>
  conversationsOfScope({ ...scope, owner: { ...scope.owner, agentId: null } }).length > 0;

/** Whether the filter leaves out anything of the owner's. */
export const isNarrowed = (scope: SearchScope): boolean =>
  narrowsConversations(scope) || messagesOfScope(scope).length > 0;
