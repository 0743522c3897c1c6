// Its types are structural, because tests inside workerd and programs of Node both import it.

export interface Result {
  results: unknown[];
  meta: { rows_read: number; rows_written: number; changes: number; size_after: number };
}

interface Statement {
  bind(...values: unknown[]): Statement;
  all(): Promise<Result>;
}

/** The methods of D1 that the product uses. */
export interface Database {
  prepare(sql: string): Statement;
  batch(statements: Statement[]): Promise<Result[]>;
}

/** One call of the database. */
export interface DatabaseCall {
  kind: "query" | "batch";
  statements: { sql: string; values: unknown[] }[];
}

/**
 * Wraps a database so that each call goes through `observe`, which sends it with `send` or rejects it by
 * throwing.
 *
 * @throws {TypeError} from `batch` for a statement that another database prepared.
 */
export function observeDatabase<Observed extends Database>(
  db: Observed,
  observe: (call: DatabaseCall, send: () => Promise<Result[]>) => Promise<Result[]>,
): Observed {
  const originals = new WeakMap<Statement, DatabaseCall["statements"][number] & { statement: Statement }>();
  const wrap = (statement: Statement, sql: string, values: unknown[]): Statement => {
    const all = async () => {
      const call: DatabaseCall = { kind: "query", statements: [{ sql, values }] };
      const [result] = await observe(call, async () => [await statement.all()]);
      return result as Result;
    };
    const observed = {
      bind: (...bound: unknown[]) => wrap(statement.bind(...bound), sql, bound),
      all,
      run: all,
      // D1's own `first` does not report the rows that it read.
      first: async (column?: string) => {
        const row = ((await all()).results[0] ?? null) as Record<string, unknown> | null;
        return column === undefined ? row : (row?.[column] ?? null);
      },
    };
    originals.set(observed, { statement, sql, values });
    return observed;
  };
  const observed: Database = {
    prepare: (sql) => wrap(db.prepare(sql), sql, []),
    async batch(batch) {
      const own = batch.map((statement) => {
        const original = originals.get(statement);
        if (original === undefined) throw new TypeError("The statement was prepared by another database");
        return original;
      });
      return observe({ kind: "batch", statements: own }, () =>
        db.batch(own.map(({ statement }) => statement)),
      );
    },
  };
  // Sessions and dumps are left out, because the product uses none.
  return observed as Observed;
}
