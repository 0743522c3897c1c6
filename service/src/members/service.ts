import type { Me, Member, Role, SignInCode } from "@engram/spec";
import { auditEvent } from "../audit/service.ts";
import { ApiError, notFound } from "../errors.ts";
import type { Invocation, KeyCaller } from "../invocation.ts";
import { assertKeyActive, toTimestampOrNull } from "../platform/batch.ts";
import { type CursorScope, fromCursor, isId, PAGE_ITEMS_DEFAULT, toPage } from "../platform/cursors.ts";
import { type Idempotent, runIdempotent } from "../platform/idempotency.ts";
import type { IdempotentRequest } from "../platform/idempotency-queries.ts";
import { createId } from "../platform/ids.ts";
import { batch, run, sql } from "../platform/sql.ts";
import { createCode } from "../sign-in-codes/service.ts";
import { listPerson } from "./cells.ts";
import * as queries from "./queries.ts";

/** Time for which the sign-in code of a member is valid. */
const CODE_SECONDS = 7 * 86_400;

/**
 * @throws {ApiError} `forbidden` for an owner if the caller is none, and for an owner or an admin who is bound to an agent
 *   or a user, `email_conflict`.
 */
export async function createMember(
  caller: KeyCaller,
  input: { name: string; role: Role; email: string | null; agentId: string | null; userId: string | null },
  idempotency: IdempotentRequest | null,
): Promise<Idempotent<Member>> {
  const { db, principal, runtime } = caller;
  const { organizationId } = principal;
  refuseOwner(caller, input.role);
  refuseBound(input.role, input);
  const nowMs = runtime.nowMs();
  const place = { organizationId, id: createId(runtime, "member") };
  const email = input.email?.toLowerCase() ?? null;
  await listPerson(caller, organizationId, { email });
  return runIdempotent(db, idempotency, {
    statements: {
      key: assertKeyActive({ ...principal, nowMs }),
      email: email === null ? null : queries.assertEmailFree(place, email),
      inserted: queries.insertedMember({ ...input, ...place, email, issuer: null, subject: null, nowMs }),
      audit: auditEvent(caller, principal, {
        organizationId,
        action: "member.created",
        targetId: place.id,
        nowMs,
      }),
    },
    answer: sql`json_object('id', ${place.id})`,
    read: ({ id }: { id: string }, results) => results?.inserted ?? getMember(caller, id),
  });
}

export async function listMembers(
  caller: KeyCaller,
  input: { limit?: number | undefined; cursor?: string | undefined },
): Promise<{ items: Member[]; next_cursor: string | null }> {
  const { organizationId } = caller.principal;
  const scope: CursorScope = { list: "members", owner: caller.principal, parameters: null };
  const limit = input.limit ?? PAGE_ITEMS_DEFAULT;
  const beforeId = await fromCursor(scope, input.cursor, isId);
  const members = await queries.selectMembers(caller.db, { organizationId, beforeId, limit: limit + 1 });
  return toPage(scope, members, { limit, positionOf: ({ id }) => id });
}

/** @throws {ApiError} `not_found`. */
export async function getMember({ db, principal }: KeyCaller, id: string): Promise<Member> {
  const member = await run(db, queries.memberAt({ organizationId: principal.organizationId, id }));
  if (member === null) throw notFound("member");
  return member;
}

/**
 * @throws {ApiError} `not_found`, `email_conflict`, `forbidden` for an owner if the caller is none, and for the caller's
 *   own role.
 */
export async function updateMember(
  caller: KeyCaller,
  id: string,
  input: { name?: string | undefined; role?: Role | undefined; email?: string | null | undefined },
): Promise<Member> {
  const { principal, runtime } = caller;
  const { organizationId } = principal;
  const place = { organizationId, id };
  const nowMs = runtime.nowMs();
  const before = await getMember(caller, id);
  if (before.removed_at !== null) throw notFound("member");
  refuseOwner(caller, before.role);
  if (input.role !== undefined && input.role !== before.role) {
    refuseOwner(caller, input.role);
    refuseSelf(caller, id, "change their own role");
    refuseBound(input.role, { agentId: before.agent_id, userId: before.user_id });
  }
  const email = input.email === undefined ? undefined : (input.email?.toLowerCase() ?? null);
  await listPerson(caller, organizationId, { email: email ?? null });
  const { member } = await batch(caller.db, {
    key: assertKeyActive({ ...principal, nowMs }),
    email: email === undefined || email === null ? null : queries.assertEmailFree(place, email),
    audit: auditEvent(
      caller,
      principal,
      { organizationId, action: "member.updated", targetId: id, nowMs },
      queries.isMember(place, before.role),
    ),
    member: queries.updatedMember(place, before.role, { ...input, email }),
  });
  if (member === null) throw overtaken();
  forgetMember(caller, place);
  return member;
}

