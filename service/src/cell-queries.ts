import { RUNS } from "./jobs/queries.ts";
import { HAS_HELD_ROWS_OF_USER } from "./operations/queries.ts";
import {
  batch,
  columns,
  joined,
  nothing,
  onlyRow,
  rows,
  type Sql,
  type Statement,
  sql,
} from "./platform/sql.ts";

/** Operations that a sweep completes. An import waits for lines, which do not come once its organization is gone. */
const RUNNING = sql`operations WHERE completed_at_ms IS NULL AND type <> 'import'`;

const ORGANIZATION = sql`organization_id = (SELECT id FROM organizations)`;

/** Whether a hold keeps rows that an operation waits for: its own, or those of its user that another one has deleted. */
const HAS_HELD_ROWS = sql`(
  EXISTS (SELECT 1 FROM conversations AS c WHERE c.operation_id = operations.id AND c.held_by IS NOT NULL)
  OR ${HAS_HELD_ROWS_OF_USER})`;

/** Work that waits for the next sweep, whatever its age. */
const WAITING: Sql[] = [
  sql`late_words`,
  sql`keyword_index_rebuild`,
  // What waits for a hold continues after a request that lifts it.
  sql`${RUNNING} AND waits_for_hold = 0 AND NOT (filter IS NULL AND ${HAS_HELD_ROWS})`,
  sql`conversations WHERE ${ORGANIZATION} AND deleted_at_ms IS NOT NULL AND held_by IS NULL`,
  sql`holds WHERE is_releasing = 1`,
  sql`organizations WHERE deleted_at_ms IS NOT NULL`,
  sql`tombstones WHERE lifted_at_ms IS NOT NULL`,
  sql`audit_events WHERE number IS NULL`,
  sql`archives WHERE deleted_at_ms IS NOT NULL`,
  sql`webhooks WHERE enabled = 1 AND paused_reason IS NULL AND next_attempt_at_ms IS NULL
        AND position < (SELECT max(sequence) FROM events WHERE organization_id = webhooks.organization_id)`,
];

/** What a sweep deletes when it expires. */
const EXPIRING = sql`
  expires_at_ms IS NOT NULL AND deleted_at_ms IS NULL AND held_by IS NULL`;

/** Work that is due at a time, with the time. */
const DUE: [time: Sql, of: Sql][] = [
  [sql`due_at_ms`, sql`index_jobs WHERE ${RUNS}`],
  [sql`due_at_ms`, sql`enrichment_jobs WHERE due_at_ms IS NOT NULL`],
  [sql`due_at_ms`, sql`summary_jobs`],
  [sql`due_at_ms`, sql`vector_deletions`],
  [sql`next_attempt_at_ms`, sql`webhooks WHERE enabled = 1 AND paused_reason IS NULL`],
  [sql`expires_at_ms`, sql`archives WHERE expires_at_ms IS NOT NULL AND deleted_at_ms IS NULL`],
  [sql`next_at_ms`, sql`archive_schedules`],
  [sql`expires_at_ms`, sql`conversations WHERE ${ORGANIZATION} AND kind = 'conversation' AND ${EXPIRING}`],
  [sql`expires_at_ms`, sql`conversations WHERE ${ORGANIZATION} AND kind <> 'conversation' AND ${EXPIRING}`],
  [sql`next_run_at_ms`, sql`retention_rules`],
];

/** Time after which the directory lists an organization, unless its creation has failed. */
const LISTED_MS = 600_000;

export interface CellWork {
  /** Whether the cell has an organization, or an operation of a deleted one that is not complete. */
  isUsed: boolean;
  /**
   * Whether the organization was created some time ago, has stored nothing, and nobody has used a key of it. One that was
   * used stays although D1 does not list it: D1 can be restored to an earlier time.
   */
  isUnused: boolean;
  /** When the next sweep has something to do; null if that is not known. */
  dueAtMs: number | null;
}

/** The work that is left for the sweep of a cell, apart from what expires in days. */
export const cellWork = (nowMs: number): Statement<CellWork> => {
  const isWaiting = joined(
    WAITING.map((of) => sql`EXISTS (SELECT 1 FROM ${of})`),
    sql` OR `,
  );
  const dueAtMs = joined(
    DUE.map(([time, of]) => sql`(SELECT min(${time}) FROM ${of})`),
    sql`, `,
  );
  return onlyRow(
    sql`SELECT EXISTS (SELECT 1 FROM organizations)
               OR EXISTS (SELECT 1 FROM ${RUNNING}) AS is_used,
               EXISTS (SELECT 1 FROM organizations WHERE created_at_ms < ${nowMs - LISTED_MS})
               AND NOT EXISTS (SELECT 1 FROM conversations) AND NOT EXISTS (SELECT 1 FROM usage) AS is_unused,
               iif(${isWaiting}, ${nowMs}, (SELECT min(value) FROM json_each(json_array(${dueAtMs})))) AS due_at_ms`,
    ({ is_used, is_unused, due_at_ms }: { is_used: 0 | 1; is_unused: 0 | 1; due_at_ms: number | null }) => ({
      isUsed: is_used === 1,
      isUnused: is_unused === 1,
      dueAtMs: due_at_ms,
    }),
  );
};

type Rows = Record<string, string | number | null>[];

/** What is kept of an organization that was deleted: the receipts of its deletion, and the audit events of it. */
const RECEIPTS = {
  operations: sql`type = 'delete_organization'`,
  audit_events: sql`(action IN ('organization.deleted', 'organization.restored')
    OR (action = 'hold.lifted' AND operation_id IS NOT NULL))`,
};

/**
 * Moves what is kept of the deleted organization from its cell to the directory, which then lists it no longer. Repeating
 * it changes nothing.
 */
export async function leaveReceipts(
  cell: D1Database,
  directory: D1Database,
  organizationId: string,
): Promise<void> {
  const tables = Object.entries(RECEIPTS);
  const found = await batch(
    cell,
    tables.map(([table, condition]) =>
      rows(
        sql`SELECT * FROM ${columns([table])} WHERE organization_id = ${organizationId} AND ${condition}`,
        (row: Rows[number]) => row,
      ),
    ),
  );
  await batch(directory, [
    tables.map(([table], i) => copiedRows(table, found[i] ?? [])),
    nothing(sql`DELETE FROM cell_members WHERE organization_id = ${organizationId}`),
    nothing(sql`DELETE FROM moved_keys WHERE organization_id = ${organizationId}`),
    nothing(sql`DELETE FROM organizations WHERE id = ${organizationId} AND place = 'cell'`),
  ]);
}

/** Inserts rows as they are in another database, which may be of the Worker of the version before. */
function copiedRows(table: string, copied: Rows): Statement<void> | null {
  const [first] = copied;
  if (first === undefined) return null;
  const names = Object.keys(first);
  const values = joined(
    names.map((name) => sql`value ->> ${name}`),
    sql`, `,
  );
  return nothing(sql`
    INSERT OR REPLACE INTO ${columns([table])} (${columns(names)})
    SELECT ${values} FROM json_each(${JSON.stringify(copied)})`);
}
