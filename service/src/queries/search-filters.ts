import type { MessageRole } from "@engram/spec";
import type { Owner } from "./batch.ts";
import {
  type Condition,
  type ConversationFilter,
  conversationConditions,
  given,
} from "./conversation-filters.ts";

export interface SearchFilter extends ConversationFilter {
  conversationId?: string | undefined;
  roles?: MessageRole[] | undefined;
  names?: string[] | undefined;
  saidAfterMs?: number | undefined;
  saidBeforeMs?: number | undefined;
}

export interface SearchScope {
  owner: Owner;
  /** The term prefix of each corpus in the keyword index. */
  marks: string[];
  filter: SearchFilter;
}

/** Conditions on `c` that select the conversations of the scope. */
export const conversationsOfScope = ({ owner, filter }: SearchScope): Condition[] => [
  ...conversationConditions(owner, filter),
  ...given("c.id = $", filter.conversationId),
];

/** Conditions on `m` that select the messages of the scope. */
export const messagesOfScope = ({ filter }: SearchScope): Condition[] => [
  // The role of a row that holds a memory has no meaning, so a filter by role excludes memories.
  ...given("m.role IN (SELECT value FROM json_each($)) AND c.kind = 'conversation'", filter.roles),
  ...given("m.created_at_ms >= $", filter.saidAfterMs),
  ...given("m.created_at_ms < $", filter.saidBeforeMs),
  ...given("m.name IN (SELECT value FROM json_each($))", filter.names),
];

/** Whether the filter excludes any of the owner's conversations. */
export const narrowsConversations = (scope: SearchScope): boolean =>
  conversationsOfScope({ ...scope, owner: { ...scope.owner, agentId: null } }).length > 0;

/** Whether the filter excludes any of the owner's conversations or messages. */
export const isNarrowed = (scope: SearchScope): boolean =>
  narrowsConversations(scope) || messagesOfScope(scope).length > 0;
