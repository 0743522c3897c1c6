import type { Operation, OperationOf, OperationStatus, OperationType } from "@engram/spec";
import { archiveWrittenBy } from "../archives/queries.ts";
import { auditEvent } from "../audit/service.ts";
import { notFound } from "../errors.ts";
import { restoredHolds } from "../holds/queries.ts";
import type { Invocation, KeyCaller, OperatorCaller } from "../invocation.ts";
import { assertKeyActive } from "../platform/batch.ts";
import { type CursorScope, fromCursor, isId, PAGE_ITEMS_DEFAULT, toPage } from "../platform/cursors.ts";
import { type Idempotent, runIdempotent } from "../platform/idempotency.ts";
import type { IdempotentRequest } from "../platform/idempotency-queries.ts";
import { batch, run, type Statements, sql } from "../platform/sql.ts";
import * as ends from "./ends-queries.ts";
import * as moves from "./moves-queries.ts";
import * as queries from "./queries.ts";

export async function listOperations(
  caller: KeyCaller,
  input: {
    type: OperationType | undefined;
    status: OperationStatus | undefined;
    limit: number | undefined;
    cursor: string | undefined;
  },
): Promise<{ items: Operation[]; next_cursor: string | null }> {
  const { type, status } = input;
  const scope: CursorScope = { list: "operations", owner: caller.principal, parameters: [type, status] };
  const limit = input.limit ?? PAGE_ITEMS_DEFAULT;
  const { operations, scanEnd } = await queries.selectOperations(caller.db, {
    owner: caller.principal,
    type,
    status,
    beforeId: await fromCursor(scope, input.cursor, isId),
    limit: limit + 1,
    rowsMax: caller.limits.scannedRows,
  });
  return toPage(scope, operations, { limit, positionOf: ({ id }) => id, scanEnd });
}

/**
 * The database of an operation. The operator finds operations in D1, and deletions of organizations also in their cells: a
 * cell is erased when its deletion is complete, and has then left the operation in D1.
 */
async function homeOf(caller: KeyCaller | OperatorCaller, id: string): Promise<Invocation> {
  if (caller.kind === "key" || caller.defaultPlace === undefined) return caller;
  const organizationId = await run(caller.directory, queries.organizationOfDeletion(id));
  return organizationId === null ? caller : caller.at(organizationId);
}

/** @throws {ApiError} `not_found`. */
export async function getOperation(caller: KeyCaller | OperatorCaller, id: string): Promise<Operation> {
  const { db } = await homeOf(caller, id);
  const operation =
    (await queries.selectOperation(db, { owner: caller.principal, id })) ?? (await findMove(caller, id));
  if (operation === null) throw notFound("operation");
  return operation;
}

/** A move of an organization, which only the operator can get. Null if there is none of this id. */
async function findMove(
  { kind, directory }: KeyCaller | OperatorCaller,
  id: string,
): Promise<OperationOf<"move_organization"> | null> {
  const move = kind === "operator" ? await run(directory, moves.moveById(id)) : null;
  return move && moves.toMoveOperation(move);
}

/** Has the cell of an organization continue its move. If the call fails, the sweep repeats it. */
export async function wakeMove(invocation: Invocation, organizationId: string): Promise<void> {
  try {
    await invocation.continueMove(organizationId);
  } catch (error) {
    invocation.log.error("move not continued", error, { organization_id: organizationId });
  }
}

/** Null if there is no such move. @throws {ApiError} `not_cancelable` once the organization has moved. */
async function cancelMove(caller: OperatorCaller, id: string): Promise<Operation | null> {
  const found = await run(caller.directory, moves.moveById(id));
  if (found === null) return null;
  const { move } = await batch(caller.directory, moves.canceledMove(id, caller.runtime.nowMs()));
  await wakeMove(caller, found.organization_id);
  return move && moves.toMoveOperation(move);
}

/**
 * Runs the statements that begin an operation, and returns it. A repeated request returns the operation with
 * its current progress.
 */
export function openOperation<Type extends OperationType>(
  caller: KeyCaller,
  { id, type }: { id: string; type: Type },
  statements: Statements,
  idempotency: IdempotentRequest | null,
): Promise<Idempotent<OperationOf<Type>>> {
  const owner = caller.principal;
  return runIdempotent(caller.db, idempotency, {
    statements: { opening: statements, operation: queries.operationById({ owner, id }) },
    answer: sql`json_object('id', ${id})`,
    read: async (stored: { id: string }, results) =>
      queries.asType(results?.operation ?? (await getOperation(caller, stored.id)), type),
  });
}

/**
 * Canceling an organization's deletion restores everything that the sweep, a periodic background run, has not
 * soft-deleted yet. The deletion ends all keys of the organization, so only the holder of the admin token can
 * cancel it.
 *
 * @throws {ApiError} `not_found`, `not_cancelable`.
 */
export async function cancelOperation(caller: KeyCaller | OperatorCaller, id: string): Promise<Operation> {
  const { runtime, principal } = caller;
  const { db } = await homeOf(caller, id);
  const owner = principal ?? (await queries.selectOperationOwner(db, id));
  if (owner === null) {
    const move = caller.kind === "operator" ? await cancelMove(caller, id) : null;
    if (move === null) throw notFound("operation");
    return move;
  }
  const nowMs = runtime.nowMs();
  const { canceled } = await batch(db, {
    key: principal && assertKeyActive({ ...principal, nowMs }),
    restored:
      principal === null
        ? restoredOrganization(caller, { id: owner.organizationId, operationId: id, nowMs })
        : null,
    archive: deletedArchive(caller, { organizationId: owner.organizationId, operationId: id, nowMs }),
    canceled: ends.canceledOperation({ owner, id, nowMs }),
  });
  if (principal === null && db !== caller.directory) await listRestoration(caller, owner.organizationId, id);
  return canceled.operation;
}

/** Otherwise the directory would refuse to move the organization until the next sweep of its cell. */
async function listRestoration(
  { directory, log }: Invocation,
  id: string,
  operationId: string,
): Promise<void> {
  try {
    await run(directory, ends.listedRestoration({ id, operationId }));
  } catch (error) {
    log.error("not reported", error);
  }
}

/** The audit event of an archive that is deleted because its writing is canceled. For any other operation there is none. */
function deletedArchive(
  caller: KeyCaller | OperatorCaller,
  { nowMs, ...writer }: { organizationId: string; operationId: string; nowMs: number },
) {
  const archiveId = archiveWrittenBy(writer);
  return auditEvent(
    caller,
    caller.principal,
    { organizationId: writer.organizationId, action: "archive.deleted", targetId: archiveId, nowMs },
    sql`${archiveId} IS NOT NULL`,
  );
}

/**
 * Restores an organization whose deletion is canceled. The statements run in the batch that cancels the
 * deletion, before the cancellation. For any other operation they change nothing. Conversations and memories
 * that the sweep, a periodic background run, has soft-deleted by then are not restored.
 *
 * The restored keys are valid from the next request on, because caches store only active keys.
 */
const restoredOrganization = (
  invocation: Invocation,
  { id, operationId, nowMs }: { id: string; operationId: string; nowMs: number },
) =>
  ({
    event: auditEvent(
      invocation,
      null,
      { organizationId: id, action: "organization.restored", targetId: id, operationId, nowMs },
      queries.isOrganizationDeletion(id, operationId),
    ),
    holds: restoredHolds(id, operationId, queries.isOrganizationDeletion(id, operationId)),
    organization: ends.restoredOrganization({ id, operationId }),
  }) satisfies Statements;
