import type * as contracts from "@engram/spec";
import type { Handler } from "../http/handler.ts";
import * as usage from "./service.ts";

export const listUsage: Handler<typeof contracts.listUsage> = async (c) => {
  const { from, to, key_id: keyId, group_by, limit, cursor } = c.req.valid("query");
  const page = { from, to, keyId, limit, cursor };
  if (group_by === undefined) return c.json(await usage.listUsage(c.var.caller, page), 200);
  return c.json(await usage.listUsageGroups(c.var.caller, { ...page, groupBy: group_by }), 200);
};
