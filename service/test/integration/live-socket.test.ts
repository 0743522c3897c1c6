import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
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
import { connect, requestSocket } from "../support/socket.ts";

async function appendMany(caller: Caller, id: string, count: number) {
  for (let i = 0; i < count; i++) await appendText(caller, id);
}

async function listAll(caller: Caller, query: Record<string, string> = {}): Promise<contracts.Event[]> {
  const events: contracts.Event[] = [];
  for (let after: number | undefined; ; ) {
    const page = await caller.call(contracts.listEvents, {
      query: { ...query, limit: 500, ...(after === undefined ? {} : { after: String(after) }) },
    });
    events.push(...page.items);
    after = page.after;
    if (page.caught_up) return events;
  }
}

const isAppend = ({ type }: contracts.Event) => type === "messages.appended";

describe("a subscription", () => {
  test("receives existing events, then new ones, in order and once", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller);
    await appendMany(caller, id, 5);
    const reader = await connect(caller.secret);
    reader.acknowledgeAll("a");
    reader.send({ type: "subscribe", id: "a", filter: { types: ["messages.appended"] } });
    await reader.until((frames) => frames.length > 0);
    await appendMany(caller, id, 20);
    await reader.until(() => reader.eventsOf("a").length === 25);
    expect(reader.eventsOf("a")).toEqual((await listAll(caller)).filter(isAppend));
    const frames = reader.frames.filter((frame) => frame.type === "events");
    for (const [i, { from }] of frames.entries()) expect(from).toBe(frames[i - 1]?.to ?? 0);
  });

  test("starts after a position, or at the end of the log", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller);
    await appendMany(caller, id, 3);
    const reader = await connect(caller.secret);
    reader.send({ type: "subscribe", id: "after", after: 2 });
    reader.send({ type: "subscribe", id: "now", after: "now" });
    await reader.until((frames) => frames.length >= 2);
    expect(reader.frames.find((frame) => "id" in frame && frame.id === "now")).toMatchObject({
      events: [],
      caught_up: true,
    });
    expect(reader.eventsOf("after")[0]?.sequence).toBe(3);
    await appendText(caller, id);
    await reader.until(() => reader.eventsOf("now").some(isAppend));
    expect(reader.eventsOf("now").filter(isAppend)).toHaveLength(1);
  });

  test("with an expired position ends with an error, and the socket stays open", async () => {
    const caller = await createOrganization();
    const reader = await connect(caller.secret);
    reader.send({ type: "subscribe", id: "a", after: 1_000 });
    await reader.until((frames) => frames.length === 1);
    expect(reader.frames[0]).toMatchObject({ type: "error", id: "a", problem: { code: "cursor_expired" } });
    reader.send({ type: "subscribe", id: "a" });
    await reader.until((frames) => frames.length === 2);
    expect(reader.frames[1]?.type).toBe("events");
  });

  test("receives at most four frames without an acknowledgement", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller);
    const slow = await connect(caller.secret);
    const quick = await connect(caller.secret);
    quick.acknowledgeAll("a");
    for (const reader of [slow, quick]) {
      reader.send({ type: "subscribe", id: "a", filter: { types: ["messages.appended"] } });
      await reader.until((frames) => frames.length === 1);
    }
    for (let i = 1; i <= 8; i++) {
      await appendText(caller, id);
      await quick.until(() => quick.eventsOf("a").length === i);
    }
    expect(slow.frames).toHaveLength(contracts.SUBSCRIPTION_FRAMES_MAX);
    slow.acknowledgeAll("a");
    await slow.until(() => slow.eventsOf("a").length === 8);
    expect(slow.eventsOf("a")).toEqual(quick.eventsOf("a"));
  });

  test("continues where it was after the hub was evicted", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller);
    const reader = await connect(caller.secret);
    reader.acknowledgeAll("a");
    reader.send({ type: "subscribe", id: "a", filter: { types: ["messages.appended"] } });
    await reader.until((frames) => frames.length === 1);
    for (let i = 1; i <= 5; i++) {
      const hub = (env.HUB as unknown as DurableObjectNamespace).getByName(caller.organizationId);
      await evictDurableObject(hub, { webSockets: "hibernate" });
      await appendText(caller, id);
      await reader.until(() => reader.eventsOf("a").length === i);
    }
    expect(reader.eventsOf("a")).toEqual((await listAll(caller)).filter(isAppend));
  });

  test("ends when the client unsubscribes", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller);
    const reader = await connect(caller.secret);
    for (const name of ["a", "b"]) reader.send({ type: "subscribe", id: name, after: "now" });
    await reader.until((frames) => frames.length === 2);
    reader.send({ type: "unsubscribe", id: "a" });
    await appendText(caller, id);
    await reader.until(() => reader.eventsOf("b").some(isAppend));
    expect(reader.eventsOf("a")).toEqual([]);
  });
});

