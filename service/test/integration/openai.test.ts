import * as contracts from "@engram/spec";
import type { RouteConfig } from "@hono/zod-openapi";
import { beforeAll, describe, expect, test } from "vitest";
import * as openai from "../../src/openai/contracts.ts";
import { type Caller, createKey, createOrganization, seedConversation, send } from "../support/client.ts";
import { ABSENT, type RequestParts, toRequest } from "../support/requests.ts";
import { scopesOf } from "../support/worlds.ts";

interface Answer {
  status: number;
  headers: Headers;
  body: {
    id: string;
    error: { message: string; type: string; param: string | null; code: string };
    data: Record<string, unknown>[];
    [field: string]: unknown;
  };
}

async function ask(
  caller: { secret: string },
  contract: RouteConfig,
  parts: RequestParts = {},
): Promise<Answer> {
  const headers = {
    ...(caller.secret !== "" && { authorization: `Bearer ${caller.secret}` }),
    ...parts.headers,
  };
  const response = await send(...toRequest(contract, { ...parts, headers }));
  expect(response.headers.get("content-type")).toBe("application/json");
  const body = (await response.json()) as Answer["body"];
  return { status: response.status, headers: response.headers, body };
}

const user = (content: string) => ({ role: "user", content });
const texts = ({ body }: Answer) =>
  body.data.map(({ content }) => (content as { text: string }[])[0]?.text ?? content);

let caller: Caller & { organizationId: string };
let conversation_id: string;
beforeAll(async () => {
  caller = await createOrganization();
});

/** The id of a new conversation with these items. */
const begin = async (items: object[], by: { secret: string } = caller): Promise<string> =>
  (await ask(by, openai.createConversation, { body: { items } })).body.id;
const listed = async (id: string, query: RequestParts["query"] = { order: "asc" }): Promise<Answer> =>
  ask(caller, openai.listItems, { params: { conversation_id: id }, query });

/** A key that is bound to an agent or a user has no `admin`. */
const ALL_BUT_ADMIN = contracts.SCOPES.filter((scope) => scope !== "admin");
const OPERATIONS = Object.entries(openai) as [keyof typeof openai, RouteConfig][];
const BODIES: Partial<Record<keyof typeof openai, object>> = {
  createConversation: {},
  updateConversation: { metadata: { a: "b" } },
  createItems: { items: [user("hello")] },
};
const partsFor = (
  name: keyof typeof openai,
  ids: { conversation_id: string; item_id: string },
): RequestParts => ({
  params: ids,
  ...(BODIES[name] && { body: BODIES[name] }),
});

describe("each operation", () => {
  const absent = { conversation_id: ABSENT.conversation_id, item_id: ABSENT.message_id };

  test.for(OPERATIONS)("%s needs a key with its scopes", async ([name, contract]) => {
    const parts = partsFor(name, absent);
    const { status, headers, body } = await ask({ secret: "" }, contract, parts);
    expect([status, headers.get("www-authenticate"), body.error]).toEqual([
      401,
      "Bearer",
      { message: expect.any(String), type: "authentication_error", param: null, code: "unauthenticated" },
    ]);
    for (const scope of scopesOf(contract) ?? []) {
      const scopes = contracts.SCOPES.filter((other) => other !== scope);
      const refused = await ask(await createKey(caller, { scopes }), contract, parts);
      expect([refused.status, refused.body.error.type]).toEqual([403, "permission_error"]);
    }
    const scopes = scopesOf(contract) ?? [];
    const { status: admitted } = await ask(await createKey(caller, { scopes }), contract, parts);
    expect(admitted).toBe(name === "createConversation" ? 200 : 404);
  });

  test.for(OPERATIONS.filter(([name]) => name !== "createConversation"))(
    "%s answers what is of another organization, agent or user as if it were absent",
    async ([name, contract]) => {
      const mine = await createKey(caller, { scopes: ALL_BUT_ADMIN, agent_id: "a", user_id: "u" });
      const ids = {
        conversation_id: await begin([{ ...user("secret"), id: "item_1" }], mine),
        item_id: "item_1",
      };
      const others = [
        await createOrganization(),
        await createKey(caller, { scopes: ALL_BUT_ADMIN, agent_id: "b" }),
        await createKey(caller, { scopes: ALL_BUT_ADMIN, user_id: "v" }),
      ];
      for (const other of others) {
        const { status, body } = await ask(other, contract, partsFor(name, ids));
        const unknown = await ask(other, contract, partsFor(name, absent));
        expect([status, body]).toEqual([404, unknown.body]);
      }
      expect((await ask(mine, contract, partsFor(name, ids))).status).toBe(200);
    },
  );
});

