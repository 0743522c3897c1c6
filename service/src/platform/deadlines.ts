import type { ServiceLimits } from "../limits.ts";
import { AnswerTimeout, withTimeout } from "./calls.ts";
import type { CallInterceptor } from "./database-calls.ts";

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
 * Rejects each call of one request or background run with {@link DatabaseTimeout} if D1 does not respond in time.
 */
export function enforceDeadlines(
  limits: Pick<ServiceLimits, "databaseReadMs" | "databaseWriteMs">,
): CallInterceptor {
  let hasWritten = false;
  return async ({ statements }, send) => {
    const writes = statements.some(({ sql }) => isWrite(sql));
    hasWritten ||= writes;
    try {
      return await withTimeout(send(), writes ? limits.databaseWriteMs : limits.databaseReadMs);
    } catch (error) {
      throw error instanceof AnswerTimeout ? new DatabaseTimeout(hasWritten, error) : error;
    }
  };
}

/** An insert into `assertions` checks a condition and stores no row. */
const READ = /^\s*(SELECT|INSERT INTO assertions)\b/;
const READ_WITH = /^\s*WITH\b(?!.*\b(INSERT INTO|UPDATE|DELETE FROM)\b)/s;

/** Whether a statement writes. */
export const isWrite = (sql: string): boolean => !READ.test(sql) && !READ_WITH.test(sql);
