import { queuedRange } from "../jobs/queries.ts";
import { assertThat, nothing, type Sql, type Statement, type Statements, sql } from "../platform/sql.ts";
import type { MemoryRecord } from "./captures-queries.ts";
import { toAuthored } from "./queries.ts";

interface MemoryId {
  organizationId: string;
  id: string;
}

/**
 * Fails the batch if another memory has the content or the external id that this one gets, among those of its agent and
 * user. Undefined stands for what the memory has.
 */
export function assertUnique(
  { organizationId, id }: MemoryId,
  change: { contentHash: string | undefined; userId: string | undefined },
) {
  const userId = sql`coalesce(${change.userId ?? null}, mine.user_id, '')`;
  const others = (key: Sql) => sql`NOT EXISTS (
    SELECT 1 FROM conversations AS mine
     CROSS JOIN conversations AS c ON c.organization_id = ${organizationId} AND ${key}
                AND coalesce(c.agent_id, '') = coalesce(mine.agent_id, '') AND coalesce(c.user_id, '') = ${userId}
                AND c.deleted_at_ms IS NULL
     WHERE mine.organization_id = ${organizationId} AND mine.id = ${id} AND c.id <> ${id})`;
  return {
    content: assertThat(
      "content_conflict",
      others(sql`c.content_hash = coalesce(${change.contentHash ?? null}, mine.content_hash)
                 AND coalesce(c.memory_external_id, '') = '' AND mine.memory_external_id IS NULL`),
    ),
    externalId: assertThat(
      "external_id_conflict",
      others(sql`c.memory_external_id = mine.memory_external_id`),
    ),
  } satisfies Statements;
}

/** Gives a memory without a user its user, and queues its vectors. Fails the batch if it belongs to another user. */
export const givenUser = ({ organizationId, id }: MemoryId, userId: string, nowMs: number) =>
  ({
    isFree: assertThat(
      "user_conflict",
      sql`NOT EXISTS (SELECT 1 FROM conversations
                       WHERE organization_id = ${organizationId} AND id = ${id} AND user_id <> ${userId})`,
    ),
    user: nothing(
      sql`UPDATE conversations SET user_id = ${userId} WHERE organization_id = ${organizationId} AND id = ${id}`,
    ),
    vectors: queuedRange({ organizationId, conversationId: id, nowMs }, sql`SELECT 1 AS first, 1 AS last`),
  }) satisfies Statements;

/** If the content changes, the tags and the summary that a text model wrote for the old content are removed. */
export function updatedMemory(
  { organizationId, id }: MemoryId,
  input: {
    contentHash: string | undefined;
    source: string | null | undefined;
    tags: string[] | undefined;
    summary: string | null | undefined;
    metadata: Record<string, unknown> | undefined;
    nowMs: number;
  },
): Statement<void> {
  const { source, summary } = input;
  const contentHash = input.contentHash ?? null;
  const tags = input.tags === undefined ? null : JSON.stringify(input.tags);
  const metadata = input.metadata === undefined ? null : JSON.stringify(input.metadata);
  const authored = toAuthored({ tags: tags !== null, summary: summary !== undefined });
  const isOutdated = sql`${contentHash} IS NOT NULL AND ${contentHash} <> content_hash`;
  return nothing(sql`
    UPDATE conversations
       SET content_hash = coalesce(${contentHash}, content_hash),
           source = CASE WHEN ${source !== undefined} THEN ${source ?? null} ELSE source END,
           tags = CASE WHEN ${tags} IS NOT NULL THEN ${tags} WHEN ${isOutdated} AND NOT authored & 1 THEN '[]' ELSE tags END,
           summary = CASE WHEN ${summary !== undefined} THEN ${summary ?? null}
                          WHEN ${isOutdated} AND NOT authored & 2 THEN NULL ELSE summary END,
           enriched_by = CASE WHEN ${isOutdated} THEN NULL ELSE enriched_by END,
           authored = authored | ${authored}, metadata = coalesce(${metadata}, metadata), version = version + 1,
           updated_at_ms = ${input.nowMs}
     WHERE organization_id = ${organizationId} AND id = ${id}`);
}

/**
 * Replaces all fields of a memory but its content and parts, which its message has. If the content is the same, tags
 * and a summary that a text model wrote stay where the record has none.
 */
export function replacedMemory(
  { organizationId, id }: MemoryId,
  record: MemoryRecord,
  createdAtMs: number | null,
): Statement<void> {
  const isSame = sql`content_hash = ${record.content_hash}`;
  return nothing(sql`
    UPDATE conversations
       SET kind = ${record.kind}, source = ${record.source}, metadata = ${JSON.stringify(record.metadata)},
           tags = CASE WHEN ${isSame} AND NOT (authored | ${record.authored}) & 1 THEN tags
                       ELSE ${JSON.stringify(record.tags)} END,
           summary = CASE WHEN ${isSame} AND NOT (authored | ${record.authored}) & 2 THEN summary
                          ELSE ${record.summary} END,
           enriched_by = CASE WHEN ${isSame} THEN enriched_by END, authored = ${record.authored},
           content_hash = ${record.content_hash}, created_at_ms = coalesce(${createdAtMs}, created_at_ms),
           version = version + 1, updated_at_ms = ${record.updated_at_ms}
     WHERE organization_id = ${organizationId} AND id = ${id}`);
}
