import { ApiError } from "../errors.ts";
import {
  assertUnknownIdempotencyKey,
  evaluatedAnswer,
  type IdempotentRequest,
  selectStoredAnswer,
  storedAnswer,
} from "./idempotency-queries.ts";
import { PreconditionFailed } from "./preconditions.ts";
import { batch, type Results, type Sql, type Statements } from "./sql.ts";

export interface Idempotent<T> {
  answer: T;
  replayed: boolean;
}

interface Write<S, Answer, T> {
  statements: S & Statements;
  /**
   * SQL expression that gives JSON. It is evaluated after all statements, and its value is stored: ids and numbers, no
   * content and no secrets.
   */
  answer: Sql;
  /**
   * Makes the result of the write. `results` is null for a repeated request, because only the value of `answer` was
   * stored.
   */
  read: (answer: Answer, results: Results<S> | null) => T | Promise<T>;
}

/**
 * Runs a write. A repeated request instead reads the answer that the first one stored. Without an idempotency key, the
 * write always runs.
 *
 * The key is stored in the same transaction as the write, so either both are stored or neither.
 *
 * @throws {PreconditionFailed} if a precondition of the write does not hold, or another request used the key.
 */
export async function runIdempotent<const S, Answer, T>(
  db: D1Database,
  request: IdempotentRequest | null,
  write: Write<S, Answer, T>,
): Promise<Idempotent<T>> {
  const { statements, answer, read } = write;
  try {
    const written = (await batch<unknown>(db, {
      unknown: request && assertUnknownIdempotencyKey(request),
      statements,
      answer: request === null ? evaluatedAnswer(answer) : storedAnswer(request, answer),
    })) as { statements: Results<S>; answer: Answer };
    return { answer: await read(written.answer, written.statements), replayed: false };
  } catch (error) {
    return replayAfter(error, db, request, (stored: Answer) => read(stored, null));
  }
}

/**
 * The result of a repeated request; null for a first one. For writes that read rows before their batch: when the
 * request is repeated, these rows may have been deleted.
 *
 * @throws {PreconditionFailed} if another request used the idempotency key, or the API key is not valid.
 */
export async function replayEarlier<Answer, T>(
  db: D1Database,
  request: IdempotentRequest | null,
  read: (answer: Answer) => T | Promise<T>,
): Promise<Idempotent<T> | null> {
  if (request === null) return null;
  try {
    await batch(db, assertUnknownIdempotencyKey(request));
    return null;
  } catch (error) {
    return replayAfter(error, db, request, read);
  }
}

async function replayAfter<Answer, T>(
  error: unknown,
  db: D1Database,
  request: IdempotentRequest | null,
  read: (answer: Answer) => T | Promise<T>,
): Promise<Idempotent<T>> {
  const isReplay = error instanceof PreconditionFailed && error.code === "replay";
  if (!isReplay || request === null) throw error;
  return { answer: await read((await selectStoredAnswer(db, request)) as Answer), replayed: true };
}

export function refuseSecretAgain({ id }: { id: string }): never {
  throw new ApiError(
    "secret_already_shown",
    `This request has already created ${id}. Its secret cannot be shown again.`,
  );
}
