import type { Invocation } from "../invocation.ts";
import { hashesOf } from "../members/cells.ts";
import { endedByDeletion, type Move, runningMove } from "../operations/moves-queries.ts";
import type { OverflowingVectors } from "../platform/cell-vectors/overflow.ts";
import { residenceOf } from "../platform/places.ts";
import { PreconditionFailed } from "../platform/preconditions.ts";
import {
  assertThat,
  batch,
  nothing,
  onlyRow,
  row,
  rows,
  run,
  type Statement,
  type Statements,
  sql,
} from "../platform/sql.ts";
import * as queries from "./progress.ts";
import { removeSome } from "./removal.ts";
import {
  allRows,
  type Columns,
  columnsOf,
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
  type Size,
  sizeOf,
  table,
  writtenRows,
} from "./rows.ts";
import { MoveState, type State } from "./state.ts";
import { COPIED, LAST, type MovedTable } from "./tables.ts";
import { createdTriggers, droppedTriggers } from "./triggers.ts";
import { deletedWordsOf, insertedWordsOf, toIndexed } from "./words.ts";

/** Time for which no isolate remembers where an organization is, because it reads that it moves: see `Places`. */
const FORGOTTEN_MS = 70_000;
/** Time after a move in which a request that began before it may still read the old rows, or ask the cell. */
const READ_MS = 60_000;
/** Pages that one run copies. D1 runs at most 1,000 statements in one invocation, and a page takes up to ten. */
const RUN_PAGES = 60;
const CHANGES_AT_ONCE = 1_000;
/** Changes that are left when the organization is frozen. They are copied in some tenths of a second. */
const FREEZE_CHANGES_MAX = 300;
/** Rows of queues when the organization is frozen. */
const FREEZE_QUEUED_MAX = 5_000;
/** Time in which writes are refused, at most. */
const FROZEN_MS = 2_000;
const RETRY_MS = 5_000;
/** Until the next attempt to freeze an organization whose work in the background is under way. It ends often. */
const BUSY_MS = 200;
/** Numbers of conversations that are kept free in D1 for those that are created during a move. */
const SPARE_NUMBERS = 1_000_000;

/** Statements of any number, of which one has a result. */
const batchOf: (db: D1Database, statements: Statements) => Promise<{ answer?: unknown }> = batch as never;

/** `afterMs`: the next run begins after that time. `erase`: the cell is to be erased, and then `finish` be called. */
export type Next = { afterMs: number } | "erase";

export interface MoverOptions {
  organizationId: string;
  vectors: OverflowingVectors;
}

/**
 * Moves an organization from D1 to its cell or back, in runs of the cell's alarm, so that one run at a time does.
 *
 * The rows are copied in pages while the organization is in use. Triggers in the database that it leaves note each row that
 * changes, which is copied again. When few are left, writes are refused for a moment: the last changes are copied, both
 * databases are compared, and one transaction in D1 says where the organization is from then on. The old rows are removed
 * after.
 */
export class Mover {
  readonly #storage: DurableObjectStorage;
  readonly #state: MoveState;
  readonly #options: MoverOptions;
  readonly #columns = new Map<string, Columns>();

  constructor(storage: DurableObjectStorage, options: MoverOptions) {
    this.#storage = storage;
    this.#state = new MoveState(storage);
    this.#options = options;
  }

