import type { ApiKey, ApiKeyWithSecret, Scope } from "@engram/spec";
import type { Principal, RequestContext, ServiceContext } from "../context.ts";
import { sha256Hex } from "../digest.ts";
import { ApiError, notFound } from "../errors.ts";
import { createId } from "../ids.ts";
import { type AccessIssuer, AccessOutage } from "../ports/access.ts";
import { refuseDeadKey, refuseWhen, runBatch } from "../queries/batch.ts";
import type { IdempotentRequest } from "../queries/idempotency-keys.ts";
import * as queries from "../queries/keys.ts";
import type { Runtime } from "../runtime.ts";
import { auditEvent } from "./audit-events.ts";
import { type CursorScope, fromCursor, isId, PAGE_ITEMS_DEFAULT, toPage } from "./cursors.ts";
import { refuseSecretAgain, runOnce } from "./idempotency.ts";
import { cachedPrincipal, cachePrincipal, forgetPrincipals } from "./key-cache.ts";
import { createSecret, isWellFormedSecret, secretPrefix } from "./secrets.ts";

const ACCESS_RETRY_SECONDS = 5;

/** The principal of a secret; null when no valid key has it. A malformed secret costs no database read. */
export async function authenticate(ctx: ServiceContext, secret: string): Promise<Principal | null> {
  if (!(await isWellFormedSecret(secret))) return null;
  const secretHash = await sha256Hex(secret);
  return findPrincipal(ctx, secretHash, { secretHash });
}

/**
 * The principal of a Cloudflare Access assertion: that of the key which the configuration assigns to its
 * service token. Null when the token has no key, or the key is no longer valid.
 *
 * @throws {ApiError} `unavailable` when the signing keys of Access cannot be fetched.
 */
export async function authenticateAssertion(
  ctx: ServiceContext,
  access: AccessIssuer,
  assertion: string,
): Promise<Principal | null> {
  const key = await access.readKey(assertion, ctx.runtime.nowMs()).catch((error: unknown) => {
    if (!(error instanceof AccessOutage)) throw error;
    throw new ApiError("unavailable", "Cloudflare Access cannot be asked for its keys just now.", {
      cause: error,
      retryAfterSeconds: ACCESS_RETRY_SECONDS,
    });
  });
  return key && findPrincipal(ctx, `${key.organizationId} ${key.keyId}`, key);
}

/** Finds a principal in the cache of this isolate under `name`, or else in the database. */
async function findPrincipal(
  ctx: ServiceContext,
  name: string,
  key: Parameters<typeof queries.selectPrincipal>[1],
): Promise<Principal | null> {
  const nowMs = ctx.runtime.nowMs();
  const known = cachedPrincipal(name, nowMs);
  if (known !== null) return known;
  const principal = await queries.selectPrincipal(ctx.db, key, nowMs);
  if (principal !== null) cachePrincipal(name, principal, nowMs);
  return principal;
}

