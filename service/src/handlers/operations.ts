import type * as contracts from "@engram/spec";
import type { RouteHandler } from "@hono/zod-openapi";
import type { AppEnv } from "../context.ts";
import * as operations from "../services/operations.ts";

export const listOperations: RouteHandler<typeof contracts.listOperations, AppEnv> = async (c) => {
  const { type, status, limit, cursor, include_total } = c.req.valid("query");
  const list = { type, status, limit, cursor, withTotal: include_total ?? false };
  return c.json(await operations.listOperations(c.var.request, list), 200);
};

export const getOperation: RouteHandler<typeof contracts.getOperation, AppEnv> = async (c) => {
  const owner = c.var.isOperator ? null : c.var.request.principal;
  const { operation_id: id } = c.req.valid("param");
  return c.json(await operations.getOperation(c.var.service, { owner, id }), 200);
};

export const cancelOperation: RouteHandler<typeof contracts.cancelOperation, AppEnv> = async (c) => {
  const principal = c.var.isOperator ? null : c.var.request.principal;
  const { operation_id: id } = c.req.valid("param");
  return c.json(await operations.cancelOperation(c.var.service, { id, principal }), 200);
};
