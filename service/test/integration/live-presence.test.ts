import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import * as contracts from "@engram/spec";
import { describe, expect, test, vi } from "vitest";
import type { Hub } from "../../src/live/listeners.ts";
import { type Caller, createKey, createOrganization, seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import { connect, connectByTicket, type Reader } from "../support/socket.ts";

const hubOf = ({ organizationId }: { organizationId: string }) =>
  (env.HUB as unknown as DurableObjectNamespace).getByName(organizationId) as unknown as DurableObjectStub &
    Hub;

const put = (caller: Caller, conversation_id: string, state: object, ttl_seconds = 60) =>
  caller.call(contracts.setPresence, { params: { conversation_id }, body: { state, ttl_seconds } });

const list = async (caller: Caller, conversation_id: string): Promise<contracts.Presence[]> =>
  (await caller.call(contracts.listPresences, { params: { conversation_id } })).items;

const statesOf = (presences: contracts.Presence[] = []) => presences.map(({ state }) => state);

const framesOf = (reader: Reader): contracts.PresenceFrame[] =>
  reader.frames.filter((frame) => frame.type === "presence");

/** Waits until this number of presence frames has arrived. */
async function untilFrames(reader: Reader, count: number): Promise<contracts.PresenceFrame> {
  await reader.until(() => framesOf(reader).length >= count);
  return framesOf(reader)[count - 1] as contracts.PresenceFrame;
}

/** Opens a socket and sets its presence, or null to only see the others. */
async function join(caller: Caller, conversation_id: string, state: Record<string, unknown> | null) {
  const reader = await connect(caller.secret);
  reader.send({ type: "presence", conversation_id, state });
  await untilFrames(reader, 1);
  return reader;
}

/** The request of the Worker to the hub. */
const inOneMinute = (
  { organizationId }: { organizationId: string },
  conversationId: string,
  presence: contracts.Presence,
) => ({ organizationId, conversationId, presence, expiresAtMs: Date.now() + 60_000 });

describe("presence over a socket", () => {
  test("sends all presences to a client that joins, and its joining, changes and leaving to the others", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller);
    const first = await join(caller, id, { name: "first" });
    const second = await join(caller, id, { name: "second" });
    expect(statesOf(framesOf(second)[0]?.all)).toEqual([{ name: "first" }, { name: "second" }]);
    const { joined, left, all } = await untilFrames(first, 2);
    expect([statesOf(joined), left, all]).toEqual([[{ name: "second" }], [], undefined]);
    second.send({ type: "presence", conversation_id: id, state: { name: "changed" } });
    const changed = await untilFrames(first, 3);
    expect(changed.joined).toMatchObject([{ id: joined[0]?.id, since: joined[0]?.since }]);
    expect(statesOf(await list(caller, id))).toEqual([{ name: "first" }, { name: "changed" }]);
    second.close();
    expect((await untilFrames(first, 4)).left).toEqual([joined[0]?.id]);
    expect(statesOf(await list(caller, id))).toEqual([{ name: "first" }]);
  });

  test("takes the identity from the key or the ticket", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller, [], { agent_id: "mine", user_id: "u1" });
    const bound = await createKey(caller, { scopes: ["read"], agent_id: "mine" });
    const { ticket } = await bound.call(contracts.createTicket, { body: { user_id: "u1" } });
    const reader = await connectByTicket(ticket);
    reader.send({ type: "presence", conversation_id: id, state: {} });
    await untilFrames(reader, 1);
    expect(await list(caller, id)).toMatchObject([
      { key_id: bound.keyId, agent_id: "mine", user_id: "u1", expires_at: null },
    ]);
    reader.sendRaw(JSON.stringify({ type: "presence", conversation_id: id, state: {}, agent_id: "other" }));
    expect((await reader.closed).code).toBe(contracts.LIVE_CLOSE.badFrame);
  });

  test("without a state lets a client see the others without being seen", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller);
    const watcher = await join(caller, id, null);
    const other = await join(caller, id, { name: "other" });
    expect(statesOf(framesOf(other)[0]?.all)).toEqual([{ name: "other" }]);
    expect(statesOf((await untilFrames(watcher, 2)).joined)).toEqual([{ name: "other" }]);
    other.send({ type: "presence", conversation_id: id, state: null });
    expect((await untilFrames(watcher, 3)).left).toHaveLength(1);
    expect(await list(caller, id)).toEqual([]);
  });

  test("is in one conversation at a time", async () => {
    const caller = await createOrganization();
    const [one, two] = [await seedConversation(caller), await seedConversation(caller)];
    const watcher = await join(caller, one, null);
    const mover = await join(caller, one, { name: "mover" });
    await untilFrames(watcher, 2);
    mover.send({ type: "presence", conversation_id: two, state: { name: "mover" } });
    expect((await untilFrames(watcher, 3)).left).toHaveLength(1);
    expect([(await list(caller, one)).length, (await list(caller, two)).length]).toEqual([0, 1]);
    await put(caller, two, { name: "key" });
    expect(framesOf(watcher)).toHaveLength(3);
  });

  test("survives the hibernation of the hub", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller);
    const reader = await join(caller, id, { name: "a" });
    await put(caller, id, { name: "key" });
    await evictDurableObject(hubOf(caller), { webSockets: "hibernate" });
    expect(statesOf(await list(caller, id))).toEqual([{ name: "a" }, { name: "key" }]);
    await untilFrames(reader, 2);
    await put(caller, id, { name: "again" });
    expect(statesOf((await untilFrames(reader, 3)).joined)).toEqual([{ name: "again" }]);
  });
});

