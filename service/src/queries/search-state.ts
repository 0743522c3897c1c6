import type { Owner } from "./batch.ts";
import { type Taking, toTakings } from "./vector-takings.ts";

/** What a search by meaning cannot see. */
export interface SearchState {
  /** Messages whose vectors the store has not taken yet: of the jobs that were read. */
  pending: number;
  /** Whether there are vectors of another model than the one in use; for an agent also when there are too many to tell. */
  otherModels: boolean;
  /** What the store took a short while ago, newest first: it may not show it yet. */
  takings: Taking[];
}

/** What a search of the owner's by meaning cannot see at this moment. It reads up to `rows` jobs, and as many chunks. */
export async function selectSearchState(
  db: D1Database,
  owner: Owner,
  { model, nowMs, rows }: { model: string; nowMs: number; rows: number },
): Promise<SearchState> {
  const row = await db
    .prepare(
      // Jobs can overlap: a conversation has no more to wait for than it has messages.
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

/** Whether the owner has chunks whose model compares so; for an agent yes, too, when the organization has `rows`. */
function hasChunks(comparison: "<" | ">", { agentId }: Owner, rows: number): string {
  const chunks = `FROM conversation_chunks WHERE organization_id = ?1 AND model ${comparison} ?2`;
  if (agentId === null) return `EXISTS (SELECT 1 ${chunks})`;
  return `EXISTS (SELECT 1 FROM (SELECT conversation_id ${chunks} LIMIT ${rows}) AS k
            CROSS JOIN conversations AS c ON c.organization_id = ?1 AND c.id = k.conversation_id
            WHERE c.agent_id = ?3)
          OR EXISTS (SELECT 1 ${chunks} LIMIT 1 OFFSET ${rows - 1})`;
}
