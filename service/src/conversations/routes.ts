import type * as contracts from "@engram/spec";
import type { Handler } from "../http/handler.ts";
import { setReplayedHeader, toEtag, toExpectedVersions } from "../http/headers.ts";
import * as forks from "./forks.ts";
import * as conversations from "./service.ts";

export const createConversation: Handler<typeof contracts.createConversation> = async (c) => {
  const given = c.req.valid("json");
  const result = await conversations.createConversation(c.var.caller, given, c.var.idempotency);
  setReplayedHeader(c, result);
  c.header("etag", toEtag(result.answer.version));
  return c.json(result.answer.conversation, result.answer.created ? 201 : 200);
};

export const listConversations: Handler<typeof contracts.listConversations> = async (c) => {
  const {
    include_total: withTotal = false,
    include_last_message: withLast = false,
    limit,
    cursor,
    as_of: asOf,
    sort = asOf === undefined ? "updated_at" : "created_at",
    order,
    ...filter
  } = c.req.valid("query");
  const list = await conversations.listConversations(c.var.caller, {
    filter,
    sort,
    order,
    limit,
    cursor,
    withTotal,
    withLast,
    asOf,
  });
  return c.json(list, 200);
};

export const getConversation: Handler<typeof contracts.getConversation> = async (c) => {
  const { message_limit, from_sequence = 1, as_of: asOf } = c.req.valid("query");
  const { conversation, version, messages } = await conversations.getConversation(c.var.caller, {
    id: c.req.valid("param").conversation_id,
    messageLimit: message_limit,
    fromSequence: from_sequence,
    asOf,
  });
  // The version is that of today.
  if (asOf === undefined) c.header("etag", toEtag(version));
  return c.json({ ...conversation, messages }, 200);
};

export const updateConversation: Handler<typeof contracts.updateConversation> = async (c) => {
  const id = c.req.valid("param").conversation_id;
  const versions = toExpectedVersions(c.req.valid("header")["if-match"]);
  const changes = c.req.valid("json");
  const { conversation, version } = await conversations.updateConversation(
    c.var.caller,
    { id, versions },
    changes,
  );
  c.header("etag", toEtag(version));
  return c.json(conversation, 200);
};

export const forkConversation: Handler<typeof contracts.forkConversation> = async (c) => {
  const body = c.req.valid("json");
  const result = await forks.forkConversation(
    c.var.caller,
    {
      id: c.req.valid("param").conversation_id,
      toSequence: body.sequence ?? null,
      externalId: body.external_id ?? null,
      title: body.title ?? null,
    },
    c.var.idempotency,
  );
  setReplayedHeader(c, result);
  c.header("etag", toEtag(result.answer.version));
  return c.json(result.answer.conversation, 201);
};
