import * as contracts from "@engram/spec";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Caller, callerOf, createKey, createOrganization } from "../support/client.ts";
import { expectEveryStatusRead } from "../support/contract.ts";
import { expectBodyRefusals, expectKeyRefusals } from "../support/refusals.ts";

let caller: Caller;
let writer: Caller;
beforeAll(async () => {
  caller = await createOrganization();
  writer = await createKey(caller, { scopes: ["read", "write"] });
});

const ABSENT = { key_id: "key_00000000000000000000" };
const KEY = { name: "a key", scopes: ["read"] };

describe("create key", () => {
  const contract = contracts.createKey;
  afterAll(() => expectEveryStatusRead(contract));

  test("returns a secret that works at once, with the given scopes only", async () => {
    const key = await caller.call(contract, { body: { ...KEY, expires_at: "2999-01-01T00:00:00.000Z" } });
    expect(key).toMatchObject({
      ...KEY,
      agent_id: null,
      expires_at: "2999-01-01T00:00:00.000Z",
      revoked_at: null,
    });
    expect(key.secret).toMatch(/^engram_sk_live_[0-9A-Za-z]{38}$/);
    expect(key.secret.startsWith(key.prefix)).toBe(true);
    await callerOf(key.secret).call(contracts.listConversations);
    expect((await callerOf(key.secret).fail(contracts.createConversation, { body: {} })).code).toBe(
      "forbidden",
    );
  });

  test("does not return a secret again on a repeat", async () => {
    const parts = { body: KEY, headers: { "idempotency-key": "key" } };
    const { id } = await caller.call(contract, parts);
    const again = await caller.fail(contract, parts);
    expect(again).toMatchObject({ code: "secret_already_shown", detail: expect.stringContaining(id) });
    const other = await caller.fail(contract, { ...parts, body: { ...KEY, name: "other" } });
    expect(other.code).toBe("idempotency_mismatch");
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

  test("rejects missing keys, missing scopes and invalid bodies", async () => {
    await expectKeyRefusals(contract, writer, { body: KEY });
    await expectBodyRefusals(contract, caller);
  });
});

describe("list keys", () => {
  const contract = contracts.listKeys;
  afterAll(() => expectEveryStatusRead(contract));

  test("pages through all keys, newest first, without their secrets", async () => {
    const own = await createOrganization();
    for (const name of ["1", "2", "3"]) await own.call(contracts.createKey, { body: { ...KEY, name } });
    const first = await own.call(contract, { query: { limit: 3 } });
    const rest = await own.call(contract, { query: { limit: 3, cursor: first.next_cursor ?? "" } });
    expect([...first.items, ...rest.items].map(({ name }) => name)).toEqual(["3", "2", "1", "first key"]);
    expect(rest.next_cursor).toBeNull();
  });

  test("rejects missing keys, missing scopes and invalid parameters", async () => {
    await expectKeyRefusals(contract, writer);
    expect((await caller.fail(contract, { query: { limit: 0 } })).code).toBe("validation_failed");
    expect((await caller.fail(contract, { query: { cursor: "x" } })).code).toBe("invalid_cursor");
  });
});

describe("get key", () => {
  const contract = contracts.getKey;
  afterAll(() => expectEveryStatusRead(contract));

  test("returns what the creation returned, without the secret", async () => {
    const { secret: _, ...key } = await caller.call(contracts.createKey, { body: KEY });
    expect(await caller.call(contract, { params: { key_id: key.id } })).toEqual(key);
  });

  test("rejects missing keys, missing scopes and unknown ids", async () => {
    await expectKeyRefusals(contract, writer, { params: ABSENT });
    expect((await caller.fail(contract, { params: ABSENT })).code).toBe("not_found");
  });
});

describe("revoke key", () => {
  const contract = contracts.revokeKey;
  afterAll(() => expectEveryStatusRead(contract));

  test("revokes the key at once, and keeps the time of the first revocation", async () => {
    const key = await createKey(caller, { scopes: ["read"] });
    await key.call(contracts.listConversations);
    const revoked = await caller.call(contract, { params: { key_id: key.keyId } });
    expect(revoked.revoked_at).not.toBeNull();
    expect((await key.fail(contracts.listConversations)).code).toBe("unauthenticated");
    expect(await caller.call(contract, { params: { key_id: key.keyId } })).toEqual(revoked);
  });

  test("rejects missing keys, missing scopes and unknown ids", async () => {
    await expectKeyRefusals(contract, writer, { params: ABSENT });
    expect((await caller.fail(contract, { params: ABSENT })).code).toBe("not_found");
  });
});

describe("rotate key", () => {
  const contract = contracts.rotateKey;
  afterAll(() => expectEveryStatusRead(contract));

  test("returns a key with the same rights, and keeps the old one valid for the overlap", async () => {
    const old = await createKey(caller, { scopes: ["read"], agent_id: "bot" });
    const next = await caller.call(contract, {
      params: { key_id: old.keyId },
      body: { overlap_seconds: 60 },
    });
    expect(next).toMatchObject({ scopes: ["read"], agent_id: "bot", expires_at: null });
    await callerOf(next.secret).call(contracts.listConversations);
    await old.call(contracts.listConversations);
    const kept = await caller.call(contracts.getKey, { params: { key_id: old.keyId } });
    expect(kept.rotated_to).toBe(next.id);
    expect(Date.parse(kept.expires_at ?? "") - Date.now()).toBeLessThanOrEqual(60_000);
  });

  test("revokes the old key at once without an overlap, and returns 404 for a key that is no longer valid", async () => {
    const old = await createKey(caller, { scopes: ["read"] });
    const parts = { params: { key_id: old.keyId }, body: { overlap_seconds: 0 } };
    await caller.call(contract, parts);
    expect((await old.fail(contracts.listConversations)).code).toBe("unauthenticated");
    expect((await caller.fail(contract, parts)).code).toBe("not_found");
  });

  test("does not return a secret again on a repeat", async () => {
    const old = await createKey(caller, { scopes: ["read"] });
    const parts = { params: { key_id: old.keyId }, body: {}, headers: { "idempotency-key": "rotate" } };
    await caller.call(contract, parts);
    expect((await caller.fail(contract, parts)).code).toBe("secret_already_shown");
    const other = await caller.fail(contract, { ...parts, body: { overlap_seconds: 1 } });
    expect(other.code).toBe("idempotency_mismatch");
  });

  test("rejects missing keys, missing scopes and invalid bodies", async () => {
    await expectKeyRefusals(contract, writer, { params: ABSENT, body: {} });
    await expectBodyRefusals(contract, caller, { params: ABSENT });
  });
});
