import type * as contracts from "@engram/spec";
import type { RouteHandler } from "@hono/zod-openapi";
import type { AppEnv } from "../context.ts";
import * as keys from "../services/keys.ts";

export const createKey: RouteHandler<typeof contracts.createKey, AppEnv> = async (c) => {
  const { name, scopes, agent_id, expires_at } = c.req.valid("json");
  const key = { name, scopes, agentId: agent_id ?? null, expiresAt: expires_at ?? null };
  return c.json(await keys.createKey(c.var.request, key, c.var.idempotency), 201);
};

export const listKeys: RouteHandler<typeof contracts.listKeys, AppEnv> = async (c) => {
  const { limit, cursor, include_total } = c.req.valid("query");
  return c.json(
    await keys.listKeys(c.var.request, { limit, cursor, withTotal: include_total ?? false }),
    200,
  );
};

export const getKey: RouteHandler<typeof contracts.getKey, AppEnv> = async (c) =>
  c.json(await keys.getKey(c.var.request, c.req.valid("param").key_id), 200);

export const revokeKey: RouteHandler<typeof contracts.revokeKey, AppEnv> = async (c) =>
  c.json(await keys.revokeKey(c.var.request, c.req.valid("param").key_id), 200);

export const rotateKey: RouteHandler<typeof contracts.rotateKey, AppEnv> = async (c) => {
  const { overlap_seconds, expires_at } = c.req.valid("json");
  const { key_id: id } = c.req.valid("param");
  const rotation = { id, overlapSeconds: overlap_seconds, expiresAt: expires_at ?? null };
  return c.json(await keys.rotateKey(c.var.request, rotation, c.var.idempotency), 201);
};
