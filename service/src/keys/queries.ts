import { type ApiKey, CONSOLE_CLIENT_ID, type Role, type Scope } from "@engram/spec";
import { toTimestamp, toTimestampOrNull } from "../platform/batch.ts";
import type { Principal } from "../platform/principal.ts";
import { assertThat, nothing, row, rows, run, type Sql, type Statement, sql } from "../platform/sql.ts";

export interface NewKey {
  organizationId: string;
  id: string;
  name: string;
  prefix: string;
  secretHash: string;
  scopes: readonly Scope[];
  agentId: string | null;
  userId: string | null;
  createdAtMs: number;
  expiresAtMs: number | null;
}

interface KeyRow {
  id: string;
  name: string;
  prefix: string;
  scopes: string;
  agent_id: string | null;
  user_id: string | null;
  created_at_ms: number;
  expires_at_ms: number | null;
  revoked_at_ms: number | null;
  last_used_at_ms: number | null;
  rotated_to: string | null;
}

const COLUMNS = sql`
  id, name, prefix, scopes, agent_id, user_id, created_at_ms, expires_at_ms, revoked_at_ms, last_used_at_ms, rotated_to`;

function toKey(row: KeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: JSON.parse(row.scopes) as Scope[],
    agent_id: row.agent_id,
    user_id: row.user_id,
    created_at: toTimestamp(row.created_at_ms),
    expires_at: toTimestampOrNull(row.expires_at_ms),
    revoked_at: toTimestampOrNull(row.revoked_at_ms),
    last_used_at: toTimestampOrNull(row.last_used_at_ms),
    rotated_to: row.rotated_to,
  };
}

const PRINCIPAL_COLUMNS = sql`
  k.organization_id, o.number, k.id, k.prefix, k.role, k.scopes, k.agent_id, k.user_id, k.expires_at_ms,
  o.tombstone_key`;

type KeyName = { secretHash: string } | { organizationId: string; keyId: string };

const fromActive = (key: KeyName, nowMs: number): Sql => sql`
  FROM api_keys AS k
  JOIN organizations AS o ON o.id = k.organization_id AND o.deleted_at_ms IS NULL
 WHERE ${"secretHash" in key ? sql`k.secret_hash = ${key.secretHash}` : sql`k.organization_id = ${key.organizationId} AND k.id = ${key.keyId}`}
   AND k.revoked_at_ms IS NULL AND (k.expires_at_ms IS NULL OR k.expires_at_ms > ${nowMs})`;

/** Null when no active key matches. */
export const principalOf = (key: KeyName, nowMs: number): Statement<Principal | null> =>
  row(sql`SELECT ${PRINCIPAL_COLUMNS} ${fromActive(key, nowMs)}`, toPrincipal);

/** The organization of a key that has moved to a cell with it; null for another key. */
export const organizationOfMovedKey = (secretHash: string): Statement<string | null> =>
  row(
    sql`SELECT organization_id FROM moved_keys WHERE secret_hash = ${secretHash}`,
    ({ organization_id }: { organization_id: string }) => organization_id,
  );

/** As {@link principalOf}, with the names of the key or the member, and of its organization. */
export const selectNamedPrincipal = (
  db: D1Database,
  key: KeyName,
  nowMs: number,
): Promise<(Principal & { name: string; organization: string }) | null> =>
  run(
    db,
    row(
      sql`SELECT ${PRINCIPAL_COLUMNS}, k.name, o.name AS organization ${fromActive(key, nowMs)}`,
      (found: PrincipalRow & { organization: string }) => ({
        ...toPrincipal(found),
        name: found.name,
        organization: found.organization,
      }),
    ),
  );

interface PrincipalRow extends KeyRow {
  role: Role | null;
  organization_id: string;
  number: number;
  tombstone_key: string | null;
}

interface GrantColumns {
  grant_id: string;
  client_id: string;
  client_name: string;
  grant_scopes: string;
  grant_agent_id: string | null;
  grant_user_id: string | null;
}

const GRANTED = sql`
  SELECT ${PRINCIPAL_COLUMNS}, g.id AS grant_id, g.client_id, g.client_name, g.scopes AS grant_scopes,
         g.agent_id AS grant_agent_id, g.user_id AS grant_user_id`;

const FROM_GRANT = sql`
  JOIN api_keys AS k ON k.organization_id = g.organization_id AND k.id = g.key_id
  JOIN organizations AS o ON o.id = k.organization_id AND o.deleted_at_ms IS NULL`;

const isGrantValid = (nowMs: number): Sql => sql`
  g.expires_at_ms > ${nowMs} AND k.revoked_at_ms IS NULL AND (k.expires_at_ms IS NULL OR k.expires_at_ms > ${nowMs})`;

/**
 * The record of an access token, by the key under which the OAuth library stores it, with the principal of its grant: at
 * most what the key may do. Null if the record is unknown, or if the grant or its key is not valid.
 */
export const selectTokenPrincipal = (
  db: D1Database,
  recordKey: string,
  nowMs: number,
): Promise<{ record: string; principal: Principal } | null> =>
  run(
    db,
    row(
      sql`${GRANTED}, r.value AS record
            FROM oauth_records AS r
            CROSS JOIN grants AS g ON g.organization_id = r.organization_id AND g.id = r.grant_id
            ${FROM_GRANT}
           WHERE r.key = ${recordKey} AND r.expires_at_ms > ${nowMs} AND ${isGrantValid(nowMs)}`,
      ({ record, ...found }: PrincipalRow & GrantColumns & { record: string }) => ({
        record,
        principal: toGrantPrincipal(found),
      }),
    ),
  );

