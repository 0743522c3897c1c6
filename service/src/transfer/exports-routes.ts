import { type exportData as contract, NDJSON_TYPE } from "@engram/spec";
import type { z } from "@hono/zod-openapi";
import type { Handler } from "../http/handler.ts";
import { streamed } from "../http/streams.ts";
import * as exports from "./exports.ts";

export const exportData: Handler<typeof contract> = async (c) => {
  const query = c.req.valid("query");
  const lines = await exports.exportData(c.var.caller, {
    userId: query.user_id ?? null,
    after: toPosition(query),
    asOf: query.as_of,
  });
  // In the contract, the type of the body is that of a single line, so the type of the stream does not match.
  return (await streamed(c, NDJSON_TYPE, lines)) as never;
};

function toPosition({
  after: id,
  after_sequence = 0,
  after_version,
}: z.infer<typeof contract.request.query>) {
  if (id === undefined) return null;
  if (id.startsWith("rcl_")) return { recall: id };
  if (after_version !== undefined) return { id, version: after_version };
  return { id, sequence: id.startsWith("mem_") ? 1 : after_sequence };
}
