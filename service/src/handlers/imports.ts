import type * as contracts from "@engram/spec";
import type { RouteHandler } from "@hono/zod-openapi";
import type { AppEnv } from "../context.ts";
import * as imports from "../services/imports.ts";

export const importConversations: RouteHandler<typeof contracts.importConversations, AppEnv> = async (c) =>
  c.json(await imports.importConversations(c.var.request, c.var.lines), 200);
