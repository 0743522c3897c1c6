import * as contracts from "@engram/spec";
import { describe, expect, test, vi } from "vitest";
import type { Env } from "../../src/invocation.ts";
import { RESPONSE_MS } from "../../src/platform/runtime.ts";
import { appendText, type Caller, createOrganization, seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import { Clock, Service } from "../support/invocations.ts";

/** A clock that stands still. A pause ends only when the test ends it. */
class StillClock extends Clock {
  readonly pauses: { ms: number; end: () => void }[] = [];

  override pause(ms: number): Promise<void> {
    // Indexing pauses after a write, which is not what these tests count.
    if (ms === RESPONSE_MS) return Promise.resolve();
    return new Promise((end) => {
      this.pauses.push({ ms, end });
    });
  }
}

async function openService(bindings: Partial<Env> = {}) {
  const { secret, organizationId } = await createOrganization();
  const clock = new StillClock();
  const service = new Service(bindings, clock);
  const caller = service.callerOf(secret);
  const id = await seedConversation(caller, ["one"]);
  // It wakes listeners after its response.
  await service.settle();
  return { clock, service, caller, organizationId, id };
}
type Opened = Awaited<ReturnType<typeof openService>>;

const append = (caller: Caller, conversation_id: string) => appendText(caller, conversation_id, "two");

const until = (isTrue: () => boolean | Promise<boolean>) =>
  vi.waitFor(async () => expect(await isTrue()).toBe(true), { timeout: 60_000, interval: 5 });

const waitForEvent = ({ caller, id }: Opened) =>
  caller.call(contracts.listEvents, {
    query: { after: "now", wait_seconds: 20, conversation_id: id, type: "messages.appended" },
  });

const waitForMessage = ({ caller, id }: Opened) =>
  caller.call(contracts.listMessages, {
    params: { conversation_id: id },
    query: { from_sequence: 2, wait_seconds: 20 },
  });

async function readStream({ service, caller, id }: Opened): Promise<string> {
  const query = { after: "now", conversation_id: id };
  const response = await service.open(caller.secret, contracts.streamEvents, { query });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let text = "";
  while (!text.includes("messages.appended")) {
    text += new TextDecoder().decode((await reader.read()).value);
  }
  await reader.cancel();
  return text;
}

describe("a waiting request", () => {
  test.each([
    ["for an event", waitForEvent],
    ["for a message", waitForMessage],
    ["with a stream", readStream],
  ])("%s is woken by the change, and leaves no socket open", async (_, wait) => {
    const opened = await openService();
    const { clock, caller, id, organizationId } = opened;
    const waiting = wait(opened);
    await until(() => clock.pauses.length === 1);
    clock.advance(1_000);
    await append(caller, id);
    await waiting;
    await until(async () => !(await env.HUB?.getByName(organizationId).poke()));
  });

  test("reads the log at most five times a second, however much changes", async () => {
    const opened = await openService();
    const { clock, service, caller, id } = opened;
    const waiting = waitForEvent(opened);
    await until(() => clock.pauses.length === 1);
    const other = await seedConversation(caller);
    await until(() => clock.pauses.length === 2);
    for (let i = 0; i < 5; i++) await append(caller, other);
    await append(caller, id);
    await service.settle();
    expect(clock.pauses.map(({ ms }) => ms)).toEqual([2_000, 200]);
    clock.advance(200);
    clock.pauses[1]?.end();
    expect((await waiting).items).toMatchObject([{ type: "messages.appended", conversation_id: id }]);
  });

  test("reads the log once a second without a hub", async () => {
    const opened = await openService({ HUB: undefined });
    const { clock, caller, id } = opened;
    const waiting = waitForEvent(opened);
    await until(() => clock.pauses.length === 1);
    await append(caller, id);
    clock.advance(1_000);
    expect(clock.pauses[0]?.ms).toBe(1_000);
    clock.pauses[0]?.end();
    expect((await waiting).items).toMatchObject([{ type: "messages.appended", conversation_id: id }]);
  });
});

test("a stream whose client does not read gets at most 100 broadcasts, also of many at once", async () => {
  const opened = await openService();
  const { clock, service, caller, id } = opened;
  const query = { after: "now", conversation_id: id };
  const response = await service.open(caller.secret, contracts.streamEvents, { query });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  const next = reader.read();
  await until(() => clock.pauses.length === 1);
  const params = { conversation_id: id };
  const broadcast = async (i: number) =>
    (await caller.call(contracts.broadcast, { params, body: { value: { i } } })).listeners;
  const many = Array.from({ length: contracts.SOCKET_BROADCASTS_MAX + 10 }, (_, i) => broadcast(i));
  const sent = (await Promise.all(many)).filter((listeners) => listeners === 1);
  expect(sent).toHaveLength(contracts.SOCKET_BROADCASTS_MAX);
  let text = "";
  const take = async (read: typeof next): Promise<void> => {
    const { done, value } = await read;
    text += new TextDecoder().decode(value);
    if (!done) await take(reader.read());
  };
  void take(next).catch(() => {});
  const endPauses = () => {
    clock.advance(200);
    for (const { end } of clock.pauses) end();
  };
  await until(() => {
    endPauses();
    return text.match(/^event: broadcast$/gm)?.length === contracts.SOCKET_BROADCASTS_MAX;
  });
  // What was read makes room again.
  await until(async () => (await broadcast(0)) === 1);
  await until(() => {
    endPauses();
    return text.match(/^event: broadcast$/gm)?.length === contracts.SOCKET_BROADCASTS_MAX + 1;
  });
});

test("a response does not wait for the listeners of its change", async () => {
  let pokes = 0;
  const hub = { poke: async () => ++pokes > 0 };
  const { service, caller, id } = await openService({ HUB: { getByName: () => hub } as never });
  const before = pokes;
  await append(caller, id);
  expect(pokes).toBe(before);
  await service.settle();
  expect(pokes).toBeGreaterThan(before);
});
