/** How long a store may take to show what it took: Vectorize says within two minutes. */
export const SHOWN_WITHIN_MS = 150_000;
/** Most that are kept of an organization, which is more than one writes in that time as a rule. */
const TAKINGS_MAX = 100;

/** Vectors that the store took in one step of indexing. */
export interface Taking {
  /** Whose conversation it was; null for no agent's. */
  agentId: string | null;
  /** The last of them: once queries see it they see them all, and all before. */
  vectorId: string;
  /** That they make findable by meaning. */
  messages: number;
}

/** Write down that the store took vectors; what it must show by now is forgotten. */
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
 * What the store took a short while ago, newest first, from `organization_counters.vectors_taken`.
 *
 * @param of one agent alone, or of all with null.
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
