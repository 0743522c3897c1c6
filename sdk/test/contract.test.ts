import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { renderSchema } from "../generate.ts";
import { recall } from "../src/adapters/recall.ts";
import { Engram } from "../src/index.ts";

interface Operation {
  operationId: string;
  /** The MCP tools of the operation. */
  "x-mcp"?: { defaults?: Record<string, number> }[];
  parameters?: { in: string; name: string }[];
  requestBody?: { content: object };
}
interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> };
}

const file = (path: string) => readFile(new URL(path, import.meta.url), "utf8");
const document = JSON.parse(await file("../../spec/openapi.json")) as OpenApi;
const contracts = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    path,
    method: method.toUpperCase(),
    ...operation,
  })),
);

const message = { role: "user" as const, content: "hello" };
const key = { name: "worker", scopes: ["read" as const] };

/** A call of each operation of the contract, with all its parameters and fields. */
const CODE = "engram_code_a_b_c";
const calls: Record<string, (client: Engram) => PromiseLike<unknown>> = {
  createOrganization: (client) => client.organizations.create({ name: "Acme" }),
  listOrganizations: (client) => client.organizations.list({ limit: 1, cursor: "a" }).page(),
  getOrganization: (client) => client.organizations.get("organization_id"),
  deleteOrganization: (client) => client.organizations.delete("organization_id"),
  createKey: (client) => client.keys.create(key),
  listKeys: (client) => client.keys.list({ limit: 1, cursor: "a" }).page(),
  listAuditEvents: (client) =>
    client.auditEvents.list({ action: "key.created", limit: 1, cursor: "a" }).page(),
  listUsage: (client) =>
    client.usage
      .list({
        from: "2026-11-01",
        to: "2026-11-02",
        key_id: "key_id",
        group_by: ["operation"],
        limit: 1,
        cursor: "a",
      })
      .page(),
  getKey: (client) => client.keys.get("key_id"),
  revokeKey: (client) => client.keys.revoke("key_id"),
  rotateKey: (client) => client.keys.rotate("key_id"),
  createSignInCode: (client) => client.signInCodes.create(),
  redeemSignInCode: (client) => client.signInCodes.redeem(CODE),
  deleteConversations: (client) => client.conversations.deleteMany({ user_id: "a" }),
  forkConversation: (client) => client.conversations.fork("conversation_id"),
  listOperations: (client) =>
    client.operations.list({ type: "repair_index", status: "running", limit: 1, cursor: "a" }).page(),
  cancelOperation: (client) => client.operations.cancel("operation_id"),
  createConversation: (client) => client.conversations.create(),
  listConversations: (client) =>
    client.conversations
      .list({
        limit: 1,
        cursor: "a",
        include_total: true,
        agent_id: "a",
        user_id: "a",
        external_id: "a",
        exact_owner: true,
        tags_any: ["a"],
        tags_all: ["a"],
        created_after: "2026-11-02T09:30:00Z",
        created_before: "2026-11-02T09:30:00Z",
        metadata: { a: 1 },
        sort: "created_at",
        order: "asc",
      })
      .page(),
  getConversation: (client) =>
    client.conversations.get("conversation_id", { message_limit: 0, from_sequence: 1 }),
  updateConversation: (client) =>
    client.conversations.update("conversation_id", { title: null }, { ifMatch: '"7"' }),
  deleteConversation: (client) => client.conversations.delete("conversation_id", { ifMatch: '"7"' }),
  appendMessages: (client) => client.messages.append("conversation_id", { messages: [message] }),
  listMessages: (client) =>
    client.messages
      .list("conversation_id", {
        limit: 1,
        cursor: "a",
        from_sequence: 1,
        to_sequence: 2,
        newest: 1,
        wait_seconds: 1,
      })
      .page(),
  getMessage: (client) => client.messages.get("conversation_id", "message_id"),
  updateMessage: (client) => client.messages.update("conversation_id", "message_id", { content: "b" }),
  deleteMessage: (client) => client.messages.delete("conversation_id", "message_id"),
  replaceMessages: (client) =>
    client.messages.replace("conversation_id", { expected_last_sequence: 2, from_sequence: 2, messages: [] }),
  createMemory: (client) => client.memories.create({ content: "a" }),
  createMemories: (client) => client.memories.createMany({ memories: [{ content: "a" }] }),
  listMemories: (client) =>
    client.memories
      .list({
        limit: 1,
        cursor: "a",
        include_total: true,
        agent_id: "a",
        user_id: "a",
        external_id: "a",
        exact_owner: true,
        kind: "note",
        source: "a",
        tags_any: ["a"],
        tags_all: ["a"],
        created_after: "2026-11-02T09:30:00Z",
        created_before: "2026-11-02T09:30:00Z",
        metadata: { a: 1 },
        sort: "updated_at",
        order: "asc",
      })
      .page(),
  putMemory: (client) => client.memories.put({ external_id: "a", content: "a" }, { ifMatch: '"7"' }),
  listEntities: (client) =>
    client.entities
      .list({
        ...{ limit: 1, cursor: "a", kind: "file", prefix: "src/" },
        ...{ conversation_id: "conversation_id", agent_id: "a", user_id: "u" },
      })
      .page(),
  listMentions: (client) =>
    client.entities
      .mentions("entity_id", {
        ...{ limit: 1, cursor: "a", conversation_id: "conversation_id", agent_id: "a", user_id: "u" },
      })
      .page(),
  listUsers: (client) => client.users.list({ limit: 1, cursor: "a" }).page(),
  deleteUser: (client) => client.users.delete("user_id"),
  getMemory: (client) => client.memories.get("memory_id"),
  updateMemory: (client) => client.memories.update("memory_id", { tags: [] }, { ifMatch: '"7"' }),
  deleteMemory: (client) => client.memories.delete("memory_id", { ifMatch: '"7"' }),
  deleteMemories: (client) => client.memories.deleteMany({ agent_id: "a" }),
  enrichMemories: (client) => client.memories.enrich(),
  searchMemories: (client) => client.memories.search({ query: "refund" }),
  search: (client) => client.search({ query: "refund" }),
  getContext: (client) => client.context({ query: "refund" }),
  getIndexStatus: (client) => client.index.status({ conversation_id: "a" }),
  repairIndex: (client) => client.index.repair(),
  createTicket: (client) => client.tickets.create({ ttl_seconds: 30 }),
  listPresences: (client) => client.conversations.listPresences("conversation_id"),
  setPresence: (client) =>
    client.conversations.setPresence("conversation_id", { state: { status: "reading" }, ttl_seconds: 30 }),
  createWebhook: (client) => client.webhooks.create({ url: "https://hooks.example.com/" }),
  listWebhooks: (client) => client.webhooks.list(),
  getWebhook: (client) => client.webhooks.get("webhook_id"),
  updateWebhook: (client) => client.webhooks.update("webhook_id", { enabled: false }),
  deleteWebhook: (client) => client.webhooks.delete("webhook_id"),
  rotateWebhook: (client) => client.webhooks.rotate("webhook_id"),
  testWebhook: (client) => client.webhooks.test("webhook_id"),
  listDeliveries: (client) =>
    client.webhooks.listDeliveries("webhook_id", { status: "skipped", limit: 2, cursor: "cursor" }).page(),
  resumeWebhook: (client) => client.webhooks.resume("webhook_id"),
  skipDelivery: (client) => client.webhooks.skipDelivery("webhook_id", "delivery_id"),
  broadcast: (client) => client.conversations.broadcast("conversation_id", { typing: true }),
  listEvents: (client) =>
    client.events.list({
      after: 1,
      limit: 1,
      wait_seconds: 1,
      type: ["memory.created"],
      conversation_id: "a",
      agent_id: "a",
      user_id: "a",
    }),
  streamEvents: (client) =>
    client.events
      .listen({ after: 1, type: ["memory.created"], conversation_id: "a", agent_id: "a", user_id: "a" })
      .next(),
  getOperation: (client) => client.operations.get("operation_id"),
  exportData: (client) =>
    client.export({ after: "a", after_sequence: 1, user_id: "a" }, { maxRetries: 0 }).next(),
  createImport: (client) => client.createImport(),
  importLines: (client) => client.import(["{}"], { operationId: "operation_id" }),
  getHealth: (client) => client.health.get(),
  getReadiness: (client) => client.health.ready(),
};