/** Creates a key with its secret, ready to be stored. The secret exists nowhere else. */
export async function mintKey(
  runtime: Runtime,
  input: {
    organizationId: string;
    name: string;
    scopes: readonly Scope[];
    agentId: string | null;
    expiresAt: string | null;
  },
): Promise<{ row: queries.NewKey; key: ApiKeyWithSecret }> {
  const secret = await createSecret(runtime);
  const nowMs = runtime.nowMs();
  const row: queries.NewKey = {
    organizationId: input.organizationId,
    id: createId(runtime, "key"),
    name: input.name,
    prefix: secretPrefix(secret),
    secretHash: await sha256Hex(secret),
    scopes: input.scopes,
    agentId: input.agentId,
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
 * Creates a key with at most the caller's permissions.
 *
 * @throws {ApiError} `forbidden` for more.
 */
export async function createKey(
  ctx: RequestContext,
  input: { name: string; scopes: Scope[]; agentId: string | null; expiresAt: string | null },
  idempotency: IdempotentRequest | null,
): Promise<ApiKeyWithSecret> {
  const { principal } = ctx;
  refuseMoreScopes(principal, input.scopes);
  if (input.agentId !== null && input.scopes.includes("admin")) {
    throw new ApiError("forbidden", "A key bound to an agent cannot hold `admin`.");
  }
  const { row, key } = await mintKey(ctx.runtime, { organizationId: principal.organizationId, ...input });
  const statements = [
    refuseDeadKey(ctx.db, { ...principal, nowMs: row.createdAtMs }),
    queries.insertKey(ctx.db, row),
    auditEvent(ctx, principal, {
      organizationId: principal.organizationId,
      action: "key.created",
      targetId: row.id,
      nowMs: row.createdAtMs,
    }),
  ];
  const write = { statements, result: "json_object('id', ?5)", resultBinds: [row.id] };
  return (await runOnce(ctx.db, idempotency, write, () => key, refuseSecretAgain)).answer;
}

function refuseMoreScopes(principal: Principal, scopes: readonly Scope[]): void {
  const missing = scopes.find((scope) => !principal.scopes.includes(scope));
  if (missing !== undefined) {
    throw new ApiError("forbidden", `A key can hand on only scopes of its own, and \`${missing}\` is not.`);
  }
}

export async function listKeys(
  ctx: RequestContext,
  input: { limit: number | undefined; cursor: string | undefined; withTotal: boolean },
): Promise<{ items: ApiKey[]; next_cursor: string | null; total?: number }> {
  const { organizationId, agentId } = ctx.principal;
  const scope: CursorScope = { list: "keys", organizationId, agentId, parameters: null };
  const limit = input.limit ?? PAGE_ITEMS_DEFAULT;
  const beforeId = await fromCursor(scope, input.cursor, isId);
  const { keys, total } = await queries.selectKeys(ctx.db, {
    organizationId,
    beforeId,
    limit: limit + 1,
    withTotal: input.withTotal,
  });
  return toPage(scope, keys, { limit, total, positionOf: ({ id }) => id });
}

/** @throws {ApiError} `not_found`. */
export async function getKey(ctx: RequestContext, id: string): Promise<ApiKey> {
  const key = await queries.selectKey(ctx.db, { organizationId: ctx.principal.organizationId, id });
  if (key === null) throw notFound("key");
  return key;
}

/** @throws {ApiError} `not_found`. */
export async function revokeKey(ctx: RequestContext, id: string): Promise<ApiKey> {
  const { db, principal, runtime } = ctx;
  const { organizationId } = principal;
  const nowMs = runtime.nowMs();
  const results = await runBatch(db, [
    refuseDeadKey(db, { ...principal, nowMs }),
    auditEvent(
      ctx,
      principal,
      { organizationId, action: "key.revoked", targetId: id, nowMs },
      "EXISTS (SELECT 1 FROM api_keys WHERE organization_id = ?1 AND id = ?2 AND revoked_at_ms IS NULL)",
    ),
    queries.updateKeyRevoked(db, { organizationId, id, nowMs }),
  ]);
  const key = queries.readKey(results.at(-1));
  if (key === null) throw notFound("key");
  forgetPrincipals((held) => held.organizationId === organizationId && held.keyId === id);
  return key;
}

/**
 * Creates a replacement for a key, which stays valid for the overlap.
 *
 * @throws {ApiError} `not_found`.
 */
export async function rotateKey(
  ctx: RequestContext,
  input: { id: string; overlapSeconds: number; expiresAt: string | null },
  idempotency: IdempotentRequest | null,
): Promise<ApiKeyWithSecret> {
  const { db, principal, runtime } = ctx;
  const { organizationId } = principal;
  const nowMs = runtime.nowMs();
  const old = await getKey(ctx, input.id);
  refuseMoreScopes(principal, old.scopes);
  const { row, key } = await mintKey(runtime, {
    organizationId,
    name: old.name,
    scopes: old.scopes,
    agentId: old.agent_id,
    expiresAt: input.expiresAt,
  });
  const statements = [
    refuseDeadKey(db, { ...principal, nowMs }),
    refuseWhen(
      db,
      "not_found",
      `NOT EXISTS (SELECT 1 FROM api_keys WHERE organization_id = ?1 AND id = ?2 AND rotated_to IS NULL
                      AND revoked_at_ms IS NULL AND (expires_at_ms IS NULL OR expires_at_ms > ?3))`,
    ).bind(organizationId, input.id, nowMs),
    queries.insertKey(db, row),
    queries.updateKeyRotated(db, {
      organizationId,
      id: input.id,
      rotatedTo: row.id,
      expiresAtMs: nowMs + input.overlapSeconds * 1_000,
    }),
    auditEvent(ctx, principal, { organizationId, action: "key.rotated", targetId: input.id, nowMs }),
    auditEvent(ctx, principal, { organizationId, action: "key.created", targetId: row.id, nowMs }),
  ];
  const write = { statements, result: "json_object('id', ?5)", resultBinds: [row.id] };
  const { answer } = await runOnce(db, idempotency, write, () => key, refuseSecretAgain);
  forgetPrincipals((held) => held.organizationId === organizationId && held.keyId === input.id);
  return answer;
}
