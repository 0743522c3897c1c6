import { runInDurableObject } from "cloudflare:test";
import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import {
  appendText,
  type Caller,
  createKey,
  createOrganization,
  seedConversation,
} from "../support/client.ts";
import { env } from "../support/env.ts";
import { connect, connectByTicket } from "../support/socket.ts";

const ticketOf = async (caller: Caller, body: object = {}): Promise<string> =>
  (await caller.call(contracts.createTicket, { body })).ticket;

describe("a ticket", () => {
  test("opens one socket, and cannot be used again", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller);
    const ticket = await ticketOf(caller);
    const reader = await connectByTicket(ticket);
    reader.send({ type: "subscribe", id: "a" });
    await reader.until((frames) => frames.length === 1);
    expect(reader.eventsOf("a").map(({ conversation_id }) => conversation_id)).toContain(id);
    const second = await connectByTicket(ticket);
    expect((await second.closed).code).toBe(contracts.LIVE_CLOSE.badTicket);
  });

  test("is rejected after it expires, and if it is invalid", async () => {
    const caller = await createOrganization();
    const ticket = await ticketOf(caller, { ttl_seconds: 1 });
    const hub = (env.HUB as unknown as DurableObjectNamespace).getByName(caller.organizationId);
    await runInDurableObject(hub, async (_hub, { storage }) => {
      const [[name, stored] = []] = await storage.list<{ expiresAtMs: number }>({ prefix: "ticket:" });
      expect(stored?.expiresAtMs).toBeLessThanOrEqual(Date.now() + 1_000);
      await storage.put(name ?? "", { ...stored, expiresAtMs: Date.now() });
    });
    for (const wrong of [ticket, "engram_tk_a_b", `${await ticketOf(caller)}x`]) {
      const reader = await connectByTicket(wrong);
      expect((await reader.closed).code).toBe(contracts.LIVE_CLOSE.badTicket);
    }
  });

  test("for an origin is rejected from another origin and from programs, and is used up by the attempt", async () => {
    const caller = await createOrganization();
    const origin = "https://app.example.com";
    const others = ["https://app.example.com:8443", "http://app.example.com", "https://evil.example", "null"];
    for (const other of [...others, undefined]) {
      const ticket = await ticketOf(caller, { origin });
      for (const tried of [other, origin])
        expect((await (await connectByTicket(ticket, tried)).closed).code).toBe(
          contracts.LIVE_CLOSE.badTicket,
        );
    }
    const reader = await connectByTicket(await ticketOf(caller, { origin }), origin);
    reader.send({ type: "subscribe", id: "a" });
    await reader.until((frames) => frames.length === 1);
    for (const invalid of ["app.example.com", `${origin}/`, `${origin}/a`, "HTTPS://app.example.com", "*"])
      expect(await caller.fail(contracts.createTicket, { body: { origin: invalid } })).toMatchObject({
        code: "validation_failed",
      });
  });

  test("gives no more access than its key: no events of keys, and only those of its agent and user", async () => {
    const caller = await createOrganization();
    const own = await seedConversation(caller, [], { agent_id: "mine", user_id: "u1" });
    await seedConversation(caller, [], { agent_id: "mine", user_id: "u2" });
    await seedConversation(caller, [], { agent_id: "other", user_id: "u1" });
    const bound = await createKey(caller, { scopes: ["read"], agent_id: "mine" });
    const reader = await connectByTicket(await ticketOf(bound, { user_id: "u1" }));
    reader.send({ type: "subscribe", id: "a" });
    await reader.until((frames) => frames.length === 1);
    expect(reader.eventsOf("a").map(({ conversation_id }) => conversation_id)).toEqual([own]);
    const everything = await connectByTicket(await ticketOf(caller));
    everything.send({ type: "subscribe", id: "a" });
    await everything.until((frames) => frames.length === 1);
    expect(everything.eventsOf("a").filter(({ type }) => type.startsWith("key."))).toEqual([]);
    expect(await bound.fail(contracts.createTicket, { body: { agent_id: "other" } })).toMatchObject({
      code: "forbidden",
    });
  });

  test("gives access to events of keys if it asks for them and its key may list them", async () => {
    const caller = await createOrganization();
    const reading = await createKey(caller, { scopes: ["read"] });
    const typesFor = async (one: Caller, body: object) => {
      const reader = await connectByTicket(await ticketOf(one, body));
      reader.send({ type: "subscribe", id: "a" });
      await reader.until((frames) => frames.length === 1);
      return reader.eventsOf("a").map(({ type }) => type);
    };
    expect(await typesFor(caller, { include_key_events: true })).toContain("key.created");
    expect(await typesFor(reading, { include_key_events: true })).not.toContain("key.created");
  });

  test("for a conversation gives access to no other", async () => {
    const caller = await createOrganization();
    const [one, other] = [await seedConversation(caller), await seedConversation(caller)];
    const reader = await connectByTicket(await ticketOf(caller, { conversation_id: one }));
    reader.send({ type: "subscribe", id: "a", after: "now" });
    await reader.until((frames) => frames.length === 1);
    await appendText(caller, other);
    await appendText(caller, one);
    await reader.until(() => reader.eventsOf("a").length > 0);
    expect(reader.eventsOf("a")[0]).toMatchObject({ type: "messages.appended", conversation_id: one });
    reader.send({ type: "subscribe", id: "b", filter: { conversation_id: other } });
    expect((await reader.closed).code).toBe(contracts.LIVE_CLOSE.badFrame);
  });

  test("gives access to nothing after its key is revoked", async () => {
    const caller = await createOrganization();
    await seedConversation(caller);
    const key = await createKey(caller, { scopes: ["read"] });
    const ticket = await ticketOf(key);
    await caller.call(contracts.revokeKey, { params: { key_id: key.keyId } });
    const reader = await connectByTicket(ticket);
    reader.send({ type: "subscribe", id: "a" });
    expect((await reader.closed).code).toBe(contracts.LIVE_CLOSE.keyEnded);
    expect(reader.frames).toEqual([]);
  });
});

