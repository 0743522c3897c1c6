/** Upper bound on the visibility lag of the vector store. Vectorize states two minutes. */
export const SHOWN_WITHIN_MS = 150_000;
/** At most this many upserts are remembered for an organization. It usually writes fewer in that time. */
const TAKINGS_MAX = 100;

/** An upsert of vectors by one step of indexing. */
export interface Taking {
  /** The agent of the conversation; null when it has none. */
  agentId: string | null;
  /**
   * The last vector of the upsert. Vectors become visible in order: once queries return this one, they return
   * all before it.
   */
  vectorId: string;
  /** Number of messages that these vectors make findable by meaning. */
  messages: number;
}

/** Records an upsert and drops those whose visibility lag is over. */
export function insertTaking(
  db: D1Database,
  input: Taking & { organizationId: string; nowMs: number },
): D1PreparedStatement {
  return db
    .prepare(
      `UPDATE organization_counters SET vectors_taken = (
         SELECT json_group_array(json(value)) FROM (
           SELECT -1 AS place, json_array(?2, ?3, ?4, ?6) AS value
            UNION ALL
           SELECT key, value FROM json_each(coalesce(vectors_taken, '[]')) WHERE value ->> 1 > ?5
            ORDER BY place LIMIT ${TAKINGS_MAX}))
        WHERE organization_id = ?1`,
    )
    .bind(
      input.organizationId,
      input.vectorId,
      input.nowMs,
      input.messages,
      input.nowMs - SHOWN_WITHIN_MS,
      input.agentId,
    );
}

/**
 * Recent upserts, newest first, from `organization_counters.vectors_taken`.
 *
 * @param of the agent whose upserts to return; null for all agents.
 */
export function toTakings(
  vectorsTaken: string | null,
  of: { agentId: string | null; nowMs: number },
): Taking[] {
  const takings = JSON.parse(vectorsTaken ?? "[]") as [string, number, number, string | null][];
  return takings
    .filter(
      ([, takenAtMs, , agentId]) =>
        takenAtMs > of.nowMs - SHOWN_WITHIN_MS && (of.agentId === null || agentId === of.agentId),
    )
    .map(([vectorId, , messages, agentId]) => ({ vectorId, messages, agentId }));
}
