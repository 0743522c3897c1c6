import { hasHolds } from "../holds/queries.ts";
import { hashesOf } from "../members/cells.ts";
import type { Move } from "../operations/moves-queries.ts";
import {
  assertThat,
  batch,
  nothing,
  onlyRow,
  run,
  type Statement,
  type Statements,
  sql,
} from "../platform/sql.ts";
import { copyChanges } from "./copying.ts";
import * as queries from "./progress.ts";
import { allRows, type Row, renumbered, type Size, sizeOf, table, writtenRows } from "./rows.ts";
import { batchOf, type MoveRun, type Next, ORGANIZATIONS, organizationOf } from "./run.ts";
import { COPIED, LAST, type MovedTable, WORKED_OFF } from "./tables.ts";

/** Rows of queues when the organization is frozen. */
const FREEZE_QUEUED_MAX = 5_000;
/** Time in which writes are refused, at most. */
const FROZEN_MS = 2_000;
/** Until the next attempt to freeze an organization whose work in the background is under way. */
const BUSY_MS = 200;
/** Time in which that work takes no new lease, after each attempt. Longer than a run of the alarm takes. */
const DRAIN_MS = 5_000;

/** Refuses writes, copies what is left, compares both databases, and moves the organization. */
export async function switchPlaces(moving: MoveRun): Promise<Next | null> {
  const { move, store } = moving;
  const nowMs = moving.nowMs;
  const isFrozen = await moving.write(moving.source, [], queries.frozen(move, nowMs, FREEZE_QUEUED_MAX));
  if (isFrozen === 0) {
    const drain = { untilMs: nowMs + DRAIN_MS, queuedMax: FREEZE_QUEUED_MAX };
    await moving.write(moving.source, [queries.draining(move, drain)]);
    return { afterMs: BUSY_MS };
  }
  try {
    while (await copyChanges(moving)) if (moving.nowMs > nowMs + FROZEN_MS) return { afterMs: 0 };
    // From here on, the cell answers nothing.
    if (!moving.toCell) store.update({ phase: "switching" });
    const { source, target, last, waiting, organization, isHeld } = await readLast(moving);
    assertSameSizes(source, target);
    if (organization === null || organization.deleted_at_ms !== null || isHeld) return await moving.giveUp();
    if (moving.nowMs > nowMs + FROZEN_MS) return { afterMs: 0 };
    const moved = last.map(([of, found]) => writtenLast(moving, of, found));
    if (moving.toCell) {
      await batchOf(moving.target, [
        moved,
        writtenRows(ORGANIZATIONS, Object.keys(organization), [organization]),
      ]);
      moving.vectors.adopt();
      store.update({ phase: "switching" });
      await moving.write(moving.invocation.directory, await movedToCell(moving, last, organization, nowMs));
      store.update({ phase: "here" });
    } else {
      await moving.write(moving.invocation.directory, [
        moved,
        ...waiting.map(([of, found]) => writtenLast(moving, of, found)),
        movedToD1(move, organization, moving.nowMs),
      ]);
      store.update({ phase: "gone" });
    }
    moving.invocation.caches.places.forget(moving.id);
    return { afterMs: 0 };
  } finally {
    // If the cell is in `switching`, D1 may have moved the organization. The next run asks it.
    if (moving.state.phase === "loading" || moving.state.phase === "leaving")
      await run(moving.source, queries.unfrozen(moving.id));
  }
}

async function readLast(moving: MoveRun) {
  const compared = COPIED.filter(({ expires }) => expires === undefined);
  const sizes: Record<string, Statement<Size>> = {};
  for (const moved of compared)
    sizes[moved.name] = sizeOf(moved, {
      organizationId: moving.id,
      columns: await moving.columnsOf(moved),
      withoutWaiting: !moving.toCell,
    });
  const waits = moving.toCell ? [] : COPIED.filter((moved) => moved.waits !== undefined);
  const [source, target] = await Promise.all([
    batch(moving.source, {
      sizes,
      last: LAST.map((moved) => allRows(moved, moving.id)),
      waiting: waits.map((moved) => allRows(moved, moving.id, true)),
      organization: organizationOf(moving.id),
      isHeld: isHeld(moving.id),
    }),
    batch(moving.target, sizes),
  ]);
  return {
    source: source.sizes as Record<string, Size>,
    target: target as Record<string, Size>,
    last: LAST.map((moved, i): [MovedTable, Row[]] => [moved, source.last[i] ?? []]),
    waiting: waits.map((moved, i): [MovedTable, Row[]] => [moved, source.waiting[i] ?? []]),
    organization: source.organization,
    isHeld: source.isHeld,
  };
}

