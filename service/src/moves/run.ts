import type { Invocation } from "../invocation.ts";
import { givenUpMove, type Move } from "../operations/moves-queries.ts";
import type { OverflowingVectors } from "../platform/cell-vectors/overflow.ts";
import { batch, row, run, type Statement, type Statements, sql } from "../platform/sql.ts";
import { assertAttempt } from "./progress.ts";
import { type Columns, columnsOf, type Row } from "./rows.ts";
import type { MoveState, State } from "./state.ts";
import type { MovedTable } from "./tables.ts";

export const RETRY_MS = 5_000;

/** Pages that one run copies. D1 runs at most 1,000 statements in one invocation, and a page takes up to ten. */
const RUN_PAGES = 60;

/** `afterMs`: the next run begins after that time. `erase`: the cell is to be erased, and then the move is to be ended. */
export type Next = { afterMs: number } | "erase";

/** Ends a run. The move goes on after some time. */
export class Later extends Error {
  readonly afterMs: number;
  constructor(afterMs: number) {
    super("later");
    this.afterMs = afterMs;
  }
}

/** Runs statements in one transaction, of which only `answer` has a result. */
export const batchOf: (db: D1Database, statements: Statements) => Promise<{ answer?: unknown }> =
  batch as never;

interface Options {
  move: Move;
  store: MoveState;
  vectors: OverflowingVectors;
  columns: Map<string, Columns>;
}

/** One run of a move: both databases, and what the phases of a move share. */
export class MoveRun {
  readonly invocation: Invocation;
  readonly move: Move;
  readonly store: MoveState;
  readonly vectors: OverflowingVectors;
  readonly toCell: boolean;
  /** Pages that this run may still copy. */
  pages = RUN_PAGES;
  readonly #columns: Map<string, Columns>;

  constructor(invocation: Invocation, { move, store, vectors, columns }: Options) {
    this.invocation = invocation;
    this.move = move;
    this.store = store;
    this.vectors = vectors;
    this.toCell = move.place === "cell";
    this.#columns = columns;
  }

  /** Id of the organization. */
  get id(): string {
    return this.move.organization_id;
  }

  get nowMs(): number {
    return this.invocation.runtime.nowMs();
  }

  get source(): D1Database {
    return this.toCell ? this.invocation.directory : this.invocation.db;
  }

  get target(): D1Database {
    return this.toCell ? this.invocation.db : this.invocation.directory;
  }

  get state(): State {
    return this.store.current as State;
  }

  /** Writes, to D1 only as long as no later run continues the move. Resolves to the result of `answer`. */
  async write<T = void>(
    db: D1Database,
    statements: Statements,
    answer: Statement<T> | null = null,
  ): Promise<T> {
    const mine = db === this.invocation.directory ? assertAttempt(this.move) : null;
    return (await batchOf(db, { mine, statements, answer })).answer as T;
  }

  async columnsOf({ name }: MovedTable): Promise<Columns> {
    const known = this.#columns.get(name) ?? (await run(this.invocation.db, columnsOf(name)));
    this.#columns.set(name, known);
    return known;
  }

  /** Cancels the move, because the organization was deleted, or is held since. */
  async giveUp(): Promise<Next> {
    await this.write(this.invocation.directory, givenUpMove(this.move.id, this.nowMs));
    return { afterMs: 0 };
  }
}

export const ORGANIZATIONS: MovedTable = { name: "organizations", key: ["id"] };

/** The row of the organization, as it is where it lives: without what D1 knows of a cell. */
export const organizationOf = (id: string): Statement<Row | null> =>
  row(
    sql`SELECT number, id, name, created_at_ms, deleted_at_ms, operation_id, tombstone_key FROM organizations WHERE id = ${id}`,
    (found: Row) => found,
  );
