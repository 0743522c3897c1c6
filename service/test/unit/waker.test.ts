import { expect, test } from "vitest";
import type { Runtime } from "../../src/platform/runtime.ts";
import { PART_START, Waker } from "../../src/platform/waker.ts";

const PART = `${PART_START}1,"page":{}}`;

/** A waker over a socket that the test controls. Pauses between two looks end at once, others never. */
function open({ isChanged = false } = {}) {
  const pauses: number[] = [];
  const sent: string[] = [];
  const listeners: Record<string, (event: { data: string }) => void> = {};
  const runtime = {
    nowMs: () => 0,
    pause: (ms: number) => {
      pauses.push(ms);
      return ms <= 200 ? Promise.resolve() : new Promise(() => {});
    },
  } as unknown as Runtime;
  const socket = {
    addEventListener: (type: string, listener: (event: { data: string }) => void) => {
      listeners[type] = listener;
    },
    accept: () => {},
    send: (text: string) => sent.push(text),
  } as unknown as WebSocket;
  const waker = new Waker(runtime, socket, isChanged);
  const get = (...texts: string[]) => {
    for (const data of texts) listeners.message?.({ data });
  };
  const asked = () => sent.map((text) => JSON.parse(text));
  return { waker, pauses, get, asked };
}

test("a request asks the hub from its position, and says whether it may have missed a change", async () => {
  const { waker, get, asked } = open({ isChanged: true });
  const first = waker.pause(20_000, 7);
  expect(asked()).toEqual([{ after: 7, isDue: true }]);
  get(PART);
  expect(await first).toBe(PART);
  const second = waker.pause(20_000, 8);
  await Promise.resolve();
  expect(asked()[1]).toEqual({ after: 8, isDue: false });
  get("");
  expect(await second).toBeNull();
});

test("a change that comes after a part is asked for in the next pause", async () => {
  const { waker, get, asked } = open();
  const first = waker.pause(20_000, 7);
  get(PART, "");
  expect(await first).toBe(PART);
  void waker.pause(20_000, 8);
  await Promise.resolve();
  expect(asked()[1]).toEqual({ after: 8, isDue: true });
});

test("a part that comes while the request does not wait is not kept for later", async () => {
  const { waker, get, asked } = open();
  const first = waker.pause(20_000, 7);
  get("");
  expect(await first).toBeNull();
  get(PART);
  const second = waker.pause(20_000, 7);
  await Promise.resolve();
  expect(asked()[1]).toEqual({ after: 7, isDue: true });
  get("");
  expect(await second).toBeNull();
});

test("a broadcast that came before a pause ends it", async () => {
  const { waker, get, pauses } = open();
  get('{"value":{}}');
  expect(await waker.pause(20_000, 7)).toBeNull();
  expect(waker.takeBroadcasts()).toEqual(['{"value":{}}']);
  expect(pauses).toEqual([]);
});