  /** Notes that D1 may have a move of the organization. */
  begin(): void {
    if (this.#state.current !== null) return;
    this.#state.set({
      id: null,
      place: "cell",
      phase: "asked",
      table: 0,
      after: null,
      done: 0,
      number: 0,
      offset: 0,
    });
  }

  /** The id of the copy of a vector that the shared store may have; null unless the organization moves to D1. */
  copyOf(vectorId: string): string | null {
    const { place = "cell", offset = 0 } = this.#state.current ?? {};
    return place === "cell" || offset === 0 ? null : renumberedVector(vectorId, offset);
  }

  get isActive(): boolean {
    return this.#state.current !== null;
  }

  /** Whether the rows of the cell are those of the organization, so that its sweep may work on them. */
  get isHere(): boolean {
    const { phase = "here" } = this.#state.current ?? {};
    return phase === "here" || phase === "leaving";
  }

  /** Whether the cell may answer a call. */
  async admits({ directory }: Invocation): Promise<boolean> {
    if (this.#state.current === null || this.isHere) return true;
    const { phase, place } = this.#state.current;
    // Nobody knows whether the organization was here before someone asked for a move.
    if (phase === "asked")
      return (await run(directory, residenceOf(this.#options.organizationId)))?.place === "cell";
    if (phase !== "switching" || place === "d1") return false;
    // The answer of the transaction that moved it here may have been lost.
    const found = await run(directory, residenceOf(this.#options.organizationId));
    if (found?.place !== "cell") return false;
    if (this.#state.current?.phase === "switching") this.#state.update({ phase: "here" });
    return true;
  }

  /** Continues the move. Resolves to null if there is none. */
  async run(invocation: Invocation): Promise<Next | null> {
    if (this.#state.current === null) return null;
    const { directory } = invocation;
    const { organizationId } = this.#options;
    const move = await run(directory, queries.claimedMove(organizationId));
    if (move === null) return this.#forget(invocation);
    const { id, place } = move;
    if (this.#state.current.id !== id)
      this.#state.update({ id, place, phase: place === "cell" ? "loading" : "leaving" });
    const work = new MoveRun(
      invocation,
      { ...this.#options, move, state: this.#state, storage: this.#storage },
      this.#columns,
    );
    try {
      return await work.continue();
    } catch (error) {
      if (error instanceof Later) return { afterMs: error.afterMs };
      // It was canceled, or the organization deleted. The next run sees it.
      if (!(error instanceof PreconditionFailed)) throw error;
      return { afterMs: RETRY_MS };
    }
  }

  /** Ends the move in D1 after the cell was erased. */
  async finish({ directory, runtime }: Invocation): Promise<void> {
    const move = await run(directory, runningMove(this.#options.organizationId));
    if (move !== null) await run(directory, queries.completedMove(move.id, runtime.nowMs()));
  }

  /** D1 knows of no move: it has ended, or D1 was restored to an earlier time. */
  async #forget({ db, directory }: Invocation): Promise<Next | null> {
    const { organizationId } = this.#options;
    const { id, phase, place } = this.#state.current as State;
    const found = await run(directory, residenceOf(organizationId));
    const wasHere = phase === "leaving" || phase === "here" || (phase === "switching" && place === "d1");
    if (!wasHere && found?.place !== "cell" && phase !== "asked") return "erase";
    if (id !== null && place === "d1") await batchOf(db, endedHere(organizationId, id));
    this.#state.clear();
    return null;
  }
}

/** The run ends, and the move goes on after some time. */
class Later extends Error {
  readonly afterMs: number;
  constructor(afterMs: number) {
    super("later");
    this.afterMs = afterMs;
  }
}

/** What ends the notes of changes in the database that an organization leaves, or does not leave after all. */
const endedHere = (organizationId: string, id: string): Statements => [
  ...droppedTriggers({ id, organizationId }).map(plain),
  nothing(sql`DELETE FROM moved_rows WHERE organization_id = ${organizationId}`),
  nothing(sql`DELETE FROM moves WHERE id = ${id} AND place = 'd1'`),
];

const plain = (text: string): Statement<void> => nothing(sql([text]));

interface RunOptions extends MoverOptions {
  move: Move;
  state: MoveState;
  storage: DurableObjectStorage;
}

/** One run of a move. */
class MoveRun {
  readonly #invocation: Invocation;
  readonly #options: RunOptions;
  readonly #columns: Map<string, Columns>;
  readonly #toCell: boolean;
  #pages = RUN_PAGES;

  constructor(invocation: Invocation, options: RunOptions, columns: Map<string, Columns>) {
    this.#invocation = invocation;
    this.#options = options;
    this.#columns = columns;
    this.#toCell = options.move.place === "cell";
  }

  async continue(): Promise<Next | null> {
    const { move } = this.#options;
    if (move.phase === "removing") return this.#remove();
    if (move.phase === "canceling") return this.#cancel();
    await this.#thaw();
    this.#awaitVectors();
    if (!(await this.#prepare())) return this.#endByDeletion();
    while (this.#pages > 0 && (await this.#copyPage()));
    while (this.#pages > 0 && (await this.#copyChanges()));
    if (this.#pages <= 0) return { afterMs: 0 };
    const waitMs = move.created_at_ms + FORGOTTEN_MS - this.#nowMs;
    if (waitMs > 0) return { afterMs: Math.min(waitMs, RETRY_MS) };
    if ((await run(this.#source, queries.countedChanges(this.#id))) > FREEZE_CHANGES_MAX)
      return { afterMs: 0 };
    return this.#switch();
  }

  async #endByDeletion(): Promise<Next> {
    await this.#write(this.#invocation.directory, endedByDeletion(this.#options.move.id, this.#nowMs));
    return { afterMs: 0 };
  }

  get #id(): string {
    return this.#options.organizationId;
  }

  get #nowMs(): number {
    return this.#invocation.runtime.nowMs();
  }

  get #source(): D1Database {
    return this.#toCell ? this.#invocation.directory : this.#invocation.db;
  }

  get #target(): D1Database {
    return this.#toCell ? this.#invocation.db : this.#invocation.directory;
  }

  get #state(): State {
    return this.#options.state.current as State;
  }

  /** Writes, to D1 only as long as no later run continues the move. Resolves to the result of `answer`. */
  async #write<T = void>(
    db: D1Database,
    statements: Statements,
    answer: Statement<T> | null = null,
  ): Promise<T> {
    const mine = db === this.#invocation.directory ? queries.assertAttempt(this.#options.move) : null;
    return (await batchOf(db, { mine, statements, answer })).answer as T;
  }

  /** Allows writes again, if a run before this one has ended while they were refused. */
  async #thaw(): Promise<void> {
    const { move, state } = this.#options;
    await run(this.#source, queries.unfrozen(this.#id));
    move.phase = "copying";
    if (this.#state.phase === "switching") state.update({ phase: this.#toCell ? "loading" : "leaving" });
  }

  /** Resolves to whether the organization exists. */
  async #prepare(): Promise<boolean> {
    const { move, state } = this.#options;
    if (this.#state.number > 0) return true;
    const { directory, db } = this.#invocation;
    const organization = await run(directory, organizationOf(this.#id));
    if (organization === null) return false;
    const number = Number(organization.number);
    const moving = { id: move.id, organizationId: this.#id };
    if (this.#toCell) {
      await this.#write(directory, createdTriggers(moving).map(plain));
      await batch(db, writtenRows(ORGANIZATIONS, Object.keys(organization), [organization]));
      state.update({ number });
      return true;
    }
    await batchOf(db, [createdTriggers(moving).map(plain), mirroredMove(move)]);
    const numbers = await run(db, highestNumber);
    const reserved = await this.#write(directory, ...reservedNumbers(this.#id, numbers + SPARE_NUMBERS));
    state.update({ number, offset: Math.min(...reserved) });
    return true;
  }

  async #columnsOf({ name }: MovedTable): Promise<Columns> {
    const known = this.#columns.get(name) ?? (await run(this.#invocation.db, columnsOf(name)));
    this.#columns.set(name, known);
    return known;
  }

  /** Resolves to whether there may be another page. */
  async #copyPage(): Promise<boolean> {
    const moved = COPIED[this.#state.table];
    if (moved === undefined) return false;
    const found = moved.joins === undefined ? await this.#readPage(moved) : [];
    if (found.length > 0) {
      this.#pages -= 1;
      await this.#copyRows(moved, found);
      const done = this.#state.done + (moved.name === "messages" ? found.length : 0);
      this.#options.state.update({ after: found.at(-1) ? cursorOf(moved, found.at(-1) as Row) : null, done });
      if (done > 0 && this.#pages % 20 === 0)
        await run(this.#invocation.directory, queries.updatedProgress(this.#options.move.id, done));
      return true;
    }
    this.#options.state.update({ table: this.#state.table + 1, after: null });
    return true;
  }

  async #readPage(moved: MovedTable): Promise<Row[]> {
    const { leading } = moved;
    const page = {
      organizationId: this.#id,
      columns: await this.#columnsOf(moved),
      withoutWaiting: !this.#toCell,
    };
    let after = this.#state.after;
    for (;;) {
      if (leading !== undefined && after === null) {
        const first = await run(this.#source, nextLeading(moved, leading, null));
        if (first === null) return [];
        after = { [leading]: first };
      }
      const found = await run(this.#source, pageOf(moved, { ...page, after }));
      if (found.length > 0 || leading === undefined) return found;
      const next = await run(this.#source, nextLeading(moved, leading, after?.[leading] ?? null));
      if (next === null) return [];
      after = { [leading]: next };
    }
  }

  /** Writes rows of the source to the target, and compares what is there then. */
  async #copyRows(moved: MovedTable, found: Row[]): Promise<void> {
    const names = (await this.#columnsOf(moved)).all;
    const { number, offset } = this.#state;
    let copies = found.map((one) => renumbered(moved, one, { offset }));
    let words: { before: Statements; after: Statements } = { before: null, after: null };
    if (moved.name === "messages") {
      const indexed = await toIndexed(this.#invocation, copies, number);
      copies = indexed.map((one) => one.row);
      const rowKeys = copies.map((one) => one.row_key ?? null);
      words = { before: deletedWordsOf(rowKeys), after: insertedWordsOf(this.#id, indexed) };
      const entities = COPIED.find(({ joins }) => joins === "messages") as MovedTable;
      const numbers = found.map((one) => one.row_key ?? null);
      const belonging = await run(this.#source, rowsByNumber(entities, this.#id, numbers));
      if (belonging.length > 0) await this.#copyRows(entities, belonging);
    }
    if (moved.name === "conversation_chunks" && !this.#toCell) await this.#copyVectors(found);
    const keys = copies.map((one) => keyOf(moved, one));
    const stored = await this.#write(
      this.#target,
      [words.before, writtenRows(moved, names, copies), words.after],
      rowsByKey(moved, { organizationId: this.#id, keys, withoutWaiting: false }),
    );
    assertEqual(moved, names, copies, stored);
  }

  /**
   * The vectors of chunks, in the shared store, under ids with the new numbers.
   *
   * @throws {Later} if the shared store, in which some may have been before, does not show one yet.
   */
  async #copyVectors(chunks: Row[]): Promise<void> {
    const { vectors, state } = this.#options;
    const { limits } = this.#invocation;
    const { offset } = this.#state;
    const found = await vectors.read(chunks.map((chunk) => String(chunk.vector_id)));
    const hashes = new Map(found.map(({ id, textHash }) => [id, textHash]));
    const isLate = ({ vector_id, text_hash, indexed_at_ms }: Row) =>
      Number(indexed_at_ms) > this.#nowMs - limits.deleteConfirmMs &&
      hashes.get(String(vector_id)) !== text_hash;
    if (chunks.some(isLate)) throw new Later(RETRY_MS);
    const renamed = found.map((vector) => ({ ...vector, id: renumberedVector(vector.id, offset) }));
    if (renamed.length === 0) return;
    state.update({ storingUntilMs: this.#nowMs + limits.indexLeaseMs });
    await vectors.storeShared(this.#id, renamed);
    state.update({ storingUntilMs: null });
  }

  /**
   * Waits for a write to the vector store that has failed and may arrive later, in place of a newer one.
   *
   * @throws {Later}
   */
  #awaitVectors(): void {
    const waitMs = (this.#state.storingUntilMs ?? 0) - this.#nowMs;
    if (waitMs > 0) throw new Later(waitMs);
  }

  /** Copies rows that have changed again. Resolves to whether there may be more. */
  async #copyChanges(): Promise<boolean> {
    const changed = await run(this.#source, queries.changedRows(this.#id, CHANGES_AT_ONCE));
    const last = changed.at(-1);
    if (last === undefined) return false;
    this.#pages -= 1;
    for (const moved of COPIED) {
      const keys = [...new Set(changed.filter(({ name }) => name === moved.name).map(({ key }) => key))];
      if (keys.length > 0) await this.#copyKeys(moved, keys);
    }
    await this.#write(this.#source, queries.forgottenChanges(this.#id, last.number));
    return true;
  }

  async #copyKeys(moved: MovedTable, keys: string[]): Promise<void> {
    const of = { organizationId: this.#id, withoutWaiting: !this.#toCell };
    const { texts } = await this.#columnsOf(moved);
    const groups = await run(this.#source, groupsByKey(moved, { ...of, keys, texts }));
    const there = keys.map((key) => otherKey(moved, key, this.#state.offset));
    const numbers = () => there.map((key) => (JSON.parse(key) as [number])[0]);
    await this.#write(this.#target, [
      moved.name === "messages" ? deletedWordsOf(numbers()) : null,
      deletedByKey(moved, this.#id, there),
    ]);
    for (const group of groups) {
      const found = await run(this.#source, rowsByKey(moved, { ...of, keys: group }));
      if (found.length > 0) await this.#copyRows(moved, found);
    }
  }

  /** Refuses writes, copies what is left, compares both databases, and moves the organization. */
  async #switch(): Promise<Next | null> {
    const { move, state } = this.#options;
    const nowMs = this.#nowMs;
    const isFrozen = await this.#write(this.#source, [], queries.frozen(move, nowMs, FREEZE_QUEUED_MAX));
    if (isFrozen === 0) return { afterMs: BUSY_MS };
    try {
      while (await this.#copyChanges()) if (this.#nowMs > nowMs + FROZEN_MS) return { afterMs: 0 };
      // From here on, the cell answers nothing.
      if (!this.#toCell) state.update({ phase: "switching" });
      const { source, target, last, waiting, organization } = await this.#readLast();
      assertSameSizes(source, target);
      if (organization === null || organization.deleted_at_ms !== null) return await this.#endByDeletion();
      if (this.#nowMs > nowMs + FROZEN_MS) return { afterMs: 0 };
      const moved = last.map(([of, found]) => this.#writtenLast(of, found));
      if (this.#toCell) {
        await batchOf(this.#target, [
          moved,
          writtenRows(ORGANIZATIONS, Object.keys(organization), [organization]),
        ]);
        this.#options.vectors.adopt();
        state.update({ phase: "switching" });
        await this.#write(this.#invocation.directory, await this.#movedToCell(last, organization, nowMs));
        state.update({ phase: "here" });
      } else {
        await this.#write(this.#invocation.directory, [
          moved,
          ...waiting.map(([of, found]) => this.#writtenLast(of, found)),
          movedToD1(move, organization, this.#nowMs),
        ]);
        state.update({ phase: "gone" });
      }
      this.#invocation.caches.places.forget(this.#id);
      return { afterMs: 0 };
    } finally {
      // If the cell is in `switching`, D1 may have moved the organization. The next run asks it.
      if (this.#state.phase === "loading" || this.#state.phase === "leaving")
        await run(this.#source, queries.unfrozen(this.#id));
    }
  }

  async #readLast() {
    const compared = COPIED.filter(({ expires }) => expires === undefined);
    const sizes: Record<string, Statement<Size>> = {};
    for (const moved of compared)
      sizes[moved.name] = sizeOf(moved, {
        organizationId: this.#id,
        columns: await this.#columnsOf(moved),
        withoutWaiting: !this.#toCell,
      });
    const waits = this.#toCell ? [] : COPIED.filter((moved) => moved.waits !== undefined);
    const [source, target] = await Promise.all([
      batch(this.#source, {
        sizes,
        last: LAST.map((moved) => allRows(moved, this.#id)),
        waiting: waits.map((moved) => allRows(moved, this.#id, true)),
        organization: organizationOf(this.#id),
      }),
      batch(this.#target, sizes),
    ]);
    return {
      source: source.sizes as Record<string, Size>,
      target: target as Record<string, Size>,
      last: LAST.map((moved, i): [MovedTable, Row[]] => [moved, source.last[i] ?? []]),
      waiting: waits.map((moved, i): [MovedTable, Row[]] => [moved, source.waiting[i] ?? []]),
      organization: source.organization,
    };
  }

  #writtenLast(moved: MovedTable, found: Row[]): Statements {
    const { number, offset } = this.#state;
    const copies = found.map((one) => {
      const copy = renumbered(moved, one, { offset });
      if (moved.name === "organization_counters") return { ...copy, number };
      // The job numbers of D1 are those of all organizations.
      return moved.name === "index_jobs" && !this.#toCell ? { ...copy, id: null } : copy;
    });
    return [
      moved.waits === undefined
        ? nothing(sql`DELETE FROM ${table(moved.name)} WHERE organization_id = ${this.#id}`)
        : null,
      copies[0] === undefined ? null : writtenRows(moved, Object.keys(copies[0]), copies),
    ];
  }

  /** The transaction of D1 by which the organization is in the cell. Its sweep finds nothing more to do for it. */
  async #movedToCell(last: [MovedTable, Row[]][], organization: Row, frozenMs: number): Promise<Statements> {
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
      queries.assertFrozen(this.#options.move.id, frozenMs),
      // D1 then knows the last deletion, as of each organization in a cell, so that the operator finds it.
      nothing(sql`
        UPDATE organizations
           SET place = 'cell',
               operation_id = coalesce(operation_id, (SELECT max(id) FROM operations WHERE organization_id = ${this.#id}
                                                         AND type = 'delete_organization'))
         WHERE id = ${this.#id}`),
      // From here on, the triggers let rows be deleted.
      queries.moved(this.#options.move.id, this.#nowMs),
      QUEUES_AND_WEBHOOKS.map((name) =>
        nothing(sql`DELETE FROM ${table(name)} WHERE organization_id = ${this.#id}`),
      ),
      COPIED.flatMap(({ name, waits }) =>
        waits === undefined
          ? []
          : [nothing(sql`DELETE FROM ${table(name)} WHERE organization_id = ${this.#id} AND ${waits}`)],
      ),
      nothing(
        sql`INSERT OR IGNORE INTO cell_members (person_hash, organization_id) SELECT value, ${this.#id} FROM json_each(${hashes})`,
      ),
      nothing(
        sql`INSERT OR REPLACE INTO moved_keys (secret_hash, organization_id) SELECT value, ${this.#id} FROM json_each(${secrets})`,
      ),
    ];
  }

  /** Removes the rows that the organization has left. */
  async #remove(): Promise<Next | null> {
    const { move, state, vectors } = this.#options;
    state.update({ phase: this.#toCell ? "here" : "gone" });
    const waitMs = (move.moved_at_ms ?? 0) + READ_MS - this.#nowMs;
    if (waitMs > 0) return { afterMs: waitMs };
    if (!this.#toCell) {
      await vectors.deleteShared();
      return "erase";
    }
    if (!(await this.#removeFromD1())) return { afterMs: 0 };
    await this.#write(this.#invocation.directory, [
      endedHere(this.#id, move.id),
      queries.completedMove(move.id, this.#nowMs),
    ]);
    state.clear();
    return null;
  }

  /** Resolves to whether none are left. */
  async #removeFromD1(): Promise<boolean> {
    const { directory } = this.#invocation;
    for (; this.#pages > 0; this.#pages -= 1)
      if (!(await removeSome(directory, this.#id, queries.assertAttempt(this.#options.move)))) return true;
    return false;
  }

  /** Removes what was copied. */
  async #cancel(): Promise<Next | null> {
    const { move, state } = this.#options;
    const { directory, db } = this.#invocation;
    if (this.#toCell) {
      state.update({ phase: "gone" });
      await this.#write(directory, endedHere(this.#id, move.id));
      return "erase";
    }
    await batchOf(db, endedHere(this.#id, move.id));
    state.update({ phase: "leaving" });
    this.#awaitVectors();
    // A vector that is to be deleted may have been copied before.
    await this.#options.vectors.deleteCopies(await run(db, vectorIds));
    if (!(await this.#removeFromD1())) return { afterMs: 0 };
    await this.#write(directory, queries.completedMove(move.id, this.#nowMs));
    state.clear();
    return null;
  }
}

const vectorIds: Statement<string[]> = rows(
  sql`SELECT vector_id FROM conversation_chunks UNION SELECT vector_id FROM vector_deletions`,
  ({ vector_id }: { vector_id: string }) => vector_id,
);

/** The row of the organization, as it is where it lives: without what D1 knows of a cell. */
const organizationOf = (id: string): Statement<Row | null> =>
  row(
    sql`SELECT number, id, name, created_at_ms, deleted_at_ms, operation_id, tombstone_key FROM organizations WHERE id = ${id}`,
    (found: Row) => found,
  );
const ORGANIZATIONS: MovedTable = { name: "organizations", key: ["id"] };

const QUEUES_AND_WEBHOOKS = [
  "index_jobs",
  "enrichment_jobs",
  "summary_jobs",
  "vector_deletions",
  "late_words",
  "webhooks",
];

/** The organization is as the move has read it. */
const assertUnchanged = ({ id, tombstone_key, name }: Row): Statement<void> =>
  assertThat(
    "item_changed",
    sql`EXISTS (SELECT 1 FROM organizations WHERE id = ${id ?? null} AND deleted_at_ms IS NULL AND name = ${name ?? null}
                   AND tombstone_key IS ${tombstone_key ?? null})`,
  );

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

const movedToD1 = (move: Move, { id, name, tombstone_key, operation_id }: Row, nowMs: number): Statements => [
  nothing(sql`
    UPDATE organizations SET place = NULL, location = NULL, report = NULL, name = ${name ?? null}, tombstone_key = ${tombstone_key ?? null},
                             operation_id = ${operation_id ?? null}, deleted_at_ms = NULL
     WHERE id = ${id ?? null}`),
  nothing(sql`DELETE FROM cell_members WHERE organization_id = ${id ?? null}`),
  nothing(sql`DELETE FROM moved_keys WHERE organization_id = ${id ?? null}`),
  queries.moved(move.id, nowMs),
];

const cursorOf = ({ key, order, leading }: MovedTable, one: Row): Row =>
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
