import { nothing, rows, run, type Statement, type Statements, sql } from "../platform/sql.ts";
import { awaitVectors } from "./copying.ts";
import * as queries from "./progress.ts";
import { removeSome } from "./removal.ts";
import { batchOf, Later, type MoveRun, type Next } from "./run.ts";
import { droppedTriggers } from "./triggers.ts";

/** Time after a move in which a request that began before it may still read the old rows, or ask the cell. */
const READ_MS = 60_000;

/** Removes the rows that the organization has left. */
export async function remove(moving: MoveRun): Promise<Next | null> {
  const { move, store, vectors } = moving;
  store.update({ phase: moving.toCell ? "here" : "gone" });
  const waitMs = (move.moved_at_ms ?? 0) + READ_MS - moving.nowMs;
  if (waitMs > 0) return { afterMs: waitMs };
  if (!moving.toCell) {
    await vectors.deleteShared();
    return "erase";
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
 * Deletes the copies of vectors. The move goes on until the shared store shows none: as long as it does, the receipt of a
 * deletion waits for them, too.
 *
 * @throws {Later} if it may still show one.
 */
async function deleteCopies(moving: MoveRun): Promise<void> {
  const { store, vectors, invocation } = moving;
  const { storingUntilMs, copiesDeletedMs } = moving.state;
  // No copy was ever sent.
  if (storingUntilMs === undefined) return;
  const { deleteConfirmMs } = invocation.limits;
  const waitMs = (copiesDeletedMs ?? 0) + deleteConfirmMs - moving.nowMs;
  if (waitMs > 0) throw new Later(waitMs);
  // A vector that is to be deleted may have been copied before.
  const ids = await run(invocation.db, vectorIds);
  if (copiesDeletedMs !== undefined && !(await vectors.hasCopies(ids))) return;
  await vectors.deleteCopies(ids);
  store.update({ copiesDeletedMs: moving.nowMs });
  throw new Later(deleteConfirmMs);
}

/** What ends the notes of changes in the database that an organization leaves, or does not leave after all. */
export const endedHere = (organizationId: string, id: string): Statements => [
  droppedTriggers({ id, organizationId }),
  nothing(sql`DELETE FROM moved_rows WHERE organization_id = ${organizationId}`),
  nothing(sql`DELETE FROM moves WHERE id = ${id} AND place = 'd1'`),
];

const vectorIds: Statement<string[]> = rows(
  sql`SELECT vector_id FROM conversation_chunks UNION SELECT vector_id FROM vector_deletions`,
  ({ vector_id }: { vector_id: string }) => vector_id,
);
