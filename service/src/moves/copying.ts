import { auditEvent } from "../audit/service.ts";
import type { Move } from "../operations/moves-queries.ts";
import { batch, nothing, onlyRow, rows, run, type Statement, type Statements, sql } from "../platform/sql.ts";
import * as queries from "./progress.ts";
import {
  deletedByKey,
  groupsByKey,
  keyOf,
  nextLeading,
  pageOf,
  type Row,
  renumbered,
  renumberedVector,
  rowsByKey,
  rowsByNumber,
  writtenRows,
} from "./rows.ts";
import { batchOf, Later, type MoveRun, ORGANIZATIONS, organizationOf, RETRY_MS } from "./run.ts";
import { CHUNKS, COPIED, type MovedTable } from "./tables.ts";
import { createdTriggers, hasTriggers } from "./triggers.ts";
import { deletedWordsOf, insertedWordsOf, toIndexed } from "./words.ts";

const CHANGES_AT_ONCE = 1_000;
/** Numbers of conversations that are kept free in D1 for those that are created during a move. */
const SPARE_NUMBERS = 1_000_000;

/** Resolves to whether the organization exists. */
export async function prepare(moving: MoveRun): Promise<boolean> {
  const { move, store } = moving;
  if (moving.state.number > 0) return true;
  const { directory, db } = moving.invocation;
  const organization = await run(directory, organizationOf(moving.id));
  if (organization === null) return false;
  const number = Number(organization.number);
  const ofMove = { id: move.id, organizationId: moving.id };
  const begun = [startedEvent(moving, ofMove), createdTriggers(ofMove)];
  if (moving.toCell) {
    await moving.write(directory, begun);
    await batch(db, writtenRows(ORGANIZATIONS, Object.keys(organization), [organization]));
    store.update({ number });
    return true;
  }
  await batchOf(db, [begun, mirroredMove(move)]);
  const numbers = await run(db, highestNumber);
  const reserved = await moving.write(directory, ...reservedNumbers(moving.id, numbers + SPARE_NUMBERS));
  store.update({ number, offset: Math.min(...reserved) });
  return true;
}

/** The audit event of a move that begins. It is copied with the others. */
const startedEvent = (
  { invocation, nowMs }: MoveRun,
  { id, organizationId }: { id: string; organizationId: string },
): Statement<void> =>
  auditEvent(
    invocation,
    null,
    {
      ...{ organizationId, action: "organization.move.started", targetId: organizationId },
      ...{ operationId: id, nowMs },
    },
    // A run that died before has recorded it.
    sql`NOT ${hasTriggers({ id, organizationId })}`,
  );

/** Resolves to whether there may be another page. */
export async function copyPage(moving: MoveRun): Promise<boolean> {
  const moved = COPIED[moving.state.table];
  if (moved === undefined) return false;
  const found = moved.joins === undefined ? await readPage(moving, moved) : [];
  if (found.length > 0) {
    moving.pages -= 1;
    await copyRows(moving, moved, found);
    const done = moving.state.done + (moved.name === "messages" ? found.length : 0);
    moving.store.update({ after: found.at(-1) ? cursorOf(moved, found.at(-1) as Row) : null, done });
    if (done > 0 && moving.pages % 20 === 0)
      await run(moving.invocation.directory, queries.updatedProgress(moving.move.id, done));
    return true;
  }
  moving.store.update({ table: moving.state.table + 1, after: null });
  return true;
}

async function readPage(moving: MoveRun, moved: MovedTable): Promise<Row[]> {
  const { leading } = moved;
  const page = {
    organizationId: moving.id,
    columns: await moving.columnsOf(moved),
    withoutWaiting: !moving.toCell,
  };
  let after = moving.state.after;
  for (;;) {
    if (leading !== undefined && after === null) {
      const first = await run(moving.source, nextLeading(moved, leading, null));
      if (first === null) return [];
      after = { [leading]: first };
    }
    const found = await run(moving.source, pageOf(moved, { ...page, after }));
    if (found.length > 0 || leading === undefined) return found;
    const next = await run(moving.source, nextLeading(moved, leading, after?.[leading] ?? null));
    if (next === null) return [];
    after = { [leading]: next };
  }
}

/** Writes rows of the source to the target, and compares what is there then. */
async function copyRows(moving: MoveRun, moved: MovedTable, found: Row[]): Promise<void> {
  const names = (await moving.columnsOf(moved)).all;
  const { number, offset } = moving.state;
  let copies = found.map((one) => renumbered(moved, one, { offset }));
  let words: { before: Statements; after: Statements } = { before: null, after: null };
  if (moved.name === "messages") {
    const indexed = await toIndexed(moving.invocation, copies, number);
    copies = indexed.map((one) => one.row);
    const rowKeys = copies.map((one) => one.row_key ?? null);
    words = { before: deletedWordsOf(rowKeys), after: insertedWordsOf(moving.id, indexed) };
    const entities = COPIED.find(({ joins }) => joins === "messages") as MovedTable;
    const numbers = found.map((one) => one.row_key ?? null);
    const belonging = await run(moving.source, rowsByNumber(entities, moving.id, numbers));
    if (belonging.length > 0) await copyRows(moving, entities, belonging);
  }
  if (moved === CHUNKS && !moving.toCell) await copyVectors(moving, found);
  const keys = copies.map((one) => keyOf(moved, one));
  const stored = await moving.write(
    moving.target,
    [words.before, writtenRows(moved, names, copies), words.after],
    rowsByKey(moved, { organizationId: moving.id, keys, withoutWaiting: false }),
  );
  assertEqual(moved, names, copies, stored);
}

/**
 * The vectors of chunks, in the shared store, under ids with the new numbers.
 *
 * @throws {Later} if the shared store, in which some may have been before, does not show one yet.
 */
