import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import * as contracts from "@engram/spec";
import { describe, expect, test, vi } from "vitest";
import { partOf } from "../../src/events/service.ts";
import type { KeyCaller } from "../../src/invocation.ts";
import { waitingOf } from "../../src/live/sockets.ts";
import { type Caller, createKey, createOrganization, seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import { type Block, countedLooks, eventsOf, reading } from "../support/event-streams.ts";
import { type HubSocket, openHub } from "../support/hub.ts";
import { Clock, Service } from "../support/invocations.ts";
import { someTurns } from "../support/runtime.ts";

const READERS = 100;

/** An isolate that does not take the organization for one without listeners, as one that wrote before may for a second. */
const fresh = ({ secret }: Caller) => new Service().callerOf(secret);

/** Makes one event, and none later. */
let changes = 0;
const change = (caller: Caller, conversation_id: string) =>
  fresh(caller).call(contracts.updateConversation, {
    params: { conversation_id },
    body: { title: `${++changes}` },
  });

/** A clock with which only the hub ends the wait for a change. Pauses between two looks end at once. */
class HubClock extends Clock {
  override pause(ms: number): Promise<void> {
    return ms <= 200 ? super.pause(1) : new Promise(() => {});
  }
}

const hubOf = (organizationId: string) =>
  (env.HUB as unknown as DurableObjectNamespace).getByName(organizationId);

const lastOf = async (caller: Caller) =>
  (await caller.call(contracts.listEvents, { query: { after: "now" } })).after;

/** Waits until this number of requests wait for the events after a position. */
const untilWaiting = (organizationId: string, count: number, after: number) =>
  vi.waitFor(
    async () => {
      const waiting = await runInDurableObject(hubOf(organizationId), (_, state) =>
        state.getWebSockets("waker").filter((socket) => waitingOf(socket)?.asked?.from === after),
      );
      expect(waiting).toHaveLength(count);
    },
    { timeout: 60_000, interval: 20 },
  );

/** A stream from the end of the log, read all the time. */
async function openStream(service: Service, secret: string) {
  const sent = reading(await service.open(secret, contracts.streamEvents, { query: { after: "now" } }));
  const blocks: Block[] = [];
  await sent.next();
  const ended = sent.until((block) => blocks.push(block) < 0);
  return { blocks, ended, events: () => eventsOf(blocks), cancel: sent.cancel };
}

const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 5 });

/** A service whose waiting requests are counted by their reads of the log, and one that changes something. */
async function openServices() {
  const owner = await createOrganization();
  const { DB, looks } = countedLooks();
  const id = await seedConversation(owner);
  return { owner, id, looks, reading: new Service({ DB }, new HubClock()) };
}

describe("100 readers of the same key and filter", () => {
  test("with a stream get a change that the hub reads for them, once", async () => {
    const { owner, id, looks, reading } = await openServices();
    const after = await lastOf(owner);
    const streams = await Promise.all(
      Array.from({ length: READERS }, () => openStream(reading, owner.secret)),
    );
    await untilWaiting(owner.organizationId, READERS, after);
    const before = looks();
    await change(owner, id);
    await untilWaiting(owner.organizationId, READERS, await lastOf(owner));
    for (const { events } of streams)
      expect(events()).toMatchObject([{ type: "conversation.updated", sequence: after + 1 }]);
    expect(looks() - before).toBe(0);
    for (const { cancel } of streams) await cancel();
  });

  test("with a long poll get a change that the hub reads for them", async () => {
    const { owner, id, looks, reading } = await openServices();
    const after = await lastOf(owner);
    const caller = reading.callerOf(owner.secret);
    const polls = Array.from({ length: READERS }, () =>
      caller.call(contracts.listEvents, { query: { after, wait_seconds: 20 } }),
    );
    await untilWaiting(owner.organizationId, READERS, after);
    const before = looks();
    await change(owner, id);
    for (const { items } of await Promise.all(polls))
      expect(items).toMatchObject([{ type: "conversation.updated", sequence: after + 1 }]);
    expect(looks() - before).toBe(0);
  });
});

