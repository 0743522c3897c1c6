import type * as contracts from "@engram/spec";
import type { RouteHandler, z } from "@hono/zod-openapi";
import type { AppEnv } from "../context.ts";
import * as deletions from "../services/conversation-deletions.ts";
import * as conversations from "../services/conversations.ts";
import * as forks from "../services/forks.ts";
import { markReplay, toEtag, toMs, toVersion } from "./headers.ts";

type Filter = z.infer<typeof contracts.DeleteConversationsBody>["filter"] & {
  external_id?: string | undefined;
};

const toFilter = (filter: Filter) => ({
  agentId: filter.agent_id,
  userId: filter.user_id,
  externalId: filter.external_id,
  tagsAny: filter.tags_any,
  tagsAll: filter.tags_all,
  createdAfterMs: toMs(filter.created_after),
  createdBeforeMs: toMs(filter.created_before),
  metadata: filter.metadata,
});

export const createConversation: RouteHandler<typeof contracts.createConversation, AppEnv> = async (c) => {
  const body = c.req.valid("json");
  const once = await conversations.createConversation(
    c.var.request,
    {
      externalId: body.external_id ?? null,
      title: body.title ?? null,
      agentId: body.agent_id ?? null,
      userId: body.user_id ?? null,
      tags: body.tags ?? [],
      metadata: body.metadata ?? {},
    },
    c.var.idempotency,
  );
  markReplay(c, once);
  c.header("etag", toEtag(once.answer.version));
  return c.json(once.answer.conversation, once.answer.created ? 201 : 200);
};

export const listConversations: RouteHandler<typeof contracts.listConversations, AppEnv> = async (c) => {
  const query = c.req.valid("query");
  const list = await conversations.listConversations(c.var.request, {
    filter: toFilter(query),
    sort: query.sort,
    order: query.order,
    limit: query.limit,
    cursor: query.cursor,
    withTotal: query.include_total ?? false,
  });
  return c.json(list, 200);
};

export const getConversation: RouteHandler<typeof contracts.getConversation, AppEnv> = async (c) => {
  const { message_limit, message_cursor } = c.req.valid("query");
  const { conversation, version, messages } = await conversations.getConversation(c.var.request, {
    id: c.req.valid("param").conversation_id,
    messageLimit: message_limit,
    messageCursor: message_cursor,
  });
  c.header("etag", toEtag(version));
  return c.json({ ...conversation, messages }, 200);
};

export const updateConversation: RouteHandler<typeof contracts.updateConversation, AppEnv> = async (c) => {
  const body = c.req.valid("json");
  const { conversation, version } = await conversations.updateConversation(c.var.request, {
    id: c.req.valid("param").conversation_id,
    version: toVersion(c.req.valid("header")["if-match"]),
    title: body.title,
    tags: body.tags,
    metadata: body.metadata,
  });
  c.header("etag", toEtag(version));
  return c.json(conversation, 200);
};

export const deleteConversation: RouteHandler<typeof contracts.deleteConversation, AppEnv> = async (c) => {
  const id = c.req.valid("param").conversation_id;
  const version = toVersion(c.req.valid("header")["if-match"]);
  return c.json(await deletions.deleteOne(c.var.request, "conversations", { id, version }), 202);
};

export const deleteConversations: RouteHandler<typeof contracts.deleteConversations, AppEnv> = async (c) => {
  const body = c.req.valid("json");
  const filter = toFilter(body.filter);
  if (body.dry_run) return c.json(await deletions.countConversations(c.var.request, filter), 200);
  const once = await deletions.deleteFiltered(c.var.request, "conversations", filter, c.var.idempotency);
  markReplay(c, once);
  return c.json(once.answer, 202);
};

export const forkConversation: RouteHandler<typeof contracts.forkConversation, AppEnv> = async (c) => {
  const body = c.req.valid("json");
  const once = await forks.forkConversation(
    c.var.request,
    {
      id: c.req.valid("param").conversation_id,
      toSequence: body.sequence ?? null,
      externalId: body.external_id ?? null,
      title: body.title ?? null,
    },
    c.var.idempotency,
  );
  markReplay(c, once);
  c.header("etag", toEtag(once.answer.version));
  return c.json(once.answer.conversation, 201);
};
