import { ApiError } from "../errors.ts";
import {
  assertUnknownIdempotencyKey,
  evaluatedAnswer,
  type IdempotentRequest,
  insertedIdempotencyKey,
  selectStoredAnswer,
  storedAnswer,
} from "./idempotency-queries.ts";
import { PreconditionFailed } from "./preconditions.ts";
import { batch, type Results, type Sql, type Statements } from "./sql.ts";

/** The result of a write, and whether it replays that of an earlier request. */
export interface Idempotent<T> {
  answer: T;
  replayed: boolean;
}

/** The statements of a write, and how its response is made from their results. */
interface Write<S, Answer, T> {
  statements: S & Statements;
  /**
   * SQL expression of JSON that is evaluated after all statements and stored with the idempotency key. It has ids and
   * numbers, but no content and no secrets.
   */
  answer: Sql;
  /**
   * Makes the response. `results` are those of the statements; null for a repeat, for which only `answer` is stored.
   */
  read: (answer: Answer, results: Results<S> | null) => T | Promise<T>;
}

/**
 * Runs a batch once for each idempotency key. A repeated request does not run it again, and reads the answer that the
 * first one stored. Without an idempotency key, the batch always runs.
 *
 * The idempotency key is stored in the same transaction as the write, so either both are stored or neither.
 */
export async function runIdempotent<const S, Answer, T>(
  db: D1Database,
  request: IdempotentRequest | null,
  write: Write<S, Answer, T>,
): Promise<Idempotent<T>> {
  const { statements, answer, read } = write;
  try {
    const written = (await batch<unknown>(db, {
      claim: request && [assertUnknownIdempotencyKey(request), insertedIdempotencyKey(request)],
      statements,
      answer: request === null ? evaluatedAnswer(answer) : storedAnswer(request, answer),
    })) as { statements: Results<S>; answer: Answer };
    return { answer: await read(written.answer, written.statements), replayed: false };
  } catch (error) {
    return replayAfter(error, db, request, (stored: Answer) => read(stored, null));
  }
}

/**
 * The response to a repeated request; null for a first request. For writes that read rows before their batch. A
 * repeat must not read them, because they may have been deleted since.
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

/** Rejects the repeat of a request that created a key, because the key's secret is not stored. */
export function refuseSecretAgain({ id }: { id: string }): never {
  throw new ApiError(
    "secret_already_shown",
    `This request has already created ${id}. Its secret cannot be shown again.`,
  );
}
