import type { Broadcast } from "@engram/spec";
import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { appendText, createKey, seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import { type Call, type HubSocket, openHub } from "../support/hub.ts";
import { someTurns } from "../support/runtime.ts";

const typesOf = (socket: HubSocket) => socket.frames.map(({ type }) => type);
const subscribe = { type: "subscribe", id: "a", after: "now", filter: {} };

describe("a socket that fails is closed with 1011, and the others are served, when", () => {
  test.for([
    ["events are sent", "send", "events", 0],
    ["the position of events is stored", "serializeAttachment", "events", 0],
    ["a broadcast is sent", "send", "broadcast", 0],
    ["the presence of another is sent", "send", "presence", 0],
    ["the state of a subscription is stored", "serializeAttachment", "subscribe", 1],
    ["a refusal is sent", "send", "refusal", 0],
    ["its own presence is stored", "serializeAttachment", "own presence", 1],
  ] as [string, Call, string, number][])("%s", async ([, call, work, sparing]) => {
    const { caller, clock, hub, connect, receive } = await openHub();
    const conversation_id = await seedConversation(caller);
    const [bad, good] = [connect(), connect()];
    const filter = { conversation_id };
    for (const socket of [bad, good]) {
      await receive(socket, { ...subscribe, filter });
      await receive(socket, { type: "presence", conversation_id, state: { a: 1 } });
      await clock.pass(1_000);
      await someTurns();
    }
    const before = good.frames.length;
    bad.failing = call;
    bad.sparing = sparing;
    if (work === "broadcast") {
      const sent = { conversation_id, value: {}, key_id: "k", agent_id: null, user_id: null, sent_at: "t" };
      await hub.broadcast(sent as unknown as Broadcast, { agentId: null, userId: null, isShared: false });
    }
    if (work === "presence") await receive(good, { type: "presence", conversation_id, state: { a: 2 } });
    if (work === "own presence") await receive(bad, { type: "presence", conversation_id, state: { a: 2 } });
    if (work === "subscribe") await receive(bad, { ...subscribe, id: "b" });
    if (work === "refusal") await receive(bad, { type: "presence", conversation_id: "conv_none", state: {} });
    await clock.pass(1_000);
    await someTurns();
    await appendText(caller, conversation_id);
    await hub.poke();
    await clock.pass(1_000);
    await someTurns();
    expect(bad.closed?.code).toBe(contracts.LIVE_CLOSE.failed);
    expect(good.closed).toBeNull();
    const got = good.frames.slice(before);
    expect(got.some((frame) => frame.type === "events" && frame.events.length > 0)).toBe(true);
    expect(got.some((frame) => frame.type === "presence" && frame.left.length === 1)).toBe(true);
  });
});

test("a subscription that makes the state of a socket too large is refused, and the others continue", async () => {
  const { caller, hub, connect, receive } = await openHub();
  const id = await seedConversation(caller);
  const socket = connect();
  await receive(socket, subscribe);
  socket.charactersMax = 900;
  await receive(socket, {
    ...subscribe,
    id: "wide",
    filter: { user_id: "u".repeat(256), agent_id: "a".repeat(256) },
  });
  expect(socket.frames.at(-1)).toMatchObject({ type: "error", id: "wide", problem: { status: 413 } });
  expect(JSON.stringify(socket.frames.at(-1))).toContain("16,384 bytes");
  await appendText(caller, id);
  await hub.poke();
  expect(socket.frames.at(-1)).toMatchObject({ type: "events", id: "a" });
  expect(socket.closed).toBeNull();
});

test("a client that was silent for 100 frames misses further ones, and then gets all presences", async () => {
  const { caller, clock, hub, connect, receive } = await openHub();
  const conversation_id = await seedConversation(caller);
  const [sender, watcher] = [connect(), connect()];
  await receive(watcher, { ...subscribe, filter: { conversation_id } });
  await receive(watcher, { type: "presence", conversation_id, state: null });
  const sent = { conversation_id, value: {}, key_id: "k", agent_id: null, user_id: null, sent_at: "t" };
  for (let i = 0; i < contracts.SOCKET_BROADCASTS_MAX; i++)
    await hub.broadcast(sent as unknown as Broadcast, { agentId: null, userId: null, isShared: false });
  const change = async (i: number) => {
    await receive(sender, { type: "presence", conversation_id, state: { i } });
    await clock.pass(100);
    await someTurns();
  };
  await change(1);
  expect(typesOf(watcher).at(-1)).toBe("broadcast");
  await receive(watcher, { type: "unsubscribe", id: "b" });
  await change(2);
  expect(watcher.frames.at(-1)).toMatchObject({ type: "presence", all: [{ state: { i: 2 } }] });
});

test("a failure of the database is told to those who set their presence, and the others get all presences later", async () => {
  let isDown = false;
  const batch: D1Database["batch"] = (statements) =>
    isDown ? Promise.reject(new Error("down")) : env.DB.batch(statements);
  const failing = { prepare: env.DB.prepare.bind(env.DB), batch };
  const { caller, clock, connect, receive } = await openHub({}, { DB: failing as unknown as D1Database });
  const conversation_id = await seedConversation(caller);
  const [sender, watcher] = [connect(), connect()];
  await receive(watcher, { type: "presence", conversation_id, state: null });
  for (const i of [1, 2]) {
    isDown = i === 1;
    await clock.pass(100);
    await receive(sender, { type: "presence", conversation_id, state: { i } });
    await someTurns();
  }
  expect(sender.frames).toMatchObject([
    { type: "error", conversation_id, problem: { code: "unavailable" } },
    { type: "presence" },
  ]);
  expect(watcher.frames.at(-1)).toMatchObject({ all: [{ state: { i: 2 } }] });
});

test("a socket for which the log cannot be read for 60 seconds is closed with 1011, not sooner", async () => {
  const failing = { prepare: env.DB.prepare.bind(env.DB), batch: () => Promise.reject(new Error("down")) };
  const { clock, hub, connect, receive } = await openHub({}, { DB: failing as unknown as D1Database });
  const socket = connect();
  await receive(socket, subscribe);
  clock.advance(59_999);
  await hub.alarm();
  expect(socket.closed).toBeNull();
  clock.advance(1);
  await hub.alarm();
  expect(socket.closed?.code).toBe(contracts.LIVE_CLOSE.failed);
});

describe("frames", () => {
  test("of presence within 100 ms cost one read, and the last one counts", async () => {
    const { caller, clock, connect, receive } = await openHub();
    const conversation_id = await seedConversation(caller);
    const [sender, watcher] = [connect(), connect()];
    await receive(watcher, { type: "presence", conversation_id, state: null });
    for (let i = 1; i <= 10; i++) {
      clock.advance(1);
      // Without time in which the hub could work.
      void receive(sender, { type: "presence", conversation_id, state: { i } });
    }
    await someTurns();
    await clock.pass(100);
    await someTurns();
    const got = watcher.frames.flatMap((frame) => (frame.type === "presence" ? frame.joined : []));
    expect(got.map(({ state }) => state)).toEqual([{ i: 10 }]);
    expect(typesOf(sender)).toEqual(["presence"]);
  });

  test("that change a subscription read the log once a second", async () => {
    const { clock, connect, receive } = await openHub();
    const socket = connect();
    for (let i = 0; i < 5; i++) await receive(socket, subscribe);
    expect(typesOf(socket)).toEqual(["events"]);
    await clock.pass(999);
    await someTurns();
    expect(socket.frames).toHaveLength(1);
    await clock.pass(1);
    await someTurns();
    expect(socket.frames).toHaveLength(2);
  });

  test.for([
    ["key", { keyFramesPerSecond: 3 }, {}, "at most 3 frames a second for each key"],
    [
      "organization",
      { organizationFramesPerSecond: 3 },
      {},
      "at most 3 frames a second for each organization",
    ],
    [
      "rate limit",
      {},
      { RATE_LIMIT_POLICY: '"key";q=3;w=10, "organization";q=9;w=10' },
      "at most 3 frames in 10 seconds for each key",
    ],
  ] as const)("over the limit of a %s close the socket with 4029 and the limit", async (row) => {
    const [, limits, bindings, reason] = row;
    const { clock, connect, receive } = await openHub(limits, bindings);
    // To the start of a window.
    clock.advance(10_000 - (clock.nowMs() % 10_000));
    const [one, two] = [connect(), connect()];
    for (let i = 0; i < 3; i++) await receive(one, { type: "unsubscribe", id: "a" });
    // The first frame of a socket is free.
    await receive(two, { type: "unsubscribe", id: "a" });
    await receive(two, { type: "unsubscribe", id: "a" });
    expect([one.closed, two.closed]).toEqual([null, null]);
    await receive(two, { type: "unsubscribe", id: "a" });
    expect(two.closed).toEqual({ code: contracts.LIVE_CLOSE.tooManyFrames, reason });
  });

  test("count as requests of their key in the usage", async () => {
    const { caller, hub, connect, receive } = await openHub();
    const { keyId } = await createKey(caller, { scopes: ["read"] });
    const socket = connect(keyId);
    for (let i = 0; i < 5; i++) await receive(socket, { type: "unsubscribe", id: "a" });
    await hub.alarm();
    const { items } = await caller.call(contracts.listUsage, {
      query: { key_id: keyId, group_by: ["operation"] },
    });
    expect(items).toMatchObject([{ operation: "socketFrame", requests: 4 }]);
  });
});
