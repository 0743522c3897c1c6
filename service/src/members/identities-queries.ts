import type { Role } from "@engram/spec";
import { nothing, rows, type Sql, type Statement, sql } from "../platform/sql.ts";
import { type MemberPlace, scopesOf } from "./queries.ts";

/** The person, as their identity provider names them. */
export interface Subject {
  issuer: string;
  subject: string;
  /** In lower case; null unless the provider has verified it. */
  email: string | null;
}

export interface FoundMember extends MemberPlace {
  role: Role;
  organizationName: string;
  /** Whether it was found by the email address alone, and nobody has signed in as it with a provider. */
  isUnbound: boolean;
}

interface FoundRow {
  organization_id: string;
  id: string;
  role: Role;
  name: string;
  is_unbound: 0 | 1;
}

// After a move to a cell, D1 has the old rows for a minute.
const FROM_MEMBERS = sql`
  FROM api_keys AS k
  JOIN organizations AS o ON o.id = k.organization_id AND o.deleted_at_ms IS NULL AND o.place IS NULL`;

const membersWhere = (isUnbound: boolean, condition: Sql): Sql => sql`
  SELECT k.organization_id, k.id, k.role, o.name, ${isUnbound} AS is_unbound ${FROM_MEMBERS}
   WHERE ${condition} AND k.revoked_at_ms IS NULL AND k.role IS NOT NULL`;

/** The members, in all organizations, that are the person or have their email address. */
export const membersOf = ({ issuer, subject, email }: Subject): Statement<FoundMember[]> =>
  rows(
    sql`${membersWhere(false, sql`k.issuer = ${issuer} AND k.subject = ${subject}`)}
         UNION ALL ${membersWhere(true, sql`k.email = ${email} AND k.subject IS NULL`)}`,
    (found: FoundRow) => ({
      organizationId: found.organization_id,
      id: found.id,
      role: found.role,
      organizationName: found.name,
      isUnbound: found.is_unbound === 1,
    }),
  );

const isUnboundAt = ({ organizationId, id }: MemberPlace, email: string | null): Sql => sql`
  organization_id = ${organizationId} AND id = ${id} AND role IS NOT NULL AND revoked_at_ms IS NULL
  AND subject IS NULL AND email = ${email}`;

/** Condition: nobody has signed in as the member with a provider, and the email address is still theirs. */
export const isUnbound = (place: MemberPlace, { email }: Subject): Sql =>
  sql`EXISTS (SELECT 1 FROM api_keys WHERE ${isUnboundAt(place, email)})`;

export const boundMember = (place: MemberPlace, { issuer, subject, email }: Subject): Statement<void> =>
  nothing(sql`
    UPDATE api_keys SET issuer = ${issuer}, subject = ${subject} WHERE ${isUnboundAt(place, email)}`);

/** A member who is bound to an agent or a user cannot manage the organization, and its last owner stays one. */
const mayGet = ({ organizationId, id }: MemberPlace, role: Role): Sql => sql`
  organization_id = ${organizationId} AND id = ${id} AND revoked_at_ms IS NULL AND role <> ${role}
  AND (${role} NOT IN ('owner', 'admin') OR (agent_id IS NULL AND user_id IS NULL))
  AND (role <> 'owner'
       OR EXISTS (SELECT 1 FROM api_keys AS other
                   WHERE other.organization_id = ${organizationId} AND other.id >= 'member_' AND other.id < 'member\`'
                     AND other.id <> ${id} AND other.role = 'owner' AND other.revoked_at_ms IS NULL))`;

/** Condition: the member has another role, and can get this one. */
export const canChange = (place: MemberPlace, role: Role): Sql =>
  sql`EXISTS (SELECT 1 FROM api_keys WHERE ${mayGet(place, role)})`;

export const changedRole = (place: MemberPlace, role: Role): Statement<void> =>
  nothing(sql`
    UPDATE api_keys SET role = ${role}, scopes = ${scopesOf(role)} WHERE ${mayGet(place, role)}`);

/**
 * Condition: the organization exists, and the person has never been a member of it, nor has anybody with their email
 * address. Who was removed does not come back by signing in.
 */
export const isNew = (organizationId: string, { issuer, subject, email }: Subject): Sql => sql`
  EXISTS (SELECT 1 FROM organizations WHERE id = ${organizationId} AND deleted_at_ms IS NULL)
  AND NOT EXISTS (SELECT 1 FROM api_keys
                   WHERE organization_id = ${organizationId} AND id >= 'member_' AND id < 'member\`'
                     AND ((issuer = ${issuer} AND subject = ${subject}) OR email = ${email}))`;