describe("a conversation", () => {
  test("is created, read, changed and deleted", async () => {
    const before = Math.floor(Date.now() / 1_000);
    const created = await ask(caller, openai.createConversation, { body: { metadata: { topic: "refund" } } });
    const { id } = created.body;
    expect(created).toMatchObject({
      status: 200,
      body: { object: "conversation", metadata: { topic: "refund" } },
    });
    expect(id).toMatch(/^conv_/);
    expect(created.body.created_at).toBeGreaterThanOrEqual(before);

    const params = { conversation_id: id };
    expect((await ask(caller, openai.getConversation, { params })).body).toEqual(created.body);
    const body = { metadata: { topic: "kettle" } };
    const updated = await ask(caller, openai.updateConversation, { params, body });
    expect(updated.body).toEqual({ ...created.body, ...body });
    const cleared = await ask(caller, openai.updateConversation, { params, body: { metadata: null } });
    expect(cleared.body.metadata).toEqual({});

    const deleted = await ask(caller, openai.deleteConversation, { params });
    expect(deleted.body).toEqual({ id, object: "conversation.deleted", deleted: true });
    expect(await ask(caller, openai.getConversation, { params })).toMatchObject({
      status: 404,
      body: { error: { type: "invalid_request_error", code: "not_found", param: null } },
    });
  });

  test("belongs to the agent and the user that are given", async () => {
    const body = { agent_id: "concierge", user_id: "maria" };
    const { id } = (await ask(caller, openai.createConversation, { body })).body;
    const own = await caller.call(contracts.getConversation, { params: { conversation_id: id } });
    expect(own).toMatchObject(body);
  });

  test("is created once with its items for an idempotency key", async () => {
    const headers = { "idempotency-key": "first" };
    const body = { items: [user("only once")] };
    const first = await ask(caller, openai.createConversation, { body, headers });
    const again = await ask(caller, openai.createConversation, { body, headers });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(texts(await listed(first.body.id))).toEqual(["only once"]);
    const other = await ask(caller, openai.createConversation, { body: {}, headers });
    expect([other.status, other.body.error.code]).toEqual([422, "idempotency_mismatch"]);
  });

  test("is not created if its items are too large", async () => {
    const { secret } = await createKey(caller, { scopes: ["read", "write"], user_id: "large" });
    const items = Array.from({ length: 3 }, () => user("x".repeat(900_000)));
    const { status, body } = await ask({ secret }, openai.createConversation, { body: { items } });
    expect([status, body.error.code]).toEqual([413, "payload_too_large"]);
    const list = await caller.call(contracts.listConversations, { query: { user_id: "large" } });
    expect(list.items).toEqual([]);
  });
});

