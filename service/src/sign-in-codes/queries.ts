import type { Role, Scope } from "@engram/spec";
import { validKeys } from "../platform/batch.ts";
import { assertThat, nothing, row, run, type Sql, type Statement, sql } from "../platform/sql.ts";

interface KeyPlace {
  organizationId: string;
  keyId: string;
}

interface HeldCode extends KeyPlace {
  hash: string;
  nowMs: number;
}

export const storedCode = ({
  organizationId,
  keyId,
  hash,
  expiresAtMs,
}: KeyPlace & { hash: string; expiresAtMs: number }): Statement<void> =>
  nothing(sql`
    UPDATE api_keys SET sign_in_code_hash = ${hash}, sign_in_code_expires_at_ms = ${expiresAtMs}
     WHERE organization_id = ${organizationId} AND id = ${keyId}`);

const holderOf = ({ keyId, hash, ...at }: HeldCode): Sql => sql`
  ${validKeys(at)} AND k.id = ${keyId}
  AND k.sign_in_code_hash = ${hash} AND k.sign_in_code_expires_at_ms > ${at.nowMs}`;

/** The key that created the code. Null if the code or the key is not valid. */
export const selectCreator = (
  db: D1Database,
  code: HeldCode,
): Promise<{
  role: Role | null;
  name: string;
  organization: string;
  scopes: Scope[];
  agentId: string | null;
  userId: string | null;
  expiresAtMs: number | null;
} | null> =>
  run(
    db,
    row(
      sql`SELECT k.role, k.name, o.name AS organization, k.scopes, k.agent_id, k.user_id, k.expires_at_ms ${holderOf(code)}`,
      (key: {
        role: Role | null;
        name: string;
        organization: string;
        scopes: string;
        agent_id: string | null;
        user_id: string | null;
        expires_at_ms: number | null;
      }) => ({
        role: key.role,
        name: key.name,
        organization: key.organization,
        scopes: JSON.parse(key.scopes) as Scope[],
        agentId: key.agent_id,
        userId: key.user_id,
        expiresAtMs: key.expires_at_ms,
      }),
    ),
  );

/** Fails the batch if the code was used meanwhile, or if the code or its key is not valid any more. */
export const assertCodeValid = (code: HeldCode): Statement<void> =>
  assertThat("unauthenticated", sql`EXISTS (SELECT 1 ${holderOf(code)})`);

export const usedCode = ({ organizationId, keyId }: KeyPlace): Statement<void> =>
  nothing(sql`
    UPDATE api_keys SET sign_in_code_hash = NULL, sign_in_code_expires_at_ms = NULL
     WHERE organization_id = ${organizationId} AND id = ${keyId}`);
