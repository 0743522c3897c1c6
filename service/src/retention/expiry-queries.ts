import type { Corpus } from "@engram/spec";
import { isHeldAnywhere } from "../holds/queries.ts";
import { type Round, roundRobin } from "../platform/round-robin.ts";
import { and, assertThat, rows, run, type Sql, type Statement, sql } from "../platform/sql.ts";

/** As the conditions of the partial indexes. */
const KINDS = { conversations: sql`kind = 'conversation'`, memories: sql`kind <> 'conversation'` };

/** Whether a row of `conversations` has expired, and is not deleted or under legal hold. */
const isExpired = (corpus: Corpus, nowMs: number): Sql => sql`
  ${KINDS[corpus]} AND expires_at_ms <= ${nowMs} AND deleted_at_ms IS NULL
  AND NOT ${isHeldAnywhere(sql`conversations`)}`;

/**
 * Whether the service may delete on its own what an organization has: it is not being deleted, which would not restore
 * this, and not moving, when a database may have only copies. `type <> 'import'` is the condition of a partial index.
 */
export const mayDeleteDue = (organization: Sql): Sql => sql`
  NOT EXISTS (SELECT 1 FROM operations AS o
               WHERE o.organization_id = ${organization} AND o.completed_at_ms IS NULL AND o.type <> 'import'
                 AND o.type = 'delete_organization' AND o.canceled_at_ms IS NULL)
  AND NOT EXISTS (SELECT 1 FROM moves AS v WHERE v.organization_id = ${organization} AND v.completed_at_ms IS NULL)`;

/** Whether a deletion of expired items of a corpus has steps left, which find what expires meanwhile later. */
const isDeletingExpired = (corpus: Corpus, organization: Sql): Sql => sql`
  EXISTS (SELECT 1 FROM operations AS o
           WHERE o.organization_id = ${organization} AND o.filter IS NOT NULL
             AND o.type = ${`delete_${corpus}`} AND o.filter ->> 'expired_at' IS NOT NULL)`;

const isDue = (corpus: Corpus, organization: Sql): Sql =>
  and([sql`NOT ${isDeletingExpired(corpus, organization)}`, mayDeleteDue(organization)]);

/** Organizations with expired items of a corpus. Reads a row of each that has any which expire. */
export function selectExpired(
  db: D1Database,
  corpus: Corpus,
  { round, nowMs }: { round: Round; nowMs: number },
): Promise<string[]> {
  const queue = {
    table: sql`conversations`,
    key: sql`organization_id`,
    all: sql`${KINDS[corpus]} AND expires_at_ms IS NOT NULL`,
    waits: (organization: Sql) => sql`${isExpired(corpus, nowMs)} AND ${isDue(corpus, organization)}`,
    order: sql`expires_at_ms`,
  };
  return run(
    db,
    rows(
      sql`${roundRobin(queue, { ...round, rowsMax: 0 })} SELECT organization_id FROM line ORDER BY turn`,
      ({ organization_id }: { organization_id: string }) => organization_id,
    ),
  );
}

/** Fails the batch with `item_changed` if another run has begun to delete what has expired. */
export const assertExpired = (
  corpus: Corpus,
  { organizationId, nowMs }: { organizationId: string; nowMs: number },
): Statement<void> =>
  assertThat(
    "item_changed",
    sql`EXISTS (SELECT 1 FROM conversations
                 WHERE organization_id = ${organizationId} AND ${isExpired(corpus, nowMs)})
        AND ${isDue(corpus, sql`${organizationId}`)}`,
  );
