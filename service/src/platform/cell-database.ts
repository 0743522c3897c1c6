import type { BoundStatement, Outcome, StatementResult, Value } from "./cell-storage.ts";
import type { Database, Result } from "./database-calls.ts";

/** A limit of D1 that SQLite in workerd does not have. */
const VALUE_BYTES_MAX = 2_000_000;
/** Bytes of a UTF-16 unit in UTF-8. */
const UNIT_BYTES_MAX = 3;

const encoder = new TextEncoder();

/** Runs statements in one transaction. It may be a call of another Worker. */
export type RunStatements = (statements: BoundStatement[]) => Outcome | Promise<Outcome>;

/**
 * The methods of D1 that the service uses, over something that runs statements.
 *
 * @param statementsMax Statements that may run. D1 runs at most 1,000 in one invocation of a Worker.
 */
export function toDatabase(run: RunStatements, statementsMax = Number.POSITIVE_INFINITY): D1Database {
  let left = statementsMax;
  const batch = async (statements: PreparedStatement[]): Promise<Result[]> => {
    left -= statements.length;
    if (left < 0) throw failure("too many queries in one invocation");
    const bound = statements.map(({ sql, values }) => ({ sql, values }));
    const outcome = await toOutcome(run, bound);
    if ("error" in outcome) throw failure(outcome.error);
    return outcome.results.map(toResult);
  };
  const database = { prepare: (sql: string) => new PreparedStatement(batch, sql, []), batch };
  // Without the other methods of D1, which the service does not use.
  return database satisfies Pick<Database, "prepare"> as unknown as D1Database;
}

async function toOutcome(run: RunStatements, statements: BoundStatement[]): Promise<Outcome> {
  try {
    return await run(statements);
  } catch (error) {
    throw failure(error instanceof Error ? error.message : String(error), error);
  }
}

class PreparedStatement {
  readonly sql: string;
  readonly values: Value[];
  readonly #batch: (statements: PreparedStatement[]) => Promise<Result[]>;

  constructor(batch: (statements: PreparedStatement[]) => Promise<Result[]>, sql: string, values: Value[]) {
    this.#batch = batch;
    this.sql = sql;
    this.values = values;
  }

  /** @throws {Error} with the message of D1, if D1 would not accept a value. */
  bind(...values: unknown[]): PreparedStatement {
    return new PreparedStatement(this.#batch, this.sql, values.map(toValue));
  }

  async all(): Promise<Result> {
    const [result] = await this.#batch([this]);
    return result as Result;
  }

  run(): Promise<Result> {
    return this.all();
  }
}

/** The service binds no bytes. */
function toValue(value: unknown): Value {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "string") {
    const isShort = value.length * UNIT_BYTES_MAX <= VALUE_BYTES_MAX;
    if (!isShort && encoder.encode(value).byteLength > VALUE_BYTES_MAX)
      throw failure("string or blob too big: SQLITE_TOOBIG");
    return value;
  }
  if (typeof value === "number" || value === null) return value;
  throw new Error(`D1_TYPE_ERROR: Type '${typeof value}' not supported for value '${value}'`);
}

function toResult({ columns, rows, meta }: StatementResult): Result & { success: true } {
  const results = rows.map((row) => {
    const object: Record<string, unknown> = {};
    for (let i = 0; i < columns.length; i++) object[columns[i] as string] = toRead(row[i]);
    return object;
  });
  return { success: true, results, meta };
}

/** D1 returns bytes as a list of numbers. */
const toRead = (value: unknown): unknown =>
  value instanceof ArrayBuffer ? Array.from(new Uint8Array(value)) : value;

const failure = (message: string, cause?: unknown): Error => new Error(`D1_ERROR: ${message}`, { cause });
