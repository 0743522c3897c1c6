import type * as contracts from "@engram/spec";
import type { Handler } from "../http/handler.ts";
import * as moves from "./service.ts";

export const moveOrganization: Handler<typeof contracts.moveOrganization> = async (c) => {
  const { organization_id: id } = c.req.valid("param");
  const { place } = c.req.valid("json");
  return c.json(await moves.moveOrganization(c.var.caller, { id, place }), 202);
};
