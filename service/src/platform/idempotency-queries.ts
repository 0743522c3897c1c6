import { assertKeyActive } from "./batch.ts";
import { credentialOf, type Principal } from "./principal.ts";
import {
  and,
  assertThat,
  changes,
  joined,
  literal,
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
  /** The key that sent the request. Null if the request was sent with the admin token. */
  owner: Pick<Principal, "organizationId" | "keyId" | "grantId" | "role"> | null;
  operation: string;
  idempotencyKey: string;
  requestHash: string;
  nowMs: number;
}

const DAY_MS = 86_400_000;
const TTL_MS = DAY_MS;

const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/** Stands for the holder of the admin token. No organization has an empty id. */
const OPERATOR = { organizationId: "", keyId: "operator", grantId: null };

/** A grant has idempotency keys of its own: it may be narrower than its key, whose answers it must not get. */
const ownerOf = ({ owner }: Pick<IdempotentRequest, "owner">) => ({
  organizationId: (owner ?? OPERATOR).organizationId,
  keyId: credentialOf(owner ?? OPERATOR),
});

/** Condition: the row is of this key and not expired. */
const isStored = (request: IdempotentRequest): Sql => {
  const { organizationId, keyId } = ownerOf(request);
  const today = dayOf(request.nowMs);
  return sql`expires_day IN (${today}, ${today + 1}) AND organization_id = ${organizationId} AND key_id = ${keyId}
    AND operation = ${request.operation} AND idempotency_key = ${request.idempotencyKey}
    AND expires_at_ms > ${request.nowMs}`;
};

/**
 * Fails the batch with `replay` for a repeated request, and with `idempotency_mismatch` for another request with the
 * same idempotency key. Checks the API key first, so that a revoked key does not get the stored result.
 */
export function assertUnknownIdempotencyKey(request: IdempotentRequest) {
  const { owner, nowMs, requestHash } = request;
  const unknown = (...more: Sql[]) => sql`NOT EXISTS (
    SELECT 1 FROM idempotency_keys
     WHERE ${and([isStored(request), ...more])})`;
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
  const { organizationId, keyId } = ownerOf(request);
  return onlyRow(
    sql`INSERT OR REPLACE INTO idempotency_keys
          (expires_day, organization_id, key_id, operation, idempotency_key, request_hash, expires_at_ms, result)
        VALUES (${dayOf(request.nowMs + TTL_MS)}, ${organizationId}, ${keyId}, ${request.operation}, ${request.idempotencyKey},
                ${request.requestHash}, ${request.nowMs + TTL_MS}, ${answer})
        RETURNING result`,
    toAnswer,
  );
};

/** What an earlier statement of the same batch stored with {@link storedAnswer}. */
export const answerSoFar = (request: IdempotentRequest): Sql =>
  sql`(SELECT result FROM idempotency_keys WHERE ${isStored(request)})`;

export const evaluatedAnswer = (answer: Sql): Statement<unknown> =>
  onlyRow(sql`SELECT ${answer} AS result`, toAnswer);

const toAnswer = ({ result }: { result: string }): unknown => JSON.parse(result);

export const selectStoredAnswer = (db: D1Database, request: IdempotentRequest): Promise<unknown> =>
  run(db, row(sql`SELECT result FROM idempotency_keys WHERE ${isStored(request)}`, toAnswer));

/**
 * Deletes at most `limit` keys that expired before today. Resolves to the number deleted. Until then, an expired key
 * counts as unknown.
 */
export const deleteExpiredIdempotencyKeys = (
  db: D1Database,
  input: { nowMs: number; limit: number },
): Promise<number> =>
  run(
    db,
    changes(sql`
      DELETE FROM idempotency_keys WHERE (expires_day, organization_id, key_id, operation, idempotency_key) IN
        (SELECT expires_day, organization_id, key_id, operation, idempotency_key FROM idempotency_keys
          WHERE expires_day < ${dayOf(input.nowMs)} AND expires_at_ms <= ${input.nowMs} LIMIT ${input.limit})`),
  );

/** Deletes the keys of an organization. Days that the sweep has emptied are not searched. */
export const deletedIdempotencyKeys = (organization: Sql, nowMs: number): Statement<void> =>
  nothing(sql`
    DELETE FROM idempotency_keys
     WHERE ${organization} AND expires_day IN (${joined(recentDays(nowMs), sql`, `)})`);

/** The days on which a stored key may expire, if the sweep has not run for up to a month. */
const recentDays = (nowMs: number): Sql[] =>
  Array.from({ length: 32 }, (_, i) => literal(dayOf(nowMs) + 1 - i));
