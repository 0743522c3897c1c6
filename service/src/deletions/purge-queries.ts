import { deletedHeadsOf } from "../contexts/heads-queries.ts";
import { deletedMentions } from "../entities/mentions-queries.ts";
import { hasHoldsOf, isHeldAnywhere, notedHeld } from "../holds/queries.ts";
import { deletePhrases } from "../keyword-index/queries.ts";
import { type Round, roundRobin } from "../platform/round-robin.ts";
import { assertThat, batch, changes, nothing, row, rows, run, type Sql, sql } from "../platform/sql.ts";
import { deletedSources } from "../sources/queries.ts";
import { purgedSummaries } from "../summaries/queries.ts";
import { heldTombstone, insertedPurgedHashes, type PurgedHash } from "../tombstones/queries.ts";

export interface SoftDeletedConversation {
  organizationId: string;
  id: string;
  operationId: string | null;
  messages: number;
  /** The tombstone that refuses it; null without `forget`, and for a memory. */
  tombstoneId: string | null;
}

/**
 * Soft-deleted conversations and memories that are not held, round-robin by organization, oldest deletion first. Notes
 * those that are held. `noted` is their number: after them, others may follow.
 */
export function selectSoftDeletedConversations(
  db: D1Database,
  input: { limit: number; round: Round },
): Promise<{ noted: number; softDeleted: SoftDeletedConversation[] }> {
  const isDeleted = sql`deleted_at_ms IS NOT NULL`;
  const waits = sql`${isDeleted} AND held_by IS NULL`;
  const queue = {
    table: sql`conversations`,
    key: sql`organization_id`,
    all: isDeleted,
    waits: () => waits,
    order: sql`deleted_at_ms`,
  };
  // As a bound of the index, the condition is evaluated once, where SQLite would read all rows to find it false.
  const mayBeHeld = (organization: Sql) => sql`
    ${waits} AND deleted_at_ms > iif(${hasHoldsOf(organization)}, 0, NULL)`;
  return batch(db, {
    noted: notedHeld(roundRobin({ ...queue, waits: mayBeHeld }, input.round)),
    softDeleted: rows(
      sql`${roundRobin(queue, input.round)}
          SELECT c.organization_id, c.id, c.operation_id, c.message_count,
                 CASE WHEN c.kind = 'conversation'
                      THEN ${heldTombstone(sql`c.organization_id`, sql`c.operation_id`)} END AS tombstone_id
            FROM line CROSS JOIN conversations AS c ON c.row_key = line.id
           WHERE NOT ${isHeldAnywhere(sql`c`)}
           ORDER BY position, turn LIMIT ${input.limit}`,
      toSoftDeletedConversation,
    ),
  });
}

const toSoftDeletedConversation = (conversation: {
  organization_id: string;
  id: string;
  operation_id: string | null;
  message_count: number;
  tombstone_id: string | null;
}): SoftDeletedConversation => ({
  organizationId: conversation.organization_id,
  id: conversation.id,
  operationId: conversation.operation_id,
  messages: conversation.message_count,
  tombstoneId: conversation.tombstone_id,
});

/** A message that the purge removes next, of a conversation that was deleted with `forget`. */
export interface ForgottenMessage {
  organizationId: string;
  tombstoneId: string;
  rowKey: number;
  id: string;
}

/** The next messages of conversations with a tombstone, at most `limit`. */
export const selectForgottenMessages = (
  db: D1Database,
  conversations: SoftDeletedConversation[],
  limit: number,
): Promise<ForgottenMessage[]> =>
  run(
    db,
    rows(
      sql`SELECT m.organization_id AS organizationId, gone.value ->> 'tombstoneId' AS tombstoneId,
                 m.row_key AS rowKey, m.id AS id
            FROM json_each(${JSON.stringify(conversations)}) AS gone
           CROSS JOIN messages AS m ON m.${OF_GONE} AND m.conversation_id = gone.value ->> 'id'
           LIMIT ${limit}`,
      (message: ForgottenMessage) => message,
    ),
  );

/** Whether an organization has conversations or memories. Soft-deleted ones count. */
export async function hasConversations(db: D1Database, organizationId: string): Promise<boolean> {
  const first = row(
    sql`SELECT 1 AS found FROM conversations WHERE organization_id = ${organizationId} LIMIT 1`,
    () => true,
  );
  return (await run(db, first)) !== null;
}

const OF_GONE = sql`organization_id = gone.value ->> 'organizationId'`;

