import type { ApiKey, ApiKeyWithSecret, Scope } from "@engram/spec";
import { auditEvent } from "../audit/service.ts";
import { ApiError, notFound } from "../errors.ts";
import { dbOfRecord, isAccessToken } from "../grants/records.ts";
import { allowsOAuth, openServer, resourceOf } from "../grants/server.ts";
import type { Invocation, KeyCaller } from "../invocation.ts";
import { type AccessIssuer, AccessOutage } from "../platform/access.ts";
import { assertKeyActive } from "../platform/batch.ts";
import { type CursorScope, fromCursor, isId, PAGE_ITEMS_DEFAULT, toPage } from "../platform/cursors.ts";
import { sha256Hex } from "../platform/digest.ts";
import { refuseSecretAgain, runIdempotent } from "../platform/idempotency.ts";
import type { IdempotentRequest } from "../platform/idempotency-queries.ts";
import { createId } from "../platform/ids.ts";
import { IN_D1 } from "../platform/objects.ts";
import { residenceOf } from "../platform/places.ts";
import type { Principal } from "../platform/principal.ts";
import { recordedEvent } from "../platform/recorded-events.ts";
import type { Runtime } from "../platform/runtime.ts";
import { batch, run, sql } from "../platform/sql.ts";
import * as queries from "./queries.ts";
import { createSecret, isWellFormedSecret, organizationIn, secretPrefix } from "./secrets.ts";

const ACCESS_RETRY_SECONDS = 5;

/**
 * The principal for a secret; null if it is not the secret of an active key. A malformed secret costs no database
 * read.
 */
export async function authenticate(invocation: Invocation, secret: string): Promise<Principal | null> {
  if (!(await isWellFormedSecret(secret))) return null;
  const secretHash = await sha256Hex(secret);
  return cached(invocation, secretHash, async (nowMs) => {
    const { caches, directory } = invocation;
    const key = queries.principalOf({ secretHash }, nowMs);
    const organizationId = organizationIn(secret);
    if (organizationId === null) {
      const found = await batch(directory, {
        principal: key,
        movedTo: queries.organizationOfMovedKey(secretHash),
      });
      return found.movedTo === null ? found.principal : run(invocation.at(found.movedTo).db, key);
    }
    let residence = invocation.defaultPlace === undefined ? IN_D1 : caches.places.get(organizationId, nowMs);
    if (residence === null) {
      // Most organizations are in D1, and have their key in it. So it takes no other call to find it.
      const found = await batch(directory, {
        residence: residenceOf(organizationId),
        principal: key,
      });
      residence = found.residence;
      if (found.residence !== null) caches.places.learn(organizationId, found.residence, nowMs);
      if (residence?.place !== "cell") return found.principal;
    }
    return run(residence.place === "cell" ? invocation.at(organizationId).db : directory, key);
  });
}

/**
 * The principal for an assertion, the signed token that Cloudflare Access adds to a request. The deployment
 * assigns keys to service tokens of Access. Null if the assertion is invalid, or if its service token has no
 * active key.
 *
 * @throws {ApiError} `unavailable` when the signing keys of Access cannot be fetched.
 */
export async function authenticateAssertion(
  invocation: Invocation,
  access: AccessIssuer,
  assertion: string,
): Promise<Principal | null> {
  const key = await access.readKey(assertion, invocation.runtime.nowMs()).catch((error: unknown) => {
    if (!(error instanceof AccessOutage)) throw error;
    throw new ApiError(
      "unavailable",
      "The signing keys of Cloudflare Access could not be fetched. Try again later.",
      {
        cause: error,
        retryAfterSeconds: ACCESS_RETRY_SECONDS,
      },
    );
  });
  return (
    key &&
    cached(invocation, `${key.organizationId} ${key.keyId}`, (nowMs) =>
      run(invocation.at(key.organizationId).db, queries.principalOf(key, nowMs)),
    )
  );
}

/**
 * The principal for an access token that the service has issued for this resource. It can do at most what both the grant
 * and the key of the token can do. Null if the token, its grant or the key is not valid.
 *
 * @param root URL of the service as the client knows it.
 */
