import type { RetentionKind, RetentionRule, RetentionTime } from "@engram/spec";
import { toTimestamp, toTimestampOrNull } from "../platform/batch.ts";
import {
  assertThat,
  nothing,
  onlyRow,
  row,
  rows,
  run,
  type Sql,
  type Statement,
  sql,
} from "../platform/sql.ts";
import { mayDeleteDue } from "./expiry-queries.ts";

export interface RuleRef {
  organizationId: string;
  id: string;
}

interface RuleRow {
  id: string;
  name: string;
  kind: RetentionKind;
  older_than_days: number;
  by_time: RetentionTime;
  filter: string;
  dry_run: 0 | 1;
  matched: number | null;
  operation_id: string | null;
  created_at_ms: number;
  updated_at_ms: number;
  applied_at_ms: number | null;
}

const COLUMNS = sql`
  id, name, kind, older_than_days, by_time, filter, dry_run, matched, operation_id, created_at_ms, updated_at_ms,
  applied_at_ms`;

const toRule = (row: RuleRow): RetentionRule => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  older_than_days: row.older_than_days,
  by: row.by_time,
  filter: JSON.parse(row.filter) as RetentionRule["filter"],
  dry_run: row.dry_run === 1,
  matched: row.matched,
  operation_id: row.operation_id,
  created_at: toTimestamp(row.created_at_ms),
  updated_at: toTimestamp(row.updated_at_ms),
  applied_at: toTimestampOrNull(row.applied_at_ms),
});

const isOne = ({ organizationId, id }: RuleRef): Sql =>
  sql`organization_id = ${organizationId} AND id = ${id}`;

/** Condition for the audit event of a change. */
export const ruleExists = (ref: RuleRef): Sql =>
  sql`EXISTS (SELECT 1 FROM retention_rules WHERE ${isOne(ref)})`;

export const assertRoomForRule = (organizationId: string, rulesMax: number): Statement<void> =>
  assertThat(
    "too_many_retention_rules",
    sql`(SELECT count(*) FROM retention_rules WHERE organization_id = ${organizationId}) < ${rulesMax}`,
  );

/** A new rule is due at once. */
export const insertedRule = (
  { organizationId, id }: RuleRef,
  rule: Pick<RetentionRule, "name" | "kind" | "older_than_days" | "by" | "dry_run"> & { filter: object },
  nowMs: number,
): Statement<RetentionRule> =>
  onlyRow(
    sql`INSERT INTO retention_rules
          (organization_id, id, name, kind, older_than_days, by_time, filter, dry_run, created_at_ms, updated_at_ms,
           next_run_at_ms)
        VALUES (${organizationId}, ${id}, ${rule.name}, ${rule.kind}, ${rule.older_than_days}, ${rule.by},
                ${JSON.stringify(rule.filter)}, ${Number(rule.dry_run)}, ${nowMs}, ${nowMs}, ${nowMs})
        RETURNING ${COLUMNS}`,
    toRule,
  );

export const selectRules = (db: D1Database, organizationId: string): Promise<RetentionRule[]> =>
  run(
    db,
    rows(
      sql`SELECT ${COLUMNS} FROM retention_rules WHERE organization_id = ${organizationId} ORDER BY id`,
      toRule,
    ),
  );

export const selectRule = (db: D1Database, ref: RuleRef): Promise<RetentionRule | null> =>
  run(db, row(sql`SELECT ${COLUMNS} FROM retention_rules WHERE ${isOne(ref)}`, toRule));

/** Makes the rule due. A run that applies it now changes nothing more. */
export const updatedRule = (
  ref: RuleRef,
  changes: { name?: string | undefined; older_than_days?: number | undefined; dry_run?: boolean | undefined },
  nowMs: number,
): Statement<RetentionRule | null> =>
  row(
    sql`UPDATE retention_rules
           SET name = coalesce(${changes.name ?? null}, name),
               older_than_days = coalesce(${changes.older_than_days ?? null}, older_than_days),
               dry_run = ${changes.dry_run === undefined ? sql`dry_run` : Number(changes.dry_run)},
               updated_at_ms = ${nowMs}, next_run_at_ms = ${nowMs}
         WHERE ${isOne(ref)} RETURNING ${COLUMNS}`,
    toRule,
  );

export const deletedRule = (ref: RuleRef): Statement<RetentionRule | null> =>
  row(sql`DELETE FROM retention_rules WHERE ${isOne(ref)} RETURNING ${COLUMNS}`, toRule);

/** A rule that this run applies, until the time of its claim. */
export interface ClaimedRule extends RuleRef {
  rule: RetentionRule;
  claimedUntilMs: number;
}

/**
 * Claims rules, so that no other run applies them until the time: of the `rowsMax` that are due longest, one of each
 * organization, then a second of each. A rule whose deletion still looks for items waits.
 */
export const claimRules = (
  db: D1Database,
  { nowMs, untilMs, limit, rowsMax }: { nowMs: number; untilMs: number; limit: number; rowsMax: number },
): Promise<ClaimedRule[]> =>
  run(
    db,
    rows(
      sql`WITH
            due AS MATERIALIZED (
              SELECT r.organization_id, r.id, r.next_run_at_ms FROM retention_rules AS r
               WHERE r.next_run_at_ms <= ${nowMs}
                 AND NOT EXISTS (SELECT 1 FROM operations AS o
                                  WHERE o.id = r.operation_id AND o.organization_id = r.organization_id
                                    AND o.filter IS NOT NULL)
                 AND ${mayDeleteDue(sql`r.organization_id`)}
               ORDER BY r.next_run_at_ms LIMIT ${rowsMax}),
            next AS MATERIALIZED (
              SELECT organization_id, id FROM due
               ORDER BY row_number() OVER (PARTITION BY organization_id ORDER BY next_run_at_ms), next_run_at_ms
               LIMIT ${limit})
          UPDATE retention_rules SET next_run_at_ms = ${untilMs} FROM next
           WHERE retention_rules.organization_id = next.organization_id AND retention_rules.id = next.id
          RETURNING organization_id, ${COLUMNS}`,
      ({ organization_id, ...rule }: RuleRow & { organization_id: string }) => ({
        organizationId: organization_id,
        id: rule.id,
        rule: toRule(rule),
        claimedUntilMs: untilMs,
      }),
    ),
  );

/** Fails the batch with `item_changed` if the rule was changed or deleted, or another run has claimed it. */
export const assertClaimed = ({ organizationId, id, claimedUntilMs }: ClaimedRule): Statement<void> =>
  assertThat(
    "item_changed",
    sql`EXISTS (SELECT 1 FROM retention_rules
                 WHERE ${isOne({ organizationId, id })} AND next_run_at_ms = ${claimedUntilMs})
        AND ${mayDeleteDue(sql`${organizationId}`)}`,
  );

/** Ends the claim. Changes nothing if it has ended already. */
export const appliedRule = (
  { claimedUntilMs, ...ref }: ClaimedRule,
  input: { matched: Sql | number; operationId: string | null; nowMs: number; nextMs: Sql | number },
): Statement<void> =>
  nothing(sql`
    UPDATE retention_rules
       SET matched = ${input.matched}, operation_id = coalesce(${input.operationId}, operation_id),
           applied_at_ms = ${input.nowMs}, next_run_at_ms = ${input.nextMs}
     WHERE ${isOne(ref)} AND next_run_at_ms = ${claimedUntilMs}`);