describe("items", () => {
  beforeAll(async () => {
    conversation_id = await begin([]);
  });

  test("are completed and come back in order", async () => {
    const items = [
      user("Where is order 1029?"),
      { role: "assistant", content: "I look it up.", phase: "commentary" },
      { type: "function_call", call_id: "call_1", name: "look_up", arguments: '{"order":1029}' },
      { type: "function_call_output", call_id: "call_1", output: "on its way" },
      {
        type: "reasoning",
        id: "rs_1",
        summary: [{ type: "summary_text", text: "On its way." }],
        encrypted_content: "gAAA",
      },
      {
        type: "message",
        role: "developer",
        content: [{ type: "input_text", text: "Be brief." }],
        status: "completed",
      },
      { type: "of_tomorrow", id: null, deep: [{ n: 1.5 }] },
    ];
    const params = { conversation_id };
    const created = await ask(caller, openai.createItems, { params, body: { items } });
    const own = expect.stringMatching(/^msg_/);
    const done = { id: own, status: "completed" };
    expect(created.body).toEqual({
      object: "list",
      first_id: created.body.data[0]?.id,
      last_id: created.body.data[6]?.id,
      has_more: false,
      data: [
        {
          ...done,
          type: "message",
          role: "user",
          content: [{ type: "input_text", text: "Where is order 1029?" }],
        },
        {
          ...{ ...done, type: "message", role: "assistant", phase: "commentary" },
          content: [{ type: "output_text", text: "I look it up.", annotations: [] }],
        },
        { ...done, ...items[2] },
        { ...done, ...items[3] },
        items[4],
        { ...done, ...items[5] },
        { ...items[6], id: own },
      ],
    });
    expect((await listed(conversation_id)).body).toEqual(created.body);
    for (const item of created.body.data) {
      const one = { params: { ...params, item_id: String(item.id) } };
      expect((await ask(caller, openai.getItem, one)).body).toEqual(item);
    }
    const { items: messages } = await caller.call(contracts.listMessages, { params });
    expect(
      messages.map(({ role, content, tool_call_id, tool_name, external_id, parts }) => [
        ...[role, content, tool_call_id, tool_name, external_id],
        parts !== null,
      ]),
    ).toEqual([
      ["user", "Where is order 1029?", null, null, null, false],
      ["assistant", "I look it up.", null, null, null, true],
      ["assistant", '{"order":1029}', "call_1", "look_up", null, false],
      ["tool", "on its way", "call_1", null, null, false],
      ["assistant", "On its way.", null, null, "rs_1", true],
      ["system", "Be brief.", null, null, null, true],
      ["assistant", "", null, null, null, true],
    ]);
  });

  test("are found by a search", async () => {
    const id = await begin([
      {
        role: "user",
        content: [
          { type: "input_image", image_url: "https://a.example/b.png" },
          { type: "input_text", text: "What is this zeppelin?" },
        ],
      },
    ]);
    const { results } = await caller.call(contracts.search, { body: { query: "zeppelin", mode: "keyword" } });
    expect(results).toMatchObject([
      { type: "messages", conversation_id: id, messages: [{ content: "What is this zeppelin?" }] },
    ]);
  });

  test("include the messages that others append, and their changes", async () => {
    const id = await seedConversation(caller, [
      user("hello"),
      { role: "assistant", content: '{"a":1}', tool_call_id: "c1", tool_name: "f", external_id: "m-2" },
      { role: "assistant", content: "I call f.", tool_call_id: "c2", tool_name: "f" },
      { role: "tool", content: "done", tool_call_id: "c1", tool_name: "f" },
      { role: "tool", content: "no id" },
      { role: "system", content: "", parts: { openai_item: 1 } },
    ]);
    const { data } = (await listed(id)).body;
    const message = { type: "message", status: "completed" };
    expect(data.map(({ id, ...item }) => [/^msg_/.test(String(id)), item])).toEqual(
      [
        { ...message, role: "user", content: [{ type: "input_text", text: "hello" }] },
        { type: "function_call", status: "completed", call_id: "c1", name: "f", arguments: '{"a":1}' },
        {
          ...message,
          role: "assistant",
          content: [{ type: "output_text", text: "I call f.", annotations: [] }],
        },
        { type: "function_call_output", status: "completed", call_id: "c1", name: "f", output: "done" },
        { ...message, role: "tool", content: [{ type: "input_text", text: "no id" }] },
        { ...message, role: "system", content: [{ type: "input_text", text: "" }] },
      ].map((item) => [true, item]),
    );
    const byExternalId = { params: { conversation_id: id, item_id: "m-2" } };
    expect((await ask(caller, openai.getItem, byExternalId)).status).toBe(404);

    const [kept] = (
      await ask(caller, openai.createItems, {
        params: { conversation_id: id },
        body: { items: [{ ...user("my secret"), id: "own_1" }] },
      })
    ).body.data;
    const { items } = await caller.call(contracts.listMessages, { params: { conversation_id: id } });
    await caller.call(contracts.updateMessage, {
      params: { conversation_id: id, message_id: items[6]?.id ?? "" },
      body: { content: "removed" },
    });
    const changed = await ask(caller, openai.getItem, { params: { conversation_id: id, item_id: "own_1" } });
    expect(changed.body).toEqual({ ...kept, content: [{ type: "input_text", text: "removed" }] });
  });

  test("are listed in pages from either end", async () => {
    const id = await begin(["1", "2", "3", "4", "5"].map((n) => ({ ...user(n), id: `item_${n}` })));
    const removed = { params: { conversation_id: id, item_id: "item_3" } };
    expect((await ask(caller, openai.deleteItem, removed)).body).toMatchObject({
      id,
      object: "conversation",
    });
    expect((await ask(caller, openai.getItem, removed)).body.error).toMatchObject({ code: "not_found" });
    for (const [order, expected] of [
      [
        "asc",
        [
          ["1", "2"],
          ["4", "5"],
        ],
      ],
      [
        "desc",
        [
          ["5", "4"],
          ["2", "1"],
        ],
      ],
    ] as const) {
      const first = await listed(id, { order, limit: 2, "include[]": "reasoning.encrypted_content" });
      const second = await listed(id, { order, limit: 2, after: String(first.body.last_id) });
      expect([texts(first), texts(second)]).toEqual(expected);
      expect([first.body.has_more, second.body.has_more]).toEqual([true, false]);
      const end = await listed(id, { order, after: String(second.body.last_id) });
      expect(end.body).toEqual({ object: "list", data: [], first_id: "", last_id: "", has_more: false });
    }
    expect(texts(await listed(id, {}))).toEqual(["5", "4", "2", "1"]);
    expect(await listed(id, { after: "item_3" })).toMatchObject({
      status: 404,
      body: { error: { code: "not_found" } },
    });
  });

  test("with an id are stored once, and another item with the same id is refused", async () => {
    const id = await begin([{ ...user("one"), id: "own_1" }]);
    const add = (text: string) =>
      ask(caller, openai.createItems, {
        params: { conversation_id: id },
        body: { items: [{ ...user(text), id: "own_1" }] },
      });
    expect((await add("one")).status).toBe(200);
    expect(await add("two")).toMatchObject({
      status: 409,
      body: { error: { code: "external_id_conflict" } },
    });
    expect(texts(await listed(id))).toEqual(["one"]);
    // Ids are those of one conversation.
    expect(texts(await listed(await begin([{ ...user("two"), id: "own_1" }])))).toEqual(["two"]);
  });

  test("are added once for an idempotency key", async () => {
    const id = await begin([]);
    const add = () =>
      ask(caller, openai.createItems, {
        params: { conversation_id: id },
        body: { items: [user("once")] },
        headers: { "idempotency-key": "items" },
      });
    expect((await add()).body).toEqual((await add()).body);
    expect(texts(await listed(id))).toEqual(["once"]);
  });
});

