import type { MemorySearchFilters, SearchFilters } from "@engram/spec";
import { type EntityKey, isMentionedIn, mentionsOneOf } from "../entities/mentions-queries.ts";
import { existedAt, type Moment } from "../filters/moments-queries.ts";
import {
  CONVERSATION_CONDITIONS,
  type ConversationFilter,
  matchingConditions,
  ROWS_OF,
} from "../filters/queries.ts";
import { type Owner, wholeOrganization } from "../platform/batch.ts";
import { type Conditions, conditionsOf, type Filter, given, type Sql, sql } from "../platform/sql.ts";

type Filters = Omit<SearchFilters & MemorySearchFilters, "entities" | "as_of"> & {
  entities?: EntityKey[];
  for_user?: string;
};
/** The filters that do not compare the conversation of a message. A time is compared with that of the message. */
type MessageFilters = Omit<Filters, Exclude<keyof ConversationFilter, "created_after" | "created_before">>;

export interface SearchScope {
  owner: Owner;
  /**
   * In the keyword index, each term begins with a prefix for its organization and corpus (conversations or memories).
   * One prefix for each corpus that is searched.
   */
  termPrefixes: string[];
  filter: ConversationFilter;
  messages: Filter<MessageFilters>;
  /** Only what was stored by then. Null for all. */
  moment: Moment | null;
}

/** SQL conditions for the table `messages`, under the name `m`. */
const CONDITIONS = {
  roles: (roles) => sql`m.role IN ${listed(roles)}`,
  created_after: (time) => sql`m.created_at_ms >= ${Date.parse(time)}`,
  created_before: (time) => sql`m.created_at_ms < ${Date.parse(time)}`,
  entities: (entities, owner) => mentionsOneOf(owner, entities),
  names: (names) => sql`m.name IN ${listed(names)}`,
} satisfies Conditions<MessageFilters, Owner>;

/** The filters of a search by what they compare. */
export function splitFilters(input: Filter<Filters>): Pick<SearchScope, "filter" | "messages"> {
  const picked = (isWanted: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(input).filter(([name]) => isWanted(name)));
  return {
    filter: picked((name) => name in CONVERSATION_CONDITIONS && !(name in CONDITIONS)),
    messages: picked((name) => name in CONDITIONS),
  };
}

/** SQL conditions for the table `conversations`, under the name `c`. */
export const conversationsOfScope = ({ owner, filter, messages }: SearchScope): Sql[] => [
  ...matchingConditions("read", owner, filter),
  // The messages are compared, too.
  ...given(messages.entities, (entities) => isMentionedIn(owner, entities)),
];

export const messagesOfScope = ({ owner, messages, moment }: SearchScope): Sql[] => [
  ...conditionsOf(CONDITIONS, messages, owner),
  ...given(moment, existedAt),
];

/**
 * SQL condition for the conversation of a message, `c`. The content of a memory is stored as a message, whose role has
 * no meaning. So a filter by role excludes memories.
 */
export const hasRoles = ({ messages }: SearchScope): Sql[] =>
  given(messages.roles, () => ROWS_OF.conversations);

const listed = (values: string[]): Sql => sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;

export const narrowsConversations = (scope: SearchScope): boolean =>
  conversationsOfScope({ ...scope, owner: wholeOrganization(scope.owner.organizationId) }).length > 0;

export const isNarrowed = (scope: SearchScope): boolean =>
  narrowsConversations(scope) || messagesOfScope(scope).length > 0;