describe("a broadcast", () => {
  const broadcast = (caller: Caller, conversation_id: string, value: object) =>
    caller.call(contracts.broadcast, { params: { conversation_id }, body: { value } });

  async function listen(caller: Caller, conversation_id: string | null) {
    const reader = await connect(caller.secret);
    const filter = conversation_id === null ? {} : { conversation_id };
    reader.send({ type: "subscribe", id: "a", after: "now", filter });
    await reader.until((frames) => frames.length === 1);
    return reader;
  }

  test("reaches the clients subscribed to the conversation, and no others", async () => {
    const caller = await createOrganization();
    const [id, other] = [await seedConversation(caller), await seedConversation(caller)];
    const reader = await listen(caller, id);
    const others = [await listen(caller, other), await listen(caller, null)];
    expect(await broadcast(caller, id, { typing: true })).toEqual({ listeners: 1 });
    await reader.until((frames) => frames.length === 2);
    expect(reader.frames[1]).toMatchObject({
      type: "broadcast",
      id: "a",
      conversation_id: id,
      value: { typing: true },
      agent_id: null,
    });
    for (const one of others) expect(one.frames).toHaveLength(1);
  });

  test("reaches no key that may not read the conversation, and no revoked key", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller, [], { agent_id: "mine" });
    const bound = await createKey(caller, { scopes: ["read", "write"], agent_id: "other" });
    const revoked = await createKey(caller, { scopes: ["read"] });
    const readers = [await listen(bound, id), await listen(revoked, id)];
    await caller.call(contracts.revokeKey, { params: { key_id: revoked.keyId } });
    expect(await broadcast(caller, id, { a: 1 })).toEqual({ listeners: 0 });
    for (const reader of readers) expect(reader.frames).toHaveLength(1);
    const params = { conversation_id: id };
    expect(await bound.fail(contracts.broadcast, { params, body: { value: {} } })).toMatchObject({
      code: "not_found",
    });
  });

  test("has at most 4,096 characters, and a client that does not acknowledge gets at most 100", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller);
    const params = { conversation_id: id };
    const tooLong = { params, body: { value: { text: "a".repeat(4_090) } } };
    expect(await caller.fail(contracts.broadcast, tooLong)).toMatchObject({ code: "validation_failed" });
    const reader = await listen(caller, id);
    let heard = 0;
    for (let i = 0; i < 110; i++) heard += (await broadcast(caller, id, { i })).listeners;
    expect(heard).toBe(contracts.SOCKET_BROADCASTS_MAX);
    reader.send({ type: "ack", id: "a", to: 1 });
    await reader.until((frames) => frames.length === 101);
    expect(await broadcast(caller, id, { last: true })).toEqual({ listeners: 1 });
  });
});
