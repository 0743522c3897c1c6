import type * as contracts from "@engram/spec";
import type { RouteHandler } from "@hono/zod-openapi";
import type { AppEnv } from "../context.ts";
import * as usage from "../services/usage.ts";

export const listUsage: RouteHandler<typeof contracts.listUsage, AppEnv> = async (c) => {
  const { from, to, key_id: keyId, limit, cursor, include_total } = c.req.valid("query");
  const page = { from, to, keyId, limit, cursor, withTotal: include_total ?? false };
  return c.json(await usage.listUsage(c.var.request, page), 200);
};