const emptyAmong = (gone: string): Sql => sql`
  FROM json_each(${gone}) AS gone
  CROSS JOIN conversations AS c ON c.${OF_GONE} AND c.id = gone.value ->> 'id'
  WHERE NOT EXISTS (SELECT 1 FROM messages AS m
                     WHERE m.organization_id = c.organization_id AND m.conversation_id = c.id)
    AND NOT EXISTS (SELECT 1 FROM memory_versions AS v
                     WHERE v.organization_id = c.organization_id AND v.memory_id = c.id)
    AND NOT EXISTS (SELECT 1 FROM summaries AS s
                     WHERE s.organization_id = c.organization_id AND s.conversation_id = c.id)
    AND NOT EXISTS (SELECT 1 FROM conversation_chunks AS k
                     WHERE k.organization_id = c.organization_id AND k.conversation_id = c.id)
    AND NOT EXISTS (SELECT 1 FROM vector_deletions AS d
                     WHERE d.organization_id = c.organization_id AND d.conversation_id = c.id
                       AND d.queued_at_ms > 0)`;

/** The messages of a step whose ids stay refused, each with the hash of its id. */
export interface ForgottenMessages {
  messages: ForgottenMessage[];
  hashes: PurgedHash[];
}

/**
 * Removes messages and chunks of soft-deleted conversations, at most `limit` of each. Resolves to the number of
 * conversations that had nothing left and were deleted. Fails with `held`, and removes nothing, if a conversation has come
 * under a hold since it was selected.
 *
 * @param forgotten of conversations with a tombstone, exactly these messages are removed, and their hashes are added to
 * it: an import could place a message in another conversation.
 */
