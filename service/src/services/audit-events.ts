import type { AuditAction, AuditEvent } from "@engram/spec";
import type { Principal, RequestContext, ServiceContext } from "../context.ts";
import { createId } from "../ids.ts";
import * as queries from "../queries/audit-events.ts";
import { type CursorScope, fromCursor, isId, PAGE_ITEMS_DEFAULT, toPage } from "./cursors.ts";

/** The statement that records what this batch does. `by` is the key, or null for the operator. */
export function auditEvent(
  { db, runtime }: ServiceContext,
  by: Pick<Principal, "keyId"> | null,
  event: {
    organizationId: string;
    action: AuditAction;
    targetId: string;
    operationId?: string;
    nowMs: number;
  },
  condition?: string,
): D1PreparedStatement {
  const id = createId(runtime, "evt");
  return queries.insertAuditEvent(
    db,
    { ...event, id, keyId: by?.keyId ?? null, operationId: event.operationId ?? null },
    condition,
  );
}

export async function listAuditEvents(
  ctx: RequestContext,
  input: {
    action: AuditAction | undefined;
    limit: number | undefined;
    cursor: string | undefined;
    withTotal: boolean;
  },
): Promise<{ items: AuditEvent[]; next_cursor: string | null; total?: number }> {
  const { organizationId, agentId } = ctx.principal;
  const action = input.action ?? null;
  const scope: CursorScope = { list: "audit-events", organizationId, agentId, parameters: { action } };
  const limit = input.limit ?? PAGE_ITEMS_DEFAULT;
  const beforeId = await fromCursor(scope, input.cursor, isId);
  const { events, total } = await queries.selectAuditEvents(ctx.db, {
    organizationId,
    action,
    beforeId,
    limit: limit + 1,
    withTotal: input.withTotal,
  });
  return toPage(scope, events, { limit, total, positionOf: ({ id }) => id });
}
