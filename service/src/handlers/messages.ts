import type * as contracts from "@engram/spec";
import type { RouteHandler } from "@hono/zod-openapi";
import type { AppEnv } from "../context.ts";
import * as pages from "../services/message-pages.ts";
import * as messages from "../services/messages.ts";
import { markReplay } from "./headers.ts";

export const appendMessages: RouteHandler<typeof contracts.appendMessages, AppEnv> = async (c) => {
  const body = c.req.valid("json");
  const once = await messages.appendMessages(
    c.var.request,
    {
      conversationId: c.req.valid("param").conversation_id,
      messages: body.messages,
      waitUntilIndexed: body.wait === "indexed",
    },
    c.var.idempotency,
  );
  markReplay(c, once);
  return c.json(once.answer, 201);
};

export const listMessages: RouteHandler<typeof contracts.listMessages, AppEnv> = async (c) => {
  const query = c.req.valid("query");
  const list = await pages.listMessages(c.var.request, {
    conversationId: c.req.valid("param").conversation_id,
    limit: query.limit,
    cursor: query.cursor,
    withTotal: query.include_total ?? false,
    fromSequence: query.from_sequence,
    toSequence: query.to_sequence,
    newest: query.newest,
    around: query.around,
    before: query.before,
    after: query.after,
  });
  return c.json(list, 200);
};

export const getMessage: RouteHandler<typeof contracts.getMessage, AppEnv> = async (c) => {
  const { conversation_id: conversationId, message_id: id } = c.req.valid("param");
  return c.json(await messages.getMessage(c.var.request, { conversationId, id }), 200);
};

export const updateMessage: RouteHandler<typeof contracts.updateMessage, AppEnv> = async (c) => {
  const { conversation_id: conversationId, message_id: id } = c.req.valid("param");
  const { content, metadata } = c.req.valid("json");
  return c.json(await messages.updateMessage(c.var.request, { conversationId, id, content, metadata }), 200);
};

export const deleteMessage: RouteHandler<typeof contracts.deleteMessage, AppEnv> = async (c) => {
  const { conversation_id: conversationId, message_id: id } = c.req.valid("param");
  return c.json(await messages.deleteMessage(c.var.request, { conversationId, id }), 202);
};

export const replaceMessages: RouteHandler<typeof contracts.replaceMessages, AppEnv> = async (c) => {
  const body = c.req.valid("json");
  const once = await messages.replaceMessages(
    c.var.request,
    {
      conversationId: c.req.valid("param").conversation_id,
      expectedLastSequence: body.expected_last_sequence,
      fromSequence: body.from_sequence,
      messages: body.messages,
      waitUntilIndexed: body.wait === "indexed",
    },
    c.var.idempotency,
  );
  markReplay(c, once);
  return c.json(once.answer, 200);
};
