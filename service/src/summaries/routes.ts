import type * as contracts from "@engram/spec";
import type { Handler } from "../http/handler.ts";
import * as summaries from "./service.ts";

export const listSummaries: Handler<typeof contracts.listSummaries> = async (c) => {
  const { from_sequence: fromSequence, to_sequence: toSequence, ...list } = c.req.valid("query");
  const { conversation_id: conversationId } = c.req.valid("param");
  const page = await summaries.listSummaries(c.var.caller, {
    ...list,
    ...{ conversationId, fromSequence, toSequence },
  });
  return c.json(page, 200);
};

export const createSummaries: Handler<typeof contracts.createSummaries> = async (c) =>
  c.json(await summaries.createSummaries(c.var.caller, c.req.valid("param").conversation_id), 202);
