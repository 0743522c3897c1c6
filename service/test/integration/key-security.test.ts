import * as contracts from "@engram/spec";
import { beforeAll, describe, expect, test } from "vitest";
import { createSecret, organizationIn } from "../../src/keys/secrets.ts";
import { sha256Hex } from "../../src/platform/digest.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { type Caller, callerOf, createKey, createOrganization, seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import { Clock, Service, selectRows } from "../support/invocations.ts";
import { ABSENT, type Ids, requestFor, seedIds } from "../support/requests.ts";
import { callOf, operations, scopesOf } from "../support/worlds.ts";

/** The characters of secrets, in the order of their values. */
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ALL = [...contracts.SCOPES];
const OF_AGENTS: contracts.Scope[] = ["read", "write", "search", "delete"];

let owner: Caller & { organizationId: string };
beforeAll(async () => {
  owner = await createOrganization();
});

describe("a key bound to an agent", () => {
  let bound: Caller;
  let own: Ids;
  let others: Ids;
  beforeAll(async () => {
    bound = await createKey(owner, { scopes: OF_AGENTS, agent_id: "amber" });
    const other = await createKey(owner, { scopes: OF_AGENTS, agent_id: "basil" });
    const seed = async (caller: Caller): Promise<Ids> => {
      const conversation_id = await seedConversation(caller, ["the walrus of one agent", "and its tail"]);
      const { items } = await caller.call(contracts.listMessages, { params: { conversation_id } });
      const deleted = await seedConversation(caller);
      const { id } = await caller.call(contracts.deleteConversation, {
        params: { conversation_id: deleted },
      });
      return { ...ABSENT, conversation_id, message_id: items[0]?.id ?? "", operation_id: id };
    };
    own = await seed(bound);
    others = await seed(other);
    await seedIds(callOf(owner), owner.organizationId); // of no agent
  });

  test.for(operations.filter(([, contract]) => scopesOf(contract)?.includes("admin")))(
    "is forbidden to call %s",
    async ([name, contract]) => {
      const ids = { ...own, organization_id: owner.organizationId };
      expect(await bound.fail(contract, requestFor(name, ids))).toMatchObject({ code: "forbidden" });
    },
  );

  test("cannot read data of the whole organization", async () => {
    const params = { organization_id: owner.organizationId };
    expect(await bound.fail(contracts.getOrganization, { params })).toMatchObject({ code: "forbidden" });
  });

  test("lists, counts and searches only its agent's conversations, whatever filters it sends", async () => {
    const list = (query = {}) =>
      bound.call(contracts.listConversations, { query: { include_total: true, ...query } });
    const { items, total } = await list();
    expect([items.map(({ id }) => id), total]).toEqual([[own.conversation_id], 1]);
    expect(await list({ agent_id: "basil" })).toMatchObject({ items: [], total: 0 });
    for (const mode of ["hybrid", "semantic", "keyword"]) {
      const { results } = await bound.call(contracts.search, { body: { query: "walrus", mode } });
      expect(new Set(results.map((result) => result.conversation_id))).toEqual(
        new Set([own.conversation_id]),
      );
      const asked = { query: "walrus", mode, agent_id: "basil" };
      expect(await bound.call(contracts.search, { body: asked })).toMatchObject({ results: [] });
    }
  });

  test("sees and repairs only its agent's part of the index, and no counts of other agents", async () => {
    await expect.poll(() => owner.call(contracts.getIndexStatus)).toMatchObject({ pending: 0 });
    await env.CONTROL.setFault({ ai: "3040" });
    await owner.call(contracts.appendMessages, {
      params: { conversation_id: others.conversation_id },
      body: { messages: [{ role: "user", content: "waits" }], wait: "indexed" },
    });
    await env.CONTROL.clearFaults();
    expect(await owner.call(contracts.getIndexStatus)).toMatchObject({ pending: 1 });
    expect(await bound.call(contracts.getIndexStatus)).toMatchObject({
      messages: 2,
      pending: 0,
      last_error: null,
    });
    expect(await bound.call(contracts.search, { body: { query: "walrus" } })).toMatchObject({ pending: 0 });
    expect(await bound.call(contracts.repairIndex, { body: {} })).toMatchObject({ progress: { total: 1 } });
  });

  test("creates conversations only for its agent", async () => {
    expect(await bound.call(contracts.createConversation, { body: {} })).toMatchObject({ agent_id: "amber" });
    const named = { agent_id: "amber" };
    expect(await bound.call(contracts.createConversation, { body: named })).toMatchObject(named);
    const body = { agent_id: "basil" };
    expect(await bound.fail(contracts.createConversation, { body })).toMatchObject({ code: "forbidden" });
  });

  test("cannot have the scope `admin`", async () => {
    const body = { name: "test", scopes: ["read", "admin"], agent_id: "amber" };
    expect(await owner.fail(contracts.createKey, { body })).toMatchObject({ code: "forbidden" });
  });
});

