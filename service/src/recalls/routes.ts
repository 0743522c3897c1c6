import type * as contracts from "@engram/spec";
import type { Handler } from "../http/handler.ts";
import * as recalls from "./service.ts";

export const listRecalls: Handler<typeof contracts.listRecalls> = async (c) =>
  c.json(await recalls.listRecalls(c.var.caller, c.req.valid("query")), 200);

export const getRecall: Handler<typeof contracts.getRecall> = async (c) =>
  c.json(await recalls.getRecall(c.var.caller, c.req.valid("param").recall_id), 200);

export const updateRecall: Handler<typeof contracts.updateRecall> = async (c) =>
  c.json(await recalls.updateRecall(c.var.caller, c.req.valid("param").recall_id, c.req.valid("json")), 200);
