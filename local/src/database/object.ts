import { DurableObject } from "cloudflare:workers";

export type Value = string | number | null;

export interface BoundStatement {
  sql: string;
  values: Value[];
}

export interface StatementResult {
  /** The names of the columns once, because they are sent to another Worker. */
  columns: string[];
  rows: Value[][];
  meta: Omit<D1Meta, "served_by_region" | "served_by_primary" | "timings" | "total_attempts">;
}

/** Errors of SQLite are returned, because workerd logs each error that an object throws. */
export type Outcome = { results: StatementResult[] } | { error: string };

interface Counters {
  changes: number;
  lastRowId: number;
}

/**
 * The database, in place of D1: it runs the same statements in the same SQLite. Its results leave the object only when
 * everything written so far is committed, because workerd holds them back until then.
 */
export class Database extends DurableObject {
  readonly #storage: DurableObjectStorage;
  /** SQLite's counters after the last statement. Undefined before the first, and after an error. */
  #counters: Counters | undefined;
  #sizeBytes = 0;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    this.#storage = ctx.storage;
  }

  /** Runs the statements in order in one transaction, as D1 does. */
  run(statements: BoundStatement[]): Outcome {
    try {
      return { results: this.#storage.transactionSync(() => statements.map((one) => this.#run(one))) };
    } catch (error) {
      this.#counters = undefined;
      return { error: error instanceof Error ? error.message : String(error) };
    }
  }

  #run({ sql, values }: BoundStatement): StatementResult {
    const before = this.#counters ?? this.#readCounters();
    const startMs = performance.now();
    const cursor = this.#storage.sql.exec(sql, ...values);
    const columns = cursor.columnNames;
    const rows = Array.from(cursor.raw<Value[]>());
    const duration = performance.now() - startMs;
    const { rowsRead: rows_read, rowsWritten: rows_written } = cursor;
    const after = rows_written > 0 ? this.#readCounters() : before;
    this.#counters = after;
    const changes = after.changes - before.changes;
    const changed_db = changes > 0 || after.lastRowId !== before.lastRowId;
    const size_after = this.#sizeBytes;
    const meta = { duration, changes, last_row_id: after.lastRowId, changed_db, size_after, rows_read, rows_written };
    return { columns, rows, meta };
  }

  #readCounters(): Counters {
    const { sql } = this.#storage;
    this.#sizeBytes = sql.databaseSize;
    return sql
      .exec<{ changes: number; lastRowId: number }>(
        "SELECT total_changes() AS changes, last_insert_rowid() AS lastRowId",
      )
      .one();
  }
}
