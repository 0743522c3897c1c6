import * as contracts from "@engram/spec";
import { describe, expect, test, vi } from "vitest";
import { createApp } from "../../src/app.ts";
import { openIsolate } from "../../src/isolate.ts";
import type { RateLimitBinding } from "../../src/platform/rate-limits.ts";
import { createKey, createOrganization, seedConversation } from "../support/client.ts";
import { Service } from "../support/invocations.ts";
import { post, sendTo } from "../support/mcp.ts";
import { ABSENT, requestFor } from "../support/requests.ts";
import { promptRuntime } from "../support/runtime.ts";
import { operations, scopesOf } from "../support/worlds.ts";

const POLICY = '"key";q=2;w=10, "organization";q=3;w=60';

/** A limiter that accepts `limit` requests of each key. */
class Limiter implements RateLimitBinding {
  readonly seen: string[] = [];
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  async limit({ key }: { key: string }): Promise<{ success: boolean }> {
    this.seen.push(key);
    return { success: this.seen.filter((other) => other === key).length <= this.#limit };
  }
}

function open(bindings: { key?: RateLimitBinding; organization?: RateLimitBinding }): Service {
  return new Service({
    KEY_RATE_LIMIT: bindings.key ?? new Limiter(1_000),
    ORGANIZATION_RATE_LIMIT: bindings.organization ?? new Limiter(1_000),
    RATE_LIMIT_POLICY: POLICY,
  });
}

describe("a key over its rate limit", () => {
  test("gets the time to wait, and its requests have no effect", async () => {
    const owner = await createOrganization();
    const caller = open({ key: new Limiter(2) }).callerOf(owner.secret);
    const { id } = await caller.call(contracts.createConversation, { body: {} });
    const params = { conversation_id: id };
    const body = { messages: [{ role: "user", content: "one" }] };
    await caller.call(contracts.appendMessages, { params, body });
    const refused = await caller.fetch(contracts.appendMessages, { params, body });
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("10");
    expect(refused.headers.get("ratelimit-policy")).toBe(POLICY);
    expect(await refused.json()).toMatchObject({ code: "rate_limited", status: 429 });
    const { message_count } = await owner.call(contracts.getConversation, { params });
    expect(message_count).toBe(1);
  });

  test("does not affect other keys of its organization, until the organization's limit is reached", async () => {
    const owner = await createOrganization();
    const other = await createKey(owner, { scopes: ["read"] });
    const stranger = await createOrganization();
    const service = open({ key: new Limiter(2), organization: new Limiter(3) });
    const list = async (secret: string) =>
      (await service.fetch(secret, contracts.listConversations)).headers.get("retry-after");
    expect(await list(owner.secret)).toBeNull();
    expect(await list(owner.secret)).toBeNull();
    expect(await list(other.secret)).toBeNull();
    expect(await list(other.secret)).toBe("60");
    expect(await list(stranger.secret)).toBeNull();
  });

  test("does not use up its organization's limit by rejected requests", async () => {
    const owner = await createOrganization();
    const runaway = await createKey(owner, { scopes: ["read"] });
    const organization = new Limiter(4);
    const service = open({ key: new Limiter(2), organization });
    const list = async (secret: string) => (await service.fetch(secret, contracts.listConversations)).status;
    for (let i = 0; i < 10; i++) await list(runaway.secret);
    expect(organization.seen).toHaveLength(2);
    expect(await list(owner.secret)).toBe(200);
  });

  test.for(operations.filter(([, contract]) => scopesOf(contract) !== null))(
    "cannot continue by %s",
    async ([operationId, contract]) => {
      const owner = await createOrganization();
      const caller = open({ key: new Limiter(0) }).callerOf(owner.secret);
      // The contract declares this header too, otherwise the caller would throw.
      const refused = await caller.fail(contract, requestFor(operationId, ABSENT));
      expect(refused).toMatchObject({ code: "rate_limited" });
    },
  );

  const openMcp = async (limit: number) => {
    const { secret } = await createOrganization();
    const key = new Limiter(limit);
    const bindings = { KEY_RATE_LIMIT: key, RATE_LIMIT_POLICY: POLICY };
    const through = sendTo(createApp(openIsolate(promptRuntime)), bindings);
    return { secret, key, through };
  };
  const list = { method: "tools/call", params: { name: "list_conversations", arguments: {} } };
  const message = (id: number, more: object) => ({ jsonrpc: "2.0", id, ...more });

  test("is rejected when it calls an MCP tool, whose request counts once", async () => {
    const { secret, key, through } = await openMcp(1);
    const ask = async (): Promise<string> =>
      (await post(secret, JSON.stringify(message(1, list)), sized(message(1, list)), through)).text();
    expect(await ask()).toContain("next_cursor");
    expect(key.seen).toHaveLength(1);
    const refused = await ask();
    expect(refused).toMatch(/isError.*true/);
    expect(refused).toContain("Retry after 10 s.");
    expect(key.seen).toHaveLength(2);
  });

  test("is rejected by MCP for any method, before a long body is read", async () => {
    const { secret, through } = await openMcp(0);
    const long = message(1, { ...list, params: { ...list.params, arguments: { q: "x".repeat(70_000) } } });
    for (const body of [message(1, { method: "tools/list" }), long, "{"]) {
      const response = await post(secret, body, sized(body), through);
      expect(response.status).toBe(429);
      expect(response.headers.get("retry-after")).toBe("10");
      expect(await response.json()).toMatchObject({ code: "rate_limited" });
    }
  });

  test("is counted for each call of an MCP batch, and only the calls beyond the limit are rejected", async () => {
    const { secret, key, through } = await openMcp(2);
    const batch = [1, 2, 3].map((id) => message(id, list));
    const text = await (await post(secret, batch, sized(batch), through)).text();
    expect(key.seen).toHaveLength(3);
    expect(text.match(/next_cursor\\"/g)).toHaveLength(2);
    expect(text.match(/rate_limited/g)).toHaveLength(1);
  });

  test("is counted once for a tool call that is repeated internally with a smaller limit", async () => {
    const owner = await createOrganization();
    const long = Array.from({ length: 10 }, (_, i) => `${i} ${"all work and no play ".repeat(200)}`);
    const id = await seedConversation(owner, long);
    const key = new Limiter(1_000);
    const through = sendTo(createApp(openIsolate(promptRuntime)), { KEY_RATE_LIMIT: key });
    const get = { name: "get_conversation", arguments: { conversation_id: id } };
    const body = message(1, { method: "tools/call", params: get });
    expect(await (await post(owner.secret, body, sized(body), through)).text()).toContain("all work");
    expect(key.seen).toHaveLength(1);
  });
});

const sized = (body: unknown) => ({
  "content-length": String((typeof body === "string" ? body : JSON.stringify(body)).length),
});

test("every response to a key has the rate-limit policy, and no response without a key", async () => {
  const owner = await createOrganization();
  const service = open({});
  const missing = { params: { conversation_id: "conv_none" } };
  expect(
    (await service.fetch(owner.secret, contracts.getConversation, missing)).headers.get("ratelimit-policy"),
  ).toBe(POLICY);
  const mcp = await post(owner.secret, { jsonrpc: "2.0", id: 1, method: "tools/list" }, {}, (path, init) =>
    service.send(path, init),
  );
  expect([mcp.status, mcp.headers.get("ratelimit-policy")]).toEqual([200, POLICY]);
  expect((await service.fetch("", contracts.getHealth)).headers.get("ratelimit-policy")).toBeNull();
});

test("requests are accepted if the rate limiter fails", async () => {
  const owner = await createOrganization();
  const broken: RateLimitBinding = { limit: () => Promise.reject(new Error("no counter")) };
  const caller = open({ key: broken, organization: broken }).callerOf(owner.secret);
  expect(await caller.call(contracts.listConversations)).toMatchObject({ items: [] });
});

test("the rate limiter gets the ids of key and organization, and no secret", async () => {
  const owner = await createOrganization();
  const [key, organization] = [new Limiter(1), new Limiter(1)];
  await open({ key, organization }).fetch(owner.secret, contracts.listConversations);
  expect(key.seen).toEqual([expect.stringMatching(/^key_/)]);
  expect(organization.seen).toEqual([owner.organizationId]);
});

test("a service without rate limits counts no requests and sends no policy", async () => {
  const owner = await createOrganization();
  const none = {
    KEY_RATE_LIMIT: undefined,
    ORGANIZATION_RATE_LIMIT: undefined,
    RATE_LIMIT_POLICY: undefined,
  };
  const service = new Service(none);
  const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const errors = vi.spyOn(console, "error");
  const responses = [
    await service.fetch(owner.secret, contracts.listConversations),
    await post(owner.secret, message, {}, (path, init) => service.send(path, init)),
  ];
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  expect(responses.map(({ headers }) => headers.get("ratelimit-policy"))).toEqual([null, null]);
  expect(errors).not.toHaveBeenCalled();
  errors.mockRestore();
});
