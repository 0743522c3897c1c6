import * as contracts from "@engram/spec";
import { beforeAll, describe, expect, test } from "vitest";
import { type Caller, callerOf, createKey, createOrganization } from "../support/client.ts";

let caller: Caller;
beforeAll(async () => {
  caller = await createOrganization();
});

const KEY = { name: "a key", scopes: ["read"] };

describe("create key", () => {
  const contract = contracts.createKey;

  test("returns a secret that works at once, with the given scopes only", async () => {
    const key = await caller.call(contract, { body: { ...KEY, expires_at: "2999-01-01T00:00:00.000Z" } });
    expect(key).toMatchObject({
      ...KEY,
      agent_id: null,
      expires_at: "2999-01-01T00:00:00.000Z",
      revoked_at: null,
    });
    expect(key.secret).toMatch(/^engram_sk_live_[0-9A-Za-z]+$/);
    expect(key.secret.startsWith(key.prefix)).toBe(true);
    await callerOf(key.secret).call(contracts.listConversations);
    expect((await callerOf(key.secret).fail(contracts.createConversation, { body: {} })).code).toBe(
      "forbidden",
    );
  });

  test.for([
    ["a scope twice", { scopes: ["read", "read"] }],
    ["no scope", { scopes: [] }],
    ["an unknown scope", { scopes: ["root"] }],
    ["a name of control characters", { name: "\u0007" }],
    ["an invalid time", { expires_at: "2026-02-30T00:00:00Z" }],
  ] as const)("rejects %s", async ([, change]) => {
    expect((await caller.fail(contract, { body: { ...KEY, ...change } })).code).toBe("validation_failed");
  });
});

describe("list keys", () => {
  const contract = contracts.listKeys;

  test("pages through all keys, newest first, without their secrets", async () => {
    const own = await createOrganization();
    for (const name of ["1", "2", "3"]) await own.call(contracts.createKey, { body: { ...KEY, name } });
    const first = await own.call(contract, { query: { limit: 3 } });
    const rest = await own.call(contract, { query: { limit: 3, cursor: first.next_cursor ?? "" } });
    expect([...first.items, ...rest.items].map(({ name }) => name)).toEqual(["3", "2", "1", "first key"]);
    expect(rest.next_cursor).toBeNull();
  });
});

describe("get key", () => {
  const contract = contracts.getKey;

  test("returns what the creation returned, without the secret", async () => {
    const { secret: _, ...key } = await caller.call(contracts.createKey, { body: KEY });
    expect(await caller.call(contract, { params: { key_id: key.id } })).toEqual(key);
  });
});

describe("revoke key", () => {
  const contract = contracts.revokeKey;

  test("revokes the key at once, and keeps the time of the first revocation", async () => {
    const key = await createKey(caller, { scopes: ["read"] });
    await key.call(contracts.listConversations);
    const revoked = await caller.call(contract, { params: { key_id: key.keyId } });
    expect(revoked.revoked_at).not.toBeNull();
    expect((await key.fail(contracts.listConversations)).code).toBe("unauthenticated");
    expect(await caller.call(contract, { params: { key_id: key.keyId } })).toEqual(revoked);
  });
});
