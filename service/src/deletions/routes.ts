import type * as contracts from "@engram/spec";
import type { Handler } from "../http/handler.ts";
import { setReplayedHeader, toExpectedVersions } from "../http/headers.ts";
import * as deletions from "./service.ts";

export const deleteConversation: Handler<typeof contracts.deleteConversation> = async (c) => {
  const id = c.req.valid("param").conversation_id;
  const versions = toExpectedVersions(c.req.valid("header")["if-match"]);
  const { forget = false } = c.req.valid("query");
  return c.json(await deletions.deleteOne(c.var.caller, "conversations", { id, versions, forget }), 202);
};

export const deleteConversations: Handler<typeof contracts.deleteConversations> = async (c) => {
  const { filter, dry_run, forget } = c.req.valid("json");
  if (dry_run) return c.json(await deletions.countConversations(c.var.caller, filter), 200);
  const result = await deletions.deleteFiltered(
    c.var.caller,
    "conversations",
    { filter, forget },
    c.var.idempotency,
  );
  setReplayedHeader(c, result);
  return c.json(result.answer, 202);
};

export const deleteMemory: Handler<typeof contracts.deleteMemory> = async (c) => {
  const id = c.req.valid("param").memory_id;
  const versions = toExpectedVersions(c.req.valid("header")["if-match"]);
  const { forget = false } = c.req.valid("query");
  return c.json(await deletions.deleteOne(c.var.caller, "memories", { id, versions, forget }), 202);
};

export const deleteMemories: Handler<typeof contracts.deleteMemories> = async (c) => {
  const { filter = {}, dry_run, forget } = c.req.valid("json");
  if (dry_run) return c.json(await deletions.countMemories(c.var.caller, filter), 200);
  const result = await deletions.deleteFiltered(
    c.var.caller,
    "memories",
    { filter, forget },
    c.var.idempotency,
  );
  setReplayedHeader(c, result);
  return c.json(result.answer, 202);
};
