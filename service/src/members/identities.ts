import type { Role } from "@engram/spec";
import { auditEvent } from "../audit/service.ts";
import type { Invocation } from "../invocation.ts";
import { createId } from "../platform/ids.ts";
import type { Identity } from "../platform/openid.ts";
import { batch, run } from "../platform/sql.ts";
import * as queries from "./identities-queries.ts";

/** A member that a person is. */
export interface Membership {
  organizationId: string;
  organizationName: string;
  memberId: string;
}

const NAME_CHARACTERS_MAX = 256;

/**
 * The members that a person is, whom an identity provider has named, in all organizations. An empty list if there are
 * none.
 *
 * A member with the verified email address of the person, as whom nobody has signed in with a provider, becomes theirs.
 * Where the configuration names organizations and a role, the person becomes a member, unless they or somebody with their
 * address once were one. Roles that the configuration maps are updated; without one, the person is not let in.
 */
export async function findMemberships(invocation: Invocation, identity: Identity): Promise<Membership[]> {
  const { db } = invocation;
  let found = await run(db, queries.membersOf(identity));
  const known = (organizationId: string, isUnbound: boolean) =>
    found.some((one) => one.organizationId === organizationId && one.isUnbound === isUnbound);
  const invited = found.filter((one) => one.isUnbound && !known(one.organizationId, false));
  const mapped = (identity.organizationIds ?? []).filter((id) => !known(id, false) && !known(id, true));
  if (invited.length + mapped.length > 0) {
    for (const member of invited) await bind(invocation, member, identity);
    for (const organizationId of mapped) await create(invocation, organizationId, identity);
    found = await run(db, queries.membersOf(identity));
  }
  const memberships: Membership[] = [];
  for (const member of found.filter(({ isUnbound }) => !isUnbound)) {
    const role = roleIn(member.organizationId, identity);
    if (role === null) continue;
    if (role !== undefined && role !== member.role) await changeRole(invocation, member, role);
    memberships.push({
      organizationId: member.organizationId,
      organizationName: member.organizationName,
      memberId: member.id,
    });
  }
  return memberships;
}

/** The role by the configuration; null if it gives none there, undefined if roles are not mapped there. */
const roleIn = (organizationId: string, { organizationIds, role }: Identity): Role | null | undefined =>
  organizationIds === null || organizationIds.includes(organizationId) ? role : undefined;

async function bind(invocation: Invocation, place: queries.FoundMember, identity: Identity): Promise<void> {
  await batch(invocation.db, {
    audit: auditEvent(
      invocation,
      { keyId: place.id },
      eventOf(invocation, "member.updated", place),
      queries.isUnbound(place, identity),
    ),
    bound: queries.boundMember(place, identity),
  });
}

async function changeRole(invocation: Invocation, place: queries.FoundMember, role: Role): Promise<void> {
  await batch(invocation.db, {
    audit: auditEvent(
      invocation,
      { keyId: place.id },
      eventOf(invocation, "member.updated", place),
      queries.canChange(place, role),
    ),
    changed: queries.changedRole(place, role),
  });
  invocation.caches.principals.forget(
    (held) => held.organizationId === place.organizationId && held.keyId === place.id,
  );
}

async function create(invocation: Invocation, organizationId: string, identity: Identity): Promise<void> {
  if (!identity.role) return;
  const { db, runtime } = invocation;
  const place = { organizationId, id: createId(runtime, "member") };
  await batch(db, {
    audit: auditEvent(
      invocation,
      { keyId: place.id },
      eventOf(invocation, "member.created", place),
      queries.isNew(organizationId, identity),
    ),
    created: queries.insertedSubject(place, {
      ...identity,
      role: identity.role,
      name: nameOf(identity),
      nowMs: runtime.nowMs(),
    }),
  });
}

const eventOf = (
  { runtime }: Invocation,
  action: "member.created" | "member.updated",
  { organizationId, id }: { organizationId: string; id: string },
) => ({ organizationId, action, targetId: id, nowMs: runtime.nowMs() });

/** The name without characters that a member's name cannot have. */
function nameOf({ name, email, subject }: Identity): string {
  const clean = (text: string) => text.slice(0, NAME_CHARACTERS_MAX).replace(/\p{C}/gu, "").trim();
  return clean(name ?? "") || email || clean(subject) || "Member";
}
