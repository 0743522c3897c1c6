import type * as contracts from "@engram/spec";
import type { Handler } from "../http/handler.ts";
import * as contexts from "./service.ts";

export const getContext: Handler<typeof contracts.getContext> = async (c) => {
  const {
    query,
    conversation_id,
    user_id,
    agent_id,
    metadata,
    max_tokens,
    shares,
    min_relevance,
    valid_at,
    as_of,
  } = c.req.valid("json");
  const context = await contexts.getContext(c.var.caller, {
    query,
    conversationId: conversation_id,
    userId: user_id,
    agentId: agent_id,
    metadata,
    tokensMax: max_tokens,
    shares,
    minRelevance: min_relevance,
    validAt: valid_at,
    asOf: as_of,
  });
  return c.json(context, 200);
};
