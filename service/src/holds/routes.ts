import type * as contracts from "@engram/spec";
import type { Handler } from "../http/handler.ts";
import { setReplayedHeader } from "../http/headers.ts";
import * as holds from "./service.ts";

export const createHold: Handler<typeof contracts.createHold> = async (c) => {
  const result = await holds.createHold(c.var.caller, c.req.valid("json"), c.var.idempotency);
  setReplayedHeader(c, result);
  return c.json(result.answer, 201);
};

export const listHolds: Handler<typeof contracts.listHolds> = async (c) => {
  const { status, limit, cursor } = c.req.valid("query");
  return c.json(await holds.listHolds(c.var.caller, { status, limit, cursor }), 200);
};

export const getHold: Handler<typeof contracts.getHold> = async (c) =>
  c.json(await holds.getHold(c.var.caller, c.req.valid("param").hold_id), 200);

export const liftHold: Handler<typeof contracts.liftHold> = async (c) =>
  c.json(await holds.liftHold(c.var.caller, c.req.valid("param").hold_id), 200);
