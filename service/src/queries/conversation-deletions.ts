import type { ConversationsCounted, Corpus } from "@engram/spec";
import type { Owner } from "./batch.ts";
import {
  type ConversationFilter,
  conversationConditions,
  existing,
  toWhere,
} from "./conversation-filters.ts";
import { type FilteredDeletion, isDeletingOrganization } from "./operations.ts";

/** What hiding rows of a corpus, `c`, takes from an organization's counters. */
const UNCOUNTED = {
  conversations: `(conversation_count, message_count, token_count) =
    (SELECT organization_counters.conversation_count - count(*),
            organization_counters.message_count - coalesce(sum(c.message_count), 0),
            organization_counters.token_count - coalesce(sum(c.token_count), 0)`,
  memories: `(memory_count, memory_token_count) =
    (SELECT organization_counters.memory_count - count(*),
            organization_counters.memory_token_count - coalesce(sum(c.token_count), 0)`,
};

/** The statements that hide a conversation or a memory from every answer and leave it to the purge. */
export function hideConversation(
  db: D1Database,
  corpus: Corpus,
  input: { organizationId: string; id: string; operationId: string; nowMs: number },
): D1PreparedStatement[] {
  return [
    db
      .prepare(
        `UPDATE organization_counters
            SET ${UNCOUNTED[corpus]} FROM conversations AS c WHERE c.organization_id = ?1 AND c.id = ?2)
          WHERE organization_id = ?1
            AND EXISTS (SELECT 1 FROM conversations
                         WHERE organization_id = ?1 AND id = ?2 AND deleted_at_ms IS NULL)`,
      )
      .bind(input.organizationId, input.id),
    db
      .prepare(
        `UPDATE conversations SET deleted_at_ms = ?3, operation_id = ?4
          WHERE organization_id = ?1 AND id = ?2 AND deleted_at_ms IS NULL`,
      )
      .bind(input.organizationId, input.id, input.nowMs, input.operationId),
  ];
}

/**
 * Hide the next so many conversations of an organization; resolves to how many there were.
 *
 * None once its deletion was called off, which a sweep need not know yet.
 */
export async function hideConversationsOf(
  db: D1Database,
  input: { organizationId: string; operationId: string; nowMs: number; limit: number },
): Promise<number> {
  const { meta } = await db
    .prepare(
      `UPDATE conversations SET deleted_at_ms = ?2, operation_id = ?3
        WHERE number IN (SELECT number FROM conversations
                          WHERE organization_id = ?1 AND deleted_at_ms IS NULL LIMIT ?4)
          AND +organization_id = ?1 -- by number: the plus keeps the planner from scanning the organization
          AND ${isDeletingOrganization("?3")}`,
    )
    .bind(input.organizationId, input.nowMs, input.operationId, input.limit)
    .run();
  return meta.changes;
}

/** How much of the owner's a filter finds; a memory is one message. */
export async function countConversations(
  db: D1Database,
  owner: Owner,
  filter: ConversationFilter,
): Promise<ConversationsCounted> {
  const where = toWhere(conversationConditions(owner, filter), 2);
  const row = await db
    .prepare(
      `SELECT count(*) AS conversations, coalesce(sum(c.message_count), 0) AS messages
         FROM conversations AS c WHERE ${existing(filter)} AND ${where.sql}`,
    )
    .bind(owner.organizationId, ...where.binds)
    .first<ConversationsCounted>();
  return row ?? { conversations: 0, messages: 0 };
}

/**
 * The statements that hide the next so many conversations of a deletion by filter, oldest first, and note
 * how far it is.
 *
 * Nothing is hidden once it was called off: its filter is gone with that.
 */
export function hideFilteredConversations(
  db: D1Database,
  { owner, id, filter }: FilteredDeletion,
  input: { nowMs: number; limit: number },
): D1PreparedStatement[] {
  const where = toWhere(conversationConditions(owner, filter), 4);
  const next = `SELECT c.number FROM operations AS o CROSS JOIN conversations AS c
    WHERE o.organization_id = ?1 AND o.id = ?2 AND o.filter IS NOT NULL
      AND ${existing(filter)} AND c.number <= o.last_number AND ${where.sql}
    ORDER BY c.created_at_ms, c.id LIMIT ?3`;
  const bound = (sql: string, ...more: unknown[]) =>
    db.prepare(sql).bind(owner.organizationId, id, input.limit, ...where.binds, ...more);
  return [
    bound(
      `UPDATE organization_counters
          SET ${UNCOUNTED[filter.corpora?.[0] ?? "conversations"]}
                 FROM conversations AS c WHERE c.number IN (${next}) AND +c.organization_id = ?1)
        WHERE organization_id = ?1`,
    ),
    bound(
      `UPDATE conversations SET deleted_at_ms = ?${4 + where.binds.length}, operation_id = ?2
        WHERE number IN (${next}) AND +organization_id = ?1`,
      input.nowMs,
    ),
    db
      .prepare(
        `UPDATE operations
            SET done = CASE WHEN changes() < ?3 THEN total ELSE done + changes() END,
                filter = CASE WHEN changes() < ?3 THEN NULL ELSE filter END
          WHERE organization_id = ?1 AND id = ?2 AND filter IS NOT NULL`,
      )
      .bind(owner.organizationId, id, input.limit),
  ];
}
