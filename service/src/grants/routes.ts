import type * as contracts from "@engram/spec";
import type { Handler } from "../http/handler.ts";
import * as grants from "./service.ts";

export const listGrants: Handler<typeof contracts.listGrants> = async (c) =>
  c.json(await grants.listGrants(c.var.caller, c.req.valid("query")), 200);

export const deleteGrant: Handler<typeof contracts.deleteGrant> = async (c) =>
  c.json(await grants.deleteGrant(c.var.caller, c.req.valid("param").grant_id), 200);
