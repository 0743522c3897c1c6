import type * as contracts from "@engram/spec";
import type { RouteHandler } from "@hono/zod-openapi";
import type { AppEnv } from "../context.ts";
import * as health from "../services/health.ts";

export const getHealth: RouteHandler<typeof contracts.getHealth, AppEnv> = (c) =>
  c.json({ status: "ok" as const }, 200);

export const getReadiness: RouteHandler<typeof contracts.getReadiness, AppEnv> = async (c) =>
  c.json(await health.getReadiness(c.var.service), 200);
