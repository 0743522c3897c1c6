import { ApiError } from "../errors.ts";
import { Refused, runBatch } from "../queries/batch.ts";
import {
  claimIdempotencyKey,
  type IdempotentRequest,
  refuseKnownIdempotencyKey,
  selectIdempotencyResult,
  updateIdempotencyResult,
} from "../queries/idempotency-keys.ts";

/** The result of a write, and whether it replays that of an earlier request. */
export interface Once<T> {
  answer: T;
  replayed: boolean;
}

/**
 * Runs a batch once per idempotency key, all of it or nothing. A repeat returns the result that the first run
 * stored. Without a key the batch simply runs.
 *
 * Key and effect are committed together, so a repeat can never meet a half-done request.
 *
 * @param write.result an SQL expression of the result to store, ids and numbers as JSON, over binds from ?5
 *   on.
 */
export async function runOnce<T>(
  db: D1Database,
  request: IdempotentRequest | null,
  write: { statements: D1PreparedStatement[]; result: string; resultBinds: unknown[] },
  read: (results: D1Result<unknown>[]) => T | Promise<T>,
  replay: (kept: unknown) => T | Promise<T>,
): Promise<Once<T>> {
  if (request === null) return { answer: await read(await runBatch(db, write.statements)), replayed: false };
  const claim = claimIdempotencyKey(db, request);
  try {
    const results = await runBatch(db, [
      ...claim,
      ...write.statements,
      updateIdempotencyResult(db, request, write.result, write.resultBinds),
    ]);
    return { answer: await read(results.slice(claim.length, -1)), replayed: false };
  } catch (error) {
    return replayAfter(error, db, request, replay);
  }
}

/**
 * The stored result of a repeated request; null for a first request. For writes that read rows before their
 * batch, because those rows may have been deleted since.
 */
export async function replayEarlier<T>(
  db: D1Database,
  request: IdempotentRequest | null,
  replay: (kept: unknown) => T | Promise<T>,
): Promise<Once<T> | null> {
  if (request === null) return null;
  try {
    await runBatch(db, refuseKnownIdempotencyKey(db, request));
    return null;
  } catch (error) {
    return replayAfter(error, db, request, replay);
  }
}

async function replayAfter<T>(
  error: unknown,
  db: D1Database,
  request: IdempotentRequest,
  replay: (kept: unknown) => T | Promise<T>,
): Promise<Once<T>> {
  if (!(error instanceof Refused) || error.code !== "replay") throw error;
  return { answer: await replay(await selectIdempotencyResult(db, request)), replayed: true };
}

/** Rejects a repeat whose stored result would have to include a secret again. */
export function refuseSecretAgain(kept: unknown): never {
  const { id } = kept as { id: string };
  throw new ApiError(
    "secret_already_shown",
    `This request created ${id} before; its secret cannot be shown again.`,
  );
}
