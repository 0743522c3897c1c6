// The types are structural, because programs that have no types of Workers use this file too.

export interface Result {
  results: unknown[];
  meta: { rows_read: number; rows_written: number; changes: number; duration: number; size_after: number };
}

interface PreparedStatement {
  bind(...values: unknown[]): PreparedStatement;
  all(): Promise<Result>;
}

/** The methods of D1 that the service uses. */
export interface Database {
  prepare(sql: string): PreparedStatement;
  batch(statements: PreparedStatement[]): Promise<Result[]>;
}

/** One call of a database. Its statements run in one transaction. */
export interface DatabaseCall {
  kind: "query" | "batch";
  statements: { sql: string; values: unknown[] }[];
}

type SendCall = (call: DatabaseCall) => Promise<Result[]>;

/**
 * Sends the call, or another one in its place, with `send`, or fails it by throwing. Returns one result for each
 * statement of the call.
 */
export type CallInterceptor = (
  call: DatabaseCall,
  send: (other?: DatabaseCall) => Promise<Result[]>,
) => Promise<Result[]>;

/**
 * Wraps a database so that each of its calls goes through the interceptors, the first one first.
 *
 * @throws {TypeError} from `batch` for a statement that was not prepared by such a wrapper.
 */
export function interceptCalls<Wrapped extends Database>(
  db: Wrapped,
  ...interceptors: CallInterceptor[]
): Wrapped {
  const send = interceptors.reduceRight<SendCall>(
    (next, intercept) => (call) => intercept(call, (other = call) => next(other)),
    (call) => sendCall(db, call),
  );
  const wrapped: Database = {
    prepare: (sql) => new InterceptedStatement(send, sql, []),
    batch: async (statements) => send({ kind: "batch", statements: statements.map(toIntercepted) }),
  };
  // Without the other methods of D1, which the service does not use.
  return wrapped as Wrapped;
}

export async function sendCall(db: Database, { kind, statements }: DatabaseCall): Promise<Result[]> {
  const prepared = statements.map(({ sql, values }) => db.prepare(sql).bind(...values));
  const [only] = prepared;
  return kind === "query" && only !== undefined ? [await only.all()] : await db.batch(prepared);
}

class InterceptedStatement implements PreparedStatement {
  readonly sql: string;
  readonly values: unknown[];
  readonly #send: SendCall;

  constructor(send: SendCall, sql: string, values: unknown[]) {
    this.#send = send;
    this.sql = sql;
    this.values = values;
  }

  bind(...values: unknown[]): InterceptedStatement {
    return new InterceptedStatement(this.#send, this.sql, values);
  }

  async all(): Promise<Result> {
    const [result] = await this.#send({ kind: "query", statements: [this] });
    return result as Result;
  }

  run(): Promise<Result> {
    return this.all();
  }

  /** D1's own `first` does not report the rows that it read. */
  async first(column?: string): Promise<unknown> {
    const row = (await this.all()).results[0] as Record<string, unknown> | undefined;
    return (column === undefined ? row : row?.[column]) ?? null;
  }
}

function toIntercepted(statement: PreparedStatement): InterceptedStatement {
  if (statement instanceof InterceptedStatement) return statement;
  throw new TypeError("The statement was prepared by another database");
}
