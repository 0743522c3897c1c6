import type * as contracts from "@engram/spec";
import type { Handler } from "../http/handler.ts";
import * as users from "./service.ts";

export const listUsers: Handler<typeof contracts.listUsers> = async (c) => {
  const { limit, cursor } = c.req.valid("query");
  return c.json(await users.listUsers(c.var.caller, { limit, cursor }), 200);
};

export const getUser: Handler<typeof contracts.getUser> = async (c) =>
  c.json(await users.getUser(c.var.caller, c.req.valid("param").user_id), 200);

export const deleteUser: Handler<typeof contracts.deleteUser> = async (c) =>
  c.json(await users.deleteUser(c.var.caller, c.req.valid("param").user_id), 202);
