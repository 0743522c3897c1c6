import type * as contracts from "@engram/spec";
import type { RouteHandler } from "@hono/zod-openapi";
import type { AppEnv } from "../context.ts";
import * as operations from "../services/operations.ts";

export const getOperation: RouteHandler<typeof contracts.getOperation, AppEnv> = async (c) => {
  const owner = c.var.isOperator ? null : c.var.request.principal;
  const { operation_id: id } = c.req.valid("param");
  return c.json(await operations.getOperation(c.var.service, { owner, id }), 200);
};
