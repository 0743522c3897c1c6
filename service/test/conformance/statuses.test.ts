import * as contracts from "@engram/spec";
import type { RouteConfig } from "@hono/zod-openapi";
import { beforeAll, expect, test } from "vitest";
import { type Caller, callerOf } from "../support/client.ts";
import { readDeclared } from "../support/contract.ts";
import { selectRow } from "../support/invocations.ts";
import { ABSENT, type RequestParts, requestFor } from "../support/requests.ts";
import { callerFor, createWorld, fetchWith, fill, MARKS, operations, type World } from "../support/worlds.ts";

/** Statuses that other tests read for all operations at once. */
const ELSEWHERE = [429, 500, 503, 507];

const STALE = { headers: { "if-match": '"99"' } };
const { conversation_id, operation_id } = ABSENT;
const say = (content: string) => ({ role: "user", content, external_id: "same" });
const memory = (content: string) => ({ content, external_id: "same" });

/** What to send in place of the valid request to get a status last, where it depends on the operation. */
const SPECIAL: Record<string, RequestParts[]> = {
  "appendMessages 409": [{ body: { messages: [say("a"), say("b")] } }],
  "createConversation 200": [{ body: { external_id: "same" } }, { body: { external_id: "same" } }],
  "createHold 404": [{ body: { reason: "x", ids: [conversation_id] } }],
  "createEvaluation 404": [{ body: { from_recall: ABSENT.recall_id, expected: [ABSENT.memory_id] } }],
  "createMemories 404": [{ body: { memories: [{ content: "a", supersedes: ABSENT.memory_id }] } }],
  "createMemories 409": ["a", "b"].map((content) => ({ body: { memories: [memory(content)] } })),
  "createMemory 200": [{}, {}],
  "createMemory 409": [{ body: memory("a") }, { body: memory("b") }],
  "createTicket 404": [{ body: { conversation_id } }],
  "deleteConversations 200": [{ body: { filter: { user_id: "unknown" }, dry_run: true } }],
  "deleteMemories 200": [{ body: { filter: { source: "nowhere" }, dry_run: true } }],
  "getUser 404": [{ params: { user_id: "x".repeat(300) } }],
  "deleteUser 404": [{ params: { user_id: "x".repeat(300) } }],
  "forkConversation 409": [{ body: { sequence: 99 } }],
  "importLines 400": [{ query: { last: "true" } }],
  "importLines 404": [{ query: { operation_id } }],
  "listEntities 404": [{ query: { conversation_id } }],
  "moveOrganization 409": [{ body: { place: "cell" } }, { body: { place: "d1" } }],
  "putMemory 404": [{ body: { ...memory("a"), supersedes: ABSENT.memory_id } }],
  "putMemory 200": [{}, {}],
  "putMemory 412": [{}, STALE],
  "replaceMessages 409": [{ body: { expected_last_sequence: 9, from_sequence: 2, messages: [] } }],
};

/** Fields that make a valid body another one. */
const OTHER: Record<string, object> = {
  appendMessages: { messages: [say("other")] },
  createArchive: { expires_in_days: 31 },
  createConversation: { title: "other" },
  createEvaluation: { depth: 3 },
  createHold: { reason: "other" },
  createImport: { lines: 3 },
  createKey: { name: "other" },
  createMember: { role: "reader" },
  createMemories: { memories: [{ content: "other" }] },
  createMemory: { content: "other" },
  createOrganization: { name: "other" },
  createRetentionRule: { dry_run: true },
  createWebhook: { types: ["memory.created"] },
  deleteConversations: { filter: { user_id: "other" } },
  deleteMemories: { filter: { source: "other" } },
  enrichMemories: { filter: { source: "other" } },
  forkConversation: { sequence: 2 },
  replaceMessages: { messages: [say("other")] },
  repairIndex: { conversation_id: undefined },
  rotateKey: { overlap_seconds: 61 },
};

/** Gives an organization as many archives as it may have. */
const FILL_ARCHIVES = `INSERT INTO archives (organization_id, id, operation_id, created_at_ms, completed_at_ms)
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${contracts.ARCHIVES_MAX})
  SELECT ?1, 'arc_' || i, 'op', 1, 1 FROM n`;

