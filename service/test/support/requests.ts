import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import * as contracts from "@engram/spec";
import type { RouteConfig } from "@hono/zod-openapi";
import { createApp } from "../../src/app.ts";
import type { Env } from "../../src/invocation.ts";
import { openIsolate } from "../../src/isolate.ts";
import type { Security } from "../../src/keys/authorize.ts";
import {
  BASE_URL,
  type Caller,
  callerOf,
  createOrganization,
  operator,
  type RequestParts,
  seedConversation,
  toRequest,
} from "./client.ts";
import { env } from "./env.ts";
import { promptRuntime } from "./runtime.ts";

/** An existing id of each kind. */
export interface Ids {
  organization_id: string;
  key_id: string;
  conversation_id: string;
  message_id: string;
  memory_id: string;
  operation_id: string;
  webhook_id: string;
  delivery_id: string;
  entity_id: string;
}

/** Ids that never existed. */
export const ABSENT: Ids = {
  organization_id: "org_00000000000000000000",
  key_id: "key_00000000000000000000",
  conversation_id: "conv_00000000000000000000",
  message_id: "msg_00000000000000000000",
  memory_id: "mem_00000000000000000000",
  operation_id: "op_00000000000000000000",
  webhook_id: "wh_00000000000000000000",
  delivery_id: "evt_00000000000000000000_1",
  entity_id: "ent_00000000000000000000000000000000",
};

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

/** Creates one item of each kind in a caller's organization. */
export async function seedIds(caller: Caller & { organizationId: string }): Promise<Ids> {
  const conversation_id = await seedConversation(caller, ["the walrus was here", "and left"]);
  const { items } = await caller.call(contracts.listMessages, { params: { conversation_id } });
  const memory = await caller.call(contracts.createMemory, { body: { content: "the walrus likes oysters" } });
  const mentioning = await seedConversation(caller);
  await caller.call(contracts.appendMessages, {
    params: { conversation_id: mentioning },
    body: { messages: [{ role: "user", content: "Mail ann@host.example" }], wait: "indexed" },
  });
  const entities = await caller.call(contracts.listEntities, { query: { kind: "email" } });
  const deleted = await seedConversation(caller);
  const operation = await caller.call(contracts.deleteConversation, { params: { conversation_id: deleted } });
  const key = await caller.call(contracts.createKey, { body: { name: "seed", scopes: ["read"] } });
  const webhook = await caller.call(contracts.createWebhook, { body: WEBHOOK });
  // An event that was skipped. No test sends a request that could fail.
  await env.DB.prepare(
    "INSERT INTO webhook_deliveries (organization_id, webhook_id, sequence) VALUES (?1, ?2, 1)",
  )
    .bind(caller.organizationId, webhook.id)
    .run();
  return {
    webhook_id: webhook.id,
    delivery_id: `evt_${caller.organizationId.replace("org_", "")}_1`,
    organization_id: caller.organizationId,
    key_id: key.id,
    conversation_id,
    message_id: items[0]?.id ?? "",
    memory_id: memory.id,
    operation_id: operation.id,
    entity_id: entities.items[0]?.id ?? "",
  };
}

export interface World {
  caller: Caller & { organizationId: string };
  ids: Ids;
}

/** Creates an organization for one test, with one item of each kind. */
export async function createWorld(): Promise<World> {
  const caller = await createOrganization();
  return { caller, ids: await seedIds(caller) };
}

