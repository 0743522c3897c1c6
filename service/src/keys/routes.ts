import type * as contracts from "@engram/spec";
import type { Handler } from "../http/handler.ts";
import * as keys from "./service.ts";

export const createKey: Handler<typeof contracts.createKey> = async (c) => {
  const { name, scopes, agent_id = null, user_id = null, expires_at = null } = c.req.valid("json");
  const key = { name, scopes, agentId: agent_id, userId: user_id, expiresAt: expires_at };
  return c.json(await keys.createKey(c.var.caller, key, c.var.idempotency), 201);
};

export const listKeys: Handler<typeof contracts.listKeys> = async (c) => {
  return c.json(await keys.listKeys(c.var.caller, c.req.valid("query")), 200);
};

export const getKey: Handler<typeof contracts.getKey> = async (c) =>
  c.json(await keys.getKey(c.var.caller, c.req.valid("param").key_id), 200);

export const revokeKey: Handler<typeof contracts.revokeKey> = async (c) =>
  c.json(await keys.revokeKey(c.var.caller, c.req.valid("param").key_id), 200);

export const rotateKey: Handler<typeof contracts.rotateKey> = async (c) => {
  const { overlap_seconds, expires_at } = c.req.valid("json");
  const { key_id: id } = c.req.valid("param");
  const rotation = { id, overlapSeconds: overlap_seconds, expiresAt: expires_at ?? null };
  return c.json(await keys.rotateKey(c.var.caller, rotation, c.var.idempotency), 201);
};