describe("a key that may manage keys", () => {
  test.for(ALL.filter((scope) => scope !== "admin"))("cannot grant `%s` unless it has it", async (scope) => {
    const held = ALL.filter((other) => other !== scope);
    const manager = await createKey(owner, { scopes: held });
    for (const scopes of [[scope], ALL]) {
      const body = { name: "more", scopes };
      expect(await manager.fail(contracts.createKey, { body })).toMatchObject({ code: "forbidden" });
    }
    expect(await createKey(manager, { scopes: held })).toBeDefined();
  });

  test("cannot get the scopes of a stronger key by rotating it", async () => {
    const strong = await createKey(owner, { scopes: ALL });
    const manager = await createKey(owner, { scopes: ["admin"] });
    const parts = { params: { key_id: strong.keyId }, body: {} };
    expect(await manager.fail(contracts.rotateKey, parts)).toMatchObject({ code: "forbidden" });
    const key = await owner.call(contracts.getKey, { params: { key_id: strong.keyId } });
    expect(key).toMatchObject({ rotated_to: null, expires_at: null });
  });

  test("keeps the agent of a key that it rotates", async () => {
    const bound = await createKey(owner, { scopes: OF_AGENTS, agent_id: "amber" });
    const rotated = await owner.call(contracts.rotateKey, { params: { key_id: bound.keyId }, body: {} });
    expect(rotated).toMatchObject({ agent_id: "amber", scopes: OF_AGENTS });
  });
});

describe("a rotated key", () => {
  const rotate = (keyId: string, body: object, by: Caller = owner) =>
    by.call(contracts.rotateKey, { params: { key_id: keyId }, body: { ...body } });

  test("stays valid together with its successor during the overlap, and cannot be rotated twice", async () => {
    const old = await createKey(owner, { scopes: ["read"] });
    const clock = new Clock();
    const next = await rotate(
      old.keyId,
      { overlap_seconds: 600 },
      new Service({}, clock).callerOf(owner.secret),
    );
    for (const secret of [old.secret, next.secret]) await callerOf(secret).call(contracts.listConversations);
    const kept = await owner.call(contracts.getKey, { params: { key_id: old.keyId } });
    expect(kept.rotated_to).toBe(next.id);
    expect(kept.expires_at).toBe(new Date(clock.nowMs() + 600_000).toISOString());
    const again = { params: { key_id: old.keyId }, body: {} };
    expect(await owner.fail(contracts.rotateKey, again)).toMatchObject({ code: "not_found" });
  });

  test("is rejected at once without an overlap, although it was used a moment before", async () => {
    const old = await createKey(owner, { scopes: ["read"] });
    await old.call(contracts.listConversations);
    const next = await rotate(old.keyId, { overlap_seconds: 0 });
    expect(await old.fail(contracts.listConversations)).toMatchObject({ code: "unauthenticated" });
    await callerOf(next.secret).call(contracts.listConversations);
  });

  test("still expires at its own time if the overlap is longer", async () => {
    const expires_at = new Date(Date.now() + 1_800_000).toISOString();
    const old = await createKey(owner, { scopes: ["read"], expires_at });
    await rotate(old.keyId, { overlap_seconds: 3_600 });
    expect(await owner.call(contracts.getKey, { params: { key_id: old.keyId } })).toMatchObject({
      expires_at,
    });
  });
});

