import type * as contracts from "@engram/spec";
import type { RouteHandler } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AppEnv } from "../context.ts";
import { ApiError, notFound } from "../errors.ts";
import * as organizations from "../services/organizations.ts";

export const createOrganization: RouteHandler<typeof contracts.createOrganization, AppEnv> = async (c) => {
  const { name } = c.req.valid("json");
  return c.json(await organizations.createOrganization(c.var.service, { name }, c.var.idempotency), 201);
};

export const getOrganization: RouteHandler<typeof contracts.getOrganization, AppEnv> = async (c) => {
  const id = admitOwn(c, c.req.valid("param").organization_id);
  return c.json(
    await organizations.getOrganization(c.var.service, { id, withDeleted: c.var.isOperator }),
    200,
  );
};

export const deleteOrganization: RouteHandler<typeof contracts.deleteOrganization, AppEnv> = async (c) => {
  const id = admitOwn(c, c.req.valid("param").organization_id);
  const principal = c.var.isOperator ? null : c.var.request.principal;
  return c.json(await organizations.deleteOrganization(c.var.service, { id, principal }), 202);
};

/**
 * Restricts a key to its own organization. Keys bound to an agent are rejected: they would learn about other
 * agents.
 */
function admitOwn(c: Context<AppEnv>, id: string): string {
  if (c.var.isOperator) return id;
  const { organizationId, agentId } = c.var.request.principal;
  if (id !== organizationId) throw notFound("organization");
  if (agentId !== null) throw new ApiError("forbidden", "This key is bound to an agent.");
  return id;
}