export async function authenticateToken(
  invocation: Invocation,
  token: string,
  root: string,
): Promise<Principal | null> {
  if (!isAccessToken(token) || !allowsOAuth(root)) return null;
  const resource = resourceOf(root);
  return cached(invocation, `${resource} ${await sha256Hex(token)}`, async (nowMs) => {
    let holder: Principal | null = null;
    const get = async (key: string): Promise<unknown> => {
      const found = await queries.selectTokenPrincipal(dbOfRecord(invocation, key), key, nowMs);
      holder = found?.principal ?? null;
      return found && JSON.parse(found.record);
    };
    const valid = await openServer(root).validateToken(resource, token, { OAUTH_KV: { get } });
    const principal = holder as Principal | null;
    if (valid === null || principal === null) return null;
    const expiresAtMs = Math.min(valid.expiresAt * 1_000, principal.expiresAtMs ?? Number.POSITIVE_INFINITY);
    return {
      ...principal,
      expiresAtMs,
      scopes: principal.scopes.filter((scope) => valid.scope.includes(scope)),
    };
  });
}

/** The active key or member of this id, with its name and that of its organization; null if there is none. */
export const findKey = (
  { at, runtime }: Invocation,
  place: { organizationId: string; keyId: string },
): Promise<(Principal & { name: string; organization: string }) | null> =>
  queries.selectNamedPrincipal(at(place.organizationId).db, place, runtime.nowMs());

/** The principal of a grant, without its token. Null if the grant or its key is not valid. */
export const findGrant = (
  { at, runtime }: Invocation,
  place: { organizationId: string; id: string },
): Promise<Principal | null> =>
  queries.selectGrantPrincipal(at(place.organizationId).db, place, runtime.nowMs());

async function cached(
  { runtime, caches }: Invocation,
  name: string,
  find: (nowMs: number) => Promise<Principal | null>,
): Promise<Principal | null> {
  const nowMs = runtime.nowMs();
  const known = caches.principals.get(name, nowMs);
  if (known !== null) return known;
  const principal = await find(nowMs);
  if (principal !== null) caches.principals.set(name, principal, nowMs);
  return principal;
}

/** Makes a key but does not store it. `row`, for the database, has a hash of the secret; `key` has the secret. */
export async function mintKey(
  runtime: Runtime,
  input: {
    organizationId: string;
    name: string;
    scopes: readonly Scope[];
    agentId: string | null;
    userId: string | null;
    expiresAt: string | null;
  },
): Promise<{ row: queries.NewKey; key: ApiKeyWithSecret }> {
  const secret = await createSecret(runtime, input.organizationId);
  const nowMs = runtime.nowMs();
  const row: queries.NewKey = {
    organizationId: input.organizationId,
    id: createId(runtime, "key"),
    name: input.name,
    prefix: secretPrefix(secret),
    secretHash: await sha256Hex(secret),
    scopes: input.scopes,
    agentId: input.agentId,
    userId: input.userId,
    createdAtMs: nowMs,
    expiresAtMs: input.expiresAt === null ? null : Date.parse(input.expiresAt),
  };
  return {
    row,
    key: {
      id: row.id,
      name: row.name,
      prefix: row.prefix,
      scopes: [...row.scopes],
      agent_id: row.agentId,
      user_id: row.userId,
      created_at: new Date(nowMs).toISOString(),
      expires_at: row.expiresAtMs === null ? null : new Date(row.expiresAtMs).toISOString(),
      revoked_at: null,
      last_used_at: null,
      rotated_to: null,
      secret,
    },
  };
}

/**
 * @throws {ApiError} `forbidden` for a scope that the caller's key does not have, or for the scope `admin` on a
 * key bound to an agent or a user; `secret_already_shown` for a repeated request.
 */
export async function createKey(
  caller: KeyCaller,
  input: {
    name: string;
    scopes: Scope[];
    agentId: string | null;
    userId: string | null;
    expiresAt: string | null;
  },
  idempotency: IdempotentRequest | null,
): Promise<ApiKeyWithSecret> {
  const { principal } = caller;
  refuseMoreScopes(principal, input.scopes);
  if ((input.agentId !== null || input.userId !== null) && input.scopes.includes("admin")) {
    throw new ApiError(
      "forbidden",
      "A key that is bound to an agent or a user cannot have the scope `admin`. Leave out one of the two.",
    );
  }
  const { row, key } = await mintKey(caller.runtime, { organizationId: principal.organizationId, ...input });
  const { organizationId } = principal;
  const nowMs = row.createdAtMs;
  const { answer } = await runIdempotent(caller.db, idempotency, {
    statements: {
      key: assertKeyActive({ ...principal, nowMs }),
      inserted: queries.insertedKey(row),
      audit: auditEvent(caller, principal, {
        organizationId,
        action: "key.created",
        targetId: row.id,
        nowMs,
      }),
      event: recordedEvent("key.created", { organizationId, subjectId: row.id, nowMs }),
    },
    answer: sql`json_object('id', ${row.id})`,
    read: (stored: { id: string }, results) => (results === null ? refuseSecretAgain(stored) : key),
  });
  return answer;
}