test("the longest filters of eight subscriptions and the longest presence fit into a socket's stored state", async () => {
  const caller = await createOrganization();
  const [agent_id, user_id] = ["漢".repeat(256), "字".repeat(256)];
  const key = await createKey(caller, { scopes: ["read", "write", "search"], agent_id, user_id });
  const id = await seedConversation(key, [], { agent_id, user_id });
  const reader = await connect(key.secret);
  const filter = { types: [...contracts.EVENT_TYPES], conversation_id: id, agent_id, user_id };
  const state = { doing: "漢".repeat(336) };
  reader.send({ type: "presence", conversation_id: id, state });
  await reader.until((frames) => frames.some(({ type }) => type === "presence"));
  const presence = reader.frames.length;
  const names = Array.from({ length: 8 }, (_, i) => `${i}`.repeat(64));
  for (const name of names) reader.send({ type: "subscribe", id: name, filter });
  await reader.until((frames) => frames.length === presence + 8);
  for (let i = 2; i <= contracts.SUBSCRIPTION_FRAMES_MAX; i++) {
    await appendText(key, id);
    await reader.until((frames) => frames.length === presence + 8 * i);
  }
  expect(names.map((name) => reader.eventsOf(name).filter(isAppend).length)).toEqual(names.map(() => 3));
});

test("an eighth subscription that is too wide is refused with the limit, and the others get their events", async () => {
  const caller = await createOrganization();
  const long = "漢".repeat(256);
  const key = await createKey(caller, { scopes: ["read", "write"], agent_id: long, user_id: long });
  const id = await seedConversation(key, [], { agent_id: long, user_id: long });
  const reader = await connect(key.secret);
  reader.send({ type: "presence", conversation_id: id, state: { doing: "漢".repeat(336) } });
  reader.send({ type: "subscribe", id: "a", after: "now" });
  await reader.until((frames) => frames.length === 2);
  const filter = { conversation_id: long, agent_id: long, user_id: long, types: [...contracts.EVENT_TYPES] };
  for (let i = 2; i <= 8; i++)
    reader.send({ type: "subscribe", id: `${i}${"漢".repeat(63)}`, after: "now", filter });
  await reader.until((frames) => frames.length === 9);
  expect(reader.frames.filter(({ type }) => type === "error")).toMatchObject([
    { problem: { code: "payload_too_large", detail: expect.stringContaining("16,384 bytes") } },
  ]);
  await appendText(key, id);
  await reader.until(() => reader.eventsOf("a").some(isAppend));
});

