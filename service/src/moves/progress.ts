import { MOVE_COLUMNS, type Move, toMove } from "../operations/moves-queries.ts";
import {
  assertThat,
  changes,
  joined,
  literal,
  nothing,
  onlyRow,
  row,
  rows,
  type Sql,
  type Statement,
  sql,
} from "../platform/sql.ts";
import { table } from "./rows.ts";
import { COPIED, LEASED, QUEUES } from "./tables.ts";

/**
 * The move of an organization, for the run that now continues it. A write that an earlier run has sent is refused from now
 * on, see {@link assertAttempt}.
 */
export const claimedMove = (organizationId: string): Statement<Move | null> =>
  row(
    sql`UPDATE moves SET attempt = attempt + 1 WHERE organization_id = ${organizationId} AND completed_at_ms IS NULL
        RETURNING ${MOVE_COLUMNS}`,
    toMove,
  );

/** Fails the batch if a later run continues the move, or the move is canceled. */
export const assertAttempt = ({ id, attempt, phase }: Move): Statement<void> =>
  assertThat(
    "lease_lost",
    sql`EXISTS (SELECT 1 FROM moves WHERE id = ${id} AND attempt = ${attempt} AND (phase = ${phase}
                  OR phase IN ('copying', 'frozen') AND ${phase} IN ('copying', 'frozen')))`,
  );

export const updatedProgress = (id: string, done: number): Statement<void> =>
  nothing(sql`UPDATE moves SET done = ${done} WHERE id = ${id} AND phase = 'copying'`);

/** Whether the work in the background that is left is little. */
const isLittleQueued = (organizationId: string, queuedMax: number): Sql => {
  const of = sql`organization_id = ${organizationId}`;
  const counted = [
    ...QUEUES.map(({ name }) => sql`${table(name)} WHERE ${of}`),
    ...COPIED.flatMap(({ name, waits }) =>
      waits === undefined ? [] : [sql`${table(name)} WHERE ${of} AND ${waits}`],
    ),
  ].map((queue) => sql`(SELECT count(*) FROM (SELECT 1 FROM ${queue} LIMIT ${literal(queuedMax)}))`);
  return sql`${joined(counted, sql` + `)} < ${queuedMax}`;
};

/**
 * Lets work in the background take no new lease until then, so that a moment without one comes however busy the
 * organization is. If much is queued, the work goes on.
 *
 * @param database the one that the organization leaves.
 */
export const draining = (
  move: Pick<Move, "id" | "organization_id">,
  { untilMs, queuedMax }: { untilMs: number; queuedMax: number },
): Statement<void> =>
  nothing(sql`
    UPDATE moves SET drains_until_ms = ${untilMs}
     WHERE id = ${move.id} AND phase = 'copying' AND ${isLittleQueued(move.organization_id, queuedMax)}`);

/**
 * Refuses writes from now on, if little is left to do and nobody holds a lease: one who does could still write to the
 * vector store, or has sent an event and not noted it. Resolves to 1 if it does.
 *
 * @param database the one that the organization leaves.
 */
export const frozen = (
  move: Pick<Move, "id" | "organization_id">,
  nowMs: number,
  queuedMax: number,
): Statement<number> => {
  const of = sql`organization_id = ${move.organization_id}`;
  const leases = LEASED.map(
    (name) => sql`EXISTS (SELECT 1 FROM ${table(name)} WHERE ${of} AND lease_until_ms > ${nowMs})`,
  );
  return changes(sql`
    UPDATE moves SET phase = 'frozen', frozen_at_ms = ${nowMs}
     WHERE id = ${move.id} AND phase = 'copying' AND NOT (${joined(leases, sql` OR `)})
       AND ${isLittleQueued(move.organization_id, queuedMax)}
       AND NOT EXISTS (SELECT 1 FROM keyword_index_rebuild)
       -- Such a number of a row is another one in the other database.
       AND NOT EXISTS (SELECT 1 FROM operations WHERE ${of} AND completed_at_ms IS NULL AND overlaps_until IS NOT NULL)`);
};

/** Fails the batch if writes were allowed since that time. */
export const assertFrozen = (id: string, frozenAtMs: number): Statement<void> =>
  assertThat(
    "lease_lost",
    sql`EXISTS (SELECT 1 FROM moves WHERE id = ${id} AND phase = 'frozen' AND frozen_at_ms = ${frozenAtMs})`,
  );

/** Allows writes again. What they change is noted again. */
export const unfrozen = (organizationId: string): Statement<void> =>
  nothing(sql`
    UPDATE moves SET phase = 'copying'
     WHERE organization_id = ${organizationId} AND phase = 'frozen' AND completed_at_ms IS NULL`);

/** The organization is where it has moved to. */
export const moved = (id: string, nowMs: number): Statement<void> =>
  nothing(sql`UPDATE moves SET phase = 'removing', moved_at_ms = ${nowMs}, done = total WHERE id = ${id}`);

export const completedMove = (id: string, nowMs: number): Statement<void> =>
  nothing(sql`
    UPDATE moves SET phase = 'ended', completed_at_ms = ${nowMs}, done = iif(canceled_at_ms IS NULL, total, done)
     WHERE id = ${id} AND completed_at_ms IS NULL`);

/** A row that changed after it may have been copied. */
export interface Changed {
  number: number;
  name: string;
  key: string;
}

export const changedRows = (organizationId: string, limit: number): Statement<Changed[]> =>
  rows(
    sql`SELECT number, name, key FROM moved_rows WHERE organization_id = ${organizationId} ORDER BY number LIMIT ${limit}`,
    (changed: Changed) => changed,
  );

export const forgottenChanges = (organizationId: string, upTo: number): Statement<void> =>
  nothing(sql`DELETE FROM moved_rows WHERE organization_id = ${organizationId} AND number <= ${upTo}`);

export const countedChanges = (organizationId: string): Statement<number> =>
  onlyRow(
    sql`SELECT count(*) AS n FROM (SELECT 1 FROM moved_rows WHERE organization_id = ${organizationId} LIMIT 1001)`,
    ({ n }: { n: number }) => n,
  );