interface Operation {
  name: string;
  contract: RouteConfig;
  world: World;
  caller: Caller;
  /** A valid request, which no earlier one has made impossible. */
  valid: RequestParts;
  /** Sends variants of the valid request, and resolves to the last response. */
  send: (...variants: RequestParts[]) => Promise<Response>;
}

let shared: World;
beforeAll(async () => {
  shared = await createWorld();
});

async function open(name: string, contract: RouteConfig): Promise<Operation> {
  const world = ["deleteOrganization", "moveOrganization", "createHold"].includes(name)
    ? await createWorld()
    : shared;
  const caller = await callerFor(contract, world);
  const valid = await fill(name, requestFor(name, MARKS), world);
  const send = async (...variants: RequestParts[]): Promise<Response> => {
    const [variant = {}, ...others] = variants;
    const response = await caller.fetch(contract, { ...valid, ...variant });
    return others.length === 0 ? response : send(...others);
  };
  return { name, contract, world, caller, valid, send };
}

/** Gets a response with a status that the operation declares. */
async function produce(status: number, operation: Operation): Promise<Response> {
  const { name, contract, caller, valid, send } = operation;
  const once = { headers: { "idempotency-key": `${status}` } };
  const special = SPECIAL[`${name} ${status}`];
  if (special !== undefined) return send(...special);
  switch (status) {
    case 400:
      if (valid.body === undefined) return send({ query: { ...valid.query, surprise: 1 } });
      return send({ body: { ...valid.body, surprise: 1 } });
    case 401:
      return callerOf("").fetch(contract, valid);
    case 403: {
      const parts = { ...valid, headers: { host: "evil.example" } };
      return fetchWith({ ALLOWED_HOSTS: "api.example" }, contract, parts);
    }
    case 404:
      return produceNotFound(operation, once);
    case 409:
      return produceConflict(operation, once);
    case 410:
      return send({ query: { after: "999999" } });
    case 412:
      return send(STALE);
    case 413: {
      const headers = { authorization: `Bearer ${caller.secret}`, "content-length": "8388609" };
      return fetchWith({}, contract, { ...valid, headers });
    }
    case 415:
      return send({ headers: { "content-type": "text/plain" } });
    case 422:
      return send(once, { ...once, body: { ...(valid.body as object), ...OTHER[name] } });
    case 501: {
      const headers = { authorization: `Bearer ${caller.secret}` };
      const body = name === "setArchiveSchedule" ? { every_days: 1 } : valid.body;
      return fetchWith({ ARCHIVES: undefined }, contract, { ...valid, body, headers });
    }
    default:
      return send({});
  }
}

async function produceNotFound(operation: Operation, once: RequestParts): Promise<Response> {
  const { name, contract, world, valid, send } = operation;
  if (name.endsWith("Organizations") || name === "createOrganization")
    return fetchWith({ ADMIN_TOKEN: "" }, contract, valid);
  if (!["createConversation", "createMemory", "createRetentionRule"].includes(name))
    return send(requestFor(name, ABSENT));
  // A repeat would return what was deleted meanwhile.
  const { id } = await (await send(once)).json<{ id: string }>();
  if (name === "createRetentionRule")
    await world.caller.call(contracts.deleteRetentionRule, { params: { rule_id: id } });
  else {
    const deletion = name === "createMemory" ? contracts.deleteMemory : contracts.deleteConversation;
    await world.caller.call(deletion, { params: { conversation_id: id, memory_id: id } });
  }
  return send(once);
}

