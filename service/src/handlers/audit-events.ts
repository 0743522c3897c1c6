import type * as contracts from "@engram/spec";
import type { RouteHandler } from "@hono/zod-openapi";
import type { AppEnv } from "../context.ts";
import * as auditEvents from "../services/audit-events.ts";

export const listAuditEvents: RouteHandler<typeof contracts.listAuditEvents, AppEnv> = async (c) => {
  const { action, limit, cursor, include_total } = c.req.valid("query");
  const page = { action, limit, cursor, withTotal: include_total ?? false };
  return c.json(await auditEvents.listAuditEvents(c.var.request, page), 200);
};
