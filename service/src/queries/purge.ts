import { deletePhrases } from "./messages.ts";
import { byTurns, type Turns, toBinds } from "./turns.ts";

/** A soft-deleted conversation or memory that is not purged yet. */
export interface HiddenConversation {
  organizationId: string;
  id: string;
  operationId: string | null;
  messages: number;
}

/** Soft-deleted conversations and memories, round-robin by organization, oldest deletion first. */
export async function selectHiddenConversations(
  db: D1Database,
  input: { limit: number; turns: Turns },
): Promise<HiddenConversation[]> {
  const hidden = "deleted_at_ms IS NOT NULL";
  const queue = { table: "conversations", all: hidden, waits: () => hidden, order: "deleted_at_ms" };
  const { results } = await db
    .prepare(
      `${byTurns(queue, 2)}
       SELECT c.organization_id, c.id, c.operation_id, c.message_count
         FROM line CROSS JOIN conversations AS c ON c.number = line.id
        ORDER BY position, turn LIMIT ?1`,
    )
    .bind(input.limit, ...toBinds(input.turns))
    .all<{ organization_id: string; id: string; operation_id: string | null; message_count: number }>();
  return results.map((row) => ({
    organizationId: row.organization_id,
    id: row.id,
    operationId: row.operation_id,
    messages: row.message_count,
  }));
}

/** Whether the organization has any conversation or memory left, soft-deleted or not. */
export async function hasConversations(db: D1Database, organizationId: string): Promise<boolean> {
  const row = await db
    .prepare("SELECT 1 AS found FROM conversations WHERE organization_id = ?1 LIMIT 1")
    .bind(organizationId)
    .first();
  return row !== null;
}

/** Condition on the organization of each conversation in the JSON list `gone`. */
const OF_GONE = `organization_id = gone.value ->> 'organizationId'`;
const MESSAGES = `FROM json_each(?1) AS gone
  CROSS JOIN messages AS m ON m.${OF_GONE} AND m.conversation_id = gone.value ->> 'id'`;
/** The next chunks of these conversations, at most ?2. */
const SOME_CHUNKS = `FROM json_each(?1) AS gone
  CROSS JOIN conversation_chunks AS k ON k.${OF_GONE} AND k.conversation_id = gone.value ->> 'id'
  LIMIT ?2`;

/**
 * Purges up to `limit` messages of soft-deleted conversations with their terms, and up to `limit` chunks,
 * whose vectors it queues for deletion. Then purges the conversations that have nothing left. Resolves to the
 * number of conversations purged.
 */