test("readers share a read also after the hub hibernated, and get each of many changes once and in order", async () => {
  const { owner, id, looks, reading } = await openServices();
  const after = await lastOf(owner);
  const streams = await Promise.all(Array.from({ length: 3 }, () => openStream(reading, owner.secret)));
  await untilWaiting(owner.organizationId, 3, after);
  const before = looks();
  const hibernate = () =>
    // A hub that hibernates already runs again only when something reaches it.
    evictDurableObject(hubOf(owner.organizationId), { webSockets: "hibernate" }).catch(() => {});
  await hibernate();
  await change(owner, id);
  await untilWaiting(owner.organizationId, 3, await lastOf(owner));
  expect(looks() - before).toBe(0);
  for (let i = 0; i < 20; i++) {
    await change(owner, id);
    if (i % 5 === 0) await hibernate();
  }
  const sequences = Array.from({ length: 21 }, (_, i) => after + 1 + i);
  for (const { events, cancel } of streams) {
    await until(() => expect(events().map(({ sequence }) => sequence)).toEqual(sequences));
    await cancel();
  }
});

test("readers that wait at once get exactly the events that their key may list", async () => {
  const service = new Service({}, new HubClock());
  const readers: { caller: Caller; after: number; stream: Awaited<ReturnType<typeof openStream>> }[] = [];
  const owners = [await createOrganization(), await createOrganization()];
  for (const owner of owners) {
    const bindings = [{}, { user_id: "ann" }, { user_id: "bob" }, { agent_id: "ann" }];
    const keys = await Promise.all(
      bindings.map((binding) => createKey(owner, { scopes: ["read"], ...binding })),
    );
    const callers = [owner, ...keys];
    const after = await lastOf(owner);
    for (const caller of [...callers, ...callers])
      readers.push({ caller, after, stream: await openStream(service, caller.secret) });
    await untilWaiting(owner.organizationId, 2 * callers.length, after);
  }
  for (const owner of owners)
    for (const owned of [{}, { user_id: "ann" }, { user_id: "bob" }, { agent_id: "ann", user_id: "bob" }])
      await seedConversation(fresh(owner), [], owned);
  const lengths = new Set<number>();
  for (const { caller, after, stream } of readers) {
    const { items } = await caller.call(contracts.listEvents, { query: { after } });
    lengths.add(items.length);
    await until(() => expect(stream.events()).toEqual(items));
    await stream.cancel();
  }
  expect([...lengths].sort()).toEqual([1, 2, 4]);
});

test("a revoked key ends its readers, and the readers of another key with the same rights go on", async () => {
  const { owner, id, reading } = await openServices();
  const [revoked, other] = [
    await createKey(owner, { scopes: ["read"] }),
    await createKey(owner, { scopes: ["read"] }),
  ];
  const after = await lastOf(owner);
  const open = ({ secret }: Caller) =>
    Promise.all([openStream(reading, secret), openStream(reading, secret)]);
  const [ending, continuing] = [await open(revoked), await open(other)];
  await untilWaiting(owner.organizationId, 4, after);
  await owner.call(contracts.revokeKey, { params: { key_id: revoked.keyId } });
  await change(owner, id);
  for (const { ended, blocks } of ending) {
    await ended;
    expect(blocks.flatMap(({ event }) => event ?? [])).toEqual(["error"]);
    expect(JSON.parse(blocks.find(({ event }) => event)?.data ?? "")).toMatchObject({
      code: "unauthenticated",
    });
  }
  for (const { events, cancel } of continuing) {
    await until(() => expect(events()).toMatchObject([{ type: "conversation.updated" }]));
    await cancel();
  }
});

