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

/** A batch, and the answer that its statements lead to. */
interface Write<S, Answer, T> {
  statements: S & Statements;
  /** SQL expression of JSON, evaluated last: ids and numbers, never content or secrets. */
  answer: Sql;
  /** `results` are those of the statements; null for a repeat, which has only the stored answer. */
  read: (answer: Answer, results: Results<S> | null) => T | Promise<T>;
}

/**
 * Runs a batch once per idempotency key, all of it or nothing. A repeat reads the answer that the first run
 * stored. Without a key the batch simply runs.
 *
 * Key and effect are committed together, so a repeat can never meet a half-done request.
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
 * The answer to a repeated request; null for a first request. For writes that read rows before their batch,
 * because those rows may have been deleted since.
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

/** Rejects a repeat whose answer would have to include a secret again. */
export function refuseSecretAgain({ id }: { id: string }): never {
  throw new ApiError(
    "secret_already_shown",
    `This request has already created ${id}. Its secret cannot be shown again.`,
  );
}