function refuseMoreScopes(principal: Principal, scopes: readonly Scope[]): void {
  // With such a key, an admin could do what is only for owners.
  if (principal.role === "admin" && scopes.includes("admin"))
    throw new ApiError("forbidden", "Only an owner, or a key, can create keys with the scope `admin`.");
  const missing = scopes.find((scope) => !principal.scopes.includes(scope));
  if (missing !== undefined) {
    throw new ApiError(
      "forbidden",
      `A key can create keys only with scopes that it has itself, and it does not have \`${missing}\`.`,
    );
  }
}

export async function listKeys(
  caller: KeyCaller,
  input: { limit?: number | undefined; cursor?: string | undefined },
): Promise<{ items: ApiKey[]; next_cursor: string | null }> {
  const { organizationId } = caller.principal;
  const scope: CursorScope = { list: "keys", owner: caller.principal, parameters: null };
  const limit = input.limit ?? PAGE_ITEMS_DEFAULT;
  const beforeId = await fromCursor(scope, input.cursor, isId);
  const keys = await queries.selectKeys(caller.db, {
    organizationId,
    beforeId,
    limit: limit + 1,
  });
  return toPage(scope, keys, { limit, positionOf: ({ id }) => id });
}

/** @throws {ApiError} `not_found`. */
export async function getKey(caller: KeyCaller, id: string): Promise<ApiKey> {
  const key = await queries.selectKey(caller.db, { organizationId: caller.principal.organizationId, id });
  if (key === null) throw notFound("key");
  return key;
}

/** @throws {ApiError} `not_found`. */
export async function revokeKey(caller: KeyCaller, id: string): Promise<ApiKey> {
  const { db, principal, runtime } = caller;
  const { organizationId } = principal;
  const nowMs = runtime.nowMs();
  const { key } = await batch(db, {
    caller: assertKeyActive({ ...principal, nowMs }),
    audit: auditEvent(
      caller,
      principal,
      { organizationId, action: "key.revoked", targetId: id, nowMs },
      queries.isUnrevoked({ organizationId, id }),
    ),
    event: recordedEvent(
      "key.revoked",
      { organizationId, subjectId: id, nowMs },
      queries.isUnrevoked({ organizationId, id }),
    ),
    key: queries.revokedKey({ organizationId, id }, nowMs),
  });
  if (key === null) throw notFound("key");
  caller.caches.principals.forget((held) => held.organizationId === organizationId && held.keyId === id);
  return key;
}

/**
 * Replaces a key with a new one. The old key stays valid for `overlapSeconds` at most.
 *
 * @throws {ApiError} `not_found` if the key does not exist, is not active or was replaced before, `forbidden` if
 * it has a scope that the caller's key does not have, `secret_already_shown` for a repeated request.
 */
export async function rotateKey(
  caller: KeyCaller,
  input: { id: string; overlapSeconds: number; expiresAt: string | null },
  idempotency: IdempotentRequest | null,
): Promise<ApiKeyWithSecret> {
  const { db, principal, runtime } = caller;
  const { organizationId } = principal;
  const nowMs = runtime.nowMs();
  const old = await getKey(caller, input.id);
  refuseMoreScopes(principal, old.scopes);
  const { row, key } = await mintKey(runtime, {
    organizationId,
    name: old.name,
    scopes: old.scopes,
    agentId: old.agent_id,
    userId: old.user_id,
    expiresAt: input.expiresAt,
  });
  const replaced = { organizationId, id: input.id };
  const expiresAtMs = nowMs + input.overlapSeconds * 1_000;
  const { answer } = await runIdempotent(db, idempotency, {
    statements: {
      caller: assertKeyActive({ ...principal, nowMs }),
      replaced: queries.assertKeyRotatable(replaced, nowMs),
      inserted: queries.insertedKey(row),
      rotated: queries.rotatedKey(replaced, { rotatedTo: row.id, expiresAtMs }),
      audit: [
        auditEvent(caller, principal, { organizationId, action: "key.rotated", targetId: input.id, nowMs }),
        auditEvent(caller, principal, { organizationId, action: "key.created", targetId: row.id, nowMs }),
      ],
      events: [
        recordedEvent("key.rotated", { organizationId, subjectId: input.id, nowMs }),
        recordedEvent("key.created", { organizationId, subjectId: row.id, nowMs }),
      ],
    },
    answer: sql`json_object('id', ${row.id})`,
    read: (stored: { id: string }, results) => (results === null ? refuseSecretAgain(stored) : key),
  });
  caller.caches.principals.forget(
    (held) => held.organizationId === organizationId && held.keyId === input.id,
  );
  return answer;
}
