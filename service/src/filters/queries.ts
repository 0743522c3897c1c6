import type {
  Corpus,
  DeleteConversationsBody,
  DeleteMemoriesBody,
  listConversations,
  listMemories,
  SearchFilters,
  Visibility,
} from "@engram/spec";
import { ACCESS, type Access, isExactlyOwned, isOfReader, type Owner } from "../platform/batch.ts";
import { and, type Conditions, conditionsOf, type Filter, given, type Sql, sql } from "../platform/sql.ts";
import { citesConversation, citesMessage, memoriesCiting } from "../sources/queries.ts";

type QueryOf<Contract extends { request: { query: { _output: unknown } } }> =
  Contract["request"]["query"]["_output"];
type Listed = QueryOf<typeof listConversations> & QueryOf<typeof listMemories>;
type Filters = Omit<
  Listed,
  "limit" | "cursor" | "include_total" | "include_last_message" | "sort" | "order" | "as_of"
> &
  DeleteConversationsBody["filter"] &
  NonNullable<DeleteMemoriesBody["filter"]> &
  Pick<SearchFilters, "conversation_id" | "exclude_conversation">;

/** A filter of conversations or memories, with the names of the contract. */
export interface ConversationFilter extends Filter<Filters> {
  /** Only what this user can read: the user's own, and what is shared. `user_id` is the user's own alone. */
  for_user?: string | undefined;
  /** Only what has expired at this time, in the order in which it expired. */
  expired_at?: string | undefined;
  /** Only what was last changed before this time, in the order of that. */
  updated_before?: string | undefined;
  /** Only conversations whose last message is from before this time, in the order of that. */
  last_message_before?: string | undefined;
  /** Default: only conversations. */
  corpora?: readonly Corpus[] | undefined;
}

/** These must equal the conditions of the partial indexes, or SQLite does not use the indexes. */
export const ROWS_OF = {
  conversations: sql`c.kind = 'conversation'`,
  memories: sql`c.kind <> 'conversation'`,
};

export function undeleted(organizationId: string, { corpora = ["conversations"] }: ConversationFilter): Sql {
  const [corpus, ...others] = corpora;
  const kinds = corpus === undefined || others.length > 0 ? [] : [ROWS_OF[corpus]];
  return and([sql`c.organization_id = ${organizationId}`, sql`c.deleted_at_ms IS NULL`, ...kinds]);
}

const tagsAmong = (tags: string[], selected: Sql): Sql => sql`
  SELECT ${selected} FROM json_each(c.tags) AS t
   WHERE t.value IN (SELECT value FROM json_each(${JSON.stringify(tags)}))`;

const CREATED = {
  created_after: (time: string) => sql`c.created_at_ms >= ${Date.parse(time)}`,
  created_before: (time: string) => sql`c.created_at_ms < ${Date.parse(time)}`,
};

/** Whether the memory `c` holds at a time. */
export const holdsAt = (ms: number): Sql => sql`
  coalesce(c.valid_from_ms <= ${ms}, TRUE) AND coalesce(c.valid_until_ms > ${ms}, TRUE)`;

/** The external id of a conversation and of a memory. */
export const EXTERNAL_IDS = { conversations: sql`c.external_id`, memories: sql`c.memory_external_id` };

