import { refuseDeadKey, refuseWhen } from "./batch.ts";

/** A request that must have its effect once. */
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
 * The statements that end a batch as `replay` or `idempotency_mismatch` where the key is known; but first
 * as `unauthenticated`, so that nothing is replayed to a key that was revoked.
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

/** The statements that claim the key, where it is not known. */
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

/** The statement that keeps what a repeat is answered from: `result`, an SQL expression over `binds` (?5 on). */
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

/** What the first request left behind. */
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

/** Forget keys whose time is over, so many at most. Resolves to how many were. */
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
