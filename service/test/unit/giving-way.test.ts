import { expect, test } from "vitest";
import { giveWay } from "../../src/platform/giving-way.ts";
import { EventLoop } from "../support/pace.ts";

const CALL = { kind: "query" as const, statements: [] };

test("background work of an isolate that calls the database for 50 ms pauses until waiting requests have begun", async () => {
  const loop = new EventLoop();
  const intercept = giveWay({ nowMs: () => loop.nowMs, pause: (ms) => loop.pause(ms) });
  const ended: string[] = [];
  const call = (name: string) => intercept(CALL, async () => void ended.push(name) as never);
  loop.nowMs = 1_000;
  await call("after long idleness");
  loop.nowMs = 1_049;
  await call("within 50 ms");
  loop.nowMs = 1_050;
  const late = Promise.all([call("of one run"), call("of another run")]);
  expect(ended).toEqual(["after long idleness", "within 50 ms"]);
  await loop.finish(late);
  expect([ended.length, loop.nowMs]).toEqual([4, 1_055]);
  await call("after the pause");
  expect([ended.length, loop.nowMs]).toEqual([5, 1_055]);
});
