import type * as contracts from "@engram/spec";
import type { Handler } from "../http/handler.ts";
import { setReplayedHeader } from "../http/headers.ts";
import * as pages from "./pages.ts";
import * as messages from "./service.ts";

export const appendMessages: Handler<typeof contracts.appendMessages> = async (c) => {
  const body = c.req.valid("json");
  const written = await messages.appendMessages(
    c.var.caller,
    {
      conversationId: c.req.valid("param").conversation_id,
      messages: body.messages,
      waitUntilIndexed: body.wait === "indexed",
    },
    c.var.idempotency,
  );
  setReplayedHeader(c, written);
  return c.json(written.answer, 201);
};

export const listMessages: Handler<typeof contracts.listMessages> = async (c) => {
  const list = await pages.listMessages(c.var.caller, { ...c.req.valid("query"), ...c.req.valid("param") });
  return c.json(list, 200);
};

export const getMessage: Handler<typeof contracts.getMessage> = async (c) => {
  const { conversation_id: conversationId, message_id: id } = c.req.valid("param");
  const { as_of: asOf } = c.req.valid("query");
  return c.json(await messages.getMessage(c.var.caller, { conversationId, id, asOf }), 200);
};

export const updateMessage: Handler<typeof contracts.updateMessage> = async (c) => {
  const { conversation_id: conversationId, message_id: id } = c.req.valid("param");
  const { content, metadata } = c.req.valid("json");
  return c.json(await messages.updateMessage(c.var.caller, { conversationId, id, content, metadata }), 200);
};

export const deleteMessage: Handler<typeof contracts.deleteMessage> = async (c) => {
  const { conversation_id: conversationId, message_id: id } = c.req.valid("param");
  const { forget = false } = c.req.valid("query");
  return c.json(await messages.deleteMessage(c.var.caller, { conversationId, id, forget }), 202);
};

export const replaceMessages: Handler<typeof contracts.replaceMessages> = async (c) => {
  const body = c.req.valid("json");
  const written = await messages.replaceMessages(
    c.var.caller,
    {
      conversationId: c.req.valid("param").conversation_id,
      expectedLastSequence: body.expected_last_sequence,
      fromSequence: body.from_sequence,
      messages: body.messages,
      waitUntilIndexed: body.wait === "indexed",
    },
    c.var.idempotency,
  );
  setReplayedHeader(c, written);
  return c.json(written.answer, 200);
};