describe("a key with a socket", () => {
  test("gets only events that it may list", async () => {
    const caller = await createOrganization();
    const own = await seedConversation(caller, [], { agent_id: "mine" });
    const other = await seedConversation(caller, [], { agent_id: "other" });
    const bound = await createKey(caller, { scopes: ["read"], agent_id: "mine" });
    const reader = await connect(bound.secret);
    reader.acknowledgeAll("a");
    reader.send({ type: "subscribe", id: "a" });
    await appendText(caller, other);
    await appendText(caller, own);
    await reader.until(() => reader.eventsOf("a").some(isAppend));
    expect(new Set(reader.eventsOf("a").map(({ conversation_id }) => conversation_id))).toEqual(
      new Set([own]),
    );
  });

  test("gets no events of other users, of keys or of other organizations", async () => {
    const [caller, other] = [await createOrganization(), await createOrganization()];
    const own = await seedConversation(caller, [], { user_id: "u" });
    const theirs = await seedConversation(other, [], { user_id: "u" });
    await seedConversation(caller, [], { user_id: "v" });
    const bound = await createKey(caller, { scopes: ["read"], user_id: "u" });
    const plain = await createKey(caller, { scopes: ["read"] });
    const subjects = async (secret: string, filter: object = {}) => {
      const reader = await connect(secret);
      reader.send({ type: "subscribe", id: "a", filter });
      await reader.until((frames) => frames.length === 1);
      return reader.eventsOf("a").map(({ type, conversation_id }) => conversation_id ?? type);
    };
    expect(await subjects(bound.secret)).toEqual([own]);
    expect(await subjects(bound.secret, { user_id: "v" })).toEqual([]);
    expect(await subjects(plain.secret)).not.toContain("key.created");
    expect(await subjects(plain.secret, { types: ["key.created"] })).toEqual([]);
    expect(await subjects(caller.secret)).toContain("key.created");
    expect(await subjects(caller.secret, { conversation_id: theirs })).toEqual([]);
  });

  test("gets nothing more when it is revoked, and its socket is closed", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller);
    const { keyId: key_id, secret } = await createKey(caller, { scopes: ["read"] });
    const reader = await connect(secret);
    reader.send({ type: "subscribe", id: "a", after: "now" });
    await reader.until((frames) => frames.length === 1);
    await caller.call(contracts.revokeKey, { params: { key_id } });
    await appendText(caller, id);
    expect((await reader.closed).code).toBe(contracts.LIVE_CLOSE.keyEnded);
    expect(reader.eventsOf("a")).toEqual([]);
  });

  test("gets nothing more when it expires, and its socket is closed", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller);
    const { keyId, secret } = await createKey(caller, { scopes: ["read"] });
    const reader = await connect(secret);
    reader.send({ type: "subscribe", id: "a", after: "now" });
    await reader.until((frames) => frames.length === 1);
    await env.DB.prepare("UPDATE api_keys SET expires_at_ms = 1 WHERE id = ?").bind(keyId).run();
    await appendText(caller, id);
    expect((await reader.closed).code).toBe(contracts.LIVE_CLOSE.keyEnded);
    expect(reader.eventsOf("a")).toEqual([]);
  });

  test("that is revoked also has sockets without a subscription closed, within a minute", async () => {
    const caller = await createOrganization();
    const { keyId: key_id, secret } = await createKey(caller, { scopes: ["read"] });
    const [idle, other] = [await connect(secret), await connect(caller.secret)];
    await caller.call(contracts.revokeKey, { params: { key_id } });
    const hub = (env.HUB as unknown as DurableObjectNamespace).getByName(caller.organizationId);
    await runDurableObjectAlarm(hub);
    expect((await idle.closed).code).toBe(contracts.LIVE_CLOSE.keyEnded);
    other.send({ type: "subscribe", id: "a" });
    await other.until((frames) => frames.length === 1);
  });

  test("of a deleted organization has its socket closed", async () => {
    const caller = await createOrganization();
    const reader = await connect(caller.secret);
    reader.send({ type: "subscribe", id: "a", after: "now" });
    await reader.until((frames) => frames.length === 1);
    await caller.call(contracts.deleteOrganization, { params: { organization_id: caller.organizationId } });
    expect((await reader.closed).code).toBe(contracts.LIVE_CLOSE.keyEnded);
  });

  test("cannot open one without the scope `read`, if it is unknown, or without an upgrade", async () => {
    const caller = await createOrganization();
    const writer = await createKey(caller, { scopes: ["write"] });
    const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;
    expect(await codeOf(await requestSocket(writer.secret))).toBe("forbidden");
    expect(await codeOf(await requestSocket("engram_sk_live_wrong"))).toBe("unauthenticated");
    expect(await codeOf(await requestSocket(caller.secret, { upgrade: "" }))).toBe("validation_failed");
    const other = { "sec-websocket-protocol": "chat" };
    expect(await codeOf(await requestSocket(caller.secret, other))).toBe("validation_failed");
  });
});

