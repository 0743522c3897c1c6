import { listedForReaders, unlistedForReaders } from "../entities/mentions-queries.ts";
import { queuedRange } from "../jobs/queries.ts";
import { assertThat, type Statements, sql } from "../platform/sql.ts";

/**
 * What changes with a conversation or memory that is shared, or not any more. Must run before the statement that sets the
 * column. Its vectors are queued, because the vector store filters by users; until they are stored, the row decides.
 *
 * Fails the batch with `user_conflict` if it would be shared and belongs to a user.
 */
export function changedSharing(
  { organizationId, id, nowMs }: { organizationId: string; id: string; nowMs: number },
  shared: boolean,
) {
  const target = sql`
    FROM conversations AS c WHERE c.organization_id = ${organizationId} AND c.id = ${id} AND c.deleted_at_ms IS NULL`;
  const isOther = sql`c.shared <> ${shared ? 1 : 0}`;
  return {
    noUser: shared
      ? assertThat("user_conflict", sql`NOT EXISTS (SELECT 1 ${target} AND c.user_id IS NOT NULL)`)
      : null,
    vectors: queuedRange(
      { organizationId, conversationId: id, nowMs },
      sql`SELECT 1 AS first, c.last_sequence AS last ${target} AND c.message_count > 0 AND ${isOther}`,
    ),
    entities: (shared ? listedForReaders : unlistedForReaders)(
      organizationId,
      sql`SELECT c.row_key, c.agent_id ${target} AND ${isOther}`,
    ),
  } satisfies Statements;
}
