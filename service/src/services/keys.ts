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

/** Who holds this secret; null when nobody does. A malformed one costs no database read. */
export async function authenticate(ctx: ServiceContext, secret: string): Promise<Principal | null> {
  if (!(await isWellFormedSecret(secret))) return null;
  const secretHash = await sha256Hex(secret);
  return findPrincipal(ctx, secretHash, { secretHash });
}

/**
 * Who an assertion of Cloudflare Access stands for: the holder of the key that its service token is given by the
 * configuration. Null when it stands for nobody, or the key is no more.
 *
 * @throws {ApiError} `unavailable` when what Access signs with cannot be looked up.
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

/** Who holds a key, which this isolate knows for some seconds by a name of it. */
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

/** A key with its secret, ready to be stored: the one place where a secret exists. */
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

/** Create a key that holds no more than the caller's. @throws {ApiError} `forbidden` when it would. */
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

/** Nobody mints a key that can do more than their own. */
function refuseMoreScopes(principal: Principal, scopes: readonly Scope[]): void {
  const missing = scopes.find((scope) => !principal.scopes.includes(scope));
  if (missing !== undefined) {
    throw new ApiError("forbidden", `A key can hand on only scopes of its own, and \`${missing}\` is not.`);
  }
}

/** A page of the organization's keys, newest first. */
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

/** A key of the organization. @throws {ApiError} `not_found`. */
export async function getKey(ctx: RequestContext, id: string): Promise<ApiKey> {
  const key = await queries.selectKey(ctx.db, { organizationId: ctx.principal.organizationId, id });
  if (key === null) throw notFound("key");
  return key;
}

/** End a key. @throws {ApiError} `not_found`. */
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

/** Put a new key in the place of one that works on for a while. @throws {ApiError} `not_found`. */
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
