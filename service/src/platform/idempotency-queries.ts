import { assertKeyActive } from "./batch.ts";
import {
  and,
  assertThat,
  changes,
  onlyRow,
  row,
  run,
  type Sql,
  type Statement,
  type Statements,
  sql,
} from "./sql.ts";

export interface IdempotentRequest {
  /** The key that sent the request. Null if the request was sent with the admin token. */
  owner: { organizationId: string; keyId: string } | null;
  operation: string;
  idempotencyKey: string;
  requestHash: string;
  nowMs: number;
}

const TTL_MS = 24 * 3_600_000;

/** Stands for the holder of the admin token. No organization has an empty id. */
const OPERATOR = { organizationId: "", keyId: "operator" };

const nameOf = ({ owner, ...request }: IdempotentRequest): Sql => {
  const { organizationId, keyId } = owner ?? OPERATOR;
  return sql`organization_id = ${organizationId} AND key_id = ${keyId} AND operation = ${request.operation}
    AND idempotency_key = ${request.idempotencyKey}`;
};

/**
 * Fails the batch with `replay` for a repeated request, and with `idempotency_mismatch` for another request with the
 * same idempotency key. Checks the API key first, so that a revoked key does not get the stored result.
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

/**
 * Stores the idempotency key with the value of `answer`, an SQL expression that gives JSON, and reads it. The key and
 * its answer are one row written, so `answer` is evaluated after the statements whose result it is.
 */
export const storedAnswer = (request: IdempotentRequest, answer: Sql): Statement<unknown> => {
  const { organizationId, keyId } = request.owner ?? OPERATOR;
  return onlyRow(
    sql`INSERT OR REPLACE INTO idempotency_keys
          (organization_id, key_id, operation, idempotency_key, request_hash, expires_at_ms, result)
        VALUES (${organizationId}, ${keyId}, ${request.operation}, ${request.idempotencyKey},
                ${request.requestHash}, ${request.nowMs + TTL_MS}, ${answer})
        RETURNING result`,
    toAnswer,
  );
};

/** What an earlier statement of the same batch stored with {@link storedAnswer}. */
export const answerSoFar = (request: IdempotentRequest): Sql =>
  sql`(SELECT result FROM idempotency_keys WHERE ${nameOf(request)})`;

export const evaluatedAnswer = (answer: Sql): Statement<unknown> =>
  onlyRow(sql`SELECT ${answer} AS result`, toAnswer);

const toAnswer = ({ result }: { result: string }): unknown => JSON.parse(result);

export const selectStoredAnswer = (db: D1Database, request: IdempotentRequest): Promise<unknown> =>
  run(db, row(sql`SELECT result FROM idempotency_keys WHERE ${nameOf(request)}`, toAnswer));

/** Deletes at most `limit` expired idempotency keys. Resolves to the number deleted. */
export const deleteExpiredIdempotencyKeys = (
  db: D1Database,
  input: { nowMs: number; limit: number },
): Promise<number> =>
  run(
    db,
    changes(sql`
      DELETE FROM idempotency_keys WHERE (organization_id, key_id, operation, idempotency_key) IN
        (SELECT organization_id, key_id, operation, idempotency_key FROM idempotency_keys
          WHERE expires_at_ms <= ${input.nowMs} LIMIT ${input.limit})`),
  );