type Own = Record<"for_user" | "expired_at" | "updated_before" | "last_message_before", string>;
export const CONVERSATION_CONDITIONS = {
  conversation_id: (id) => sql`c.id = ${id}`,
  exclude_conversation: (id) => sql`c.id <> ${id} AND c.external_id IS NOT ${id}`,
  agent_id: (id) => sql`c.agent_id = ${id}`,
  user_id: (id) => sql`c.user_id = ${id}`,
  for_user: (id) => isOfReader(id, sql`c.`),
  visibility: (wanted) => {
    const narrowed = narrowedVisibility(wanted);
    return narrowed === null ? sql`TRUE` : sql`c.shared = ${narrowed === "shared" ? sql`1` : sql`0`}`;
  },
  external_id: (id, { corpora: [corpus = "conversations"] = [] }) => sql`${EXTERNAL_IDS[corpus]} = ${id}`,
  kind: (kind) => sql`c.kind = ${kind}`,
  source: (source) => sql`c.source = ${source}`,
  ...CREATED,
  expired_at: (time) => sql`c.expires_at_ms <= ${Date.parse(time)}`,
  updated_before: (time) => sql`c.updated_at_ms < ${Date.parse(time)}`,
  last_message_before: (time) => sql`c.last_message_at_ms < ${Date.parse(time)}`,
  valid_at: (time) => holdsAt(Date.parse(time)),
  occurred_after: (time) => sql`c.occurred_at_ms >= ${Date.parse(time)}`,
  occurred_before: (time) => sql`c.occurred_at_ms < ${Date.parse(time)}`,
  tags_any: (tags) => sql`EXISTS (${tagsAmong(tags, sql`1`)})`,
  // Reads the tags of a row once, instead of once for each wanted tag.
  tags_all: (tags) => sql`(${tagsAmong(tags, sql`count(DISTINCT t.value)`)}) = ${new Set(tags).size}`,
  // SQLite reads JSON `true` as 1 and `false` as 0, so this also compares whether both values are booleans.
  metadata: (wanted) => sql`
      (SELECT count(*) FROM json_each(c.metadata) AS m
        WHERE (m.key, m.atom, m.type IN ('true', 'false'))
           IN (SELECT w.key, w.atom, w.type IN ('true', 'false') FROM json_each(${JSON.stringify(wanted)}) AS w))
      = ${Object.keys(wanted).length}`,
} satisfies Conditions<Omit<Filters, "exact_owner" | "message_id" | keyof Citing> & Own, ConversationFilter>;

/** Null for both. */
export const narrowedVisibility = (wanted: readonly Visibility[] | undefined): Visibility | null => {
  const [only, ...others] = new Set(wanted);
  return others.length > 0 ? null : (only ?? null);
};

/** Conditions for `c` that the owner may read it, or change it, and the filter matches. */
export const matchingConditions = (access: Access, owner: Owner, filter: ConversationFilter): Sql[] => {
  const { corpora: _, exact_owner, message_id, ...others } = filter;
  const { source_conversation_id: __, source_message_id: ___, ...conditions } = others;
  return [
    ...ACCESS[access](owner, sql`c.`),
    ...containing(owner, { message_id }),
    ...citing(owner, filter).map((memories) => sql`c.id IN (${memories})`),
    ...(exact_owner ? [exactlyOwned(owner, filter)] : []),
    ...conditionsOf(CONVERSATION_CONDITIONS, conditions, filter),
  ];
};

export const containing = (
  { organizationId }: Owner,
  { message_id }: Pick<ConversationFilter, "message_id">,
): Sql[] =>
  given(
    message_id,
    (id) => sql`c.id = (SELECT m.conversation_id FROM messages AS m
                         WHERE m.organization_id = ${organizationId} AND m.id = ${id})`,
  );

type Citing = Pick<ConversationFilter, "source_conversation_id" | "source_message_id">;

/** Each a SELECT of the ids of memories, all of which must have a memory. */
export const citing = (
  { organizationId }: Owner,
  { source_conversation_id, source_message_id }: Citing,
): Sql[] => [
  ...given(source_conversation_id, (id) => memoriesCiting(organizationId, citesConversation(sql`= ${id}`))),
  ...given(source_message_id, (id) => memoriesCiting(organizationId, citesMessage(id))),
];

/** An agent or user that the filter leaves out means none, unless the key sets it. */
const exactlyOwned = (owner: Owner, { agent_id, user_id }: ConversationFilter): Sql =>
  isExactlyOwned({ agentId: agent_id ?? owner.agentId, userId: user_id ?? owner.userId }, sql`c.`);

export const createdBetween = ({ created_after, created_before }: ConversationFilter): Sql[] =>
  conditionsOf(CREATED, { created_after, created_before }, null);

/** Whether the filter has tags or metadata. Comparing these takes far longer than comparing columns. */
export const comparesJson = ({ tags_any, tags_all, metadata }: ConversationFilter): boolean =>
  tags_any !== undefined || tags_all !== undefined || metadata !== undefined;