describe("the hub", () => {
  const part = (socket: HubSocket) =>
    socket.texts.filter((text) => text !== "").map((text) => JSON.parse(text));

  /** A hub whose reads of the log can be held back. */
  async function open() {
    const { DB, looks } = countedLooks();
    const held = { reads: null as Promise<void> | null, isDown: false };
    const batch: D1Database["batch"] = async (statements) => {
      await held.reads;
      if (held.isDown) throw new Error("down");
      return env.DB.batch(statements);
    };
    const opened = await openHub(
      {},
      { DB: { prepare: DB.prepare.bind(DB), batch } as unknown as D1Database },
    );
    const id = await seedConversation(opened.caller);
    const after = await lastOf(opened.caller);
    const ask = (socket: HubSocket, from = after, isDue = false) =>
      opened.hub.receive(socket as unknown as WebSocket, JSON.stringify({ after: from, isDue }));
    return { ...opened, id, after, looks, held, ask };
  }

  test("reads the log once for a change that 100 requests of the same key and filter wait for", async () => {
    const { caller, hub, wait, id, after, looks, ask } = await open();
    const sockets = Array.from({ length: READERS }, () => wait());
    for (const socket of sockets) await ask(socket);
    const before = looks();
    await change(caller, id);
    await hub.poke();
    expect(looks() - before).toBe(1);
    for (const socket of sockets)
      expect(socket.texts.map((text) => JSON.parse(text))).toMatchObject([
        { from: after, page: { after: after + 1, items: [{ type: "conversation.updated" }] } },
      ]);
  });

  test("reads apart for requests of one key with other filters or positions, and sends each its own events", async () => {
    const { caller, hub, wait, id, after, looks, ask } = await open();
    const twice = (filter = {}) => [wait(undefined, filter), wait(undefined, filter)];
    const [all, earlier, created, ofUser] = [
      twice(),
      twice(),
      twice({ types: ["conversation.created"] }),
      twice({ userId: "ann" }),
    ];
    for (const socket of [...all, ...created, ...ofUser]) await ask(socket);
    for (const socket of earlier) await ask(socket, after - 1);
    const before = looks();
    await seedConversation(caller);
    await change(caller, id);
    await hub.poke();
    expect(looks() - before).toBe(4);
    const sequencesOf = ({ texts }: HubSocket) =>
      texts.map((text) => JSON.parse(text).page.items.map(({ sequence }: contracts.Event) => sequence));
    expect(all.map(sequencesOf)).toEqual(Array(2).fill([[after + 1, after + 2]]));
    expect(earlier.map(sequencesOf)).toEqual(Array(2).fill([[after, after + 1, after + 2]]));
    expect(created.map(sequencesOf)).toEqual(Array(2).fill([[after + 1]]));
    expect(ofUser.map(sequencesOf)).toEqual([[], []]);
  });

  test("sends the broadcasts of a conversation to no request that waits for its events with a long poll", async () => {
    const { hub, wait, id } = await open();
    const socket = wait(undefined, { conversationId: id });
    const ids = { key_id: "k", agent_id: null, user_id: null };
    const sent = { conversation_id: id, value: {}, sent_at: new Date(0).toISOString(), ...ids };
    expect(await hub.broadcast(sent, { agentId: null, userId: null, isShared: false })).toBe(0);
    expect(socket.texts).toEqual([]);
  });

  test("leaves the read to a request whose key, filter or position no other has", async () => {
    const { caller, hub, wait, id, after, looks, ask } = await open();
    const { keyId } = await createKey(caller, { scopes: ["read"] });
    const alone = [
      wait(keyId),
      wait(undefined, { userId: "ann" }),
      wait(undefined, { userId: "ann" }),
      wait(),
    ];
    for (const [i, socket] of alone.entries()) await ask(socket, i === 2 ? after - 1 : after);
    const before = looks();
    await change(caller, id);
    await hub.poke();
    expect(looks() - before).toBe(0);
    for (const { texts } of alone) expect(texts).toEqual([""]);
  });

  test("keeps nothing for a request that does not ask again, and serves the others", async () => {
    const { caller, hub, wait, id, ask, after } = await open();
    const [slow, ...others] = [wait(), wait(), wait()];
    for (const socket of [slow, ...others]) if (socket !== undefined) await ask(socket);
    for (let i = 0; i < 3; i++) {
      await change(caller, id);
      await hub.poke();
      for (const socket of others) await ask(socket, after + 1 + i);
    }
    expect(slow?.texts.slice(1)).toEqual(["", ""]);
    for (const socket of others)
      expect(part(socket).map(({ page }) => page.after)).toEqual([after + 1, after + 2, after + 3]);
  });

  test("lets requests look themselves if it cannot read the log", async () => {
    const { caller, hub, wait, id, ask, held } = await open();
    const sockets = [wait(), wait()];
    for (const socket of sockets) await ask(socket);
    await change(caller, id);
    held.isDown = true;
    await hub.poke();
    for (const { texts } of sockets) expect(texts).toEqual([""]);
  });

  test("reads on from the position of a request that asks again while the log is read", async () => {
    const { caller, hub, wait, id, ask, held, after } = await open();
    const sockets = [wait(), wait()];
    for (const socket of sockets) await ask(socket);
    await change(caller, id);
    const gate = Promise.withResolvers<void>();
    held.reads = gate.promise;
    const poked = hub.poke();
    await someTurns();
    // They have looked themselves.
    for (const socket of sockets) await ask(socket, after + 1);
    await change(caller, id);
    gate.resolve();
    await poked;
    for (const socket of sockets) {
      expect(part(socket)).toMatchObject([{ from: after + 1, page: { items: [{ sequence: after + 2 }] } }]);
    }
  });

  test("wakes a request for a change that came while the log was read for it", async () => {
    const { caller, hub, wait, id, ask, held } = await open();
    const sockets = [wait(), wait()];
    for (const socket of sockets) await ask(socket);
    await change(caller, id);
    const gate = Promise.withResolvers<void>();
    held.reads = gate.promise;
    const poked = hub.poke();
    await someTurns();
    const again = hub.poke();
    gate.resolve();
    await Promise.all([poked, again]);
    for (const { texts } of sockets) expect(texts.map((text) => text === "")).toEqual([false, true]);
  });

  test("reads for a request at once that may have missed a change, and moves on past events of other filters", async () => {
    const { caller, hub, wait, id, ask, after, looks } = await open();
    const sockets = [wait(undefined, { userId: "ann" }), wait(undefined, { userId: "ann" })];
    for (const socket of sockets) await ask(socket, after, true);
    for (let i = 0; i < 3; i++) {
      await change(caller, id);
      await hub.poke();
    }
    const before = looks();
    await seedConversation(caller, [], { user_id: "ann" });
    await hub.poke();
    expect(looks() - before).toBe(1);
    for (const { texts } of sockets) {
      expect(texts).toHaveLength(1);
      expect(JSON.parse(texts[0] ?? "")).toMatchObject({ from: after, page: { after: after + 4 } });
    }
    await ask(sockets[0] as HubSocket, after, true);
    expect(sockets[0]?.texts).toHaveLength(2);
  });
});