describe("an error", () => {
  beforeAll(async () => {
    conversation_id = await begin([]);
  });

  const item = (more: object) => ({ items: [user("fine"), more] });
  test.for([
    ["too many items", { items: Array.from({ length: 21 }, () => user("x")) }, "items"],
    ["no items", { items: [] }, "items"],
    ["an item that is no object", { items: ["hello"] }, "items[0]"],
    ["an unknown role", item({ role: "boss", content: "x" }), "items[1].role"],
    ["content of another kind", item({ role: "user", content: 1 }), "items[1].content"],
    ["a type of another kind", item({ type: 1 }), "items[1].type"],
    ["an id of another kind", item({ ...user("x"), id: 1 }), "items[1].id"],
    ["a reference", item({ type: "item_reference", id: "msg_1" }), "items[1]"],
    ["a reference without a type", item({ id: "msg_1" }), "items[1]"],
    ["an item of more than 500,000 bytes", item({ type: "x", image: "x".repeat(500_001) }), "items[1]"],
    ["an unknown field", { items: [user("x")], more: 1 }, "more"],
  ] as const)("names the place of %s", async ([, body, param]) => {
    const { status, body: answer } = await ask(caller, openai.createItems, {
      params: { conversation_id },
      body,
    });
    expect([status, answer.error]).toEqual([
      400,
      {
        message: expect.stringContaining(": "),
        type: "invalid_request_error",
        param,
        code: "validation_failed",
      },
    ]);
    expect((await listed(conversation_id)).body.data).toEqual([]);
  });

  test.for([
    ["17 keys", Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`k${i}`, ""])), 400],
    ["16 keys", Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`k${i}`, ""])), 200],
    ["a key of 65 characters", { ["k".repeat(65)]: "" }, 400],
    ["a key of 64 characters", { ["k".repeat(64)]: "" }, 200],
    ["a value of 513 characters", { k: "v".repeat(513) }, 400],
    ["a value of 512 characters", { k: "v".repeat(512) }, 200],
    ["a value that is no text", { k: 1 }, 400],
  ] as const)("limits metadata as OpenAI does: %s", async ([, metadata, status]) => {
    for (const [contract, params] of [
      [openai.createConversation, {}],
      [openai.updateConversation, { conversation_id }],
    ] as const) {
      const answer = await ask(caller, contract, { params, body: { metadata } });
      expect(answer.status).toBe(status);
      if (status === 400) expect(answer.body.error).toMatchObject({ param: "metadata" });
    }
  });

  test.for([
    [{ limit: 0 }, "limit"],
    [{ limit: 101 }, "limit"],
    [{ order: "up" }, "order"],
    [{ before: "x" }, "before"],
  ] as const)("names the parameter of a list: %o", async ([query, param]) => {
    expect(await listed(conversation_id, query as never)).toMatchObject({
      status: 400,
      body: { error: { param } },
    });
  });

  test("has the same form for a path without a route, and a body that is not JSON", async () => {
    for (const [path, init, code] of [
      ["/v1/openai/conversations/x/y/z", {}, "not_found"],
      ["/v1/openai/conversations", { method: "PUT" }, "method_not_allowed"],
      [
        "/v1/openai/conversations",
        {
          method: "POST",
          body: "{",
          headers: { authorization: `Bearer ${caller.secret}`, "content-type": "application/json" },
        },
        "invalid_json",
      ],
    ] as const) {
      const response = await send(path, init);
      expect(((await response.json()) as Answer["body"]).error).toMatchObject({
        type: "invalid_request_error",
        code,
      });
    }
  });
});
