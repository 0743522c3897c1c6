import type * as contracts from "@engram/spec";
import type { RouteHandler } from "@hono/zod-openapi";
import type { AppEnv } from "../context.ts";
import * as imports from "../services/imports.ts";
import { markReplay } from "./headers.ts";

export const beginImport: RouteHandler<typeof contracts.beginImport, AppEnv> = async (c) => {
  const { lines } = c.req.valid("json");
  const once = await imports.beginImport(c.var.request, lines ?? null, c.var.idempotency);
  markReplay(c, once);
  return c.json(once.answer, 202);
};

export const importConversations: RouteHandler<typeof contracts.importConversations, AppEnv> = async (c) => {
  const { operation_id, after_line, last } = c.req.valid("query");
  const part =
    operation_id === undefined
      ? null
      : {
          operationId: operation_id,
          afterLine: after_line ?? 0,
          lines: c.var.lineCount,
          isLast: last ?? false,
        };
  const body = { lines: c.var.lines, lineCount: c.var.lineCount };
  return c.json(await imports.importConversations(c.var.request, body, part), 200);
};
