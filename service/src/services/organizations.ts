import { type ApiKeyWithSecret, type Operation, type Organization, SCOPES } from "@engram/spec";
import type { Principal, ServiceContext } from "../context.ts";
import { notFound } from "../errors.ts";
import { createId } from "../ids.ts";
import { refuseDeadKey, refuseWhen, runBatch } from "../queries/batch.ts";
import type { IdempotentRequest } from "../queries/idempotency-keys.ts";
import { insertKey, updateKeysRestored, updateKeysRevoked } from "../queries/keys.ts";
import { insertDeletion, isDeletingOrganization, readOperation } from "../queries/operations.ts";
import * as queries from "../queries/organizations.ts";
import { auditEvent } from "./audit-events.ts";
import { refuseSecretAgain, runOnce } from "./idempotency.ts";
import { forgetPrincipals } from "./key-cache.ts";
import { mintKey } from "./keys.ts";

const FIRST_KEY_NAME = "first key";

/** Creates an organization with a key that holds every scope. */
export async function createOrganization(
  ctx: ServiceContext,
  input: { name: string },
  idempotency: IdempotentRequest | null,
): Promise<{ organization: Organization; key: ApiKeyWithSecret }> {
  const id = createId(ctx.runtime, "org");
  const { row, key } = await mintKey(ctx.runtime, {
    organizationId: id,
    name: FIRST_KEY_NAME,
    scopes: SCOPES,
    agentId: null,
    expiresAt: null,
  });
  const organization: Organization = {
    id,
    name: input.name,
    conversation_count: 0,
    message_count: 0,
    created_at: new Date(row.createdAtMs).toISOString(),
    deleted_at: null,
  };
  const statements = [
    ...queries.insertOrganization(ctx.db, { id, name: input.name, nowMs: row.createdAtMs }),
    insertKey(ctx.db, row),
    auditEvent(ctx, null, {
      organizationId: id,
      action: "key.created",
      targetId: row.id,
      nowMs: row.createdAtMs,
    }),
  ];
  const write = { statements, result: "json_object('id', ?5)", resultBinds: [id] };
  return (await runOnce(ctx.db, idempotency, write, () => ({ organization, key }), refuseSecretAgain)).answer;
}

/** @throws {ApiError} `not_found`. */
export async function getOrganization(
  ctx: ServiceContext,
  input: { id: string; withDeleted: boolean },
): Promise<Organization> {
  const organization = await queries.selectOrganization(ctx.db, input);
  if (organization === null) throw notFound("organization");
  return organization;
}

/**
 * Revokes an organization's keys and soft-deletes its data. The sweep purges it.
 *
 * @param input.principal of the caller's key; null for the operator.
 * @throws {ApiError} `not_found`.
 */
export async function deleteOrganization(
  ctx: ServiceContext,
  input: { id: string; principal: Principal | null },
): Promise<Operation> {
  const { id, principal } = input;
  const nowMs = ctx.runtime.nowMs();
  const operationId = createId(ctx.runtime, "op");
  const results = await runBatch(ctx.db, [
    ...(principal === null ? [] : [refuseDeadKey(ctx.db, { ...principal, nowMs })]),
    refuseWhen(
      ctx.db,
      "not_found",
      "NOT EXISTS (SELECT 1 FROM organizations WHERE id = ?1 AND deleted_at_ms IS NULL)",
    ).bind(id),
    queries.updateOrganizationDeleted(ctx.db, { id, operationId, nowMs }),
    // Other isolates may cache the keys, but every database call checks this state.
    updateKeysRevoked(ctx.db, { organizationId: id, operationId, nowMs }),
    auditEvent(ctx, principal, {
      organizationId: id,
      action: "organization.deleted",
      targetId: id,
      operationId,
      nowMs,
    }),
    insertDeletion(ctx.db, {
      organizationId: id,
      id: operationId,
      type: "delete_organization",
      targetId: id,
      conversationId: null,
      agentId: null,
      nowMs,
      rowsDeletedAtMs: null,
    }),
  ]);
  forgetPrincipals((principal) => principal.organizationId === id);
  return readOperation(results.at(-1));
}

/**
 * Statements that restore an organization and its keys, except for the conversations and memories that the
 * sweep has soft-deleted by then. They go into the batch that cancels the deletion, before the cancellation.
 * For any other operation they change nothing.
 *
 * No cache needs an update: no cache stores that a key is revoked, so restored keys are valid from the next
 * request on.
 */
export function restoreOrganization(
  ctx: ServiceContext,
  { id, operationId, nowMs }: { id: string; operationId: string; nowMs: number },
): D1PreparedStatement[] {
  return [
    auditEvent(
      ctx,
      null,
      { organizationId: id, action: "organization.restored", targetId: id, operationId, nowMs },
      isDeletingOrganization("?6"),
    ),
    updateKeysRestored(ctx.db, { organizationId: id, operationId }),
    queries.updateOrganizationRestored(ctx.db, { id, operationId }),
  ];
}
