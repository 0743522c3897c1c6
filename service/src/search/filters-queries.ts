import type { EntityKind, MessageRole } from "@engram/spec";
import { isMentionedIn, mentionsOneOf } from "../entities/mentions-queries.ts";
import { type ConversationFilter, conversationConditions } from "../filters/queries.ts";
import { type Owner, wholeOrganization } from "../platform/batch.ts";
import { given, type Sql, sql } from "../platform/sql.ts";

export interface SearchFilter extends ConversationFilter {
  conversationId?: string | undefined;
  roles?: MessageRole[] | undefined;
  names?: string[] | undefined;
  entities?: { kind: EntityKind; folded: string }[] | undefined;
  saidAfterMs?: number | undefined;
  saidBeforeMs?: number | undefined;
}

export interface SearchScope {
  owner: Owner;
  /**
   * In the keyword index, each term begins with a prefix for its organization and corpus (conversations or memories).
   * One prefix for each corpus that is searched.
   */
  termPrefixes: string[];
  filter: SearchFilter;
}

/** SQL conditions for the table `conversations`, under the name `c`. */
export const conversationsOfScope = ({ owner, filter }: SearchScope): Sql[] => [
  ...conversationConditions(owner, filter),
  ...given(filter.conversationId, (id) => sql`c.id = ${id}`),
  // The messages are compared, too.
  ...given(filter.entities, (entities) => isMentionedIn(owner, entities)),
];

/** SQL conditions for the table `messages`, under the name `m`. They also refer to its conversation, `c`. */
export const messagesOfScope = ({ owner, filter }: SearchScope): Sql[] => [
  // The content of a memory is stored as a message, whose role has no meaning. So a filter by role excludes memories.
  ...given(filter.roles, (roles) => sql`m.role IN ${listed(roles)} AND c.kind = 'conversation'`),
  ...given(filter.saidAfterMs, (ms) => sql`m.created_at_ms >= ${ms}`),
  ...given(filter.saidBeforeMs, (ms) => sql`m.created_at_ms < ${ms}`),
  ...given(filter.entities, (entities) => mentionsOneOf(owner, entities)),
  ...given(filter.names, (names) => sql`m.name IN ${listed(names)}`),
];

const listed = (values: string[]): Sql => sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;

export const narrowsConversations = (scope: SearchScope): boolean =>
  conversationsOfScope({ ...scope, owner: wholeOrganization(scope.owner.organizationId) }).length > 0;

export const isNarrowed = (scope: SearchScope): boolean =>
  narrowsConversations(scope) || messagesOfScope(scope).length > 0;
