import type { Role } from "@engram/spec";
import { auditEvent } from "../audit/service.ts";
import type { Invocation } from "../invocation.ts";
import { createId } from "../platform/ids.ts";
import type { Identity } from "../platform/openid.ts";
import { batch, run, type Sql, type Statement } from "../platform/sql.ts";
import { findCells, listPerson } from "./cells.ts";
import * as queries from "./identities-queries.ts";
import { insertedMember, type MemberPlace } from "./queries.ts";
import { forgetMember } from "./service.ts";

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
  const mapped = identity.organizationIds;
  const cells = new Set(await findCells(invocation, identity));
  for (const id of mapped ?? []) if ((await invocation.placeOf(id)) === "cell") cells.add(id);
  const inD1 = mapped?.filter((id) => !cells.has(id));
  const found = await findIn(
    { ...invocation, db: invocation.directory },
    { ...identity, organizationIds: inD1 ?? null },
  );
  for (const id of cells) {
    const here = mapped?.filter((each) => each === id);
    found.push(...(await findIn(invocation.at(id), { ...identity, organizationIds: here ?? null })));
  }
  return found;
}

/** The members that a person is in one database. */
async function findIn(invocation: Invocation, identity: Identity): Promise<Membership[]> {
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
  await listPerson(invocation, place.organizationId, identity);
  await write(invocation, "member.updated", place, {
    condition: queries.isUnbound(place, identity),
    statement: queries.boundMember(place, identity),
  });
}

async function changeRole(invocation: Invocation, place: queries.FoundMember, role: Role): Promise<void> {
  await write(invocation, "member.updated", place, {
    condition: queries.canChange(place, role),
    statement: queries.changedRole(place, role),
  });
  forgetMember(invocation, place);
}

async function create(invocation: Invocation, organizationId: string, identity: Identity): Promise<void> {
  const { role } = identity;
  if (!role) return;
  const { runtime } = invocation;
  const place = { organizationId, id: createId(runtime, "member") };
  const condition = queries.isNew(organizationId, identity);
  const { issuer, subject, email } = identity;
  const member = {
    ...place,
    issuer,
    subject,
    email,
    role,
    name: nameOf(identity),
    agentId: null,
    userId: null,
  };
  await listPerson(invocation, organizationId, identity);
  await write(invocation, "member.created", place, {
    condition,
    statement: insertedMember({ ...member, nowMs: runtime.nowMs() }, condition),
  });
}

/** Runs a statement with an audit event, which names the member themselves, if the condition of the statement holds. */
const write = (
  invocation: Invocation,
  action: "member.created" | "member.updated",
  { organizationId, id }: MemberPlace,
  { condition, statement }: { condition: Sql; statement: Statement<unknown> },
): Promise<unknown> =>
  batch(invocation.db, {
    audit: auditEvent(
      invocation,
      { keyId: id },
      { organizationId, action, targetId: id, nowMs: invocation.runtime.nowMs() },
      condition,
    ),
    statement,
  });

/** The name without characters that a member's name cannot have. */
function nameOf({ name, email, subject }: Identity): string {
  const clean = (text: string) => text.slice(0, NAME_CHARACTERS_MAX).replace(/\p{C}/gu, "").trim();
  return clean(name ?? "") || email || clean(subject) || "Member";
}