describe("of a part that the hub read, a request", () => {
  const callerUntil = (expiresAtMs: number | null) =>
    ({ principal: { expiresAtMs }, runtime: new Clock() }) as unknown as KeyCaller;
  const items = [{ sequence: 3 }, { sequence: 5 }];
  const text = JSON.stringify({ from: 2, page: { items, after: 6, oldest: 1, caught_up: true } });

  test("takes only what follows its own position", () => {
    const rest = (after: number) => partOf(callerUntil(null), text, after);
    expect(rest(2)).toMatchObject({ answer: { items, after: 6 }, rows: 4 });
    expect(rest(3)).toMatchObject({ answer: { items: [{ sequence: 5 }], after: 6 }, rows: 3 });
    expect(rest(6)).toMatchObject({ answer: { items: [], after: 6 }, rows: 0 });
  });

  test("takes nothing that begins after its position, or ends before it", () => {
    for (const after of [1, 7]) expect(partOf(callerUntil(null), text, after)).toBeNull();
  });

  test("takes nothing once its key has expired", () => {
    const caller = callerUntil(Date.now() + 3_600_000);
    expect(partOf(caller, text, 2)).not.toBeNull();
    (caller.runtime as Clock).advance(3_600_000);
    expect(partOf(caller, text, 2)).toBeNull();
  });
});
