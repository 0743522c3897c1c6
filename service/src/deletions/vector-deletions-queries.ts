import { type Round, roundRobin } from "../platform/round-robin.ts";
import { batch, nothing, rows, run, type Sql, sql } from "../platform/sql.ts";

export interface VectorDeletion {
  organizationId: string;
  vectorId: string;
  /** When the store accepted the deletion; null before that. */
  sentAtMs: number | null;
  /** When the deletion was last sent, if a request for it may still be under way; otherwise null. */
  askedAtMs: number | null;
}

/**
 * `heldUntilMs` is when the lease of an indexing run that may write the vector ends; null if there is no such
 * run.
 */
export interface DueDeletion extends VectorDeletion {
  heldUntilMs: number | null;
}

export async function selectDueDeletions(
  db: D1Database,
  input: { nowMs: number; limit: number; round: Round },
): Promise<DueDeletion[]> {
  const isDue = sql`due_at_ms <= ${input.nowMs}`;
  const queue = {
    table: sql`vector_deletions`,
    key: sql`organization_id`,
    all: sql`TRUE`,
    waits: () => isDue,
    order: sql`due_at_ms`,
  };
  return run(
    db,
    rows(
      sql`${roundRobin(queue, input.round)},
       next AS MATERIALIZED (
         SELECT d.organization_id, d.conversation_id, d.vector_id, d.sent_at_ms, d.asked_at_ms, position, turn
           FROM line CROSS JOIN vector_deletions AS d ON d.rowid = line.id
          ORDER BY position, turn LIMIT ${input.limit}),
       -- Evaluated once for each conversation, because it may have many jobs.
       conversation AS MATERIALIZED (
         SELECT c.organization_id, c.conversation_id,
                (SELECT max(j.lease_until_ms) FROM index_jobs AS j
                  WHERE j.organization_id = c.organization_id AND j.conversation_id = c.conversation_id
                    AND j.lease_until_ms > ${input.nowMs}) AS held_until_ms
           FROM (SELECT DISTINCT organization_id, conversation_id FROM next) AS c)
       SELECT organization_id, vector_id, sent_at_ms, asked_at_ms, held_until_ms
         FROM next JOIN conversation USING (organization_id, conversation_id)
        ORDER BY position, turn`,
      toDueDeletion,
    ),
  );
}

const toDueDeletion = (due: {
  organization_id: string;
  vector_id: string;
  sent_at_ms: number | null;
  asked_at_ms: number | null;
  held_until_ms: number | null;
}): DueDeletion => ({
  organizationId: due.organization_id,
  vectorId: due.vector_id,
  sentAtMs: due.sent_at_ms,
  askedAtMs: due.asked_at_ms,
  heldUntilMs: due.held_until_ms,
});

/** Postpones deletions until no indexing run can write their vectors, so that they do not delay others. */
export async function updateDeletionsPostponed(db: D1Database, deletions: DueDeletion[]): Promise<void> {
  const postponed = deletions.map(({ organizationId, vectorId, heldUntilMs }) => [
    organizationId,
    vectorId,
    heldUntilMs,
  ]);
  await run(
    db,
    nothing(
      sql`UPDATE vector_deletions SET due_at_ms = max(due_at_ms, held.until_ms)
            FROM (SELECT value ->> 0 AS organization_id, value ->> 1 AS vector_id, value ->> 2 AS until_ms
                    FROM json_each(${JSON.stringify(postponed)})) AS held
           WHERE vector_deletions.organization_id = held.organization_id
             AND vector_deletions.vector_id = held.vector_id`,
    ),
  );
}

const among = (list: string): Sql => sql`
  (organization_id, vector_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${list}))`;
const toKeys = (deletions: VectorDeletion[]): string =>
  JSON.stringify(deletions.map(({ organizationId, vectorId }) => [organizationId, vectorId]));

/**
 * Records that deletions will be sent. It runs before the request, because the store may carry out a deletion
 * that it answered with an error.
 *
 * @returns the deletions to send. Excludes those whose chunk was stored again and those that another sweep has
 * sent.
 */
export async function updateDeletionsRequested(
  db: D1Database,
  deletions: VectorDeletion[],
  nowMs: number,
): Promise<VectorDeletion[]> {
  const read = JSON.stringify(
    deletions.map(({ organizationId, vectorId, askedAtMs }) => [organizationId, vectorId, askedAtMs]),
  );
  const ids = await run(
    db,
    rows(
      sql`UPDATE vector_deletions SET asked_at_ms = ${nowMs}
           WHERE ${among(read)} AND (organization_id, vector_id, coalesce(asked_at_ms, 0))
                 IN (SELECT value ->> 0, value ->> 1, coalesce(value ->> 2, 0) FROM json_each(${read}))
          RETURNING vector_id`,
      ({ vector_id }: { vector_id: string }) => vector_id,
    ),
  );
  const requested = new Set(ids);
  return deletions.filter(({ vectorId }) => requested.has(vectorId));
}

export async function updateDeletionsSent(
  db: D1Database,
  deletions: VectorDeletion[],
  input: { nowMs: number; dueAtMs: number },
): Promise<void> {
  const first = deletions.filter(({ askedAtMs }) => askedAtMs === null);
  await batch(db, {
    sent: nothing(
      sql`UPDATE vector_deletions SET sent_at_ms = ${input.nowMs}, due_at_ms = ${input.dueAtMs}
           WHERE ${among(toKeys(deletions))}`,
    ),
    // Only for deletions sent once. For the others, an earlier request or one of another sweep may still be
    // under way.
    known: nothing(
      sql`UPDATE vector_deletions SET asked_at_ms = NULL
           WHERE ${among(toKeys(first))} AND asked_at_ms = ${input.nowMs}`,
    ),
  });
}

/**
 * Removes confirmed deletions from the queue, without those that were queued or sent again since they were
 * read.
 */
export async function deleteConfirmedDeletions(db: D1Database, deletions: VectorDeletion[]): Promise<void> {
  const confirmed = deletions.map(({ organizationId, vectorId, sentAtMs }) => [
    organizationId,
    vectorId,
    sentAtMs,
  ]);
  await run(
    db,
    nothing(
      sql`DELETE FROM vector_deletions WHERE (organization_id, vector_id, sent_at_ms)
            IN (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(${JSON.stringify(confirmed)}))`,
    ),
  );
}