/** Disabled, so that no test sends a request. */
const WEBHOOK = { url: "https://hooks.example.com/engram", enabled: false };
const messages = [{ role: "user", content: "the walrus again" }];
const BODIES: Record<string, (ids: Ids) => Record<string, unknown>> = {
  createOrganization: () => ({ name: "test" }),
  createKey: () => ({ name: "test", scopes: ["read"] }),
  rotateKey: () => ({ overlap_seconds: 60 }),
  createTicket: () => ({ ttl_seconds: 30 }),
  createWebhook: () => WEBHOOK,
  updateWebhook: () => ({ enabled: false }),
  broadcast: () => ({ value: { typing: true } }),
  setPresence: () => ({ state: { status: "reading" } }),
  createConversation: () => ({ title: "test" }),
  updateConversation: () => ({ title: "changed" }),
  appendMessages: () => ({ messages }),
  updateMessage: () => ({ content: "changed" }),
  replaceMessages: () => ({ expected_last_sequence: 2, from_sequence: 2, messages }),
  deleteConversations: () => ({ filter: { user_id: "unknown" } }),
  forkConversation: () => ({ sequence: 1 }),
  createMemory: () => ({ content: "the walrus sings" }),
  putMemory: () => ({ external_id: "walrus", content: "the walrus sleeps" }),
  createMemories: () => ({ memories: [{ content: "the walrus dances" }] }),
  updateMemory: () => ({ content: "changed" }),
  deleteMemories: () => ({ filter: { source: "nowhere" } }),
  enrichMemories: () => ({}),
  searchMemories: () => ({ query: "walrus" }),
  search: ({ conversation_id }) => ({ query: "walrus", conversation_id }),
  getContext: ({ conversation_id }) => ({ query: "walrus", conversation_id }),
  repairIndex: ({ conversation_id }) => ({ conversation_id }),
  createImport: () => ({ lines: 2 }),
  importLines: () => ({
    type: "conversation",
    id: "conv_00000000000000000001",
    ...{ external_id: null, title: "test", agent_id: null, user_id: null, tags: [], metadata: {} },
    ...{ message_count: 0, last_sequence: 0 },
    ...{ created_at: "2026-11-02T09:30:00.000Z", updated_at: "2026-11-02T09:30:00.000Z" },
  }),
};
const QUERIES: Record<string, (ids: Ids) => Record<string, string>> = {
  getIndexStatus: ({ conversation_id }) => ({ conversation_id }),
  listUsage: ({ key_id }) => ({ key_id }),
};

/** A valid request of an operation that uses `ids` wherever it needs an id. */
export function requestFor(operationId: string, ids: Ids): RequestParts {
  const body = BODIES[operationId]?.(ids);
  return {
    params: { ...ids, user_id: "unknown" },
    query: QUERIES[operationId]?.(ids) ?? {},
    ...(body === undefined ? {} : { body }),
  };
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

/** The request with the organization's ids in place of the marks, and a new text for `<unique>`. */
export async function fill(name: string, parts: RequestParts, { caller, ids }: World): Promise<RequestParts> {
  const { operation_id } = ids;
  const needsImport = name === "cancelOperation" || name === "importLines";
  const own: Ids = {
    ...ids,
    operation_id: needsImport ? (await caller.call(contracts.createImport, { body: {} })).id : operation_id,
  };
  const text = JSON.stringify(parts).replace(/<(\w+)>/g, (mark, id: string) =>
    id === "unique" ? crypto.randomUUID() : (own[id as keyof Ids] ?? mark),
  );
  return JSON.parse(text);
}

/** The kinds of ids that a valid request of an operation contains. */
export function idsNamed({ operationId = "", path }: RouteConfig): (keyof Ids)[] {
  const marks = Object.fromEntries(Object.keys(ABSENT).map((name) => [name, `<${name}>`])) as unknown as Ids;
  const { query, body } = requestFor(operationId, marks);
  const text = `${path} ${JSON.stringify([query, body])}`;
  return (Object.keys(ABSENT) as (keyof Ids)[]).filter(
    (name) => text.includes(`{${name}}`) || text.includes(`<${name}>`),
  );
}

/** Sends to a new app with some of the Worker's bindings replaced. */
export async function fetchWith(
  bindings: Partial<Env>,
  contract: RouteConfig,
  parts: RequestParts,
): Promise<Response> {
  const [path, init] = toRequest(contract, parts);
  const ctx = createExecutionContext();
  const response = await createApp(openIsolate(promptRuntime)).fetch(
    new Request(`${BASE_URL}${path}`, init),
    { ...env, ...bindings },
    ctx,
  );
  await waitOnExecutionContext(ctx);
  return response;
}

/** The responses for every way to name an id in an operation, without their request ids. */
export async function answersNaming(
  caller: Caller,
  contract: RouteConfig,
  ids: Ids,
): Promise<{ status: number; body: Record<string, unknown> }[]> {
  const request = requestFor(contract.operationId ?? "", ids);
  const requests: RequestParts[] = [request];
  if (contract.operationId === "listMessages") {
    const queries: Record<string, string>[] = [{}, { newest: "5" }, { from_sequence: "1" }];
    requests.push(...queries.map((query) => ({ ...request, query })));
  }
  return Promise.all(
    requests.map(async (parts) => {
      const response = await caller.fetch(contract, parts);
      const { request_id: _, ...body } = (await response.json()) as Record<string, unknown>;
      return { status: response.status, body };
    }),
  );
}
