import type { Corpus } from "@engram/spec";
import { hasHoldsOf, isHeldAnywhere, notedHeld } from "../holds/queries.ts";
import { type Round, roundRobin } from "../platform/round-robin.ts";
import { and, assertThat, batch, rows, type Sql, type Statement, sql } from "../platform/sql.ts";

/** As the conditions of the partial indexes. */
const KINDS = { conversations: sql`kind = 'conversation'`, memories: sql`kind <> 'conversation'` };

/** Whether a row of `conversations` has expired and is not deleted, and no sweep has noted that a hold keeps it. */
const isExpired = (corpus: Corpus, until: Sql): Sql => sql`
  ${KINDS[corpus]} AND expires_at_ms <= ${until} AND deleted_at_ms IS NULL AND held_by IS NULL`;

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

/**
 * Organizations with expired items of a corpus that are not held. Notes those that are held. Reads a few rows of each
 * organization that has any which expire, and at most `rowsMax` that have expired.
 */
export async function selectExpired(
  db: D1Database,
  corpus: Corpus,
  { round, nowMs }: { round: Round; nowMs: number },
): Promise<string[]> {
  const lineOf = (isWanted: (organization: Sql) => Sql) =>
    roundRobin(
      {
        table: sql`conversations`,
        key: sql`organization_id`,
        all: sql`${KINDS[corpus]} AND expires_at_ms IS NOT NULL AND held_by IS NULL`,
        // As a bound of the index, the condition is evaluated once, where SQLite would read all rows to find it false.
        waits: (organization) => isExpired(corpus, sql`iif(${isWanted(organization)}, ${nowMs}, NULL)`),
        order: sql`expires_at_ms`,
      },
      round,
    );
  const { organizations } = await batch(db, {
    noted: notedHeld(lineOf(hasHoldsOf)),
    organizations: rows(
      sql`${lineOf((organization) => isDue(corpus, organization))}
          SELECT line.organization_id FROM line CROSS JOIN conversations AS c ON c.row_key = line.id
           WHERE NOT ${isHeldAnywhere(sql`c`)} GROUP BY line.organization_id ORDER BY min(line.turn)`,
      ({ organization_id }: { organization_id: string }) => organization_id,
    ),
  });
  return organizations;
}

/**
 * Fails the batch with `item_changed` if another run has begun to delete what has expired. Looks at the `rowsMax` items
 * that expired first.
 */
export const assertExpired = (
  corpus: Corpus,
  { organizationId, nowMs, rowsMax }: { organizationId: string; nowMs: number; rowsMax: number },
): Statement<void> =>
  assertThat(
    "item_changed",
    sql`EXISTS (SELECT 1 FROM (SELECT * FROM conversations
                                WHERE organization_id = ${organizationId} AND ${isExpired(corpus, sql`${nowMs}`)}
                                ORDER BY expires_at_ms LIMIT ${rowsMax}) AS c
                 WHERE NOT ${isHeldAnywhere(sql`c`)})
        AND ${isDue(corpus, sql`${organizationId}`)}`,
  );