/** The principal of a grant. Null if the grant or its key is not valid. */
export const selectGrantPrincipal = (
  db: D1Database,
  { organizationId, id }: { organizationId: string; id: string },
  nowMs: number,
): Promise<Principal | null> =>
  run(
    db,
    row(
      sql`${GRANTED} FROM grants AS g ${FROM_GRANT}
           WHERE g.organization_id = ${organizationId} AND g.id = ${id} AND ${isGrantValid(nowMs)}`,
      toGrantPrincipal,
    ),
  );

function toGrantPrincipal(row: PrincipalRow & GrantColumns): Principal {
  const key = toPrincipal(row);
  const granted = JSON.parse(row.grant_scopes) as Scope[];
  const isConsole = row.client_id === CONSOLE_CLIENT_ID;
  return {
    ...key,
    scopes: key.scopes.filter((scope) => (scope !== "admin" || isConsole) && granted.includes(scope)),
    agentId: key.agentId ?? row.grant_agent_id,
    userId: key.userId ?? row.grant_user_id,
    grantId: row.grant_id,
    client: { id: row.client_id, name: row.client_name },
  };
}

const toPrincipal = (row: PrincipalRow): Principal => ({
  organizationId: row.organization_id,
  organizationNumber: row.number,
  keyId: row.id,
  keyPrefix: row.prefix,
  role: row.role,
  scopes: JSON.parse(row.scopes) as Scope[],
  agentId: row.agent_id,
  userId: row.user_id,
  expiresAtMs: row.expires_at_ms,
  tombstoneKey: row.tombstone_key,
  grantId: null,
  client: null,
});

export const insertedKey = (key: NewKey): Statement<void> =>
  nothing(sql`
    INSERT INTO api_keys
      (organization_id, id, name, prefix, secret_hash, scopes, agent_id, user_id, created_at_ms, expires_at_ms)
    VALUES (${key.organizationId}, ${key.id}, ${key.name}, ${key.prefix}, ${key.secretHash},
            ${JSON.stringify(key.scopes)}, ${key.agentId}, ${key.userId}, ${key.createdAtMs}, ${key.expiresAtMs})`);

interface KeyId {
  organizationId: string;
  id: string;
}

/** Rows with a role are members. */
const isAt = ({ organizationId, id }: KeyId): Sql =>
  sql`organization_id = ${organizationId} AND id = ${id} AND role IS NULL`;

export const selectKey = (db: D1Database, { organizationId, id }: KeyId): Promise<ApiKey | null> =>
  run(db, row(sql`SELECT ${COLUMNS} FROM api_keys WHERE ${isAt({ organizationId, id })}`, toKey));

export const selectKeys = (
  db: D1Database,
  { organizationId, beforeId, limit }: { organizationId: string; beforeId: string | null; limit: number },
): Promise<ApiKey[]> =>
  run(
    db,
    rows(
      sql`SELECT ${COLUMNS} FROM api_keys
           WHERE organization_id = ${organizationId} AND role IS NULL AND id < ${beforeId ?? "key`"}
           ORDER BY id DESC LIMIT ${limit}`,
      toKey,
    ),
  );

export const assertKeyRotatable = ({ organizationId, id }: KeyId, nowMs: number): Statement<void> =>
  assertThat(
    "not_found",
    sql`EXISTS (SELECT 1 FROM api_keys
                 WHERE ${isAt({ organizationId, id })} AND rotated_to IS NULL
                   AND revoked_at_ms IS NULL AND (expires_at_ms IS NULL OR expires_at_ms > ${nowMs}))`,
  );

/** Condition: the key exists and is not revoked. True for an expired key too. */
export const isUnrevoked = ({ organizationId, id }: KeyId): Sql => sql`
  EXISTS (SELECT 1 FROM api_keys
           WHERE ${isAt({ organizationId, id })} AND revoked_at_ms IS NULL)`;

/**
 * Revokes a key. If it was revoked before, the time of that revocation stays. Null if the key does not exist.
 */
export const revokedKey = ({ organizationId, id }: KeyId, nowMs: number): Statement<ApiKey | null> =>
  row(
    sql`UPDATE api_keys SET revoked_at_ms = coalesce(revoked_at_ms, ${nowMs}),
                sign_in_code_hash = NULL, sign_in_code_expires_at_ms = NULL
         WHERE ${isAt({ organizationId, id })} RETURNING ${COLUMNS}`,
    toKey,
  );

/**
 * Records that the key `rotatedTo` replaces this key. This key then expires at `expiresAtMs`, or at its own expiry
 * time if that is earlier. Its sign-in code ends at once: it would give a key that outlives the rotation.
 */
export const rotatedKey = (
  { organizationId, id }: KeyId,
  { rotatedTo, expiresAtMs }: { rotatedTo: string; expiresAtMs: number },
): Statement<void> =>
  nothing(sql`
    UPDATE api_keys SET rotated_to = ${rotatedTo},
           expires_at_ms = min(coalesce(expires_at_ms, ${expiresAtMs}), ${expiresAtMs}),
           sign_in_code_hash = NULL, sign_in_code_expires_at_ms = NULL
     WHERE ${isAt({ organizationId, id })}`);
