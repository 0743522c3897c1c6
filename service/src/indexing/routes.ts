import type * as contracts from "@engram/spec";
import type { Handler } from "../http/handler.ts";
import { setReplayedHeader } from "../http/headers.ts";
import * as searchIndex from "./service.ts";

export const getIndexStatus: Handler<typeof contracts.getIndexStatus> = async (c) =>
  c.json(await searchIndex.getIndexStatus(c.var.caller, c.req.valid("query").conversation_id ?? null), 200);

export const repairIndex: Handler<typeof contracts.repairIndex> = async (c) => {
  const { conversation_id } = c.req.valid("json");
  const result = await searchIndex.repairIndex(c.var.caller, conversation_id ?? null, c.var.idempotency);
  setReplayedHeader(c, result);
  return c.json(result.answer, 202);
};
