import { runInDurableObject } from "cloudflare:test";
import * as contracts from "@engram/spec";
import { describe, expect, test, vi } from "vitest";
import type { Env } from "../../src/invocation.ts";
import { SERVICE_LIMITS, type ServiceLimits } from "../../src/limits.ts";
import { type Caller, createKey, createOrganization, open, seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import { type Block, countedLooks, eventsOf, isHeartbeat, reading } from "../support/event-streams.ts";
import { Clock, Service } from "../support/invocations.ts";
import { type RequestParts, toRequest } from "../support/requests.ts";
import { someTurns } from "../support/runtime.ts";

type Query = Record<string, string | number | string[]>;

/** A clock that advances by every pause at once. */
class FastClock extends Clock {
  override async pause(ms: number): Promise<void> {
    this.advance(ms);
    await super.pause(1);
  }
}

/** A clock whose pauses last until `endPauses`. */
class HeldClock extends Clock {
  readonly #held = Promise.withResolvers<void>();
  readonly #paused = Promise.withResolvers<void>();
  /** Resolves when the first pause has begun. */
  readonly paused = this.#paused.promise;

  override pause(): Promise<void> {
    this.#paused.resolve();
    return this.#held.promise;
  }

  endPauses(): void {
    this.#held.resolve();
  }
}

/** An organization, and a service with its own clock. */
async function openService(bindings: Partial<Env> = {}, limits: Partial<ServiceLimits> = {}) {
  const owner = await createOrganization();
  const clock = new FastClock();
  const service = new Service(bindings, clock, limits);
  return { owner, clock, service, caller: service.callerOf(owner.secret) };
}

const stream = (service: Service, { secret }: Caller, query: Query = {}, headers = {}) =>
  service.open(secret, contracts.streamEvents, { query, headers });
const list = async (caller: Caller, query: Query = {}) =>
  (await caller.call(contracts.listEvents, { query: { limit: 500, ...query } })).items;

describe("GET /v1/events/stream", () => {
  test("sends the events that `listEvents` returns for the same filters, and the position after them", async () => {
    const { service, caller } = await openService();
    const id = await seedConversation(caller, ["one"], { agent_id: "a" });
    await seedConversation(caller, ["two"], { user_id: "u" });
    await service.settle();
    const { length } = await list(caller);
    const queries: Query[] = [
      {},
      { after: 2 },
      { conversation_id: id },
      { agent_id: "a" },
      { user_id: "u", type: ["conversation.created", "messages.appended"] },
    ];
    for (const query of queries) {
      const response = await stream(service, caller, query);
      expect(response.headers.get("content-type")).toBe("text/event-stream");
      const sent = reading(response);
      const blocks = await sent.until(isHeartbeat);
      await sent.cancel();
      const events = await list(caller, query);
      expect(events.length).toBeGreaterThan(0);
      expect(eventsOf(blocks)).toEqual(events);
      expect(blocks.slice(0, -1).map(({ id, event }) => [id, event])).toEqual(
        events.map(({ sequence, type }) => [`${sequence}`, type]),
      );
      expect(blocks.at(-1)).toEqual({ id: `${length}`, retry: "500" });
    }
  });

  // nginx buffers responses by default, and compressors hold data back.
  test("sends a comment at once, and proxies are told to pass everything on at once", async () => {
    const { service, caller, clock } = await openService();
    const startMs = clock.nowMs();
    const response = await stream(service, caller, { after: "now" });
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    expect(response.headers.get("cache-control")).toBe("no-cache, no-transform");
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toMatch(/^: heartbeat\n/);
    expect(clock.nowMs()).toBe(startMs);
    await reader.cancel();
  });

  test("sends new events once and in order, even if they are split over many chunks", async () => {
    const { service, caller } = await openService();
    const sent = reading(await stream(service, caller, { after: "now" }));
    expect(await sent.next()).toEqual({ id: "1", retry: "500" });
    const memories = Array.from({ length: 100 }, (_, i) => ({
      content: `Note ${i}`,
      tags: [],
      summary: "x",
    }));
    for (let i = 0; i < 5; i++) {
      const bodies = memories.map((memory) => ({ ...memory, content: `${memory.content} of ${i}` }));
      await caller.call(contracts.createMemories, { body: { memories: bodies } });
    }
    const events = eventsOf(await sent.until(({ id, event }) => id === "501" && event === undefined));
    await sent.cancel();
    expect(events.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 500 }, (_, i) => i + 2));
  });

  test("continues after `Last-Event-ID`, which takes precedence over `after`", async () => {
    const { service, caller } = await openService();
    for (let i = 0; i < 3; i++) await seedConversation(caller);
    const sent = reading(await stream(service, caller, { after: "now" }, { "last-event-id": "2" }));
    expect(eventsOf(await sent.until(isHeartbeat)).map(({ sequence }) => sequence)).toEqual([3, 4]);
    await sent.cancel();
  });

  test("sends its position every 15 seconds, and ends after five minutes with its position", async () => {
    const { service, caller, clock } = await openService();
    const startMs = clock.nowMs();
    const sent = reading(await stream(service, caller, { after: "now", type: "memory.created" }));
    const times: number[] = [];
    const blocks: (Block | null)[] = [];
    await seedConversation(caller);
    for (let block = await sent.next(); block !== null; block = await sent.next()) {
      blocks.push(block);
      times.push((clock.nowMs() - startMs) / 1_000);
    }
    expect(times).toEqual([...Array.from({ length: 20 }, (_, i) => i * 15), 300]);
    expect(blocks.slice(1)).toEqual(Array(20).fill({ id: "2", retry: "500" }));
  });

  test("ends after a limited number of events, and the next stream continues", async () => {
    const { DB, looks } = countedLooks();
    const { service, caller } = await openService({ DB }, { eventStreamRows: 5, eventPageRows: 2 });
    for (let i = 0; i < 7; i++) await seedConversation(caller);
    const first = await reading(await stream(service, caller, { type: "conversation.created" })).rest();
    expect(eventsOf(first).map(({ sequence }) => sequence)).toEqual([2, 3, 4, 5]);
    expect(first.at(-1)).toEqual({ id: "5", retry: "500" });
    expect(looks()).toBe(3);
    const headers = { "last-event-id": "5" };
    const sent = reading(await stream(service, caller, {}, headers));
    expect(await sent.next()).toMatchObject({ id: "6", event: "conversation.created" });
    await sent.cancel();
  });

  test("ends after a number of reads that stays within D1's statements per invocation", async () => {
    const { DB, looks } = countedLooks();
    const { service, caller } = await openService({ DB }, { eventStreamLooks: 5 });
    await reading(await stream(service, caller, { after: "now" })).rest();
    expect(looks()).toBe(5);
    const others = 50;
    expect(3 * SERVICE_LIMITS.eventStreamLooks + others).toBeLessThan(1_000);
  });

  test("stops reading the log while its client does not read", async () => {
    const { DB, looks } = countedLooks();
    const { service, caller } = await openService({ DB }, { eventPageRows: 2 });
    for (let i = 0; i < 20; i++) await seedConversation(caller);
    const before = looks();
    const readTimes = async (times: number) => {
      await vi.waitFor(() => expect(looks() - before).toBe(times), { timeout: 60_000 });
      await someTurns();
      expect(looks() - before).toBe(times);
    };
    const response = await stream(service, caller);
    await readTimes(1);
    const sent = reading(response);
    await sent.until(({ id, event }) => id === "6" && event === undefined);
    await readTimes(3);
    await sent.cancel();
  });

  test("stops reading the log when its client disconnects", async () => {
    const { DB, looks } = countedLooks();
    const clock = new HeldClock();
    const service = new Service({ DB }, clock);
    const sent = reading(
      await stream(service, service.callerOf((await createOrganization()).secret), { after: "now" }),
    );
    await sent.next();
    const waiting = sent.next();
    await clock.paused;
    await sent.cancel();
    expect(await waiting).toBeNull();
    await service.settle();
    const before = looks();
    clock.endPauses();
    await someTurns();
    expect(looks() - before).toBe(0);
  });

  test.for(["revoked", "expired", "deleted with its organization"])(
    "sends nothing more after its key is %s, and ends",
    async (how) => {
      const { owner, service, clock } = await openService();
      const expires_at = new Date(clock.nowMs() + 3_600_000).toISOString();
      const key = await createKey(owner, { scopes: ["read"], expires_at });
      const id = await seedConversation(owner);
      const sent = reading(await stream(service, key, { conversation_id: id }));
      expect(eventsOf(await sent.until(isHeartbeat))).toHaveLength(1);
      if (how === "expired") clock.advance(3_600_000);
      else if (how === "revoked") await owner.call(contracts.revokeKey, { params: { key_id: key.keyId } });
      const params = { conversation_id: id, organization_id: owner.organizationId };
      await owner.call(contracts.updateConversation, { params, body: { title: "x" } });
      if (how === "deleted with its organization") await owner.call(contracts.deleteOrganization, { params });
      const blocks = (await sent.rest()).filter((block) => !isHeartbeat(block));
      expect(blocks.map(({ event }) => event)).toEqual(["error"]);
      const [problem] = eventsOf(blocks);
      expect(contracts.Problem.parse(problem)).toMatchObject({ code: "unauthenticated", status: 401 });
    },
  );

  test("sends a problem and ends if its position is deleted while the client does not read", async () => {
    const { service, caller, clock } = await openService();
    for (let i = 0; i < 3; i++) await seedConversation(caller);
    const sent = reading(await stream(service, caller, { after: "now" }));
    await sent.next();
    for (let i = 0; i < 3; i++) await seedConversation(caller);
    clock.advance(8 * 24 * 3_600_000);
    await service.sweep();
    const [block, ...more] = await sent.rest();
    expect(more).toEqual([]);
    expect(block?.event).toBe("error");
    expect(JSON.parse(block?.data ?? "")).toMatchObject({ code: "cursor_expired", status: 410 });
    for (const after of [0, 1])
      expect(await caller.fail(contracts.streamEvents, { query: { after } })).toMatchObject({
        code: "cursor_expired",
        status: 410,
      });
  });

  test("sends only events that the key may read", async () => {
    const { owner, service } = await openService();
    const mine = await seedConversation(owner, [], { agent_id: "mine" });
    await seedConversation(owner, [], { agent_id: "other" });
    const bound = await createKey(owner, { scopes: ["read"], agent_id: "mine" });
    const reader = await createKey(owner, { scopes: ["read"] });
    const typesFor = async (caller: Caller, query: Query = {}) => {
      const events = (await service
        .callerOf(caller.secret)
        .call(contracts.streamEvents, { query })) as contracts.Event[];
      return events.map(({ type, conversation_id }) => [type, conversation_id]);
    };
    expect(await typesFor(bound)).toEqual([["conversation.created", mine]]);
    expect(await typesFor(bound, { agent_id: "other" })).toEqual([]);
    expect((await typesFor(reader)).map(([type]) => type)).toEqual(Array(2).fill("conversation.created"));
    const other = await createOrganization();
    expect(await typesFor(other, { conversation_id: mine })).toEqual([]);
  });

  test("sends the broadcasts of its conversation that the key may get, without a position", async () => {
    const owner = await createOrganization();
    const id = await seedConversation(owner, [], { agent_id: "mine" });
    const bound = await createKey(owner, { scopes: ["read"], agent_id: "other" });
    const revoked = await createKey(owner, { scopes: ["read"] });
    const openStream = async ({ secret }: Caller, query: Query) => {
      const headers = { authorization: `Bearer ${secret}` };
      const parts = { query: { after: "now", ...query }, headers };
      const sent = reading(await open(...toRequest(contracts.streamEvents, parts)));
      await sent.next();
      return sent;
    };
    const sent = await openStream(owner, { conversation_id: id });
    for (const other of [
      await openStream(owner, {}),
      await openStream(owner, { conversation_id: await seedConversation(owner) }),
      await openStream(bound, { conversation_id: id }),
      await openStream(revoked, { conversation_id: id }),
    ])
      void other.rest();
    const broadcast = (value: object) =>
      owner.call(contracts.broadcast, { params: { conversation_id: id }, body: { value } });
    const arrived = sent.until(({ event }) => event === "broadcast");
    // A stream opens its socket to the hub once its client asks for more.
    const hub = (env.HUB as unknown as DurableObjectNamespace).getByName(owner.organizationId);
    const opened = () => runInDurableObject(hub, (_, state) => state.getWebSockets("waker").length);
    await vi.waitFor(async () => expect(await opened()).toBe(5), { timeout: 60_000, interval: 20 });
    await owner.call(contracts.revokeKey, { params: { key_id: revoked.keyId } });
    expect(await broadcast({ typing: true })).toEqual({ listeners: 1 });
    const { id: position, data } = (await arrived).at(-1) ?? {};
    expect(position).toBeUndefined();
    expect(JSON.parse(data ?? "")).toMatchObject({ conversation_id: id, value: { typing: true } });
  });

  test("rejects an invalid position or type", async () => {
    const { caller } = await openService();
    const invalid: RequestParts[] = [
      { query: { after: "-1" } },
      { query: { type: "memory.forgotten" } },
      { query: { wait_seconds: 1 } },
      { headers: { "last-event-id": "now" } },
    ];
    for (const parts of invalid)
      expect(await caller.fail(contracts.streamEvents, parts)).toMatchObject({ code: "validation_failed" });
  });

  test("is served by the deployed Worker", async () => {
    const owner = await createOrganization();
    const headers = { authorization: `Bearer ${owner.secret}` };
    const sent = reading(
      await open(...toRequest(contracts.streamEvents, { query: { after: "now" }, headers })),
    );
    await sent.next();
    const id = await seedConversation(owner);
    expect(eventsOf([(await sent.next()) ?? {}])).toMatchObject([{ conversation_id: id }]);
    await sent.cancel();
  });
});
