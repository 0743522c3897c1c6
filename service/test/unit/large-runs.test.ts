import { expect, test } from "vitest";
import { runLargeWork } from "../../src/platform/large-runs.ts";
import { Mutex } from "../../src/platform/mutex.ts";
import { EventLoop } from "../support/pace.ts";

test("large indexing runs are done one at a time, also after a failure, and a small run does not wait", async () => {
  const loop = new EventLoop();
  const invocation = { mutexes: { largeRuns: new Mutex(loop, 60_000) }, limits: { ordinaryIndexBytes: 10 } };
  const log: string[] = [];
  const run = (name: string, bytes: number) =>
    runLargeWork(invocation, bytes, async () => {
      log.push(`${name} begins`);
      await loop.pause(60);
      log.push(`${name} ends`);
      if (name === "first") throw new Error("no model");
      return name;
    });
  const first = run("first", 11).catch(({ message }: Error) => message);
  await loop.pass(30);
  const [second, small] = [run("second", 11), run("small", 10)];
  expect(await loop.finish(Promise.all([first, second, small]))).toEqual(["no model", "second", "small"]);
  expect(log.filter((line) => !line.startsWith("small"))).toEqual([
    "first begins",
    "first ends",
    "second begins",
    "second ends",
  ]);
  expect(log.indexOf("small begins")).toBeLessThan(log.indexOf("first ends"));
});