export async function purgeConversations(
  db: D1Database,
  conversations: HiddenConversation[],
  input: { limit: number; nowMs: number },
): Promise<number> {
  const list = JSON.stringify(conversations);
  // Each statement reads these rows in the same order, through the same index. With an ORDER BY, SQLite would read and
  // sort all messages of a large conversation in each step.
  const some = `SELECT m.number ${MESSAGES} LIMIT ?2`;
  const empty = `FROM json_each(?1) AS gone
    CROSS JOIN conversations AS c ON c.${OF_GONE} AND c.id = gone.value ->> 'id'
    WHERE NOT EXISTS (SELECT 1 FROM messages AS m
                       WHERE m.organization_id = c.organization_id AND m.conversation_id = c.id)
      AND NOT EXISTS (SELECT 1 FROM conversation_chunks AS k
                       WHERE k.organization_id = c.organization_id AND k.conversation_id = c.id)
      AND NOT EXISTS (SELECT 1 FROM vector_deletions AS d
                       WHERE d.organization_id = c.organization_id AND d.conversation_id = c.id
                         AND d.queued_at_ms > 0)`;
  const bound = (sql: string, ...more: unknown[]) => db.prepare(sql).bind(list, ...more);
  const results = await db.batch([
    bound(
      `INSERT OR IGNORE INTO vector_deletions
         (organization_id, vector_id, conversation_id, operation_id, queued_at_ms, due_at_ms)
       SELECT k.organization_id, k.vector_id, k.conversation_id, gone.value ->> 'operationId', 0, ?3 ${SOME_CHUNKS}`,
      input.limit,
      input.nowMs,
    ),
    bound(`DELETE FROM conversation_chunks WHERE rowid IN (SELECT k.rowid ${SOME_CHUNKS})`, input.limit),
    // Includes vectors queued earlier. If another Worker's clock is ahead, their time may be later than the
    // start of the receipt.
    bound(
      `UPDATE vector_deletions AS d
          SET queued_at_ms = 0,
              operation_id = (SELECT gone.value ->> 'operationId' FROM json_each(?1) AS gone
                               WHERE d.${OF_GONE} AND d.conversation_id = gone.value ->> 'id')
        WHERE rowid IN (SELECT q.rowid FROM json_each(?1) AS gone
                         CROSS JOIN vector_deletions AS q ON q.${OF_GONE}
                                    AND q.conversation_id = gone.value ->> 'id' AND q.queued_at_ms > 0
                         LIMIT ?2)`,
      input.limit,
    ),
    bound(
      `DELETE FROM enrichment_jobs WHERE (organization_id, memory_id) IN
         (SELECT value ->> 'organizationId', value ->> 'id' FROM json_each(?1))`,
    ),
    bound(
      `DELETE FROM index_jobs WHERE (organization_id, conversation_id) IN
         (SELECT value ->> 'organizationId', value ->> 'id' FROM json_each(?1))`,
    ),
    bound(`DELETE FROM message_words WHERE rowid IN (${some})`, input.limit),
    bound(deletePhrases(some), input.limit),
    bound(`DELETE FROM messages WHERE number IN (${some})`, input.limit),
    bound(
      `UPDATE operations SET rows_deleted_at_ms = ?2
        WHERE type IN ('delete_conversation', 'delete_memory') AND (organization_id, id) IN
              (SELECT c.organization_id, gone.value ->> 'operationId' ${empty})`,
      input.nowMs,
    ),
    // A canceled operation keeps its progress.
    bound(
      `UPDATE operations SET done = coalesce(done, 0) + purged.conversations
         FROM (SELECT c.organization_id AS organization_id, c.operation_id AS operation_id, count(*) AS conversations
                 ${empty} GROUP BY c.organization_id, c.operation_id) AS purged
        WHERE operations.organization_id = purged.organization_id AND operations.id = purged.operation_id
          AND type = 'delete_organization' AND canceled_at_ms IS NULL`,
    ),
    bound(`DELETE FROM conversations WHERE number IN (SELECT c.number ${empty})`),
  ]);
  return results.at(-1)?.meta.changes ?? 0;
}

/**
 * Rewrites up to `pages` pages of the keyword index without deleted terms. Until then searches do not find
 * those terms, but the file still contains them.
 *
 * FTS5 rewrites a segment by itself once 1 % of it is deleted. A smaller share would stay until the next
 * write. So when no other merge is due, all segments are merged into one, over several calls
 * (https://www.sqlite.org/fts5.html#the_merge_command).
 */
export async function mergeWords(db: D1Database, pages: number): Promise<void> {
  for (const index of ["message_words", "message_phrases"]) {
    const merge = `INSERT INTO ${index} (${index}, rank)`;
    const { meta } = await db.prepare(`${merge} VALUES ('merge', ?1)`).bind(pages).run();
    // One change is the command itself, so no merge was due.
    if (meta.changes > 1) continue;
    // FTS5 stores tombstones (marks of deleted rows) in pages with these ids: fts5_index.c,
    // FTS5_TOMBSTONE_ROWID.
    const hasDeleted = `EXISTS (SELECT 1 FROM ${index}_data WHERE id >= 1 << 53)`;
    await db.prepare(`${merge} SELECT 'merge', -?1 WHERE ${hasDeleted}`).bind(pages).run();
  }
}
