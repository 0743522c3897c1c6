import type { BoundStatement, Database, StatementResult, Value } from "./object.ts";

/** A limit of D1 that SQLite in workerd does not have. */
const VALUE_BYTES_MAX = 2_000_000;
/** Bytes of a UTF-16 unit in UTF-8. */
const UNIT_BYTES_MAX = 3;

const encoder = new TextEncoder();

type Result = Pick<D1Result<Record<string, unknown>>, "success" | "results"> & {
  meta: StatementResult["meta"];
};

interface ClientOptions {
  /** Statements that one client may run. D1 runs at most 1,000 in one invocation of a Worker. */
  statementsMax: number;
}

/** The methods of D1 that the service uses, over the object. */
export class DatabaseClient {
  readonly #namespace: DurableObjectNamespace<Database>;
  #statementsLeft: number;

  constructor(namespace: DurableObjectNamespace<Database>, { statementsMax }: ClientOptions) {
    this.#namespace = namespace;
    this.#statementsLeft = statementsMax;
  }

  prepare(sql: string): PreparedStatement {
    return new PreparedStatement(this, sql, []);
  }

  /** @throws {Error} with the message of D1. Nothing of the batch was written then. */
  async batch(statements: PreparedStatement[]): Promise<Result[]> {
    this.#statementsLeft -= statements.length;
    if (this.#statementsLeft < 0) throw failure("too many queries in one invocation");
    // A new stub each time, because a stub fails forever once its object has been reset.
    const stub = this.#namespace.getByName(DATABASE_NAME);
    const sent: BoundStatement[] = statements.map(({ sql, values }) => ({ sql, values }));
    const outcome = await stub.run(sent).catch((error: unknown) => {
      throw failure(error instanceof Error ? error.message : String(error), error);
    });
    if ("error" in outcome) throw failure(outcome.error);
    return outcome.results.map(toResult);
  }
}

/** The name of the one object. */
export const DATABASE_NAME = "DB";

class PreparedStatement {
  readonly sql: string;
  readonly values: Value[];
  readonly #client: DatabaseClient;

  constructor(client: DatabaseClient, sql: string, values: Value[]) {
    this.#client = client;
    this.sql = sql;
    this.values = values;
  }

  /** @throws {Error} with the message of D1, if D1 would not accept a value. */
  bind(...values: unknown[]): PreparedStatement {
    return new PreparedStatement(this.#client, this.sql, values.map(toValue));
  }

  async all(): Promise<Result> {
    const [result] = await this.#client.batch([this]);
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

function toResult({ columns, rows, meta }: StatementResult): Result {
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
