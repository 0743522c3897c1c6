import type * as contracts from "@engram/spec";
import * as enrichment from "../enrichment/service.ts";
import type { Handler } from "../http/handler.ts";
import { setReplayedHeader, toEtag, toExpectedVersions, toMsOrNull } from "../http/headers.ts";
import * as memories from "./service.ts";

export const createMemory: Handler<typeof contracts.createMemory> = async (c) => {
  const { wait, check_conflicts: checksConflicts, ...memory } = c.req.valid("json");
  const input = { memory, checksConflicts, waitUntilIndexed: wait === "indexed" };
  const result = await memories.createMemory(c.var.caller, input, c.var.idempotency);
  setReplayedHeader(c, result);
  c.header("etag", toEtag(result.answer.version));
  const { memory: captured, conflicts, created } = result.answer;
  const body = conflicts === null ? captured : { ...captured, possible_conflicts: conflicts };
  return c.json(body, created ? 201 : 200);
};

export const putMemory: Handler<typeof contracts.putMemory> = async (c) => {
  const { wait, ...memory } = c.req.valid("json");
  const versions = toExpectedVersions(c.req.valid("header")["if-match"]);
  const input = { memory, versions, waitUntilIndexed: wait === "indexed" };
  const answer = await memories.putMemory(c.var.caller, input);
  c.header("etag", toEtag(answer.version));
  return c.json(answer.memory, answer.created ? 201 : 200);
};

export const createMemories: Handler<typeof contracts.createMemories> = async (c) => {
  const body = c.req.valid("json");
  const input = { memories: body.memories, waitUntilIndexed: body.wait === "indexed" };
  const result = await memories.createMemories(c.var.caller, input, c.var.idempotency);
  setReplayedHeader(c, result);
  return c.json(result.answer, 200);
};

export const listMemories: Handler<typeof contracts.listMemories> = async (c) => {
  const {
    include_total: withTotal = false,
    limit,
    cursor,
    sort,
    order,
    as_of: asOf,
    ...filter
  } = c.req.valid("query");
  const list = await memories.listMemories(c.var.caller, {
    filter,
    sort,
    order,
    limit,
    cursor,
    withTotal,
    asOf,
  });
  return c.json(list, 200);
};

export const getMemory: Handler<typeof contracts.getMemory> = async (c) => {
  const { as_of: asOf } = c.req.valid("query");
  const id = c.req.valid("param").memory_id;
  const { memory, version, chunks } = await memories.getMemory(c.var.caller, id, asOf);
  // The version is that of today.
  if (asOf === undefined) c.header("etag", toEtag(version));
  return c.json({ ...memory, chunks }, 200);
};

export const listMemoryVersions: Handler<typeof contracts.listMemoryVersions> = async (c) => {
  const { limit, cursor } = c.req.valid("query");
  const input = { id: c.req.valid("param").memory_id, limit, cursor };
  return c.json(await memories.listMemoryVersions(c.var.caller, input), 200);
};

export const updateMemory: Handler<typeof contracts.updateMemory> = async (c) => {
  const body = c.req.valid("json");
  const { content, user_id, shared, sources, source, tags, summary, metadata } = body;
  const { memory, version } = await memories.updateMemory(c.var.caller, {
    id: c.req.valid("param").memory_id,
    versions: toExpectedVersions(c.req.valid("header")["if-match"]),
    content,
    userId: user_id,
    shared,
    sources,
    source,
    tags,
    summary,
    metadata,
    validFromMs: toMsOrNull(body.valid_from),
    validUntilMs: toMsOrNull(body.valid_until),
    occurredAtMs: toMsOrNull(body.occurred_at),
    expiresAtMs: toMsOrNull(body.expires_at),
  });
  c.header("etag", toEtag(version));
  return c.json(memory, 200);
};

export const enrichMemories: Handler<typeof contracts.enrichMemories> = async (c) => {
  const { filter } = c.req.valid("json");
  const result = await enrichment.enrichMemories(c.var.caller, filter, c.var.idempotency);
  setReplayedHeader(c, result);
  return c.json(result.answer, 202);
};
