import { assertKeyActive } from "./batch.ts";
import {
  and,
  assertThat,
  changes,
  nothing,
  onlyRow,
  row,
  run,
  type Sql,
  type Statement,
  type Statements,
  sql,
} from "./sql.ts";

export interface IdempotentRequest {
  /** The key that sent the request; null for the operator. */
  owner: { organizationId: string; keyId: string } | null;
  operation: string;
  idempotencyKey: string;
  requestHash: string;
  nowMs: number;
}

const TTL_MS = 24 * 3_600_000;

/** How the operator's requests are stored. No organization has an empty id. */
const OPERATOR = { organizationId: "", keyId: "operator" };

const nameOf = ({ owner, ...request }: IdempotentRequest): Sql => {
  const { organizationId, keyId } = owner ?? OPERATOR;
  return sql`organization_id = ${organizationId} AND key_id = ${keyId} AND operation = ${request.operation}
    AND idempotency_key = ${request.idempotencyKey}`;
};

/**
 * The idempotency key is not stored. First checks the API key, so that a revoked key gets no replay.
 *
 * Fails with `replay` for the same request and with `idempotency_mismatch` for another one.
 */
export function assertUnknownIdempotencyKey(request: IdempotentRequest) {
  const { owner, nowMs, requestHash } = request;
  const unknown = (...more: Sql[]) => sql`NOT EXISTS (
    SELECT 1 FROM idempotency_keys
     WHERE ${and([nameOf(request), sql`expires_at_ms > ${nowMs}`, ...more])})`;
  return {
    key: owner === null ? null : assertKeyActive({ ...owner, nowMs }),
    sameRequest: assertThat("idempotency_mismatch", unknown(sql`request_hash <> ${requestHash}`)),
    first: assertThat("replay", unknown()),
  } satisfies Statements;
}

export const insertedIdempotencyKey = (request: IdempotentRequest): Statement<void> => {
  const { organizationId, keyId } = request.owner ?? OPERATOR;
  return nothing(sql`
    INSERT OR REPLACE INTO idempotency_keys
      (organization_id, key_id, operation, idempotency_key, request_hash, expires_at_ms)
    VALUES (${organizationId}, ${keyId}, ${request.operation}, ${request.idempotencyKey},
            ${request.requestHash}, ${request.nowMs + TTL_MS})`);
};

/** Stores an answer, an SQL expression of JSON, from which a repeat is answered. `result` in it is the one before. */
export const storedAnswer = (request: IdempotentRequest, answer: Sql): Statement<unknown> =>
  onlyRow(
    sql`UPDATE idempotency_keys SET result = ${answer} WHERE ${nameOf(request)} RETURNING result`,
    toAnswer,
  );

/** The answer without storing it. */
export const evaluatedAnswer = (answer: Sql): Statement<unknown> =>
  onlyRow(sql`SELECT ${answer} AS result`, toAnswer);

const toAnswer = ({ result }: { result: string }): unknown => JSON.parse(result);

/** The stored answer of the first request; null when there is no such key. */
export const selectStoredAnswer = (db: D1Database, request: IdempotentRequest): Promise<unknown> =>
  run(db, row(sql`SELECT result FROM idempotency_keys WHERE ${nameOf(request)}`, toAnswer));

/** Deletes expired keys, at most `limit`. Resolves to the number deleted. */
export const deleteExpiredIdempotencyKeys = (
  db: D1Database,
  input: { nowMs: number; limit: number },
): Promise<number> =>
  run(
    db,
    changes(sql`
      DELETE FROM idempotency_keys WHERE rowid IN
        (SELECT rowid FROM idempotency_keys WHERE expires_at_ms <= ${input.nowMs} LIMIT ${input.limit})`),
  );
