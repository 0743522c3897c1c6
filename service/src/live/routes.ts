import type * as contracts from "@engram/spec";
import type { Handler } from "../http/handler.ts";
import * as live from "./service.ts";

export const createTicket: Handler<typeof contracts.createTicket> = async (c) => {
  const {
    ttl_seconds,
    conversation_id = null,
    agent_id = null,
    user_id = null,
    origin = null,
    include_key_events,
  } = c.req.valid("json");
  const input = {
    seconds: ttl_seconds,
    includeKeyEvents: include_key_events,
    conversationId: conversation_id,
    agentId: agent_id,
    userId: user_id,
    origin,
  };
  return c.json(await live.createTicket(c.var.caller, c.env.HUB, input), 201);
};

export const broadcast: Handler<typeof contracts.broadcast> = async (c) => {
  const { conversation_id: conversationId } = c.req.valid("param");
  const { value } = c.req.valid("json");
  const listeners = await live.broadcast(c.var.caller, c.env.HUB, { conversationId, value });
  return c.json({ listeners }, 200);
};

export const listPresences: Handler<typeof contracts.listPresences> = async (c) => {
  const { conversation_id: conversationId } = c.req.valid("param");
  return c.json({ items: await live.listPresences(c.var.caller, c.env.HUB, conversationId) }, 200);
};

export const setPresence: Handler<typeof contracts.setPresence> = async (c) => {
  const { conversation_id: conversationId } = c.req.valid("param");
  const { state, ttl_seconds: seconds } = c.req.valid("json");
  return c.json(await live.setPresence(c.var.caller, c.env.HUB, { conversationId, state, seconds }), 200);
};