/** @throws {ApiError} `not_found`, `forbidden` for an owner if the caller is none, and for the caller. */
export async function deleteMember(caller: KeyCaller, id: string): Promise<Member> {
  const { principal, runtime } = caller;
  const { organizationId } = principal;
  const place = { organizationId, id };
  const nowMs = runtime.nowMs();
  const before = await getMember(caller, id);
  refuseOwner(caller, before.role);
  refuseSelf(caller, id, "remove themselves");
  const { member } = await batch(caller.db, {
    key: assertKeyActive({ ...principal, nowMs }),
    audit: auditEvent(
      caller,
      principal,
      { organizationId, action: "member.deleted", targetId: id, nowMs },
      queries.isMember(place, before.role),
    ),
    member: queries.removedMember(place, before.role, nowMs),
  });
  if (member === null) throw overtaken();
  forgetMember(caller, place);
  return member;
}

/** @throws {ApiError} `not_found`, `forbidden` for an owner if the caller is none. */
export async function createMemberSignInCode(caller: KeyCaller, id: string): Promise<SignInCode> {
  const { principal, runtime } = caller;
  const place = { organizationId: principal.organizationId, id };
  const { role, removed_at } = await getMember(caller, id);
  if (removed_at !== null) throw notFound("member");
  refuseOwner(caller, role);
  const nowMs = runtime.nowMs();
  return createCode(caller, { ...place, keyId: id }, CODE_SECONDS, {
    key: assertKeyActive({ ...principal, nowMs }),
    member: queries.assertMember(place, role),
    audit: auditEvent(caller, principal, {
      organizationId: place.organizationId,
      action: "member.sign_in_code.created",
      targetId: id,
      nowMs,
    }),
  });
}

export async function getMe(caller: KeyCaller): Promise<Me> {
  const { principal } = caller;
  return {
    organization_id: principal.organizationId,
    key_id: principal.keyId,
    grant_id: principal.grantId,
    member: principal.role === null ? null : await getMember(caller, principal.keyId),
    scopes: [...principal.scopes],
    agent_id: principal.agentId,
    user_id: principal.userId,
    expires_at: toTimestampOrNull(principal.expiresAtMs),
  };
}

/** Only keys and owners manage owners. */
function refuseOwner({ principal }: KeyCaller, role: Role): void {
  if (role === "owner" && principal.role !== null && principal.role !== "owner")
    throw new ApiError("forbidden", "Only an owner, or a key, can do this to an owner.");
}

/** An owner is left in any case: it takes another one to remove or demote an owner. */
function refuseSelf({ principal }: KeyCaller, id: string, what: string): void {
  if (principal.keyId === id) throw new ApiError("forbidden", `Members cannot ${what}. Another one can.`);
}

const overtaken = (): ApiError =>
  new ApiError("unavailable", "Another request changed this member at the same time. Try again.", {
    retryAfterSeconds: 1,
  });

function refuseBound(
  role: Role,
  { agentId, userId }: { agentId: string | null; userId: string | null },
): void {
  if ((role === "owner" || role === "admin") && (agentId ?? userId) !== null)
    throw new ApiError(
      "forbidden",
      "A member with the role `owner` or `admin` cannot be bound to an agent or a user.",
    );
}

/**
 * Forgets what this isolate knows of a member who was changed or removed, and lets open sockets and streams look whether
 * they may go on. Other isolates find out with their next database call.
 */
export function forgetMember(
  { caches, wakeListeners }: Invocation,
  { organizationId, id }: queries.MemberPlace,
): void {
  caches.principals.forget((held) => held.organizationId === organizationId && held.keyId === id);
  wakeListeners([organizationId]);
}