async function produceConflict(operation: Operation, once: RequestParts): Promise<Response> {
  const { name, world, valid, send } = operation;
  if (name === "createArchive") {
    const { organization_id } = world.ids;
    await selectRow(FILL_ARCHIVES, organization_id);
    const response = await send({});
    await selectRow(
      "DELETE FROM archives WHERE organization_id = ?1 AND operation_id = 'op'",
      organization_id,
    );
    return response;
  }
  if (name === "createConversation" || name === "putMemory") {
    const user_id = `gone ${name}`;
    await world.caller.call(contracts.deleteUser, { params: { user_id } });
    return send({ body: { ...(valid.body as object), user_id } });
  }
  if (name === "createEvaluation") {
    await world.caller.call(contracts.deleteUser, { params: { user_id: "gone" } });
    const { request, ...body } = valid.body as { request: object };
    return send({ body: { ...body, request: { ...request, user_id: "gone" } } });
  }
  if (name === "createMember" || name === "updateMember") {
    const email = `${name}@example.com`;
    await world.caller.call(contracts.createMember, { body: { name: "Tom", role: "reader", email } });
    return send({ body: { ...(valid.body as object), email } });
  }
  if (name === "createHold") {
    for (let i = 0; i < contracts.HOLDS_MAX; i++) await world.caller.fetch(contracts.createHold, valid);
    return send();
  }
  if (HELD.has(name)) return produceHeld(operation);
  if (name === "createRetentionRule") {
    for (let i = 0; i < contracts.RETENTION_RULES_MAX; i++) await send({});
    const refused = await send({});
    const { items } = await world.caller.call(contracts.listRetentionRules);
    // Other requests need the room, and the first rule.
    for (const { id } of items.filter((rule) => rule.id !== world.ids.rule_id))
      await world.caller.call(contracts.deleteRetentionRule, { params: { rule_id: id } });
    return refused;
  }
  // Of a deletion in one step.
  if (name === "cancelOperation") return send({ params: { ...world.ids } });
  if (name === "importLines")
    return send({ query: { operation_id: valid.params?.operation_id ?? "", after_line: 5 } });
  if (name === "updateConversation") {
    const { id } = await world.caller.call(contracts.createConversation, { body: { user_id: "maria" } });
    return send({ params: { conversation_id: id }, body: { shared: true } });
  }
  // The content of another memory.
  if (name === "updateMemory") await world.caller.call(contracts.createMemory, { body: valid.body });
  // A repeat cannot return the secret again.
  return send(once, once);
}

/** Operations whose only conflict is a hold. */
const HELD = new Set([
  ...["deleteOrganization", "deleteConversation", "updateMessage", "deleteMessage", "deleteMemory"],
]);

async function produceHeld({ name, world, valid, send }: Operation): Promise<Response> {
  const { conversation_id: of, memory_id } = valid.params ?? {};
  const body = { reason: "Case 1", ids: [name === "deleteMemory" ? memory_id : of] };
  const hold = await world.caller.call(contracts.createHold, { body });
  const response = await send();
  await world.caller.call(contracts.liftHold, { params: { hold_id: hold.id } });
  return response;
}

const isRepeatable = ({ request }: RouteConfig) =>
  Object.hasOwn((request?.headers as { shape?: object } | undefined)?.shape ?? {}, "idempotency-key");

test.for(operations.filter(([, contract]) => isRepeatable(contract)))(
  "%s has no second effect when it is repeated with its idempotency key",
  async ([name, contract]) => {
    const tables = ["organizations", "api_keys", "conversations", "messages", "operations", "webhooks"];
    const counted = () =>
      Promise.all(tables.map((table) => selectRow(`SELECT count(*) AS count FROM ${table}`)));
    const { send } = await open(name, contract);
    const once = { headers: { "idempotency-key": "once" } };
    const first = await send(once);
    const stored = await counted();
    const again = await send(once);
    expect(await counted()).toEqual(stored);
    const body = await first.json<{ id: string; organization?: { id: string } }>();
    // An archive is written after the response. A repeated request returns its progress by then.
    const same = name === "createArchive" ? expect.objectContaining({ id: body.id }) : body;
    if (again.status === 409)
      expect(await again.json()).toMatchObject({
        code: "secret_already_shown",
        detail: expect.stringContaining(body.organization?.id ?? body.id),
      });
    else {
      expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([first.status, "true"]);
      expect(await again.json()).toEqual(same);
    }
  },
);

test.for(operations)(
  "%s returns every status that its contract declares, as declared",
  async ([name, contract]) => {
    for (const status of Object.keys(contract.responses).map(Number)) {
      if (ELSEWHERE.includes(status)) continue;
      const response = await produce(status, await open(name, contract));
      expect([status, response.status], await response.clone().text()).toEqual([status, status]);
      await readDeclared(contract, response);
    }
  },
);
