import { type OrganizationWork, WORK_COUNTED_MAX } from "@engram/spec";
import { GIVEN_UP, NEVER_MS, RUNS } from "../jobs/queries.ts";
import { columns, joined, literal, onlyRow, row, type Sql, type Statement, sql } from "../platform/sql.ts";
import type { Size } from "./queries.ts";

/** Each kind of work of an organization: a range of an index. */
const WORK: Record<keyof OrganizationWork, (ofOrganization: Sql) => Sql> = {
  index_jobs: (own) => sql`index_jobs WHERE ${own} AND ${RUNS}`,
  failed_index_jobs: (own) => sql`index_jobs WHERE ${own} AND ${GIVEN_UP}`,
  enrichment_jobs: (own) => sql`enrichment_jobs WHERE ${own} AND due_at_ms IS NOT NULL`,
  summary_jobs: (own) => sql`summary_jobs WHERE ${own}`,
  late_words: (own) => sql`late_words WHERE ${own}`,
  deletions: (own) => sql`conversations WHERE ${own} AND deleted_at_ms IS NOT NULL AND held_by IS NULL`,
  vector_deletions: (own) => sql`vector_deletions WHERE ${own}`,
  operations: (own) => sql`operations WHERE ${own} AND completed_at_ms IS NULL AND type <> 'import'`,
  webhooks: (own) =>
    sql`webhooks WHERE ${own} AND enabled = 1 AND paused_reason IS NULL AND next_attempt_at_ms IS NOT NULL`,
};

/** When work is due. Operations are done with the work that they have queued. */
const DUE: Partial<Record<keyof OrganizationWork, Sql>> = {
  index_jobs: sql`due_at_ms`,
  enrichment_jobs: sql`due_at_ms`,
  summary_jobs: sql`due_at_ms`,
  late_words: sql`due_at_ms`,
  deletions: sql`deleted_at_ms`,
  vector_deletions: sql`due_at_ms`,
  webhooks: sql`next_attempt_at_ms`,
};

export interface DatabaseState {
  migration: string | null;
  work: OrganizationWork;
  oldestDueMs: number | null;
}

export const databaseState = (organizationId: string): Statement<DatabaseState> => {
  const own = sql`organization_id = ${organizationId}`;
  const kinds = Object.keys(WORK) as (keyof OrganizationWork)[];
  const counts = kinds.map(
    (kind) =>
      sql`(SELECT count(*) FROM (SELECT 1 FROM ${WORK[kind](own)} LIMIT ${literal(WORK_COUNTED_MAX)})) AS ${columns([kind])}`,
  );
  const due = kinds.flatMap((kind) =>
    DUE[kind] === undefined
      ? []
      : [sql`coalesce((SELECT min(${DUE[kind]}) FROM ${WORK[kind](own)}), ${literal(NEVER_MS)})`],
  );
  return onlyRow(
    sql`SELECT (SELECT name FROM d1_migrations ORDER BY id DESC LIMIT 1) AS migration,
               nullif(min(${joined(due, sql`, `)}), ${literal(NEVER_MS)}) AS oldest_due_ms,
               ${joined(counts, sql`, `)}`,
    ({
      migration,
      oldest_due_ms,
      ...work
    }: OrganizationWork & { migration: string | null; oldest_due_ms: number | null }) => ({
      migration,
      work,
      oldestDueMs: oldest_due_ms,
    }),
  );
};

/** What the cell of an organization has last reported to the directory. Null if there is no such organization. */
export const lastReport = (organizationId: string): Statement<Partial<Size> | null> =>
  row(
    sql`SELECT report FROM organizations WHERE id = ${organizationId}`,
    ({ report }: { report: string | null }) => JSON.parse(report ?? "{}") as Partial<Size>,
  );
