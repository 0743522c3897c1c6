import type { Operation, OperationStatus, OperationType } from "@engram/spec";
import type { Principal, RequestContext, ServiceContext } from "../context.ts";
import { notFound } from "../errors.ts";
import { type Owner, refuseDeadKey, runBatch } from "../queries/batch.ts";
import type { IdempotentRequest } from "../queries/idempotency-keys.ts";
import { updateCanceled } from "../queries/operation-ends.ts";
import * as queries from "../queries/operations.ts";
import { type CursorScope, fromCursor, isId, PAGE_ITEMS_DEFAULT, toPage } from "./cursors.ts";
import { type Once, runOnce } from "./idempotency.ts";
import { restoreOrganization } from "./organizations.ts";

export async function listOperations(
  ctx: RequestContext,
  input: {
    type: OperationType | undefined;
    status: OperationStatus | undefined;
    limit: number | undefined;
    cursor: string | undefined;
    withTotal: boolean;
  },
): Promise<{ items: Operation[]; next_cursor: string | null; total?: number }> {
  const { organizationId, agentId } = ctx.principal;
  const { type, status } = input;
  const scope: CursorScope = { list: "operations", organizationId, agentId, parameters: [type, status] };
  const limit = input.limit ?? PAGE_ITEMS_DEFAULT;
  const { operations, total } = await queries.selectOperations(ctx.db, {
    owner: ctx.principal,
    type,
    status,
    beforeId: await fromCursor(scope, input.cursor, isId),
    limit: limit + 1,
    withTotal: input.withTotal,
  });
  return toPage(scope, operations, { limit, total, positionOf: ({ id }) => id });
}

/** An operation of the owner, or any for the operator (`owner` null). @throws {ApiError} `not_found`. */
export async function getOperation(
  ctx: ServiceContext,
  input: { owner: Owner | null; id: string },
): Promise<Operation> {
  const operation = await queries.selectOperation(ctx.db, input);
  if (operation === null) throw notFound("operation");
  return operation;
}

/**
 * Runs the statements that open an operation with this id, once. A repeat returns the operation with its
 * current progress.
 */
export function openOperation(
  ctx: RequestContext,
  id: string,
  statements: D1PreparedStatement[],
  idempotency: IdempotentRequest | null,
): Promise<Once<Operation>> {
  const owner = ctx.principal;
  return runOnce(
    ctx.db,
    idempotency,
    {
      statements: [...statements, queries.operationById(ctx.db, { owner, id })],
      result: "json_object('id', ?5)",
      resultBinds: [id],
    },
    (results) => queries.readOperation(results.at(-1)),
    (kept) => getOperation(ctx, { owner, id: (kept as { id: string }).id }),
  );
}

/**
 * Cancels the rest of an operation. Canceling an organization's deletion restores everything that the
 * sweep has not soft-deleted yet. The deletion revokes all keys, so only the operator can do that.
 *
 * @param input.principal of the caller's key; null for the operator, who can cancel operations of any
 *   organization.
 * @throws {ApiError} `not_found`, `not_cancelable`.
 */
export async function cancelOperation(
  ctx: ServiceContext,
  input: { id: string; principal: Principal | null },
): Promise<Operation> {
  const { id, principal } = input;
  const { db, runtime } = ctx;
  const owner = principal ?? (await queries.selectOperationOwner(db, id));
  if (owner === null) throw notFound("operation");
  const nowMs = runtime.nowMs();
  const results = await runBatch(db, [
    ...(principal === null
      ? restoreOrganization(ctx, { id: owner.organizationId, operationId: id, nowMs })
      : [refuseDeadKey(db, { ...principal, nowMs })]),
    ...updateCanceled(db, { owner, id, nowMs }),
  ]);
  return queries.readOperation(results.at(-1));
}
