import type { ServiceLimits } from "../limits.ts";
import { drawFraction, type Runtime } from "./runtime.ts";
import { type Sql, sql } from "./sql.ts";

/** One round, in which each organization gets its share of the work. */
export interface Round {
  organizationsMax: number;
  /** Maximum rows in total. Each organization has the same share, but at least one row. */
  rowsMax: number;
  /**
   * From 0 to 1: selects the organization that comes first. It is random, so that each organization comes first at
   * times.
   */
  chance: number;
}

/**
 * The rows of a table that wait for background work. The table needs an index that begins with the organization and
 * fits `waits` and `order`.
 */
export interface Queue {
  table: Sql;
  /** The column of the organization's id. */
  key: Sql;
  /** SQL condition that is true for all rows of the queue. It is used to find the organizations that have such rows. */
  all: Sql;
  /** SQL condition that is true for the rows that are due. */
  waits: (organization: Sql) => Sql;
  order: Sql;
}

/**
 * SQL that selects rows of a queue, round-robin by organization: the oldest row of each, then the second oldest of
 * each. The last CTE, `line (id, organization_id, position, turn)`, has the rowids to serve in the order `position,
 * turn`.
 *
 * Reads a few rows for each organization and the rows of `line`, however long the queue is.
 */
export function roundRobin(
  { table, key, all, waits, order }: Queue,
  { chance, organizationsMax, rowsMax }: Round,
): Sql {
  const waiting = (organization: Sql) => sql`${table}.${key} = ${organization} AND ${waits(organization)}`;
  const next = (after: Sql) => sql`
    coalesce((SELECT min(${key}) FROM ${table} WHERE ${all} AND ${key} ${after}),
             (SELECT min(${key}) FROM ${table} WHERE ${all}))`;
  const start = sql`coalesce((SELECT id FROM organizations
    WHERE number >= CAST(${chance} * (SELECT max(number) FROM organizations) AS INTEGER) ORDER BY number LIMIT 1), '')`;
  return sql`WITH RECURSIVE
    -- Organizations in the order of their ids from the start on, around once; one index seek for each.
    found (organization_id, first, place) AS (
      SELECT id, id, 1 FROM (SELECT ${next(sql`>= ${start}`)} AS id) WHERE id IS NOT NULL
       UNION ALL
      SELECT ${next(sql`> found.organization_id`)}, first, place + 1 FROM found
       WHERE place < ${organizationsMax} AND (place = 1 OR organization_id <> first)),
    waiting AS MATERIALIZED (
      SELECT organization_id, row_number() OVER (ORDER BY organization_id) - 1 AS place,
             count(*) OVER () AS organizations
        FROM found
       WHERE (place = 1 OR organization_id <> first)
         AND EXISTS (SELECT 1 FROM ${table} WHERE ${waiting(sql`found.organization_id`)})),
    line AS MATERIALIZED (
      SELECT q.rowid AS id, waiting.organization_id AS organization_id,
             row_number() OVER (PARTITION BY waiting.place ORDER BY ${order}) AS position,
             (waiting.place + CAST(${chance} * waiting.organizations AS INTEGER)) % waiting.organizations AS turn
        FROM waiting CROSS JOIN ${table} AS q
       WHERE q.rowid IN (
         SELECT rowid FROM ${table} WHERE ${waiting(sql`waiting.organization_id`)}
          ORDER BY ${order} LIMIT (SELECT max(1, CAST(${rowsMax} / count(*) AS INTEGER)) FROM waiting)))`;
}

export function drawRound({ runtime, limits }: { runtime: Runtime; limits: ServiceLimits }): Round {
  return {
    organizationsMax: limits.sweepOrganizations,
    rowsMax: limits.sweepRows,
    chance: drawFraction(runtime),
  };
}
