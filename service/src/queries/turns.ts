/** How many rows one statement of the sweep reads, and which organization it serves first. */
export interface Turns {
  /** Maximum number of organizations served. */
  organizationsMax: number;
  /** Maximum number of rows read, in equal shares per organization; at least one for each. */
  rowsMax: number;
  /**
   * From 0 to 1: which organization comes first. A sweep draws it at random, so that each comes first at
   * times.
   */
  chance: number;
}

/** Placeholders of the values that `byTurns` binds, from `first` on. */
const placesFrom = (first: number) => ({
  chance: `?${first}`,
  organizationsMax: `?${first + 1}`,
  rowsMax: `?${first + 2}`,
});

/** The values that `byTurns` binds, in the order of their placeholders. */
export const toBinds = ({ chance, organizationsMax, rowsMax }: Turns): number[] => [
  chance,
  organizationsMax,
  rowsMax,
];

/**
 * CTEs that read a queue round-robin by organization: the oldest row of each, then the second oldest of each.
 * The last CTE, `line (id, organization_id, position, turn)`, holds the rowid of each row. Serve rows in the
 * order `ORDER BY position, turn`.
 *
 * The queue needs an index that begins with the organization and matches `waits` and `order`. The statement
 * then reads a few rows for each organization and the rows of `line`, however long the queue is.
 *
 * @param queue.all condition that holds for all rows of the queue, by which organizations are found.
 * @param queue.waits condition of the rows ready to be served, for an SQL expression of the organization.
 * @param first the number of the first placeholder for the values of `toBinds`.
 */
export function byTurns(
  queue: {
    table: string;
    key?: string;
    all: string;
    waits: (organization: string) => string;
    order: string;
  },
  first: number,
): string {
  const { table, key = "organization_id", all, waits, order } = queue;
  const { chance, organizationsMax, rowsMax } = placesFrom(first);
  const waiting = (organization: string) => `${table}.${key} = ${organization} AND ${waits(organization)}`;
  const next = (after: string) =>
    `coalesce((SELECT min(${key}) FROM ${table} WHERE ${all} AND ${key} ${after}),
              (SELECT min(${key}) FROM ${table} WHERE ${all}))`;
  const start = `coalesce((SELECT id FROM organizations
    WHERE number >= CAST(${chance} * (SELECT max(number) FROM organizations) AS INTEGER) ORDER BY number LIMIT 1), '')`;
  return `WITH RECURSIVE
    -- One seek from each organization to the next, around once.
    found (organization_id, first, place) AS (
      SELECT id, id, 1 FROM (SELECT ${next(`>= ${start}`)} AS id) WHERE id IS NOT NULL
       UNION ALL
      SELECT ${next("> found.organization_id")}, first, place + 1 FROM found
       WHERE place < ${organizationsMax} AND (place = 1 OR organization_id <> first)),
    waiting AS MATERIALIZED (
      SELECT organization_id, row_number() OVER (ORDER BY organization_id) - 1 AS place,
             count(*) OVER () AS organizations
        FROM found
       WHERE (place = 1 OR organization_id <> first)
         AND EXISTS (SELECT 1 FROM ${table} WHERE ${waiting("found.organization_id")})),
    line AS MATERIALIZED (
      SELECT q.rowid AS id, waiting.organization_id AS organization_id,
             row_number() OVER (PARTITION BY waiting.place ORDER BY ${order}) AS position,
             (waiting.place + CAST(${chance} * waiting.organizations AS INTEGER)) % waiting.organizations AS turn
        FROM waiting CROSS JOIN ${table} AS q
       WHERE q.rowid IN (
         SELECT rowid FROM ${table} WHERE ${waiting("waiting.organization_id")}
          ORDER BY ${order} LIMIT (SELECT max(1, CAST(${rowsMax} / count(*) AS INTEGER)) FROM waiting)))`;
}
