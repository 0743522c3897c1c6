import type * as contracts from "@engram/spec";
import type { RouteHandler } from "@hono/zod-openapi";
import type { AppEnv } from "../context.ts";

export const getHealth: RouteHandler<typeof contracts.getHealth, AppEnv> = (c) =>
  c.json({ status: "ok" as const }, 200);
