import type { Corpus } from "@engram/spec";
import { type FilteredDeletion, isDeletingOrganization, type NewOperation } from "../operations/queries.ts";
import type { Owner } from "../platform/batch.ts";
import type { ListPosition } from "../platform/cursors.ts";
import { type ConversationFilter, conditionIf } from "./filters-queries.ts";
import { endOf, type Scan, type ScanLimits, scanOf, toPosition } from "./scans-queries.ts";

/** Subtracts the rows of a corpus, `c`, from an organization's counters. */
const UNCOUNTED = {
  conversations: `(conversation_count, message_count, token_count) =
    (SELECT organization_counters.conversation_count - count(*),
            organization_counters.message_count - coalesce(sum(c.message_count), 0),
            organization_counters.token_count - coalesce(sum(c.token_count), 0)`,
  memories: `(memory_count, memory_token_count) =
    (SELECT organization_counters.memory_count - count(*),
            organization_counters.memory_token_count - coalesce(sum(c.token_count), 0)`,
};

/** Soft-deletes a conversation or a memory. */
export function softDeleteConversation(
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
 * Soft-deletes up to `limit` conversations and memories of an organization. Resolves to their number.
 *
 * Deletes none once the organization's deletion was canceled, even if the sweep has not read that yet.
 */
export async function softDeleteConversationsOf(
  db: D1Database,
  input: { organizationId: string; operationId: string; nowMs: number; limit: number },
): Promise<number> {
  // Ordered by an index, so that both statements select the same rows.
  const next = `SELECT number FROM conversations
    WHERE organization_id = ?1 AND deleted_at_ms IS NULL ORDER BY id LIMIT ?2`;
  const of = (kind: string) => `FILTER (WHERE c.kind ${kind} 'conversation')`;
  const results = await db.batch([
    db
      .prepare(
        `UPDATE organization_counters
            SET (conversation_count, message_count, token_count, memory_count, memory_token_count) =
                (SELECT organization_counters.conversation_count - count(*) ${of("=")},
                        organization_counters.message_count - coalesce(sum(c.message_count) ${of("=")}, 0),
                        organization_counters.token_count - coalesce(sum(c.token_count) ${of("=")}, 0),
                        organization_counters.memory_count - count(*) ${of("<>")},
                        organization_counters.memory_token_count - coalesce(sum(c.token_count) ${of("<>")}, 0)
                   FROM conversations AS c WHERE c.number IN (${next}))
          WHERE organization_id = ?1 AND ${isDeletingOrganization("?3")}`,
      )
      .bind(input.organizationId, input.limit, input.operationId),
    db
      .prepare(
        `UPDATE conversations SET deleted_at_ms = ?4, operation_id = ?3
          WHERE number IN (${next})
            AND +organization_id = ?1 -- by number: the plus keeps the planner from scanning the organization
            AND ${isDeletingOrganization("?3")}`,
      )
      .bind(input.organizationId, input.limit, input.operationId, input.nowMs),
  ]);
  return results.at(-1)?.meta.changes ?? 0;
}

/** Counts the matches in one scan from a position on. A memory counts as one message. */
export async function countConversations(
  db: D1Database,
  { owner, filter, after, limits }: FilteredList & { after: ListPosition | null },
): Promise<{ conversations: number; messages: number; next: ListPosition | null }> {
  const list = oldestFirst({ owner, filter, limits }, after);
  const { scan, allowed, binds } = scanOf(list);
  const row = await db
    .prepare(
      `WITH ${scan}
       SELECT count(*) AS conversations, coalesce(sum(c.message_count), 0) AS messages, (${endOf(list)}) AS scan_end
         ${allowed}`,
    )
    .bind(...binds)
    .first<{ conversations: number; messages: number; scan_end: string | null }>();
  const { conversations = 0, messages = 0, scan_end = null } = row ?? {};
  return { conversations, messages, next: toPosition(scan_end) };
}

/** Opens a bulk deletion of everything that matches the filter now. */
export function insertFilteredDeletion(
  db: D1Database,
  input: Omit<NewOperation, "organizationId" | "agentId"> & FilteredList,
): D1PreparedStatement {
  const { owner, filter } = input;
  const list = oldestFirst(input, null);
  const { scan, allowed, binds } = scanOf(list);
  const values = [input.id, input.type, input.targetId, owner.agentId, input.nowMs, JSON.stringify(filter)];
  const bound = values.map((_, i) => `?${binds.length + 1 + i}`);
  // The total stays null when one scan does not reach the end of the list.
  return db
    .prepare(
      `WITH ${scan}
       INSERT INTO operations
         (organization_id, id, type, target_id, agent_id, created_at_ms, filter, done, total, last_number)
       SELECT ?1, ${bound.join(", ")}, 0,
              CASE WHEN (${endOf(list)}) IS NULL THEN (SELECT count(*) ${allowed}) END,
              (SELECT coalesce(max(number), 0) FROM conversations)`,
    )
    .bind(...binds, ...values);
}

/**
 * One step of a bulk deletion. Soft-deletes up to `limit` matches of one scan, oldest first, and stores the
 * position. The last statement returns `is_done`, or no row once the deletion was canceled.
 */
export function softDeleteFilteredConversations(
  db: D1Database,
  { owner, id, filter }: FilteredDeletion,
  { nowMs, limit, limits }: { nowMs: number; limit: number; limits: ScanLimits },
): D1PreparedStatement[] {
  const list = oldestFirst({ owner, filter, limits }, { operationId: id });
  const createdBefore = conditionIf("c.number <= (SELECT last_number FROM operations WHERE id = $)", id);
  const { scan, allowed, binds } = scanOf(list, createdBefore);
  const [operation, now] = [`?${binds.length + 1}`, `?${binds.length + 2}`];
  const open = `EXISTS (SELECT 1 FROM operations
    WHERE organization_id = ?1 AND id = ${operation} AND filter IS NOT NULL)`;
  // Rows that earlier steps deleted lie before the position and are not in the scan.
  const softDeleted = `FROM scan CROSS JOIN conversations AS c ON c.number = scan.number
    WHERE c.operation_id = ${operation}`;
  const bound = (sql: string, ...more: unknown[]) =>
    db.prepare(`WITH ${scan} ${sql}`).bind(...binds, id, ...more);
  return [
    bound(
      `UPDATE conversations SET deleted_at_ms = ${now}, operation_id = ${operation}
        WHERE number IN (SELECT scan.number ${allowed} AND ${open}
                          ORDER BY scan.sort_value, scan.id LIMIT ${limit})
          AND +organization_id = ?1`,
      nowMs,
    ),
    bound(
      `UPDATE organization_counters SET ${UNCOUNTED[list.corpus]} ${softDeleted})
        WHERE organization_id = ?1 AND ${open}`,
    ),
    bound(
      `, step AS (
         SELECT count(*) AS hidden,
                CASE WHEN count(*) < ${limit} THEN (${endOf(list)})
                     ELSE (SELECT json_array(scan.sort_value, scan.id) ${softDeleted}
                            ORDER BY scan.sort_value DESC, scan.id DESC LIMIT 1) END AS position
           ${softDeleted})
       UPDATE operations
          SET filter_position = step.position,
              filter = CASE WHEN step.position IS NULL THEN NULL ELSE filter END,
              done = CASE WHEN step.position IS NULL THEN coalesce(total, done + step.hidden) ELSE done + step.hidden END,
              total = CASE WHEN step.position IS NULL THEN coalesce(total, done + step.hidden) ELSE total END
         FROM step
        WHERE operations.organization_id = ?1 AND operations.id = ${operation} AND filter IS NOT NULL
       RETURNING operations.filter IS NULL AS is_done`,
    ),
  ];
}

interface FilteredList {
  owner: Owner;
  filter: ConversationFilter;
  limits: ScanLimits;
}

const oldestFirst = ({ owner, filter, limits }: FilteredList, after: Scan["after"]): Scan => ({
  owner,
  corpus: filter.corpora?.[0] ?? "conversations",
  filter,
  sort: "created_at",
  order: "asc",
  after,
  limits,
});
