import type { Owner } from "./batch.ts";
import { type Taking, toTakings } from "./vector-takings.ts";

/** Gaps in the vector index that a search by meaning reports. */
export interface SearchState {
  /** Messages without a vector in the store, counted from the jobs that were read. */
  pending: number;
  /**
   * Whether vectors of another embedding model exist. For an agent also true when there are too many to
   * check.
   */
  otherModels: boolean;
  /** Recent upserts, newest first, which may not be visible yet. */
  takings: Taking[];
}

/**
 * The present gaps in the vector index for the owner's messages. Reads at most `rows` jobs, and a number of
 * chunks that `rows` bounds.
 */
export async function selectSearchState(
  db: D1Database,
  owner: Owner,
  { model, nowMs, rows }: { model: string; nowMs: number; rows: number },
): Promise<SearchState> {
  const row = await db
    .prepare(
      // Jobs can overlap, so a conversation counts at most as many messages as it has.
      `SELECT coalesce((SELECT sum(min(c.message_count, j.waiting))
                          FROM (SELECT conversation_id, sum(to_sequence - from_sequence + 1) AS waiting
                                  FROM (SELECT conversation_id, from_sequence, to_sequence FROM index_jobs
                                         WHERE organization_id = ?1 ORDER BY conversation_id LIMIT ${rows})
                                 GROUP BY conversation_id) AS j
                         CROSS JOIN conversations AS c ON c.organization_id = ?1 AND c.id = j.conversation_id
                         WHERE c.deleted_at_ms IS NULL AND (?3 IS NULL OR c.agent_id = ?3)), 0) AS pending,
              (${hasChunks("<", owner, rows)} OR ${hasChunks(">", owner, rows)}) AS other_models,
              (SELECT vectors_taken FROM organization_counters WHERE organization_id = ?1) AS vectors_taken`,
    )
    .bind(owner.organizationId, model, owner.agentId)
    .first<{ pending: number; other_models: number; vectors_taken: string | null }>();
  return {
    pending: row?.pending ?? 0,
    otherModels: row?.other_models === 1,
    takings: toTakings(row?.vectors_taken ?? null, { agentId: owner.agentId, nowMs }),
  };
}

/**
 * Whether the owner has chunks whose model sorts before or after the current one. For an agent also true when
 * the organization has at least `rows` of them.
 */
function hasChunks(comparison: "<" | ">", { agentId }: Owner, rows: number): string {
  const chunks = `FROM conversation_chunks WHERE organization_id = ?1 AND model ${comparison} ?2`;
  if (agentId === null) return `EXISTS (SELECT 1 ${chunks})`;
  return `EXISTS (SELECT 1 FROM (SELECT conversation_id ${chunks} LIMIT ${rows}) AS k
            CROSS JOIN conversations AS c ON c.organization_id = ?1 AND c.id = k.conversation_id
            WHERE c.agent_id = ?3)
          OR EXISTS (SELECT 1 ${chunks} LIMIT 1 OFFSET ${rows - 1})`;
}
