import { isReadable, type Owner, readableConditions } from "../platform/batch.ts";
import { type RecordedUpsert, toRecentUpserts } from "../platform/recent-upserts.ts";
import { onlyRow, type Sql, type Statement, sql } from "../platform/sql.ts";

export interface SearchState {
  /** Number of messages whose vectors are not stored yet, counted from the queued indexing jobs that were read. */
  pending: number;
  /**
   * Whether chunks have vectors of other embedding models. For a key bound to an agent or a user, also true if there
   * are too many such chunks to check whose they are.
   */
  otherModels: boolean;
  /** Whether words of a large write are not in the keyword index yet. */
  hasLateWords: boolean;
  /** Whether the organization has memories that may not hold at every time. */
  hasValidity: boolean;
  /** The last writes to the vector store, newest first. Its queries may not return their vectors yet. */
  recentUpserts: RecordedUpsert[];
}

/** Reads at most `rows` indexing jobs, and at most a few times as many chunks. */
export const searchState = (
  owner: Owner,
  { model, nowMs, rows }: { model: string; nowMs: number; rows: number },
): Statement<SearchState> =>
  onlyRow(
    sql`SELECT coalesce((${waitingMessages(owner, rows)}), 0) AS pending,
               (${hasChunks(owner, sql`model < ${model}`, rows)}
                OR ${hasChunks(owner, sql`model > ${model}`, rows)}) AS other_models,
               EXISTS (SELECT 1 FROM late_words WHERE organization_id = ${owner.organizationId}) AS has_late_words,
               -- The condition is that of the partial index.
               EXISTS (SELECT 1 FROM conversations
                        WHERE organization_id = ${owner.organizationId}
                          AND (valid_from_ms IS NOT NULL OR valid_until_ms IS NOT NULL)) AS has_validity,
               (SELECT recent_upserts FROM organization_counters
                 WHERE organization_id = ${owner.organizationId}) AS recent_upserts`,
    (row: {
      pending: number;
      other_models: 0 | 1;
      has_late_words: 0 | 1;
      has_validity: 0 | 1;
      recent_upserts: string | null;
    }) => ({
      pending: row.pending,
      otherModels: row.other_models === 1,
      hasLateWords: row.has_late_words === 1,
      hasValidity: row.has_validity === 1,
      recentUpserts: toRecentUpserts(row.recent_upserts, owner, nowMs),
    }),
  );

/**
 * Number of messages in queued jobs. Jobs of a conversation can overlap; together they count at most as many messages
 * as the conversation has.
 */
const waitingMessages = (owner: Owner, rows: number): Sql => sql`
  SELECT sum(min(c.message_count, j.waiting))
    FROM (SELECT conversation_id, sum(to_sequence - from_sequence + 1) AS waiting
            FROM (SELECT conversation_id, from_sequence, to_sequence FROM index_jobs
                   WHERE organization_id = ${owner.organizationId} AND keeps_vectors = 0
                   ORDER BY conversation_id LIMIT ${rows})
           GROUP BY conversation_id) AS j
   CROSS JOIN conversations AS c ON c.organization_id = ${owner.organizationId} AND c.id = j.conversation_id
   WHERE c.deleted_at_ms IS NULL AND ${isReadable(owner, sql`c.`)}`;

/**
 * Whether the organization has chunks of these models; for a key bound to an agent or a user, whether that one has. For
 * such a key, also true if the organization has `rows` or more of them.
 */
function hasChunks(owner: Owner, ofModels: Sql, rows: number): Sql {
  const { organizationId } = owner;
  const chunks = sql`FROM conversation_chunks WHERE organization_id = ${organizationId} AND ${ofModels}`;
  if (readableConditions(owner).length === 0) return sql`EXISTS (SELECT 1 ${chunks})`;
  return sql`
    EXISTS (SELECT 1 FROM (SELECT conversation_id ${chunks} LIMIT ${rows}) AS k
             CROSS JOIN conversations AS c ON c.organization_id = ${organizationId} AND c.id = k.conversation_id
             WHERE ${isReadable(owner, sql`c.`)})
    OR EXISTS (SELECT 1 ${chunks} LIMIT 1 OFFSET ${rows - 1})`;
}
