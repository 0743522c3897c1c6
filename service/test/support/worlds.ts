import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import * as contracts from "@engram/spec";
import type { RouteConfig } from "@hono/zod-openapi";
import { createApp } from "../../src/app.ts";
import type { Env } from "../../src/invocation.ts";
import { openIsolate } from "../../src/isolate.ts";
import type { Security } from "../../src/keys/authorize.ts";
import type { McpTool } from "../../src/mcp/tools.ts";
import { BASE_URL, type Caller, callerOf, createOrganization, operator } from "./client.ts";
import { env } from "./env.ts";
import { placedEnv } from "./places.ts";
import { ABSENT, type Call, freshIds, type Ids, type RequestParts, seedIds, toRequest } from "./requests.ts";
import { promptRuntime } from "./runtime.ts";

/** Every operation of the contract, with its name as test title. */
export const operations: [name: string, contract: RouteConfig & { operationId: string }][] = (
  contracts.contracts as readonly RouteConfig[]
).map((contract) => [
  contract.operationId ?? contract.path,
  { ...contract, operationId: contract.operationId ?? "" },
]);

/** The scopes that a key needs for an operation; null when no key may call it. */
export function scopesOf(contract: RouteConfig): contracts.Scope[] | null {
  const security = contract.security as Security;
  const key = security.find((alternative) => "apiKey" in alternative);
  return key === undefined ? null : [...(key.apiKey as contracts.Scope[])];
}

export const isForOperator = (contract: RouteConfig): boolean =>
  (contract.security as Security).some((alternative) => "adminToken" in alternative);

export const isWrite = (contract: RouteConfig): boolean =>
  contract.method !== "get" && !/^(search|getContext)/.test(contract.operationId ?? "");

/** The contract of an operation. */
export function contractOf(name: string): RouteConfig & { operationId: string } {
  const [, contract] = operations.find(([id]) => id === name) ?? [];
  if (contract === undefined) throw new Error(`There is no operation ${name}`);
  return contract;
}

/** The contract of the operation that a tool calls. */
export function contractOfTool({ method, path }: McpTool): RouteConfig & { operationId: string } {
  const isCalled = (one: RouteConfig) => one.method.toUpperCase() === method && one.path === path;
  const [, contract] = operations.find(([, one]) => isCalled(one)) ?? [];
  if (contract === undefined) throw new Error(`There is no operation ${method} ${path}`);
  return contract;
}

/** Calls operations by their names. `insertGrant` is none: people give grants on a page. */
export const callOf =
  (caller: Caller & { organizationId?: string }): Call =>
  (name, parts) =>
    name === "insertGrant" ? insertGrant(caller.organizationId) : caller.call(contractOf(name), parts);

let grants = 0;
/** Stores a grant that the service would list. */
async function insertGrant(organizationId: string | undefined): Promise<{ id: string }> {
  grants += 1;
  const id = `grant_${String(grants).padStart(20, "0")}`;
  await env.DB.prepare(
    `INSERT INTO grants (organization_id, id, key_id, client_id, client_name, redirect_uri, scopes, created_at_ms, expires_at_ms)
     VALUES (?1, ?2, ?3, 'client', 'Client', 'https://client.example.com/', '["read"]', 0, ?4)`,
  )
    .bind(organizationId ?? "", id, ABSENT.key_id, 8e12)
    .run();
  return { id };
}

/** Stores a delivery of the first event, as after a failed attempt. No test sends a request that could fail. */
export const insertDelivery = ({ organization_id, webhook_id }: Ids) =>
  env.DB.prepare("INSERT INTO webhook_deliveries (organization_id, webhook_id, sequence) VALUES (?1, ?2, 1)")
    .bind(organization_id, webhook_id)
    .run();

export interface World {
  caller: Caller & { organizationId: string };
  ids: Ids;
}

/** Creates an organization for one test, with one item of each kind. */
export async function createWorld(): Promise<World> {
  const caller = await createOrganization();
  const ids = await seedIds(callOf(caller), caller.organizationId);
  // Of an event that was skipped.
  await insertDelivery(ids);
  return { caller, ids: { ...ids, grant_id: (await insertGrant(caller.organizationId)).id } };
}

/** Values that must refer to stored data, as marks in `<>` that `fill` replaces. */
export const MARKS = Object.fromEntries(
  Object.keys(ABSENT).map((name) => [name, `<${name}>`]),
) as unknown as Ids;

/** Who may call an operation in a world. */
export async function callerFor(contract: RouteConfig, { caller }: World): Promise<Caller> {
  if (contract.operationId === "redeemSignInCode")
    return callerOf((await caller.call(contracts.createSignInCode)).code);
  return scopesOf(contract) === null ? operator : caller;
}

/** The request with ids of the organization in place of the marks, and a new text for `<unique>`. */
export async function fill(name: string, parts: RequestParts, { caller, ids }: World): Promise<RequestParts> {
  const own = await freshIds(name, ids, callOf(caller));
  const text = JSON.stringify(parts).replace(/<(\w+)>/g, (mark, id: string) =>
    id === "unique" ? crypto.randomUUID() : (own[id as keyof Ids] ?? mark),
  );
  return JSON.parse(text);
}

/** Sends to a new app with some of the Worker's bindings replaced. */
export async function fetchWith(
  bindings: Partial<Env>,
  contract: RouteConfig,
  parts: RequestParts,
): Promise<Response> {
  const [path, init] = toRequest(contract, parts);
  const ctx = createExecutionContext();
  const { fetch } = createApp(openIsolate(promptRuntime));
  const waitUntil = (work: Promise<unknown>) => ctx.waitUntil(work);
  const placed = placedEnv(env as unknown as Env, bindings, { fetch, waitUntil });
  const response = await fetch(new Request(`${BASE_URL}${path}`, init), placed, ctx);
  await waitOnExecutionContext(ctx);
  return response;
}
