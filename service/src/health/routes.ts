import type * as contracts from "@engram/spec";
import type { Handler } from "../http/handler.ts";
import * as health from "./service.ts";

export const getHealth: Handler<typeof contracts.getHealth> = (c) => c.json({ status: "ok" as const }, 200);

export const getReadiness: Handler<typeof contracts.getReadiness> = async (c) =>
  c.json(await health.getReadiness(c.var.caller), 200);
