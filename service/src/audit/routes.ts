import type * as contracts from "@engram/spec";
import type { Handler } from "../http/handler.ts";
import * as auditEvents from "./service.ts";

export const listAuditEvents: Handler<typeof contracts.listAuditEvents> = async (c) => {
  return c.json(await auditEvents.listAuditEvents(c.var.caller, c.req.valid("query")), 200);
};