describe("a frame from a client", () => {
  test.for([
    ["that is not JSON", "{"],
    ["of an unknown type", '{"type":"shout"}'],
    ["with an unknown field", '{"type":"subscribe","id":"a","key":"b"}'],
    [
      "with more types than there are",
      JSON.stringify({ type: "subscribe", id: "a", filter: { types: Array(1_000).fill("key.created") } }),
    ],
    ["that is binary", new Uint8Array([123, 125]).buffer],
  ] as const)("%s closes the socket with 4004", async ([, data]) => {
    const caller = await createOrganization();
    const reader = await connect(caller.secret);
    reader.sendRaw(data);
    expect((await reader.closed).code).toBe(contracts.LIVE_CLOSE.badFrame);
  });

  test.for([
    ["of 33 MiB", "x".repeat(33 * 2 ** 20)],
    ["of 65,537 characters", JSON.stringify({ type: "shout", id: "" }).padEnd(65_537)],
    ["of 65,537 bytes", new Uint8Array(65_537).buffer],
  ] as const)("%s closes the socket with 1009", async ([, data]) => {
    const caller = await createOrganization();
    const reader = await connect(caller.secret);
    reader.sendRaw(data);
    expect((await reader.closed).code).toBe(contracts.LIVE_CLOSE.tooLong);
  });

  test("that comes in the wrong order changes nothing", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller);
    const reader = await connect(caller.secret);
    reader.send({ type: "ack", id: "a", to: 1_000_000 });
    reader.send({ type: "unsubscribe", id: "a" });
    reader.send({ type: "subscribe", id: "a", filter: { types: ["messages.appended"] } });
    reader.send({ type: "ack", id: "b", to: 1 });
    reader.send({ type: "ack", id: "a", to: 1_000_000 });
    await appendText(caller, id);
    await reader.until(() => reader.eventsOf("a").length > 0);
    // Positions that were acknowledged before, and again.
    for (const to of [0, 1, 0]) reader.send({ type: "ack", id: "a", to });
    await appendText(caller, id);
    await reader.until(() => reader.eventsOf("a").length > 1);
    expect(reader.eventsOf("a").map(({ last_sequence }) => last_sequence)).toEqual([1, 2]);
  });

  test("closes the socket if there are too many, and no other socket", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller);
    const other = await connect(caller.secret);
    other.send({ type: "subscribe", id: "a", after: "now" });
    await other.until((frames) => frames.length === 1);
    const reader = await connect(caller.secret);
    // Frames that cost the hub little, so that it receives more than 100 in a second, also on a busy machine.
    for (let i = 0; i < 1_000; i++) reader.send({ type: "unsubscribe", id: "a" });
    expect((await reader.closed).code).toBe(contracts.LIVE_CLOSE.tooManyFrames);
    await appendText(caller, id);
    await other.until(() => other.eventsOf("a").some(isAppend));
  });

  test("that opens a ninth subscription closes the socket", async () => {
    const caller = await createOrganization();
    const reader = await connect(caller.secret);
    for (let i = 0; i < 9; i++) reader.send({ type: "subscribe", id: `s${i}` });
    expect((await reader.closed).code).toBe(contracts.LIVE_CLOSE.badFrame);
  });
});
