import { type exportConversations as contract, NDJSON_TYPE } from "@engram/spec";
import type { z } from "@hono/zod-openapi";
import type { Handler } from "../http/handler.ts";
import { streamed } from "../http/streams.ts";
import * as exports from "./exports.ts";

export const exportConversations: Handler<typeof contract> = async (c) => {
  const query = c.req.valid("query");
  const lines = await exports.exportConversations(c.var.caller, {
    userId: query.user_id ?? null,
    after: toPosition(query),
  });
  // In the contract, the type of the body is that of a single line, so the type of the stream does not match.
  return (await streamed(c, NDJSON_TYPE, lines)) as never;
};

function toPosition(query: z.infer<typeof contract.request.query>) {
  const { after_conversation_id, after_sequence = 0, after_memory_id } = query;
  if (after_memory_id !== undefined) return { id: after_memory_id, sequence: 1 };
  return after_conversation_id === undefined ? null : { id: after_conversation_id, sequence: after_sequence };
}
