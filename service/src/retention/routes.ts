import type * as contracts from "@engram/spec";
import type { Handler } from "../http/handler.ts";
import { setReplayedHeader } from "../http/headers.ts";
import * as retention from "./service.ts";

export const createRetentionRule: Handler<typeof contracts.createRetentionRule> = async (c) => {
  const result = await retention.createRetentionRule(c.var.caller, c.req.valid("json"), c.var.idempotency);
  setReplayedHeader(c, result);
  return c.json(result.answer, 201);
};

export const listRetentionRules: Handler<typeof contracts.listRetentionRules> = async (c) =>
  c.json({ items: await retention.listRetentionRules(c.var.caller) }, 200);

export const previewRetentionRule: Handler<typeof contracts.previewRetentionRule> = async (c) =>
  c.json(await retention.previewRetentionRule(c.var.caller, c.req.valid("json")), 200);

export const getRetentionRule: Handler<typeof contracts.getRetentionRule> = async (c) =>
  c.json(await retention.getRetentionRule(c.var.caller, c.req.valid("param").rule_id), 200);

export const updateRetentionRule: Handler<typeof contracts.updateRetentionRule> = async (c) => {
  const id = c.req.valid("param").rule_id;
  return c.json(await retention.updateRetentionRule(c.var.caller, id, c.req.valid("json")), 200);
};

export const deleteRetentionRule: Handler<typeof contracts.deleteRetentionRule> = async (c) =>
  c.json(await retention.deleteRetentionRule(c.var.caller, c.req.valid("param").rule_id), 200);
