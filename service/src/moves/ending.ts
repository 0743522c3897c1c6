import { nothing, run, type Statements, sql } from "../platform/sql.ts";
import { awaitVectors, cursorOf } from "./copying.ts";
import * as queries from "./progress.ts";
import { removeSome } from "./removal.ts";
import { pageOf, type Row } from "./rows.ts";
import { batchOf, Later, type MoveRun, type Next } from "./run.ts";
import { CHUNKS, COPIED, type MovedTable, WITH_VECTORS } from "./tables.ts";
import { droppedTriggers } from "./triggers.ts";

/** Time after a move in which a request that began before it may still read the old rows, or ask the cell. */
const READ_MS = 60_000;
/** Vectors that one run deletes from the shared store: 100 in each call. */
const SHARED_AT_ONCE = 20_000;
/** Pages of vectors of which one run deletes the copies, or asks for them: 25 calls for each. */
const COPY_PAGES = 20;

/** Removes the rows that the organization has left. */
export async function remove(moving: MoveRun): Promise<Next | null> {
  const { move, store, vectors } = moving;
  store.update({ phase: moving.toCell ? "here" : "gone" });
  const waitMs = (move.moved_at_ms ?? 0) + READ_MS - moving.nowMs;
  if (waitMs > 0) return { afterMs: waitMs };
  if (!moving.toCell) {
    return (await vectors.deleteShared(SHARED_AT_ONCE)) ? { afterMs: 0 } : "erase";
  }
  if (!(await removeFromD1(moving))) return { afterMs: 0 };
  await moving.write(moving.invocation.directory, [
    endedHere(moving.id, move.id),
    queries.completedMove(move.id, moving.nowMs),
  ]);
  store.clear();
  return null;
}

/** Resolves to whether none are left. */
async function removeFromD1(moving: MoveRun): Promise<boolean> {
  const { directory } = moving.invocation;
  for (; moving.pages > 0; moving.pages -= 1)
    if (!(await removeSome(directory, moving.id, queries.assertAttempt(moving.move)))) return true;
  return false;
}

/** Removes what was copied. */
export async function cancel(moving: MoveRun): Promise<Next | null> {
  const { move, store } = moving;
  const { directory, db } = moving.invocation;
  if (moving.toCell) {
    store.update({ phase: "gone" });
    await moving.write(directory, endedHere(moving.id, move.id));
    return "erase";
  }
  await batchOf(db, endedHere(moving.id, move.id));
  store.update({ phase: "leaving" });
  awaitVectors(moving);
  if (!(await removeFromD1(moving))) return { afterMs: 0 };
  await deleteCopies(moving);
  await moving.write(directory, queries.completedMove(move.id, moving.nowMs));
  store.clear();
  return null;
}

/**
 * Deletes the copies of vectors, and then waits until the shared store shows none: as long as it does, the receipt of a
 * deletion waits for them, too. Some pages in each run, because one invocation may make only 1,000 calls.
 *
 * @throws {Later} if it may still show one.
 */
async function deleteCopies(moving: MoveRun): Promise<void> {
  const { store, vectors, invocation } = moving;
  // No copy was ever sent.
  if (moving.state.storingUntilMs === undefined) return;
  const { deleteConfirmMs } = invocation.limits;
  for (let pages = 0; pages < COPY_PAGES; pages++) {
    const copies = moving.state.copies ?? { deletedMs: null, table: 0, after: null };
    const { deletedMs, table } = copies;
    const waitMs = (deletedMs ?? 0) + deleteConfirmMs - moving.nowMs;
    if (waitMs > 0) throw new Later(waitMs);
    const moved = WITH_VECTORS[table];
    if (moved === undefined) {
      if (deletedMs !== null) return;
      store.update({ copies: { deletedMs: moving.nowMs, table: 0, after: null } });
      throw new Later(deleteConfirmMs);
    }
    const found = await run(invocation.db, await pageOfCopied(moving, moved, copies.after));
    const ids = found.map((one) => String(one.vector_id));
    if (deletedMs === null) await vectors.deleteCopies(ids);
    else if (await vectors.hasCopies(ids)) {
      await vectors.deleteCopies(ids);
      store.update({ copies: { ...copies, deletedMs: moving.nowMs } });
      throw new Later(deleteConfirmMs);
    }
    const last = found.at(-1);
    const next = last === undefined ? { table: table + 1, after: null } : { after: cursorOf(moved, last) };
    store.update({ copies: { ...copies, ...next } });
  }
  throw new Later(0);
}

/** Of chunks, only those up to the last one that was copied. */
const pageOfCopied = async (moving: MoveRun, moved: MovedTable, after: Row | null) =>
  pageOf(moved, {
    organizationId: moving.id,
    after,
    upTo: moved === CHUNKS && COPIED[moving.state.table] === CHUNKS ? moving.state.copiedTo : undefined,
    columns: await moving.columnsOf(moved),
    withoutWaiting: false,
  });

/** What ends the notes of changes in the database that an organization leaves, or does not leave after all. */
export const endedHere = (organizationId: string, id: string): Statements => [
  droppedTriggers({ id, organizationId }),
  nothing(sql`DELETE FROM moved_rows WHERE organization_id = ${organizationId}`),
  nothing(sql`DELETE FROM moves WHERE id = ${id} AND place = 'd1'`),
];
