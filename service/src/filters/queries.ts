import type { Corpus, MemoryKind } from "@engram/spec";
import { isExactlyOwned, type Owner, ownerConditions } from "../platform/batch.ts";
import { and, given, type Sql, sql } from "../platform/sql.ts";

export interface ConversationFilter {
  /** Default: only conversations. */
  corpora?: readonly Corpus[] | undefined;
  agentId?: string | undefined;
  userId?: string | undefined;
  /** Whether an agent or user that the filter leaves out means none, unless the key sets it. Default: any. */
  exactOwner?: boolean | undefined;
  externalId?: string | undefined;
  memoryExternalId?: string | undefined;
  tagsAny?: string[] | undefined;
  tagsAll?: string[] | undefined;
  createdAfterMs?: number | undefined;
  createdBeforeMs?: number | undefined;
  metadata?: Record<string, string | number | boolean> | undefined;
  kind?: MemoryKind | undefined;
  source?: string | undefined;
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

export const conversationConditions = (owner: Owner, filter: ConversationFilter): Sql[] => [
  ...ownerConditions(owner, sql`c.`),
  ...given(filter.agentId, (id) => sql`c.agent_id = ${id}`),
  ...given(filter.userId, (id) => sql`c.user_id = ${id}`),
  ...(filter.exactOwner ? [exactlyOwned(owner, filter)] : []),
  ...given(filter.externalId, (id) => sql`c.external_id = ${id}`),
  ...given(filter.memoryExternalId, (id) => sql`c.memory_external_id = ${id}`),
  ...given(filter.kind, (kind) => sql`c.kind = ${kind}`),
  ...given(filter.source, (source) => sql`c.source = ${source}`),
  ...createdBetween(filter),
  ...tagConditions(filter),
  ...metadataConditions(filter),
];

const exactlyOwned = (owner: Owner, { agentId, userId }: ConversationFilter): Sql =>
  isExactlyOwned({ agentId: agentId ?? owner.agentId, userId: userId ?? owner.userId }, sql`c.`);

export const createdBetween = ({ createdAfterMs, createdBeforeMs }: ConversationFilter): Sql[] => [
  ...given(createdAfterMs, (ms) => sql`c.created_at_ms >= ${ms}`),
  ...given(createdBeforeMs, (ms) => sql`c.created_at_ms < ${ms}`),
];

/** Whether the filter has tags or metadata. Comparing these takes far longer than comparing columns. */
export const comparesJson = ({ tagsAny, tagsAll, metadata }: ConversationFilter): boolean =>
  tagsAny !== undefined || tagsAll !== undefined || metadata !== undefined;

const tagConditions = ({ tagsAny, tagsAll }: ConversationFilter): Sql[] => [
  ...given(tagsAny, (tags) => sql`EXISTS (${tagsAmong(tags, sql`1`)})`),
  // Reads the tags of a row once, instead of once for each wanted tag.
  ...given(
    tagsAll,
    (tags) => sql`(${tagsAmong(tags, sql`count(DISTINCT t.value)`)}) = ${new Set(tags).size}`,
  ),
];

const tagsAmong = (tags: string[], selected: Sql): Sql => sql`
  SELECT ${selected} FROM json_each(c.tags) AS t
   WHERE t.value IN (SELECT value FROM json_each(${JSON.stringify(tags)}))`;

/** SQLite reads JSON `true` as 1 and `false` as 0, so this also compares whether both values are booleans. */
const metadataConditions = ({ metadata }: ConversationFilter): Sql[] =>
  given(
    metadata,
    (wanted) => sql`
      (SELECT count(*) FROM json_each(c.metadata) AS m
        WHERE (m.key, m.atom, m.type IN ('true', 'false'))
           IN (SELECT w.key, w.atom, w.type IN ('true', 'false') FROM json_each(${JSON.stringify(wanted)}) AS w))
      = ${Object.keys(wanted).length}`,
  );
