/** A value that the service binds to a statement, or reads. */
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

/** A statement that begins with `WITH` may write after its tables. */
const READ = /^\s*(?:SELECT\b|WITH\b(?!.*\b(?:INSERT|UPDATE|DELETE|REPLACE)\b))/is;

/** Whether none of the statements can write. */
export const areReads = (statements: readonly { sql: string }[]): boolean =>
  statements.every(({ sql }) => READ.test(sql));

interface Counters {
  changes: number;
  lastRowId: number;
}

/**
 * Runs statements on the SQLite database of a Durable Object, with the results and errors of D1. The results leave the
 * object only when everything written so far is committed, because workerd holds them back until then.
 */
export class CellStorage {
  readonly #storage: DurableObjectStorage;
  /** SQLite's counters after the last call that wrote. */
  #counters: Counters = { changes: 0, lastRowId: 0 };
  #sizeBytes = 0;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** Runs the statements in order in one transaction, as D1 does. */
  run(statements: BoundStatement[]): Outcome {
    try {
      // No other call runs in between, so reads need no transaction.
      return { results: areReads(statements) ? this.#read(statements) : this.#write(statements) };
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  }

  #read(statements: BoundStatement[]): StatementResult[] {
    return statements.map((statement) => this.#run(statement, () => this.#counters));
  }

  #write(statements: BoundStatement[]): StatementResult[] {
    return this.#storage.transactionSync(() => {
      // Before the first statement too, because the keyword index also writes when a transaction is committed.
      this.#counters = this.#readCounters();
      const results = statements.map((statement) => this.#run(statement, () => this.#readCounters()));
      this.#sizeBytes = this.#storage.sql.databaseSize;
      for (const { meta } of results) meta.size_after = this.#sizeBytes;
      return results;
    });
  }

  #run({ sql, values }: BoundStatement, countersAfter: () => Counters): StatementResult {
    const before = this.#counters;
    const startMs = performance.now();
    const cursor = this.#storage.sql.exec(sql, ...values);
    const columns = cursor.columnNames;
    const rows = Array.from(cursor.raw<Value[]>());
    const duration = performance.now() - startMs;
    this.#counters = countersAfter();
    const changes = this.#counters.changes - before.changes;
    const last_row_id = this.#counters.lastRowId;
    const { rowsRead: rows_read, rowsWritten: rows_written } = cursor;
    const changed_db = changes > 0 || last_row_id !== before.lastRowId;
    const size_after = this.#sizeBytes;
    const meta = { duration, changes, last_row_id, changed_db, size_after, rows_read, rows_written };
    return { columns, rows, meta };
  }

  #readCounters(): Counters {
    const query = "SELECT total_changes() AS changes, last_insert_rowid() AS lastRowId";
    return this.#storage.sql.exec<{ changes: number; lastRowId: number }>(query).one();
  }
}