/** The only request of a call. An import that resumes first requests its position. */
async function requestOf(call: (client: Engram) => PromiseLike<unknown>): Promise<Request> {
  const requests: Request[] = [];
  const fetch = (request: Request) => {
    requests.push(request);
    // The end line of an export, the response to an import or a search, and otherwise an object.
    const answer = {
      type: "end",
      complete: true,
      conversations: {},
      messages: {},
      memories: {},
      problems: [],
      results: [],
    };
    if (request.url.includes("/stream"))
      return new Response("id: 2\ndata: {}\n\n", { headers: { "content-type": "text/event-stream" } });
    return new Response(`${JSON.stringify(answer)}\n`, {
      headers: { "content-type": "application/x-ndjson" },
    });
  };
  await call(new Engram({ apiKey: "engram_sk_live_test", baseUrl: "http://engram.test/under/", fetch }));
  const [request, ...more] = requests.filter(({ method }) => requests.length === 1 || method !== "GET");
  if (request === undefined || more.length > 0) throw new Error(`${requests.length} requests`);
  return request;
}

describe("the SDK and the contract", () => {
  test("have the same operations", () => {
    expect(Object.keys(calls).sort()).toEqual(contracts.map(({ operationId }) => operationId).sort());
  });

  // Each id is the name of its parameter, so that the path shows which id was inserted where.
  test.for(contracts)(
    "$operationId sends $method $path with all parameters of the contract",
    async (contract) => {
      const call = calls[contract.operationId];
      if (call === undefined) throw new Error("no method");
      const request = await requestOf(call);
      const { pathname, searchParams } = new URL(request.url);
      expect(`${request.method} ${pathname}`).toBe(
        `${contract.method} /under${contract.path.replaceAll(/[{}]/g, "")}`,
      );
      const named = (place: string) =>
        contract.parameters
          ?.flatMap((parameter) => (parameter.in === place ? [parameter.name] : []))
          .sort() ?? [];
      expect([...searchParams.keys()].sort()).toEqual(named("query"));
      const fixed = ["authorization", "content-type"];
      // `after` has the same meaning.
      const headers = named("header").filter((name) => name !== "last-event-id");
      expect([...request.headers.keys()].filter((name) => !fixed.includes(name))).toEqual(headers);
      const token = contract.operationId === "redeemSignInCode" ? CODE : "engram_sk_live_test";
      expect(request.headers.get("authorization")).toBe(`Bearer ${token}`);
      const [type = null] = Object.keys(contract.requestBody?.content ?? {});
      expect(request.headers.get("content-type")).toBe(type);
      expect((await request.text()) !== "").toBe(type !== null);
    },
  );

  test("use the same minimum relevance in recall() and in the MCP tools", async () => {
    const request = await requestOf((client) => recall(client, "Where is my refund?", {}));
    const { min_relevance } = (await request.json()) as { min_relevance: number };
    const ofTools = contracts.flatMap(({ "x-mcp": tools = [] }) =>
      tools.flatMap(({ defaults = {} }) => defaults.min_relevance ?? []),
    );
    expect(ofTools.length).toBeGreaterThan(2);
    expect(new Set(ofTools)).toEqual(new Set([min_relevance]));
  });

  test("have the same types: the generated file is current", async () => {
    expect(await file("../src/generated/schema.ts")).toBe(await renderSchema());
  });

  test("have the same schemas: each is exported by name", async () => {
    const entry = await file("../src/index.ts");
    const missing = Object.keys(document.components.schemas).filter((name) => !entry.includes(` ${name},\n`));
    expect(missing).toEqual([]);
  });
});