/** Whether a hold was created since the move began. None can be now, because writes are refused. */
const isHeld = (organizationId: string): Statement<boolean> =>
  onlyRow(sql`SELECT ${hasHolds(organizationId)} AS held`, ({ held }: { held: 0 | 1 }) => held === 1);

function writtenLast(moving: MoveRun, moved: MovedTable, found: Row[]): Statements {
  const { number, offset } = moving.state;
  const copies = found.map((one) => {
    const copy = renumbered(moved, one, { offset });
    if (moved.name === "organization_counters") return { ...copy, number };
    // The job numbers of D1 are those of all organizations.
    return moved.name === "index_jobs" && !moving.toCell ? { ...copy, id: null } : copy;
  });
  return [
    moved.waits === undefined
      ? nothing(sql`DELETE FROM ${table(moved.name)} WHERE organization_id = ${moving.id}`)
      : null,
    copies[0] === undefined ? null : writtenRows(moved, Object.keys(copies[0]), copies),
  ];
}

/** The transaction of D1 by which the organization is in the cell. Its sweep finds nothing more to do for it. */
async function movedToCell(
  moving: MoveRun,
  last: [MovedTable, Row[]][],
  organization: Row,
  frozenMs: number,
): Promise<Statements> {
  const keys = last.find(([{ name }]) => name === "api_keys")?.[1] ?? [];
  const people = await Promise.all(
    keys
      .filter(({ role, revoked_at_ms }) => role !== null && revoked_at_ms === null)
      .map(({ email, issuer, subject }) =>
        hashesOf({
          email: email as string | null,
          ...(issuer === null ? {} : { issuer: String(issuer) }),
          ...(subject === null ? {} : { subject: String(subject) }),
        }),
      ),
  );
  const hashes = JSON.stringify(people.flat());
  const secrets = JSON.stringify(
    keys.filter((key) => key.revoked_at_ms === null).map((key) => key.secret_hash),
  );
  return [
    assertUnchanged(organization),
    queries.assertFrozen(moving.move.id, frozenMs),
    // D1 then knows the last deletion, as of each organization in a cell, so that the operator finds it.
    nothing(sql`
      UPDATE organizations
         SET place = 'cell',
             operation_id = coalesce(operation_id, (SELECT max(id) FROM operations WHERE organization_id = ${moving.id}
                                                       AND type = 'delete_organization'))
       WHERE id = ${moving.id}`),
    // From here on, the triggers let rows be deleted.
    queries.moved(moving.move.id, moving.nowMs),
    WORKED_OFF.map((name) => nothing(sql`DELETE FROM ${table(name)} WHERE organization_id = ${moving.id}`)),
    COPIED.flatMap(({ name, waits }) =>
      waits === undefined
        ? []
        : [nothing(sql`DELETE FROM ${table(name)} WHERE organization_id = ${moving.id} AND ${waits}`)],
    ),
    nothing(
      sql`INSERT OR IGNORE INTO cell_members (person_hash, organization_id) SELECT value, ${moving.id} FROM json_each(${hashes})`,
    ),
    nothing(
      sql`INSERT OR REPLACE INTO moved_keys (secret_hash, organization_id) SELECT value, ${moving.id} FROM json_each(${secrets})`,
    ),
  ];
}

/** The organization is as the move has read it. */
const assertUnchanged = ({ id, tombstone_key, name }: Row): Statement<void> =>
  assertThat(
    "item_changed",
    sql`EXISTS (SELECT 1 FROM organizations WHERE id = ${id ?? null} AND deleted_at_ms IS NULL AND name = ${name ?? null}
                   AND tombstone_key IS ${tombstone_key ?? null})`,
  );

const movedToD1 = (move: Move, { id, name, tombstone_key, operation_id }: Row, nowMs: number): Statements => [
  nothing(sql`
    UPDATE organizations SET place = NULL, location = NULL, report = NULL, name = ${name ?? null}, tombstone_key = ${tombstone_key ?? null},
                             operation_id = ${operation_id ?? null}, deleted_at_ms = NULL
     WHERE id = ${id ?? null}`),
  nothing(sql`DELETE FROM cell_members WHERE organization_id = ${id ?? null}`),
  nothing(sql`DELETE FROM moved_keys WHERE organization_id = ${id ?? null}`),
  queries.moved(move.id, nowMs),
];

/** @throws {Error} if a table has other rows in the two databases. */
function assertSameSizes(source: Record<string, Size>, target: Record<string, Size>): void {
  for (const [name, { rows: n, bytes }] of Object.entries(source)) {
    const there = target[name];
    if (there?.rows !== n || there.bytes !== bytes)
      throw new Error(
        `${name} has ${n} rows of ${bytes} bytes, and its copy ${there?.rows} of ${there?.bytes}`,
      );
  }
}
