import type * as contracts from "@engram/spec";
import type { Handler } from "../http/handler.ts";
import * as operations from "./service.ts";

export const listOperations: Handler<typeof contracts.listOperations> = async (c) => {
  const { type, status, limit, cursor } = c.req.valid("query");
  const list = { type, status, limit, cursor };
  return c.json(await operations.listOperations(c.var.caller, list), 200);
};

export const getOperation: Handler<typeof contracts.getOperation> = async (c) => {
  const { operation_id: id } = c.req.valid("param");
  return c.json(await operations.getOperation(c.var.caller, id), 200);
};

export const cancelOperation: Handler<typeof contracts.cancelOperation> = async (c) => {
  const { operation_id: id } = c.req.valid("param");
  return c.json(await operations.cancelOperation(c.var.caller, id), 200);
};
