import type { ServiceLimits } from "../limits.ts";
import { AnswerTimeout, withTimeout } from "./calls.ts";

/** D1 did not respond to a call in time. It may still execute the statements of the call. */
export class DatabaseTimeout extends Error {
  /** Whether this call, or an earlier one of the same request or background run, writes. */
  readonly mayHaveWritten: boolean;

  constructor(mayHaveWritten: boolean, cause: AnswerTimeout) {
    super(`D1: ${cause.message}`, { cause });
    this.name = "DatabaseTimeout";
    this.mayHaveWritten = mayHaveWritten;
  }
}

/**
 * Wraps a database so that each call rejects with {@link DatabaseTimeout} if D1 does not respond in time. Supports only
 * the methods that the service uses.
 */
export function withDeadlines(
  db: D1Database,
  limits: Pick<ServiceLimits, "databaseReadMs" | "databaseWriteMs">,
): D1Database {
  const originals = new WeakMap<D1PreparedStatement, { statement: D1PreparedStatement; writes: boolean }>();
  let hasWritten = false;
  const call = async <T>(writes: boolean, send: () => Promise<T>): Promise<T> => {
    hasWritten ||= writes;
    try {
      return await withTimeout(send(), writes ? limits.databaseWriteMs : limits.databaseReadMs);
    } catch (error) {
      throw error instanceof AnswerTimeout ? new DatabaseTimeout(hasWritten, error) : error;
    }
  };
  const limit = (statement: D1PreparedStatement, writes: boolean): D1PreparedStatement => {
    const all = () => call(writes, () => statement.all());
    const limited = {
      bind: (...values: unknown[]) => limit(statement.bind(...values), writes),
      all,
      run: all,
    } as unknown as D1PreparedStatement;
    originals.set(limited, { statement, writes });
    return limited;
  };
  const batch = (statements: D1PreparedStatement[]) => {
    const own = statements.map((statement) => originals.get(statement) ?? { statement, writes: true });
    const writes = own.some((original) => original.writes);
    return call(writes, () => db.batch(own.map(({ statement }) => statement)));
  };
  return { prepare: (sql: string) => limit(db.prepare(sql), isWrite(sql)), batch } as unknown as D1Database;
}

/** An insert into `assertions` checks a condition and stores no row. */
const READ = /^\s*(SELECT|INSERT INTO assertions)\b/;
const READ_WITH = /^\s*WITH\b(?!.*\b(INSERT INTO|UPDATE|DELETE FROM)\b)/s;

const isWrite = (sql: string): boolean => !READ.test(sql) && !READ_WITH.test(sql);
