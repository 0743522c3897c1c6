import { type exportConversations as contract, NDJSON_TYPE } from "@engram/spec";
import type { RouteHandler } from "@hono/zod-openapi";
import type { AppEnv } from "../context.ts";
import * as exports from "../services/exports.ts";

export const exportConversations: RouteHandler<typeof contract, AppEnv> = async (c) => {
  const { after_conversation_id: conversationId, after_sequence: sequence = 0 } = c.req.valid("query");
  const after = conversationId === undefined ? null : { conversationId, sequence };
  const lines = await exports.exportConversations(c.var.request, after);
  c.header("content-type", NDJSON_TYPE);
  if (c.req.method === "HEAD") {
    // Pages would wait for who asks for the headers alone.
    await lines.cancel();
    return c.body(null, 200) as never;
  }
  // The contract types one line; a stream of them has no type to hold against it.
  return c.body(lines, 200) as never;
};
