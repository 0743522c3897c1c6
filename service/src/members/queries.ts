import { type Member, ROLE_SCOPES, type Role } from "@engram/spec";
import { toTimestamp, toTimestampOrNull } from "../platform/batch.ts";
import {
  and,
  assertThat,
  given,
  joined,
  row,
  rows,
  run,
  type Sql,
  type Statement,
  sql,
} from "../platform/sql.ts";

/** A member, by id. Rows of `api_keys` without a role are keys. */
export interface MemberPlace {
  organizationId: string;
  id: string;
}

interface MemberRow {
  id: string;
  name: string;
  role: Role;
  email: string | null;
  issuer: string | null;
  subject: string | null;
  agent_id: string | null;
  user_id: string | null;
  created_at_ms: number;
  revoked_at_ms: number | null;
  last_used_at_ms: number | null;
}

const COLUMNS = sql`
  id, name, role, email, issuer, subject, agent_id, user_id, created_at_ms, revoked_at_ms, last_used_at_ms`;

const toMember = ({ created_at_ms, revoked_at_ms, last_used_at_ms, ...member }: MemberRow): Member => ({
  ...member,
  created_at: toTimestamp(created_at_ms),
  removed_at: toTimestampOrNull(revoked_at_ms),
  last_used_at: toTimestampOrNull(last_used_at_ms),
});

const isAt = ({ organizationId, id }: MemberPlace): Sql =>
  sql`organization_id = ${organizationId} AND id = ${id} AND role IS NOT NULL`;

/** Value of the column `scopes` for a role. */
export const scopesOf = (role: Role): string => JSON.stringify(ROLE_SCOPES[role]);

export interface NewMember extends MemberPlace {
  name: string;
  role: Role;
  email: string | null;
  /** Null for a member as whom nobody has signed in with an identity provider. */
  issuer: string | null;
  subject: string | null;
  agentId: string | null;
  userId: string | null;
  nowMs: number;
}

/** Null if `condition` does not hold. */
export const insertedMember = (
  { organizationId, id, role, ...member }: NewMember,
  condition: Sql = sql`TRUE`,
): Statement<Member | null> =>
  row(
    sql`
    INSERT INTO api_keys
      (organization_id, id, name, prefix, secret_hash, scopes, role, email, issuer, subject, agent_id, user_id,
       created_at_ms)
    SELECT ${organizationId}, ${id}, ${member.name}, '', ${id}, ${scopesOf(role)}, ${role}, ${member.email},
           ${member.issuer}, ${member.subject}, ${member.agentId}, ${member.userId}, ${member.nowMs}
     WHERE ${condition} RETURNING ${COLUMNS}`,
    toMember,
  );

/** Fails the batch if another member of the organization has the email address. */
export const assertEmailFree = ({ organizationId, id }: MemberPlace, email: string): Statement<void> =>
  assertThat(
    "email_conflict",
    sql`NOT EXISTS (SELECT 1 FROM api_keys
                     WHERE organization_id = ${organizationId} AND email = ${email} AND revoked_at_ms IS NULL
                       AND id <> ${id})`,
  );

export const memberAt = (place: MemberPlace): Statement<Member | null> =>
  row(sql`SELECT ${COLUMNS} FROM api_keys WHERE ${isAt(place)}`, toMember);

export const selectMembers = (
  db: D1Database,
  { organizationId, beforeId, limit }: { organizationId: string; beforeId: string | null; limit: number },
): Promise<Member[]> => {
  const conditions = and([
    sql`organization_id = ${organizationId}`,
    // Ids of members are together in the primary key, after those of keys.
    sql`id >= 'member_'`,
    sql`id < ${beforeId ?? "member`"}`,
    sql`role IS NOT NULL`,
  ]);
  return run(
    db,
    rows(sql`SELECT ${COLUMNS} FROM api_keys WHERE ${conditions} ORDER BY id DESC LIMIT ${limit}`, toMember),
  );
};

/** Null if the member has been removed, or has another role than `from`. */
export const updatedMember = (
  place: MemberPlace,
  from: Role,
  change: { name?: string | undefined; role?: Role | undefined; email?: string | null | undefined },
): Statement<Member | null> => {
  const { name, role, email } = change;
  const changes = [
    ...given(name, (value) => sql`name = ${value}`),
    ...given(role, (value) => sql`role = ${value}, scopes = ${scopesOf(value)}`),
    ...(email === undefined
      ? []
      : [
          sql`issuer = iif(email IS ${email}, issuer, NULL), subject = iif(email IS ${email}, subject, NULL),
              email = ${email}`,
        ]),
    sql`id = id`,
  ];
  return row(
    sql`UPDATE api_keys SET ${joined(changes, sql`, `)}
         WHERE ${isAt(place)} AND role = ${from} AND revoked_at_ms IS NULL RETURNING ${COLUMNS}`,
    toMember,
  );
};

/** Condition: the member has this role, and has not been removed. */
export const isMember = (place: MemberPlace, role: Role): Sql =>
  sql`EXISTS (SELECT 1 FROM api_keys WHERE ${isAt(place)} AND role = ${role} AND revoked_at_ms IS NULL)`;

/** Null if there is none with the role `from`. */
export const removedMember = (place: MemberPlace, from: Role, nowMs: number): Statement<Member | null> =>
  row(
    sql`UPDATE api_keys SET revoked_at_ms = coalesce(revoked_at_ms, ${nowMs}),
                sign_in_code_hash = NULL, sign_in_code_expires_at_ms = NULL
         WHERE ${isAt(place)} AND role = ${from} RETURNING ${COLUMNS}`,
    toMember,
  );

/** Fails the batch if the member has been removed, or has another role. */
export const assertMember = (place: MemberPlace, role: Role): Statement<void> =>
  assertThat("not_found", isMember(place, role));
