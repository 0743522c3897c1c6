import type { AuditAction, AuditEvent, AuditStart } from "@engram/spec";
import type { Invocation, KeyCaller } from "../invocation.ts";
import { type CursorScope, fromCursor, isId, PAGE_ITEMS_DEFAULT, toPage } from "../platform/cursors.ts";
import { createId } from "../platform/ids.ts";
import type { Principal } from "../platform/principal.ts";
import type { Sql, Statement } from "../platform/sql.ts";
import * as queries from "./queries.ts";

/** Stores an event if `condition` holds or is absent. `by` is the key of the caller; null for the admin token. */
export function auditEvent(
  { runtime, requestId }: Invocation,
  by: (Pick<Principal, "keyId"> & Partial<Pick<Principal, "client">>) | null,
  event: {
    organizationId: string;
    action: AuditAction;
    targetId: string | Sql;
    operationId?: string;
    nowMs: number;
  },
  condition?: Sql,
): Statement<void> {
  const id = createId(runtime, "aud");
  return queries.insertedAuditEvent(
    {
      ...event,
      id,
      keyId: by?.keyId ?? null,
      client: by?.client ?? null,
      operationId: event.operationId ?? null,
      requestId,
    },
    condition,
  );
}

export async function listAuditEvents(
  caller: KeyCaller,
  input: {
    action?: AuditAction | undefined;
    request_id?: string | undefined;
    order?: "asc" | "desc" | undefined;
    limit?: number | undefined;
    cursor?: string | undefined;
  },
): Promise<{ items: AuditEvent[]; next_cursor: string | null; start: AuditStart | null }> {
  const { organizationId } = caller.principal;
  const { action = null, request_id: requestId = null, order = "desc" } = input;
  const scope: CursorScope = {
    list: "audit-events",
    owner: caller.principal,
    parameters: { action, requestId, order },
  };
  const limit = input.limit ?? PAGE_ITEMS_DEFAULT;
  const after = await fromCursor(scope, input.cursor, isId);
  const { events, scanEnd, start } = await queries.selectAuditEvents(caller.db, {
    organizationId,
    action,
    requestId,
    order,
    after,
    limit: limit + 1,
    rowsMax: caller.limits.scannedRows,
  });
  return { ...(await toPage(scope, events, { limit, positionOf: ({ id }) => id, scanEnd })), start };
}
