import type { ApiKey, Scope } from "@engram/spec";
import type { Principal } from "../context.ts";
import { toTimestamp, toTimestampOrNull } from "./batch.ts";

export interface NewKey {
  organizationId: string;
  id: string;
  name: string;
  prefix: string;
  secretHash: string;
  scopes: readonly Scope[];
  agentId: string | null;
  createdAtMs: number;
  expiresAtMs: number | null;
}

interface KeyRow {
  id: string;
  name: string;
  prefix: string;
  scopes: string;
  agent_id: string | null;
  created_at_ms: number;
  expires_at_ms: number | null;
  revoked_at_ms: number | null;
  last_used_at_ms: number | null;
  rotated_to: string | null;
}

const COLUMNS =
  "id, name, prefix, scopes, agent_id, created_at_ms, expires_at_ms, revoked_at_ms, last_used_at_ms, rotated_to";

function toKey(row: KeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: JSON.parse(row.scopes) as Scope[],
    agent_id: row.agent_id,
    created_at: toTimestamp(row.created_at_ms),
    expires_at: toTimestampOrNull(row.expires_at_ms),
    revoked_at: toTimestampOrNull(row.revoked_at_ms),
    last_used_at: toTimestampOrNull(row.last_used_at_ms),
    rotated_to: row.rotated_to,
  };
}

/**
 * The principal of an active key, by the hash of its secret or by its id; null when there is no active key.
 */
export async function selectPrincipal(
  db: D1Database,
  key: { secretHash: string } | { organizationId: string; keyId: string },
  nowMs: number,
): Promise<Principal | null> {
  const [which, ...binds] =
    "secretHash" in key
      ? ["k.secret_hash = ?2", key.secretHash]
      : ["k.organization_id = ?2 AND k.id = ?3", key.organizationId, key.keyId];
  const row = await db
    .prepare(
      `SELECT k.organization_id, o.number, k.id, k.prefix, k.scopes, k.agent_id, k.expires_at_ms
         FROM api_keys AS k
         JOIN organizations AS o ON o.id = k.organization_id AND o.deleted_at_ms IS NULL
        WHERE ${which} AND k.revoked_at_ms IS NULL
          AND (k.expires_at_ms IS NULL OR k.expires_at_ms > ?1)`,
    )
    .bind(nowMs, ...binds)
    .first<KeyRow & { organization_id: string; number: number }>();
  return (
    row && {
      organizationId: row.organization_id,
      organizationNumber: row.number,
      keyId: row.id,
      keyPrefix: row.prefix,
      scopes: JSON.parse(row.scopes) as Scope[],
      agentId: row.agent_id,
      expiresAtMs: row.expires_at_ms,
    }
  );
}

export function insertKey(db: D1Database, key: NewKey): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO api_keys (organization_id, id, name, prefix, secret_hash, scopes, agent_id, created_at_ms, expires_at_ms)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)`,
    )
    .bind(
      key.organizationId,
      key.id,
      key.name,
      key.prefix,
      key.secretHash,
      JSON.stringify(key.scopes),
      key.agentId,
      key.createdAtMs,
      key.expiresAtMs,
    );
}

export async function selectKey(
  db: D1Database,
  input: { organizationId: string; id: string },
): Promise<ApiKey | null> {
  const row = await db
    .prepare(`SELECT ${COLUMNS} FROM api_keys WHERE organization_id = ?1 AND id = ?2`)
    .bind(input.organizationId, input.id)
    .first<KeyRow>();
  return row && toKey(row);
}

/** Keys of the organization with ids below `beforeId`, newest first. Counts all keys if requested. */
export async function selectKeys(
  db: D1Database,
  input: { organizationId: string; beforeId: string | null; limit: number; withTotal: boolean },
): Promise<{ keys: ApiKey[]; total: number | undefined }> {
  const statements = [
    db
      .prepare(
        `SELECT ${COLUMNS} FROM api_keys
          WHERE organization_id = ?1 AND (?2 IS NULL OR id < ?2)
          ORDER BY id DESC LIMIT ?3`,
      )
      .bind(input.organizationId, input.beforeId, input.limit),
  ];
  if (input.withTotal) {
    statements.push(
      db
        .prepare("SELECT count(*) AS total FROM api_keys WHERE organization_id = ?1")
        .bind(input.organizationId),
    );
  }
  const [page, counted] = await db.batch(statements);
  return {
    keys: ((page?.results ?? []) as KeyRow[]).map(toKey),
    total: (counted?.results as { total: number }[] | undefined)?.[0]?.total,
  };
}

/** Revokes a key and returns it. The time of an earlier revocation stays. */
export function updateKeyRevoked(
  db: D1Database,
  input: { organizationId: string; id: string; nowMs: number },
): D1PreparedStatement {
  return db
    .prepare(
      `UPDATE api_keys SET revoked_at_ms = coalesce(revoked_at_ms, ?3)
        WHERE organization_id = ?1 AND id = ?2 RETURNING ${COLUMNS}`,
    )
    .bind(input.organizationId, input.id, input.nowMs);
}

/** The key that a statement with RETURNING of all columns returned; null when there was none. */
export function readKey(result: D1Result<unknown> | undefined): ApiKey | null {
  const row = (result?.results as KeyRow[] | undefined)?.[0];
  return row === undefined ? null : toKey(row);
}

/** Revokes every key of an organization that is being deleted. Earlier revocations stay. */
export function updateKeysRevoked(
  db: D1Database,
  input: { organizationId: string; operationId: string; nowMs: number },
): D1PreparedStatement {
  return db
    .prepare(
      "UPDATE api_keys SET revoked_at_ms = ?3, revoked_by = ?2 WHERE organization_id = ?1 AND revoked_at_ms IS NULL",
    )
    .bind(input.organizationId, input.operationId, input.nowMs);
}

/** Restores the keys that the deletion of their organization revoked. */
export function updateKeysRestored(
  db: D1Database,
  input: { organizationId: string; operationId: string },
): D1PreparedStatement {
  return db
    .prepare(
      "UPDATE api_keys SET revoked_at_ms = NULL, revoked_by = NULL WHERE organization_id = ?1 AND revoked_by = ?2",
    )
    .bind(input.organizationId, input.operationId);
}

/** Sets the expiry of a key that was rotated. An earlier expiry stays. */
export function updateKeyRotated(
  db: D1Database,
  input: { organizationId: string; id: string; rotatedTo: string; expiresAtMs: number },
): D1PreparedStatement {
  return db
    .prepare(
      `UPDATE api_keys SET rotated_to = ?3, expires_at_ms = min(coalesce(expires_at_ms, ?4), ?4)
        WHERE organization_id = ?1 AND id = ?2`,
    )
    .bind(input.organizationId, input.id, input.rotatedTo, input.expiresAtMs);
}
