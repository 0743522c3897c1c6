import { CONSOLE_CLIENT_ID, type Grant } from "@engram/spec";
import { auditEvent } from "../audit/service.ts";
import { notFound } from "../errors.ts";
import type { Invocation, KeyCaller } from "../invocation.ts";
import { assertKeyActive } from "../platform/batch.ts";
import { type CursorScope, fromCursor, isId, PAGE_ITEMS_DEFAULT, toPage } from "../platform/cursors.ts";
import { createId } from "../platform/ids.ts";
import type { Principal } from "../platform/principal.ts";
import { batch, run, type Statements } from "../platform/sql.ts";
import * as queries from "./queries.ts";
import { areClients, keptClient } from "./records-queries.ts";

/** Time in which a client must redeem its code, which the OAuth library sets. */
const CODE_MS = 600_000;
/** Time for which the OAuth library keeps a client that registered itself, from its last use. */
const CLIENT_MS = 90 * 86_400_000;

export async function listGrants(
  caller: KeyCaller,
  input: { limit?: number | undefined; cursor?: string | undefined },
): Promise<{ items: Grant[]; next_cursor: string | null }> {
  const { organizationId } = caller.principal;
  const scope: CursorScope = { list: "grants", owner: caller.principal, parameters: null };
  const limit = input.limit ?? PAGE_ITEMS_DEFAULT;
  const beforeId = await fromCursor(scope, input.cursor, isId);
  const nowMs = caller.runtime.nowMs();
  const grants = await queries.selectGrants(caller.db, {
    ...{ organizationId, beforeId, nowMs },
    limit: limit + 1,
  });
  return toPage(scope, grants, { limit, positionOf: ({ id }) => id });
}

/** What a person has allowed, and the key that they have signed in with. */
export interface Consent {
  signer: { organizationId: string; keyId: string; guard: Statements };
  client: { id: string; name: string; domain: string | null };
  redirectUri: string;
  scopes: Grant["scopes"];
  agentId: string | null;
  userId: string | null;
}

/**
 * Creates a grant. It ends soon, unless the client redeems its code.
 *
 * @throws {PreconditionFailed} if the key has ended, or its sign-in code was used.
 */
export async function createGrant(
  invocation: Invocation,
  { signer, client, ...consent }: Consent,
): Promise<queries.GrantPlace> {
  const { runtime } = invocation;
  const { organizationId, keyId } = signer;
  const nowMs = runtime.nowMs();
  const id = createId(runtime, "grant");
  const event = { organizationId, action: "grant.created", targetId: id, nowMs } as const;
  // The client is in the directory, and may be kept for a grant that is not given.
  await run(invocation.directory, keptClient(client.id, nowMs + CLIENT_MS));
  await batch(invocation.at(organizationId).db, {
    guard: signer.guard,
    grant: queries.insertedGrant({
      ...{ organizationId, id, keyId },
      ...consent,
      ...{ clientId: client.id, clientName: client.name, clientDomain: client.domain },
      createdAtMs: nowMs,
      expiresAtMs: nowMs + CODE_MS,
    }),
    audit: auditEvent(invocation, { keyId, client }, event),
  });
  return { organizationId, id };
}

/** Whether as many clients are registered. */
export const hasClients = ({ directory }: Invocation, count: number): Promise<boolean> =>
  run(directory, areClients(count));

/** @throws {ApiError} `not_found`. */
export async function deleteGrant(caller: KeyCaller, id: string): Promise<Grant> {
  const { principal, runtime } = caller;
  const place = { organizationId: principal.organizationId, id };
  const key = assertKeyActive({ ...principal, nowMs: runtime.nowMs() });
  const grant = await endGrant(caller, place, { principal, check: key });
  if (grant === null) throw notFound("grant");
  return grant;
}

/**
 * Deletes a grant with all its tokens. Null if there is none.
 *
 * @param by The key that ends it. By default, its client does.
 */
export async function endGrant(
  invocation: Invocation,
  place: queries.GrantPlace,
  by?: { principal: Principal; check: ReturnType<typeof assertKeyActive> },
): Promise<Grant | null> {
  const { runtime, caches } = invocation;
  const { db } = by === undefined ? invocation.at(place.organizationId) : invocation;
  const grant = await queries.selectGrant(db, place);
  if (grant === null) return null;
  const client = { id: grant.client_id, name: grant.client_name };
  const event = {
    organizationId: place.organizationId,
    action: "grant.deleted",
    targetId: place.id,
    nowMs: runtime.nowMs(),
  } as const;
  await batch(db, {
    check: by?.check ?? null,
    audit: auditEvent(
      invocation,
      { keyId: by?.principal.keyId ?? grant.key_id, client },
      event,
      queries.isGrant(place),
    ),
    grant: queries.deletedGrant(place),
    records: queries.deletedRecordsOf(place),
  });
  caches.principals.forget(({ grantId }) => grantId === place.id);
  return grant;
}

/** Deletes a grant if it is a sign-in to the console. Resolves to whether it was one. */
export async function endConsoleGrant(invocation: Invocation, place: queries.GrantPlace): Promise<boolean> {
  const grant = await queries.selectGrant(invocation.at(place.organizationId).db, place);
  if (grant?.client_id !== CONSOLE_CLIENT_ID) return false;
  await endGrant(invocation, place);
  return true;
}

/** Deletes grants that have expired, and expired records of clients, tokens and pages of consent. */
export async function pruneGrants(invocation: Invocation): Promise<void> {
  const { forgetRoundKeys: limit, forgetSweepRounds } = invocation.limits;
  // The same time for both: a grant that expires in between would be deleted without its records.
  const nowMs = invocation.runtime.nowMs();
  for (const table of ["oauth_records", "grants"] as const)
    for (let i = 0; i < forgetSweepRounds; i++) {
      if ((await queries.deleteExpired(invocation.db, table, { nowMs, limit })) < limit) break;
    }
}
