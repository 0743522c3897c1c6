import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { createApp } from "../../src/app.ts";
import type { RateLimitBinding } from "../../src/ports/rate-limits.ts";
import { createKey, createOrganization } from "../support/client.ts";
import { Service } from "../support/invocations.ts";
import { connect, sendTo } from "../support/mcp.ts";
import { ABSENT, operations, requestFor, scopesOf } from "../support/requests.ts";
import { promptRuntime } from "../support/runtime.ts";

const POLICY = '"key";q=2;w=10, "organization";q=3;w=60';

/** A limiter that lets `limit` requests of each key through. */
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

describe("a key that sends too much", () => {
  test("is told how long to wait, and nothing of it is done", async () => {
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

  test("leaves other keys of its organization their own rate, until all of them are too many", async () => {
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

  test("costs its organization nothing by what it is refused", async () => {
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
    "cannot go on by %s",
    async ([operationId, contract]) => {
      const owner = await createOrganization();
      const caller = open({ key: new Limiter(0) }).callerOf(owner.secret);
      // Its contract declares it, too, or the caller would throw.
      const refused = await caller.fail(contract, requestFor(operationId, ABSENT));
      expect(refused).toMatchObject({ code: "rate_limited" });
    },
  );

  test("is refused as a tool, too, each call counting once", async () => {
    const owner = await createOrganization();
    const key = new Limiter(1);
    const through = sendTo(createApp(promptRuntime), { KEY_RATE_LIMIT: key, RATE_LIMIT_POLICY: POLICY });
    const { call } = await connect(owner.secret, undefined, through);
    expect((await call("list_conversations")).isError).toBe(false);
    const refused = await call("list_conversations");
    expect(refused.isError).toBe(true);
    expect(refused.texts.join()).toContain("Retry after 10 s.");
    expect(key.seen).toHaveLength(2);
  });
});

test("the policy stands on every answer to a key, and on none to nobody", async () => {
  const owner = await createOrganization();
  const service = open({});
  const missing = { params: { conversation_id: "conv_none" } };
  expect(
    (await service.fetch(owner.secret, contracts.getConversation, missing)).headers.get("ratelimit-policy"),
  ).toBe(POLICY);
  expect((await service.fetch("", contracts.getHealth)).headers.get("ratelimit-policy")).toBeNull();
});

test("a limiter that fails lets requests through", async () => {
  const owner = await createOrganization();
  const broken: RateLimitBinding = { limit: () => Promise.reject(new Error("no counter")) };
  const caller = open({ key: broken, organization: broken }).callerOf(owner.secret);
  expect(await caller.call(contracts.listConversations)).toMatchObject({ items: [] });
});

test("what is limited is the key's id and the organization's, no secret", async () => {
  const owner = await createOrganization();
  const [key, organization] = [new Limiter(1), new Limiter(1)];
  await open({ key, organization }).fetch(owner.secret, contracts.listConversations);
  expect(key.seen).toEqual([expect.stringMatching(/^key_/)]);
  expect(organization.seen).toEqual([owner.organizationId]);
});
