import type * as contracts from "@engram/spec";
import type { RouteHandler } from "@hono/zod-openapi";
import type { AppEnv } from "../context.ts";
import * as searchIndex from "../services/search-index.ts";
import { markReplay } from "./headers.ts";

export const getIndexStatus: RouteHandler<typeof contracts.getIndexStatus, AppEnv> = async (c) =>
  c.json(await searchIndex.getIndexStatus(c.var.request, c.req.valid("query").conversation_id ?? null), 200);

export const repairIndex: RouteHandler<typeof contracts.repairIndex, AppEnv> = async (c) => {
  const { conversation_id } = c.req.valid("json");
  const once = await searchIndex.repairIndex(c.var.request, conversation_id ?? null, c.var.idempotency);
  markReplay(c, once);
  return c.json(once.answer, 202);
};
