import type * as contracts from "@engram/spec";
import type { Handler } from "../http/handler.ts";
import * as auditEvents from "./service.ts";

export const listAuditEvents: Handler<typeof contracts.listAuditEvents> = async (c) => {
  const { action, limit, cursor, include_total } = c.req.valid("query");
  const page = { action, limit, cursor, withTotal: include_total ?? false };
  return c.json(await auditEvents.listAuditEvents(c.var.caller, page), 200);
};
