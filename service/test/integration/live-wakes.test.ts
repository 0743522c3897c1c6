import { runDurableObjectAlarm } from "cloudflare:test";
import * as contracts from "@engram/spec";
import { expect, test, vi } from "vitest";
import { createOrganization, seedConversation } from "../support/client.ts";
import { databaseWith } from "../support/deletions.ts";
import { env } from "../support/env.ts";
import { Clock, Service, sweepUntilIdle } from "../support/invocations.ts";
import { connect } from "../support/socket.ts";

/** A clock that stands still. Only a change ends the pause in which a stream waits for changes. */
class StillClock extends Clock {
  isWaiting = false;

  override async pause(ms: number): Promise<void> {
    if (ms < 1_000) return;
    this.isWaiting = true;
    await new Promise(() => {});
  }
}

const database = (fragment: string, before: () => Promise<void>): D1Database =>
  Object.assign(Object.create(env.DB), databaseWith(fragment, before));

/** Begins a deletion of two conversations, whose Worker dies after the response: one is left to the sweep. */
async function beginDeletion(secret: string): Promise<void> {
  let steps = 0;
  const DB = database("conversation_count - count(*)", async () => {
    if (++steps > 1) throw new Error("the Worker is gone");
  });
  const dying = new Service({ DB }, undefined, { softDeleteStepConversations: 1 });
  const caller = dying.callerOf(secret);
  for (let i = 0; i < 2; i++) await seedConversation(caller, [], { tags: ["old"] });
  await caller.call(contracts.deleteConversations, { body: { filter: { tags_all: ["old"] } } });
  await dying.settle();
}

const isDeletion = (event: { type: string }) => event.type === "conversation.deleted";

test("a deletion that the sweep carries out is at a socket, a stream and a webhook while the sweep still runs", async () => {
  const { secret, organizationId } = await createOrganization();
  await beginDeletion(secret);

  const sent: string[] = [];
  const WEBHOOKS = {
    fetch: async (_: unknown, init: { body: string }) => {
      const event = JSON.parse(init.body);
      if (event.data.id.includes(organizationId.slice(4))) sent.push(event.type);
      return new Response();
    },
  } as never;
  const clock = new StillClock();
  const { call } = new Service({ WEBHOOKS }).callerOf(secret);
  await call(contracts.createWebhook, {
    body: { url: "https://hooks.example.com/", types: ["conversation.deleted"] },
  });

  const socket = await connect(secret);
  socket.send({ type: "subscribe", id: "a", after: "now" });
  await socket.until((frames) => frames.length > 0);
  // The first look of the hub. The next one is in a minute.
  await runDurableObjectAlarm((env.HUB as unknown as DurableObjectNamespace).getByName(organizationId));

  const streams = new Service({}, clock);
  const stream = await streams.open(secret, contracts.streamEvents, { query: { after: "now" } });
  const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
  let streamed = "";
  const reading = (async () => {
    while (!streamed.includes("event: conversation.deleted"))
      streamed += new TextDecoder().decode((await reader.read()).value);
  })();
  await vi.waitFor(() => expect(clock.isWaiting).toBe(true), { timeout: 60_000 });

  const arrived = Promise.withResolvers<void>();
  // The sweep purges what it has deleted only then.
  const DB = database("DELETE FROM conversations", () => arrived.promise);
  const sweeping = new Service({ DB, WEBHOOKS }, new Clock());
  const sweep = sweeping.sweep();
  let isOver = false;
  void sweep.then(() => {
    isOver = true;
  });
  await socket.until(() => socket.eventsOf("a").some(isDeletion));
  await reading;
  await vi.waitFor(() => expect(sent).toEqual(["conversation.deleted"]), { timeout: 60_000 });
  expect(isOver).toBe(false);
  arrived.resolve();
  await sweep;
  await sweeping.settle();
  await reader.cancel();
  socket.close();
});

/** A hub that counts how often it is woken for an organization. */
function openHub() {
  const woken: string[] = [];
  const getByName = (id: string) => ({ poke: async () => woken.push(id) > 0 });
  return { HUB: { getByName } as never, countOf: (id: string) => woken.filter((one) => one === id).length };
}

test("indexing, enrichment and the end of an operation wake listeners, as a request does", async () => {
  const { secret, organizationId } = await createOrganization();
  const down = { run: () => Promise.reject(new Error("the models are down")) };
  const clock = new Clock();
  const { HUB, countOf } = openHub();
  const service = new Service({ HUB }, clock);
  const during = async (work: () => Promise<unknown>, wakingService = service): Promise<number> => {
    const before = countOf(organizationId);
    await work();
    await wakingService.settle();
    return countOf(organizationId) - before;
  };

  const broken = new Service({ HUB, AI: down as never }, clock);
  const caller = broken.callerOf(secret);
  const { id } = await caller.call(contracts.createConversation, { body: {} });
  const body = { messages: [{ role: "user", content: "The zeppelin lands at noon." }] };
  const append = () => caller.call(contracts.appendMessages, { params: { conversation_id: id }, body });
  await broken.settle();
  expect(await during(append, broken)).toBe(1);
  await caller.call(contracts.createMemory, { body: { content: "The zeppelin lands at noon." } });
  await broken.settle();

  clock.advance(60_000);
  const due = [{ organizationId, conversationId: id }];
  expect(await during(() => service.indexApart(due, {}))).toBe(1);
  // Other tests may have left memories to enrich.
  const isEnriched = async () =>
    (await service.callerOf(secret).call(contracts.listEvents)).items.some(
      ({ type }) => type === "memory.updated",
    );
  expect(
    await during(async () => {
      while (!(await isEnriched())) await service.enrichApart({});
    }),
  ).toBeGreaterThan(0);

  const deletion = { params: { conversation_id: id } };
  await service.callerOf(secret).call(contracts.deleteConversation, deletion);
  await service.settle();
  expect(await during(() => sweepUntilIdle(service, clock, organizationId))).toBeGreaterThan(0);
});

test("a request that writes rows but no event wakes no listener", async () => {
  const { secret, organizationId } = await createOrganization();
  const { HUB, countOf } = openHub();
  const service = new Service({ HUB });
  const caller = service.callerOf(secret);
  const create = () => caller.call(contracts.createConversation, { body: { external_id: "a" } });
  const createWebhook = () =>
    caller.fetch(contracts.createWebhook, { body: { url: "https://hooks.example.com/" } });
  await create();
  await service.settle();
  expect(countOf(organizationId)).toBe(1);
  expect((await createWebhook()).headers.get("server-timing")).toMatch(/written: [1-9]/);
  await service.settle();
  // It exists already.
  await create();
  await service.settle();
  expect(countOf(organizationId)).toBe(1);
});
