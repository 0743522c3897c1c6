import type { Handler } from "../http/handler.ts";
import { setReplayedHeader } from "../http/headers.ts";
import type * as contracts from "./contracts.ts";
import * as openai from "./service.ts";

export const createConversation: Handler<typeof contracts.createConversation> = async (c) => {
  const { items, ...given } = c.req.valid("json");
  const result = await openai.createConversation(
    c.var.caller,
    { ...given, items: items ?? [] },
    c.var.idempotency,
  );
  setReplayedHeader(c, result);
  return c.json(result.answer, 200);
};

export const getConversation: Handler<typeof contracts.getConversation> = async (c) =>
  c.json(await openai.getConversation(c.var.caller, c.req.valid("param").conversation_id), 200);

export const updateConversation: Handler<typeof contracts.updateConversation> = async (c) => {
  const { metadata } = c.req.valid("json");
  const id = c.req.valid("param").conversation_id;
  return c.json(await openai.updateConversation(c.var.caller, id, metadata ?? {}), 200);
};

export const deleteConversation: Handler<typeof contracts.deleteConversation> = async (c) =>
  c.json(await openai.deleteConversation(c.var.caller, c.req.valid("param").conversation_id), 200);

export const createItems: Handler<typeof contracts.createItems> = async (c) => {
  const { items } = c.req.valid("json");
  const conversationId = c.req.valid("param").conversation_id;
  const result = await openai.createItems(c.var.caller, { conversationId, items }, c.var.idempotency);
  setReplayedHeader(c, result);
  return c.json(result.answer, 200);
};

export const listItems: Handler<typeof contracts.listItems> = async (c) => {
  const { after, limit, order } = c.req.valid("query");
  const conversationId = c.req.valid("param").conversation_id;
  return c.json(await openai.listItems(c.var.caller, { conversationId, after, limit, order }), 200);
};

export const getItem: Handler<typeof contracts.getItem> = async (c) => {
  const { conversation_id: conversationId, item_id: itemId } = c.req.valid("param");
  return c.json(await openai.getItem(c.var.caller, { conversationId, itemId }), 200);
};

export const deleteItem: Handler<typeof contracts.deleteItem> = async (c) => {
  const { conversation_id: conversationId, item_id: itemId } = c.req.valid("param");
  return c.json(await openai.deleteItem(c.var.caller, { conversationId, itemId }), 200);
};
