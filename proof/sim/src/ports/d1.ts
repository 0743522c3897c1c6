import type { Port } from "../faults.ts";
import type { CallBehavior, Invocation } from "../invocation.ts";
import { type BoundStatement, checkBinds, type Database, type Rows } from "./database.ts";

/** D1's limit on statements per invocation. */
const STATEMENTS_MAX = 1_000;

/** D1's messages of temporary errors. */
const ERRORS = [
  "D1_ERROR: Network connection lost.",
  "D1_ERROR: Internal error in D1 DB storage caused object to be reset.",
  "D1_ERROR: D1 DB reset because its code was updated.",
  "D1_ERROR: D1 DB is overloaded. Requests queued for too long.",
];

const BEHAVIOR: CallBehavior = {
  port: "d1",
  frequency: 1,
  normalMs: { low: 1, high: 8 },
  // D1 ends a query after 30 seconds.
  slowMs: 30_000,
  outcomes: { slow: 2, refused: 3, unacknowledged: 3, late: 1, silent: 1 },
  error: (random) => new Error(random.pick(ERRORS)),
};

export function d1Binding(invocation: Invocation, database: Database): D1Database {
  const bound = new WeakMap<D1PreparedStatement, BoundStatement>();
  let count = 0;
  const transact = (what: string, statements: BoundStatement[]): Promise<D1Result<unknown>[]> => {
    count += statements.length;
    if (count > STATEMENTS_MAX) throw new Error(`D1_ERROR: more than ${STATEMENTS_MAX} queries`);
    return invocation.call(BEHAVIOR, what, () => database.transact(statements).map(toResult));
  };
  const prepare = (sql: string, binds: unknown[] = []): D1PreparedStatement => {
    const statement: BoundStatement = { sql, binds };
    const all = async () => (await transact(nameOf("d1", [statement]), [statement]))[0];
    const prepared = {
      bind: (...values: unknown[]) => {
        checkBinds(values);
        return prepare(sql, values);
      },
      all,
      run: all,
    } as unknown as D1PreparedStatement;
    bound.set(prepared, statement);
    return prepared;
  };
  return {
    prepare: (sql: string) => prepare(sql),
    batch: async (statements: D1PreparedStatement[]) => {
      const own = statements.map((statement) => bound.get(statement) ?? { sql: "", binds: [] });
      return transact(nameOf("d1", own), own);
    },
  } as unknown as D1Database;
}

function toResult({ results, changes }: Rows): D1Result<unknown> {
  const meta = { changes, rows_read: 0, rows_written: 0 };
  return { success: true, results, meta } as unknown as D1Result<unknown>;
}

/** A batch's name in the trace: the tables it changes, or else those it reads. */
export function nameOf(port: Port, statements: readonly { sql: string }[]): string {
  const names = statements.map(({ sql }) => {
    const [, verb, , table] = /^\s*(\w+)\s+(OR \w+ |INTO |FROM )*(\w+)?/.exec(sql) ?? [];
    return verb === "SELECT" || verb === "WITH" ? "SELECT" : `${verb} ${table}`;
  });
  const changes = new Set(names.filter((name) => name !== "SELECT" && name !== "INSERT assertions"));
  return `${port}(${changes.size > 0 ? [...changes].join(", ") : `SELECT ×${statements.length}`})`;
}
