import { type Grant, SCOPES } from "@engram/spec";
import { toTimestamp } from "../platform/batch.ts";
import {
  and,
  changes,
  given,
  nothing,
  row,
  rows,
  run,
  type Sql,
  type Statement,
  sql,
} from "../platform/sql.ts";

export interface GrantPlace {
  organizationId: string;
  id: string;
}

export interface NewGrant extends GrantPlace {
  keyId: string;
  clientId: string;
  clientName: string;
  clientDomain: string | null;
  redirectUri: string;
  scopes: Grant["scopes"];
  agentId: string | null;
  userId: string | null;
  createdAtMs: number;
  expiresAtMs: number;
}

interface GrantRow {
  id: string;
  key_id: string;
  client_id: string;
  client_name: string;
  client_domain: string | null;
  redirect_uri: string;
  scopes: string;
  agent_id: string | null;
  user_id: string | null;
  created_at_ms: number;
  expires_at_ms: number;
}

const COLUMNS = sql`
  id, key_id, client_id, client_name, client_domain, redirect_uri, scopes, agent_id, user_id, created_at_ms, expires_at_ms`;

const toGrant = ({ created_at_ms, expires_at_ms, scopes, ...grant }: GrantRow): Grant => {
  const granted = JSON.parse(scopes) as string[];
  return {
    ...grant,
    scopes: SCOPES.filter((scope) => granted.includes(scope)),
    created_at: toTimestamp(created_at_ms),
    expires_at: toTimestamp(expires_at_ms),
  };
};

export const insertedGrant = (grant: NewGrant): Statement<void> =>
  nothing(sql`
    INSERT INTO grants
      (organization_id, id, key_id, client_id, client_name, client_domain, redirect_uri, scopes, agent_id, user_id,
       created_at_ms, expires_at_ms)
    VALUES (${grant.organizationId}, ${grant.id}, ${grant.keyId}, ${grant.clientId}, ${grant.clientName},
            ${grant.clientDomain}, ${grant.redirectUri}, ${JSON.stringify(grant.scopes)}, ${grant.agentId},
            ${grant.userId}, ${grant.createdAtMs}, ${grant.expiresAtMs})`);

export const selectGrants = (
  db: D1Database,
  input: {
    organizationId: string;
    beforeId: string | null;
    nowMs: number;
    limit: number;
  },
): Promise<Grant[]> => {
  const conditions = and([
    sql`organization_id = ${input.organizationId}`,
    sql`expires_at_ms > ${input.nowMs}`,
    ...given(input.beforeId, (id) => sql`id < ${id}`),
  ]);
  return run(
    db,
    rows(
      sql`SELECT ${COLUMNS} FROM grants WHERE ${conditions} ORDER BY id DESC LIMIT ${input.limit}`,
      toGrant,
    ),
  );
};

export const selectGrant = (db: D1Database, { organizationId, id }: GrantPlace): Promise<Grant | null> =>
  run(
    db,
    row(sql`SELECT ${COLUMNS} FROM grants WHERE organization_id = ${organizationId} AND id = ${id}`, toGrant),
  );

/** Condition: the grant exists. */
export const isGrant = ({ organizationId, id }: GrantPlace): Sql =>
  sql`EXISTS (SELECT 1 FROM grants WHERE organization_id = ${organizationId} AND id = ${id})`;

export const deletedGrant = ({ organizationId, id }: GrantPlace): Statement<void> =>
  nothing(sql`DELETE FROM grants WHERE organization_id = ${organizationId} AND id = ${id}`);

export const deletedRecordsOf = ({ organizationId, id }: GrantPlace): Statement<void> =>
  nothing(sql`DELETE FROM oauth_records WHERE organization_id = ${organizationId} AND grant_id = ${id}`);

/** Deletes at most `limit` expired grants, or records of the OAuth library. Resolves to the number. */
export const deleteExpired = (
  db: D1Database,
  table: "grants" | "oauth_records",
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<number> =>
  run(
    db,
    changes(
      table === "grants"
        ? sql`DELETE FROM grants WHERE (organization_id, id) IN
                (SELECT organization_id, id FROM grants WHERE expires_at_ms <= ${nowMs} LIMIT ${limit})`
        : sql`DELETE FROM oauth_records WHERE key IN
                (SELECT key FROM oauth_records WHERE expires_at_ms <= ${nowMs} LIMIT ${limit})`,
    ),
  );
