import type { Owner } from "./batch.ts";
import { type Taking, toTakings } from "./vector-takings.ts";

/** What a search by meaning cannot see. */
export interface SearchState {
  /** Messages whose vectors the store has not taken yet. */
  pending: number;
  /** Whether there are vectors of another model than the one in use. */
  otherModels: boolean;
  /** What the store took a short while ago, newest first: it may not show it yet. */
  takings: Taking[];
}

/** What a search of the owner's by meaning cannot see at this moment. */
export async function selectSearchState(
  db: D1Database,
  owner: Owner,
  now: { model: string; nowMs: number },
): Promise<SearchState> {
  // Of one agent's conversations alone; for all agents nothing needs to be looked up.
  const ofAgent = `(?3 IS NULL OR EXISTS (
    SELECT 1 FROM conversations AS c
     WHERE c.organization_id = ?1 AND c.id = k.conversation_id AND c.agent_id = ?3))`;
  const row = await db
    .prepare(
      // Jobs can overlap: a conversation has no more to wait for than it has messages.
      `SELECT coalesce((SELECT sum(min(c.message_count, j.waiting))
                          FROM (SELECT conversation_id, sum(to_sequence - from_sequence + 1) AS waiting
                                  FROM index_jobs WHERE organization_id = ?1 GROUP BY conversation_id) AS j
                         CROSS JOIN conversations AS c ON c.organization_id = ?1 AND c.id = j.conversation_id
                         WHERE c.deleted_at_ms IS NULL AND (?3 IS NULL OR c.agent_id = ?3)), 0) AS pending,
              EXISTS (SELECT 1 FROM conversation_chunks AS k
                       WHERE k.organization_id = ?1 AND k.model < ?2 AND ${ofAgent})
              OR EXISTS (SELECT 1 FROM conversation_chunks AS k
                          WHERE k.organization_id = ?1 AND k.model > ?2 AND ${ofAgent}) AS other_models,
              (SELECT vectors_taken FROM organization_counters WHERE organization_id = ?1) AS vectors_taken`,
    )
    .bind(owner.organizationId, now.model, owner.agentId)
    .first<{ pending: number; other_models: number; vectors_taken: string | null }>();
  return {
    pending: row?.pending ?? 0,
    otherModels: row?.other_models === 1,
    takings: toTakings(row?.vectors_taken ?? null, { agentId: owner.agentId, nowMs: now.nowMs }),
  };
}