export async function purgeConversations(
  db: D1Database,
  conversations: SoftDeletedConversation[],
  { limit, nowMs }: { limit: number; nowMs: number },
  forgotten: ForgottenMessages = { messages: [], hashes: [] },
): Promise<number> {
  const list = JSON.stringify(conversations);
  const gone = sql`json_each(${list}) AS gone`;
  const ids = sql`SELECT value ->> 'organizationId', value ->> 'id' FROM json_each(${list})`;
  const empty = emptyAmong(list);
  // No ORDER BY: SQLite would read and sort all messages of a large conversation in each step. Each
  // statement reads the rows in the order of the same index.
  const plain = JSON.stringify(conversations.filter(({ tombstoneId }) => tombstoneId === null));
  const plainMessages = sql`
    SELECT m.row_key FROM json_each(${plain}) AS gone
     CROSS JOIN messages AS m ON m.${OF_GONE} AND m.conversation_id = gone.value ->> 'id' LIMIT ${limit}`;
  const hashed = JSON.stringify(forgotten.messages.map(({ rowKey }) => rowKey));
  const someMessages =
    forgotten.messages.length === 0
      ? plainMessages
      : sql`SELECT row_key FROM (${plainMessages}) UNION ALL SELECT value FROM json_each(${hashed})`;
  const someVersions = sql`
    FROM ${gone}
    CROSS JOIN memory_versions AS v ON v.${OF_GONE} AND v.memory_id = gone.value ->> 'id' LIMIT ${limit}`;
  const someChunks = sql`
    FROM ${gone}
    CROSS JOIN conversation_chunks AS k ON k.${OF_GONE} AND k.conversation_id = gone.value ->> 'id'
    LIMIT ${limit}`;
  const { purged } = await batch(db, {
    notHeld: assertThat(
      "held",
      sql`NOT EXISTS (SELECT 1 FROM ${gone} CROSS JOIN conversations AS c ON c.${OF_GONE} AND c.id = gone.value ->> 'id'
                       WHERE ${isHeldAnywhere(sql`c`)})`,
    ),
    forgotten: insertedPurgedHashes(forgotten.hashes),
    queuedVectors: nothing(
      sql`INSERT OR IGNORE INTO vector_deletions
            (organization_id, vector_id, conversation_id, operation_id, queued_at_ms, due_at_ms)
          SELECT k.organization_id, k.vector_id, k.conversation_id, gone.value ->> 'operationId', 0, ${nowMs}
            ${someChunks}`,
    ),
    chunks: nothing(sql`
      DELETE FROM conversation_chunks WHERE (organization_id, conversation_id, window_start, id) IN
        (SELECT k.organization_id, k.conversation_id, k.window_start, k.id ${someChunks})`),
    // The deletion waits for vectors that were queued before it. If a Worker's clock is ahead, it may have
    // queued some with a later time, so the time becomes 0.
    earlierVectors: nothing(
      sql`UPDATE vector_deletions AS d
             SET queued_at_ms = 0,
                 operation_id = (SELECT gone.value ->> 'operationId' FROM ${gone}
                                  WHERE d.${OF_GONE} AND d.conversation_id = gone.value ->> 'id')
           WHERE rowid IN (SELECT q.rowid FROM ${gone}
                            CROSS JOIN vector_deletions AS q ON q.${OF_GONE}
                                       AND q.conversation_id = gone.value ->> 'id' AND q.queued_at_ms > 0
                            LIMIT ${limit})`,
    ),
    contextHeads: deletedHeadsOf(ids),
    sources: deletedSources(ids),
    enrichmentJobs: nothing(sql`DELETE FROM enrichment_jobs WHERE (organization_id, memory_id) IN (${ids})`),
    indexJobs: nothing(sql`DELETE FROM index_jobs WHERE (organization_id, conversation_id) IN (${ids})`),
    words: nothing(sql`DELETE FROM message_words WHERE rowid IN (${someMessages})`),
    phrases: nothing(deletePhrases(someMessages)),
    lateWords: nothing(sql`
      DELETE FROM late_words WHERE (organization_id, row_key) IN (
        SELECT m.organization_id, m.row_key FROM messages AS m WHERE m.row_key IN (${someMessages}))`),
    mentions: deletedMentions(sql`e.organization_id`, someMessages),
    messages: nothing(sql`DELETE FROM messages WHERE row_key IN (${someMessages})`),
    countedVersions: nothing(sql`
      UPDATE operations SET versions_deleted = versions_deleted + gone.versions
        FROM (SELECT organization_id, operation_id, count(*) AS versions
                FROM (SELECT v.organization_id, gone.value ->> 'operationId' AS operation_id ${someVersions})
               GROUP BY organization_id, operation_id) AS gone
       WHERE operations.organization_id = gone.organization_id AND operations.id = gone.operation_id`),
    versions: nothing(sql`DELETE FROM memory_versions WHERE rowid IN (SELECT v.rowid ${someVersions})`),
    summaries: purgedSummaries(list, limit),
    receipts: nothing(
      sql`UPDATE operations SET rows_deleted_at_ms = ${nowMs}
           WHERE type IN ('delete_conversation', 'delete_memory') AND (organization_id, id) IN
                 (SELECT c.organization_id, gone.value ->> 'operationId' ${empty})`,
    ),
    // A canceled operation keeps its progress.
    counts: nothing(
      sql`UPDATE operations SET done = coalesce(done, 0) + purged.conversations
            FROM (SELECT c.organization_id AS organization_id, c.operation_id AS operation_id,
                         count(*) AS conversations
                    ${empty} GROUP BY c.organization_id, c.operation_id) AS purged
           WHERE operations.organization_id = purged.organization_id AND operations.id = purged.operation_id
             AND type = 'delete_organization' AND canceled_at_ms IS NULL`,
    ),
    purged: changes(sql`DELETE FROM conversations WHERE row_key IN (SELECT c.row_key ${empty})`),
  });
  return purged;
}

/**
 * Removes deleted words from the file of the keyword index, which contains them until its pages are rewritten.
 *
 * The migrations set FTS5's `deletemerge` to 1: a segment is due for a merge once 1 % of its rows are deleted, and the
 * `merge` command with a positive number merges what is due. A smaller share of deleted rows makes no merge due. For
 * these, the command with a negative number merges all segments into one, over several calls
 * (https://www.sqlite.org/fts5.html#the_merge_command).
 */
export async function mergeKeywordIndex(db: D1Database, pages: number): Promise<void> {
  for (const index of [sql`message_words`, sql`message_phrases`]) {
    const merge = sql`INSERT INTO ${index} (${index}, rank)`;
    // More than one change means that a merge was due. One change is the command itself.
    if ((await run(db, changes(sql`${merge} VALUES ('merge', ${pages})`))) > 1) continue;
    // FTS5 stores tombstones (marks of deleted rows) in pages with these ids: fts5_index.c,
    // FTS5_TOMBSTONE_ROWID.
    const hasDeleted = sql`EXISTS (SELECT 1 FROM ${index}_data WHERE id >= 1 << 53)`;
    await run(db, nothing(sql`${merge} SELECT 'merge', ${-pages} WHERE ${hasDeleted}`));
  }
}