describe("presence set by a request", () => {
  test("is one per key, keeps its start time, and ends after its duration", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller);
    const [key, other] = [
      await createKey(caller, { scopes: ["read"] }),
      await createKey(caller, { scopes: ["read"] }),
    ];
    const watcher = await join(caller, id, null);
    const first = await put(key, id, { step: 1 });
    await untilFrames(watcher, 2);
    const second = await put(key, id, { step: 2 });
    await untilFrames(watcher, 3);
    expect(second).toMatchObject({ id: key.keyId, key_id: key.keyId, since: first.since });
    await put(other, id, { name: "other" });
    expect(statesOf(await list(other, id))).toEqual([{ step: 2 }, { name: "other" }]);
    await untilFrames(watcher, 4);
    await put(key, id, { step: 3 }, 1);
    await untilFrames(watcher, 5);
    await vi.waitFor(async () => expect(statesOf(await list(other, id))).toEqual([{ name: "other" }]), {
      timeout: 60_000,
    });
    // The hub's own alarm, at most two seconds later.
    expect((await untilFrames(watcher, 6)).left).toEqual([key.keyId]);
  });

  test.for([
    ["more than 1,024 bytes of state", { state: { text: "é".repeat(510) } }],
    ["no state", {}],
    ["a state that is not an object", { state: [] }],
    ["a duration that is too long", { state: {}, ttl_seconds: 61 }],
    ["an identity", { state: {}, agent_id: "other" }],
  ] as const)("with %s is rejected", async ([, body]) => {
    const caller = await createOrganization();
    const params = { conversation_id: await seedConversation(caller) };
    const problem = await caller.fail(contracts.setPresence, { params, body } as never);
    expect(problem).toMatchObject({ code: "validation_failed" });
  });

  test("beyond 100 per conversation is rejected, while existing ones can change", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller);
    const reader = await join(caller, id, { name: "socket" });
    const presence = await put(caller, id, {});
    for (let i = 2; i < contracts.PRESENCES_MAX; i++)
      await hubOf(caller).setPresence(inOneMinute(caller, id, { ...presence, id: `key_${i}` }));
    const late = await createKey(caller, { scopes: ["read"] });
    const params = { conversation_id: id };
    expect(await late.fail(contracts.setPresence, { params, body: { state: {} } })).toMatchObject({
      code: "unavailable",
    });
    const later = await connect(late.secret);
    later.send({ type: "presence", conversation_id: id, state: {} });
    await later.until((frames) => frames.length === 1);
    expect(later.frames[0]).toMatchObject({ type: "error", problem: { code: "unavailable" } });
    await put(caller, id, { name: "changed" });
    const answered = framesOf(reader).length;
    reader.send({ type: "presence", conversation_id: id, state: { name: "changed" } });
    await untilFrames(reader, answered + 1);
    expect(await list(caller, id)).toHaveLength(contracts.PRESENCES_MAX);
  });
});

describe("presence of a conversation cannot be read or set with", () => {
  test("a key that may not read the conversation, or a key of another organization", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller, [], { agent_id: "mine", user_id: "u1" });
    await put(caller, id, { secret: true });
    const strangers = [
      await createKey(caller, { scopes: ["read"], agent_id: "other" }),
      await createKey(caller, { scopes: ["read"], user_id: "u2" }),
      await createOrganization(),
    ];
    const params = { conversation_id: id };
    for (const stranger of strangers) {
      expect(await stranger.fail(contracts.listPresences, { params })).toMatchObject({ code: "not_found" });
      const body = { state: {} };
      expect(await stranger.fail(contracts.setPresence, { params, body })).toMatchObject({
        code: "not_found",
      });
      const reader = await connect(stranger.secret);
      reader.send({ type: "presence", conversation_id: id, state: {} });
      await reader.until((frames) => frames.length === 1);
      expect(reader.frames[0]).toMatchObject({
        type: "error",
        conversation_id: id,
        problem: { code: "not_found" },
      });
      await put(caller, id, { secret: true });
      expect(reader.frames).toHaveLength(1);
    }
    expect(await list(caller, id)).toHaveLength(1);
  });

  test("a ticket for another conversation", async () => {
    const caller = await createOrganization();
    const [one, other] = [await seedConversation(caller), await seedConversation(caller)];
    const { ticket } = await caller.call(contracts.createTicket, { body: { conversation_id: one } });
    const reader = await connectByTicket(ticket);
    reader.send({ type: "presence", conversation_id: other, state: {} });
    expect((await reader.closed).code).toBe(contracts.LIVE_CLOSE.badFrame);
  });
});

describe("presence ends when", () => {
  test("the key is revoked, over a socket and without one", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller);
    const key = await createKey(caller, { scopes: ["read"] });
    const watcher = await join(caller, id, null);
    const socket = await join(key, id, { by: "socket" });
    await untilFrames(watcher, 2);
    await put(key, id, { by: "key" });
    await untilFrames(watcher, 3);
    await caller.call(contracts.revokeKey, { params: { key_id: key.keyId } });
    expect(await list(caller, id)).toEqual([]);
    await runDurableObjectAlarm(hubOf(caller));
    expect((await socket.closed).code).toBe(contracts.LIVE_CLOSE.keyEnded);
    const leftOf = (reader: Reader) => framesOf(reader).flatMap(({ left }) => left);
    await watcher.until(() => leftOf(watcher).length === 2);
    expect(framesOf(socket).some(({ left }) => left.length > 0)).toBe(false);
  });

  test("the organization is deleted", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller);
    const socket = await join(caller, id, { by: "socket" });
    await put(caller, id, { by: "key" });
    await caller.call(contracts.deleteOrganization, { params: { organization_id: caller.organizationId } });
    await runDurableObjectAlarm(hubOf(caller));
    expect((await socket.closed).code).toBe(contracts.LIVE_CLOSE.keyEnded);
    expect(await hubOf(caller).listPresences(id, caller.organizationId)).toEqual([]);
  });
});
