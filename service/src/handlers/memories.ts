import type * as contracts from "@engram/spec";
import type { RouteHandler, z } from "@hono/zod-openapi";
import type { AppEnv } from "../context.ts";
import * as deletions from "../services/conversation-deletions.ts";
import * as enrichment from "../services/enrichment.ts";
import * as memories from "../services/memories.ts";
import { markReplay, toEtag, toMs, toVersion } from "./headers.ts";

type Filter = NonNullable<z.infer<typeof contracts.DeleteMemoriesBody>["filter"]>;

const toFilter = (filter: Filter) => ({
  agentId: filter.agent_id,
  kind: filter.kind,
  source: filter.source,
  tagsAny: filter.tags_any,
  tagsAll: filter.tags_all,
  createdAfterMs: toMs(filter.created_after),
  createdBeforeMs: toMs(filter.created_before),
  metadata: filter.metadata,
});

export const createMemory: RouteHandler<typeof contracts.createMemory, AppEnv> = async (c) => {
  const { wait, ...memory } = c.req.valid("json");
  const input = { memory, waitUntilIndexed: wait === "indexed" };
  const once = await memories.createMemory(c.var.request, input, c.var.idempotency);
  markReplay(c, once);
  c.header("etag", toEtag(once.answer.version));
  return c.json(once.answer.memory, once.answer.created ? 201 : 200);
};

export const createMemories: RouteHandler<typeof contracts.createMemories, AppEnv> = async (c) => {
  const body = c.req.valid("json");
  const input = { memories: body.memories, waitUntilIndexed: body.wait === "indexed" };
  const once = await memories.createMemories(c.var.request, input, c.var.idempotency);
  markReplay(c, once);
  return c.json(once.answer, 200);
};

export const listMemories: RouteHandler<typeof contracts.listMemories, AppEnv> = async (c) => {
  const query = c.req.valid("query");
  const list = await memories.listMemories(c.var.request, {
    filter: toFilter(query),
    sort: query.sort,
    order: query.order,
    limit: query.limit,
    cursor: query.cursor,
    withTotal: query.include_total ?? false,
  });
  return c.json(list, 200);
};

export const getMemory: RouteHandler<typeof contracts.getMemory, AppEnv> = async (c) => {
  const { memory, version, chunks } = await memories.getMemory(c.var.request, c.req.valid("param").memory_id);
  c.header("etag", toEtag(version));
  return c.json({ ...memory, chunks }, 200);
};

export const updateMemory: RouteHandler<typeof contracts.updateMemory, AppEnv> = async (c) => {
  const { content, source, tags, summary, metadata } = c.req.valid("json");
  const { memory, version } = await memories.updateMemory(c.var.request, {
    id: c.req.valid("param").memory_id,
    version: toVersion(c.req.valid("header")["if-match"]),
    content,
    source,
    tags,
    summary,
    metadata,
  });
  c.header("etag", toEtag(version));
  return c.json(memory, 200);
};

export const deleteMemory: RouteHandler<typeof contracts.deleteMemory, AppEnv> = async (c) => {
  const id = c.req.valid("param").memory_id;
  const version = toVersion(c.req.valid("header")["if-match"]);
  return c.json(await deletions.deleteOne(c.var.request, "memories", { id, version }), 202);
};

export const deleteMemories: RouteHandler<typeof contracts.deleteMemories, AppEnv> = async (c) => {
  const body = c.req.valid("json");
  const filter = toFilter(body.filter ?? {});
  if (body.dry_run) return c.json(await deletions.countMemories(c.var.request, filter), 200);
  const once = await deletions.deleteFiltered(c.var.request, "memories", filter, c.var.idempotency);
  markReplay(c, once);
  return c.json(once.answer, 202);
};

export const enrichMemories: RouteHandler<typeof contracts.enrichMemories, AppEnv> = async (c) => {
  const filter = toFilter(c.req.valid("json").filter);
  const once = await enrichment.enrichMemories(c.var.request, filter, c.var.idempotency);
  markReplay(c, once);
  return c.json(once.answer, 202);
};
