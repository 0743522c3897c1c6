import { refuseDeadKey, refuseWhen } from "./batch.ts";

export interface IdempotentRequest {
  /** Empty for the operator. */
  organizationId: string;
  keyId: string;
  operation: string;
  idempotencyKey: string;
  requestHash: string;
  nowMs: number;
}

const KEPT_MS = 24 * 3_600_000;

const nameOf = (request: IdempotentRequest) => [
  request.organizationId,
  request.keyId,
  request.operation,
  request.idempotencyKey,
];

/**
 * Ends the batch as `replay` or `idempotency_mismatch` when the idempotency key is stored. First checks the
 * API key and ends the batch as `unauthenticated`, so that a revoked key gets no replay.
 */
export function refuseKnownIdempotencyKey(db: D1Database, request: IdempotentRequest): D1PreparedStatement[] {
  const key = nameOf(request);
  const known = `FROM idempotency_keys
    WHERE organization_id = ?1 AND key_id = ?2 AND operation = ?3 AND idempotency_key = ?4 AND expires_at_ms > ?5`;
  return [
    ...(request.organizationId === "" ? [] : [refuseDeadKey(db, request)]),
    refuseWhen(db, "idempotency_mismatch", `EXISTS (SELECT 1 ${known} AND request_hash <> ?6)`).bind(
      ...key,
      request.nowMs,
      request.requestHash,
    ),
    refuseWhen(db, "replay", `EXISTS (SELECT 1 ${known})`).bind(...key, request.nowMs),
  ];
}

/** Stores the idempotency key, or ends the batch when it is stored already. */
export function claimIdempotencyKey(db: D1Database, request: IdempotentRequest): D1PreparedStatement[] {
  return [
    ...refuseKnownIdempotencyKey(db, request),
    db
      .prepare(
        `INSERT OR REPLACE INTO idempotency_keys
           (organization_id, key_id, operation, idempotency_key, request_hash, expires_at_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)`,
      )
      .bind(...nameOf(request), request.requestHash, request.nowMs + KEPT_MS),
  ];
}

/**
 * Stores the result that a repeat is answered from.
 *
 * @param result an SQL expression over `binds`, which start at ?5.
 */
export function updateIdempotencyResult(
  db: D1Database,
  request: IdempotentRequest,
  result: string,
  binds: unknown[],
): D1PreparedStatement {
  return db
    .prepare(
      `UPDATE idempotency_keys SET result = ${result}
        WHERE organization_id = ?1 AND key_id = ?2 AND operation = ?3 AND idempotency_key = ?4`,
    )
    .bind(...nameOf(request), ...binds);
}

/** The stored result of the first request; null when there is no such key. */
export async function selectIdempotencyResult(db: D1Database, request: IdempotentRequest): Promise<unknown> {
  const row = await db
    .prepare(
      `SELECT result FROM idempotency_keys
        WHERE organization_id = ?1 AND key_id = ?2 AND operation = ?3 AND idempotency_key = ?4`,
    )
    .bind(...nameOf(request))
    .first<{ result: string }>();
  return row && JSON.parse(row.result);
}

/** Deletes expired keys, at most `limit`. Resolves to the number deleted. */
export async function deleteExpiredIdempotencyKeys(
  db: D1Database,
  input: { nowMs: number; limit: number },
): Promise<number> {
  const { meta } = await db
    .prepare(
      `DELETE FROM idempotency_keys WHERE rowid IN
         (SELECT rowid FROM idempotency_keys WHERE expires_at_ms <= ?1 LIMIT ?2)`,
    )
    .bind(input.nowMs, input.limit)
    .run();
  return meta.changes;
}