async function copyVectors(moving: MoveRun, chunks: Row[]): Promise<void> {
  const { vectors, store } = moving;
  const { limits } = moving.invocation;
  const { offset } = moving.state;
  const found = await vectors.read(chunks.map((chunk) => String(chunk.vector_id)));
  const hashes = new Map(found.map(({ id, textHash }) => [id, textHash]));
  const isLate = ({ vector_id, text_hash, indexed_at_ms }: Row) =>
    Number(indexed_at_ms) > moving.nowMs - limits.deleteConfirmMs &&
    hashes.get(String(vector_id)) !== text_hash;
  if (chunks.some(isLate)) throw new Later(RETRY_MS);
  const renamed = found.map((vector) => ({ ...vector, id: renumberedVector(vector.id, offset) }));
  if (renamed.length === 0) return;
  const last = chunks.at(-1) as Row;
  store.update({
    storingUntilMs: moving.nowMs + limits.indexLeaseMs,
    copiedTo: cursorOf(CHUNKS, last),
  });
  await vectors.storeShared(moving.id, renamed);
  store.update({ storingUntilMs: null });
}

/**
 * Waits for a write to the vector store that has failed and may arrive later, in place of a newer one.
 *
 * @throws {Later}
 */
export function awaitVectors(moving: MoveRun): void {
  const waitMs = (moving.state.storingUntilMs ?? 0) - moving.nowMs;
  if (waitMs > 0) throw new Later(waitMs);
}

/** Copies rows that have changed again. Resolves to whether there may be more. */
export async function copyChanges(moving: MoveRun): Promise<boolean> {
  const changed = await run(moving.source, queries.changedRows(moving.id, CHANGES_AT_ONCE));
  const last = changed.at(-1);
  if (last === undefined) return false;
  moving.pages -= 1;
  for (const moved of COPIED) {
    const keys = [...new Set(changed.filter(({ name }) => name === moved.name).map(({ key }) => key))];
    if (keys.length > 0) await copyKeys(moving, moved, keys);
  }
  await moving.write(moving.source, queries.forgottenChanges(moving.id, last.number));
  return true;
}

async function copyKeys(moving: MoveRun, moved: MovedTable, keys: string[]): Promise<void> {
  const of = { organizationId: moving.id, withoutWaiting: !moving.toCell };
  const { texts } = await moving.columnsOf(moved);
  const groups = await run(moving.source, groupsByKey(moved, { ...of, keys, texts }));
  const there = keys.map((key) => otherKey(moved, key, moving.state.offset));
  const numbers = () => there.map((key) => (JSON.parse(key) as [number])[0]);
  await moving.write(moving.target, [
    moved.name === "messages" ? deletedWordsOf(numbers()) : null,
    deletedByKey(moved, moving.id, there),
  ]);
  for (const group of groups) {
    const found = await run(moving.source, rowsByKey(moved, { ...of, keys: group }));
    if (found.length > 0) await copyRows(moving, moved, found);
  }
}

/** The row of the move for the triggers of a cell. */
const mirroredMove = ({ id, organization_id, place, created_at_ms }: Move): Statement<void> =>
  nothing(sql`
    INSERT OR REPLACE INTO moves (id, organization_id, place, phase, created_at_ms)
    VALUES (${id}, ${organization_id}, ${place}, 'copying', ${created_at_ms})`);

const highestNumber: Statement<number> = onlyRow(
  sql`SELECT coalesce(max(row_key), 0) AS n FROM conversations`,
  ({ n }: { n: number }) => n,
);

/** Keeps numbers of conversations free. D1 never gives the numbers of deleted ones again. */
const reservedNumbers = (organizationId: string, count: number) => {
  const of = sql`organization_id = ${organizationId} AND id IN ('first', 'last')`;
  const forgotten = nothing(sql`DELETE FROM conversations WHERE ${of}`);
  const insert = sql`INSERT INTO conversations (row_key, organization_id, id, created_at_ms, updated_at_ms, deleted_at_ms)`;
  return [
    [
      forgotten,
      nothing(sql`${insert} VALUES (NULL, ${organizationId}, 'first', 0, 0, 0)`),
      nothing(sql`
        ${insert} SELECT row_key + ${count}, organization_id, 'last', 0, 0, 0 FROM conversations
                   WHERE organization_id = ${organizationId} AND id = 'first'`),
    ],
    rows(
      sql`DELETE FROM conversations WHERE ${of} RETURNING row_key`,
      ({ row_key }: { row_key: number }) => row_key,
    ),
  ] as const;
};

export const cursorOf = ({ key, order, leading }: MovedTable, one: Row): Row =>
  Object.fromEntries(
    [...(order ?? key), ...(leading === undefined ? [] : [leading])].map((column) => [
      column,
      one[column] ?? null,
    ]),
  );

/** A key, with the numbers that it has in the other database. */
function otherKey(moved: MovedTable, key: string, offset: number): string {
  const values = JSON.parse(key) as Row[string][];
  const one = Object.fromEntries(moved.key.map((column, i) => [column, values[i] ?? null]));
  return keyOf(moved, renumbered(moved, one, { offset }));
}

/** @throws {Error} if what is stored differs from what was read. */
function assertEqual(moved: MovedTable, names: string[], copies: Row[], stored: Row[]): void {
  const digest = (one: Row) => JSON.stringify(names.map((name) => one[name] ?? null));
  const found = new Map(stored.map((one) => [keyOf(moved, one), digest(one)]));
  for (const copy of copies)
    if (found.get(keyOf(moved, copy)) !== digest(copy))
      throw new Error(`a row of ${moved.name} was altered by its move`);
}
