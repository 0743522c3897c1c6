import type * as contracts from "@engram/spec";
import type { Handler } from "../http/handler.ts";
import * as tombstones from "./service.ts";

export const listTombstones: Handler<typeof contracts.listTombstones> = async (c) => {
  const { limit, cursor } = c.req.valid("query");
  return c.json(await tombstones.listTombstones(c.var.caller, { limit, cursor }), 200);
};

export const deleteTombstone: Handler<typeof contracts.deleteTombstone> = async (c) =>
  c.json(await tombstones.deleteTombstone(c.var.caller, c.req.valid("param").tombstone_id), 200);
