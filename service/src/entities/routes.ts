import type * as contracts from "@engram/spec";
import type { Handler } from "../http/handler.ts";
import * as entities from "./service.ts";

export const listEntities: Handler<typeof contracts.listEntities> = async (c) => {
  const { conversation_id, agent_id, user_id, ...list } = c.req.valid("query");
  const where = { conversationId: conversation_id, agentId: agent_id, userId: user_id };
  return c.json(await entities.listEntities(c.var.caller, { ...list, where }), 200);
};

export const listMentions: Handler<typeof contracts.listMentions> = async (c) => {
  const { limit, cursor, conversation_id, agent_id, user_id } = c.req.valid("query");
  const where = { conversationId: conversation_id, agentId: agent_id, userId: user_id };
  const { entity_id } = c.req.valid("param");
  return c.json(await entities.listMentions(c.var.caller, { id: entity_id, where, limit, cursor }), 200);
};
