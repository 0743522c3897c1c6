import type * as contracts from "@engram/spec";
import type { Handler } from "../http/handler.ts";
import { publicHosts } from "../http/public-urls.ts";
import type { Env } from "../invocation.ts";
import * as webhooks from "./service.ts";

export const createWebhook: Handler<typeof contracts.createWebhook> = async (c) => {
  const { url, types = null, enabled, after } = c.req.valid("json");
  const input = { url, types, isEnabled: enabled, after, ownHosts: ownHostsOf(c.req.url, c.env) };
  return c.json(await webhooks.createWebhook(c.var.caller, input, c.var.idempotency), 201);
};

export const listWebhooks: Handler<typeof contracts.listWebhooks> = async (c) =>
  c.json({ items: await webhooks.listWebhooks(c.var.caller) }, 200);

export const getWebhook: Handler<typeof contracts.getWebhook> = async (c) =>
  c.json(await webhooks.getWebhook(c.var.caller, c.req.valid("param").webhook_id), 200);

export const updateWebhook: Handler<typeof contracts.updateWebhook> = async (c) => {
  const { url, types, enabled, after } = c.req.valid("json");
  const input = { url, types, isEnabled: enabled, after, ownHosts: ownHostsOf(c.req.url, c.env) };
  return c.json(await webhooks.updateWebhook(c.var.caller, c.req.valid("param").webhook_id, input), 200);
};

export const deleteWebhook: Handler<typeof contracts.deleteWebhook> = async (c) =>
  c.json(await webhooks.deleteWebhook(c.var.caller, c.req.valid("param").webhook_id), 200);

export const rotateWebhook: Handler<typeof contracts.rotateWebhook> = async (c) =>
  c.json(await webhooks.rotateWebhook(c.var.caller, c.req.valid("param").webhook_id), 200);

export const testWebhook: Handler<typeof contracts.testWebhook> = async (c) =>
  c.json(await webhooks.testWebhook(c.var.caller, c.req.valid("param").webhook_id), 200);

export const listDeliveries: Handler<typeof contracts.listDeliveries> = async (c) => {
  const { status, limit, cursor } = c.req.valid("query");
  const { webhook_id: id } = c.req.valid("param");
  return c.json(await webhooks.listDeliveries(c.var.caller, id, { status, limit, cursor }), 200);
};

export const resumeWebhook: Handler<typeof contracts.resumeWebhook> = async (c) =>
  c.json(await webhooks.resumeWebhook(c.var.caller, c.req.valid("param").webhook_id), 200);

export const skipDelivery: Handler<typeof contracts.skipDelivery> = async (c) => {
  const { webhook_id, delivery_id } = c.req.valid("param");
  return c.json(await webhooks.skipDelivery(c.var.caller, webhook_id, delivery_id), 200);
};

/** The host of the request, and those that requests may name. */
const ownHostsOf = (url: string, env: Env): string[] =>
  [new URL(url).hostname, ...(env.ALLOWED_HOSTS ?? "").split(","), ...publicHosts(env)]
    .map((name) => name.trim().toLowerCase().replace(/:\d+$/, ""))
    .filter((name) => name !== "");
