import type * as contracts from "@engram/spec";
import { ApiError, notFound } from "../errors.ts";
import type { Handler } from "../http/handler.ts";
import type { KeyCaller, OperatorCaller } from "../invocation.ts";
import { getHealth } from "./health.ts";
import * as organizations from "./service.ts";

export const createOrganization: Handler<typeof contracts.createOrganization> = async (c) => {
  const { name, place, jurisdiction, location } = c.req.valid("json");
  const input = { name, place, jurisdiction, location };
  return c.json(await organizations.createOrganization(c.var.caller, input, c.var.idempotency), 201);
};

export const listOrganizations: Handler<typeof contracts.listOrganizations> = async (c) => {
  return c.json(await organizations.listOrganizations(c.var.caller, c.req.valid("query")), 200);
};

export const getOrganization: Handler<typeof contracts.getOrganization> = async (c) => {
  const { caller } = c.var;
  const id = admitOwn(caller, idOf(caller, c.req.valid("param").organization_id));
  return c.json(
    await organizations.getOrganization(c.var.caller, { id, withDeleted: c.var.caller.kind === "operator" }),
    200,
  );
};

export const getOrganizationHealth: Handler<typeof contracts.getOrganizationHealth> = async (c) =>
  c.json(await getHealth(c.var.caller, c.req.valid("param").organization_id), 200);

export const updateOrganization: Handler<typeof contracts.updateOrganization> = async (c) => {
  const { caller } = c.var;
  const { on_source_deleted: onSourceDeleted } = c.req.valid("json");
  const id = admitOwn(caller, idOf(caller, c.req.valid("param").organization_id));
  return c.json(await organizations.updateOrganization(caller, { id, onSourceDeleted }), 200);
};

export const deleteOrganization: Handler<typeof contracts.deleteOrganization> = async (c) => {
  const id = admitOwn(c.var.caller, c.req.valid("param").organization_id);
  const { force = false } = c.req.valid("query");
  return c.json(await organizations.deleteOrganization(c.var.caller, { id, force }), 202);
};

/** Replaces `current` by the organization of the key. */
const idOf = ({ principal }: KeyCaller | OperatorCaller, id: string): string =>
  id === "current" && principal !== null ? principal.organizationId : id;

/**
 * The id of an organization that the caller may access. Rejects keys bound to an agent or a user: the counts of the
 * organization include data of others.
 */
function admitOwn({ principal }: KeyCaller | OperatorCaller, id: string): string {
  if (principal === null) return id;
  if (id !== principal.organizationId) throw notFound("organization");
  if (principal.agentId !== null || principal.userId !== null)
    throw new ApiError("forbidden", "This key is bound to an agent or a user. Use a key that is not.");
  return id;
}