test("a key is rejected from its expiry time on, although it was used a moment before", async () => {
  const clock = new Clock();
  const expires_at = new Date(clock.nowMs() + 600_000).toISOString();
  const { secret } = await createKey(owner, { scopes: ["read"], expires_at });
  const key = new Service({}, clock).callerOf(secret);
  clock.advance(599_999);
  await key.call(contracts.listConversations);
  clock.advance(1);
  expect(await key.fail(contracts.listConversations)).toMatchObject({ code: "unauthenticated" });
});

describe("the secret of a key", () => {
  test("names the key's organization, also that of a key which replaces another", async () => {
    const key = await createKey(owner, { scopes: ["read"] });
    const rotated = await owner.call(contracts.rotateKey, { params: { key_id: key.keyId }, body: {} });
    for (const { secret } of [owner, key, rotated]) expect(organizationIn(secret)).toBe(owner.organizationId);
  });

  test("stays valid if it has the earlier form, which names no organization", async () => {
    const earlier = "engram_sk_live_a8XkQ2m5Zt7Lw0cVb3Nf6Rj9Hd1Gs4Pyi4Cb4W";
    // There were no cells yet.
    const key = await createKey(await createOrganization("test", "d1"), { scopes: ["read", "admin"] });
    await selectRows(
      "UPDATE api_keys SET secret_hash = ?1, prefix = ?2 WHERE id = ?3",
      await sha256Hex(earlier),
      earlier.slice(0, 19),
      key.keyId,
    );
    const params = { key_id: key.keyId };
    expect(await callerOf(earlier).call(contracts.getKey, { params })).toMatchObject({ id: key.keyId });
    expect((await key.fail(contracts.getKey, { params })).code).toBe("unauthenticated");
  });

  test("does not work with another organization's id in it, even if its checksum is right", async () => {
    const { organizationId } = await createOrganization();
    const { secret } = await createKey(owner, { scopes: ["read"] });
    // The random part of the key, then the other organization.
    const bytes = [...secret.slice(15, 47)].map((character) => ALPHABET.indexOf(character));
    const randomBytes = () => new Uint8Array(bytes);
    const forged = await createSecret({ ...systemRuntime, randomBytes }, organizationId);
    expect(forged.slice(0, 47)).toBe(secret.slice(0, 47));
    expect((await callerOf(forged).fail(contracts.listConversations)).code).toBe("unauthenticated");
  });

  test("is stored nowhere, only its hash and its prefix in the table of keys", async () => {
    const { secret, keyId } = await createKey(owner, { scopes: ["read"] });
    const row = await env.DB.prepare("SELECT * FROM api_keys WHERE id = ?1").bind(keyId).first();
    expect(row).toMatchObject({ secret_hash: await sha256Hex(secret), prefix: secret.slice(0, 19) });
    const { results } = await env.DB.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
    ).all<{ name: string }>();
    expect(results.length).toBeGreaterThan(8);
    for (const { name } of results) {
      const { results: rows } = await env.DB.prepare(`SELECT * FROM "${name}"`).all();
      expect(JSON.stringify(rows), name).not.toContain(secret.slice(20, 47));
    }
  });

  test("is in no later response: get, list, revoke or a repeat of the creation", async () => {
    const headers = { "idempotency-key": "once" };
    const body = { name: "shown once", scopes: ["read" as const] };
    const { id, secret } = await owner.call(contracts.createKey, { body, headers });
    const answers = [
      await owner.call(contracts.getKey, { params: { key_id: id } }),
      await owner.call(contracts.listKeys, { query: { limit: 100 } }),
      await owner.fail(contracts.createKey, { body, headers }),
      await owner.call(contracts.revokeKey, { params: { key_id: id } }),
    ];
    expect(JSON.stringify(answers)).not.toContain(secret.slice(20, 47));
    expect(answers[2]).toMatchObject({ code: "secret_already_shown", detail: expect.stringContaining(id) });
  });

  test("is not returned to another caller with the same idempotency key", async () => {
    const headers = { "idempotency-key": "shared" };
    const body = { name: "test", scopes: ["read" as const] };
    const stranger = await createOrganization();
    const mine = await owner.call(contracts.createKey, { body, headers });
    const theirs = await stranger.call(contracts.createKey, { body, headers });
    expect(theirs.id).not.toBe(mine.id);
  });
});
