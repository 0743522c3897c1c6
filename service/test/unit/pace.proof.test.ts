import { describe, expect, test } from "vitest";
import { chunkNote } from "../../src/indexing/note-chunks.ts";
import { splitText } from "../../src/indexing/split-text.ts";
import { Mutex } from "../../src/platform/mutex.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { encodeText } from "../../src/text/compression.ts";
import { toIndexedTerms } from "../../src/text/index-terms.ts";
import { Pace, runAtOnce, type Steps } from "../../src/text/pace.ts";
import { createStemmer } from "../../src/text/stems.ts";
import { EventLoop, freeAfter, restless, tireless } from "../support/pace.ts";

function* counting(steps: number, size: number, note: (size: number) => void): Steps<number> {
  for (let i = 0; i < steps; i++) {
    note(size);
    yield size;
  }
  return steps;
}

test.for([
  ["one text", 1, 100],
  ["many texts in parallel", 100, 3],
] as const)("a pace ends each slice with a pause in %s", async ([, texts, steps]) => {
  let inSlice = 0;
  let longest = 0;
  const pause = async () => {
    longest = Math.max(longest, inSlice);
    // Other work of the request must not continue during the pause.
    const before = inSlice;
    await systemRuntime.pause(1);
    expect(inSlice).toBe(before);
    inSlice = 0;
  };
  const pace = new Pace(50, freeAfter(pause));
  const note = (size: number) => {
    inSlice += size;
  };
  const work = Array.from({ length: texts }, () => pace.run(counting(steps, 10, note)));
  expect(await Promise.all(work)).toEqual(Array.from({ length: texts }, () => steps));
  expect(longest).toBe(50);
});

test("a pace counts the characters of work that was done elsewhere", async () => {
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
  };
  const pace = new Pace(100, freeAfter(pause));
  for (let i = 0; i < 30; i++) await pace.count(10);
  expect(pauses).toBe(3);
});

describe("the mutex of long computations", () => {
  test("allows one slice among all requests between two rounds of the event loop", async () => {
    const loop = new EventLoop();
    const mutex = new Mutex(loop);
    const slices: { name: string; round: number }[] = [];
    function* slicing(name: string): Steps<void> {
      for (let i = 0; i < 5; i++) {
        slices.push({ name, round: loop.rounds });
        // Time in which other requests' timers become due.
        loop.nowMs += 3;
        yield 10;
      }
    }
    const names = ["a", "b", "c", "d"];
    await loop.finish(Promise.all(names.map((name) => new Pace(10, mutex).run(slicing(name)))));
    // The first slice of each runs together with its request.
    const later = slices.slice(names.length);
    expect(later.length).toBe(16);
    expect(new Set(later.map(({ round }) => round)).size).toBe(16);
    // No request waits until another one is complete.
    expect(new Set(slices.slice(-6).map(({ name }) => name)).size).toBeGreaterThan(1);
  });

  test("is given to requests before background work, which still gets a part", async () => {
    const loop = new EventLoop();
    const mutex = new Mutex(loop);
    const order: string[] = [];
    const work = (name: string, steps: number, isBackground: boolean) =>
      new Pace(10, mutex, isBackground).run(counting(steps, 10, () => order.push(name)));
    const background = ["b1", "b2", "b3", "b4", "b5"].map((name) => work(name, 8, true));
    await loop.finish(Promise.all([...background, work("request", 8, false)]));
    const until = order.slice(6, order.lastIndexOf("request"));
    const others = until.filter((name) => name !== "request");
    expect(others.length).toBeGreaterThan(0);
    expect(others.length).toBeLessThan(10);
  });

  test("is taken from a canceled request that held it", async () => {
    const loop = new EventLoop();
    const mutex = new Mutex(loop);
    await loop.finish(mutex.acquire(new Pace(10, mutex), false));
    let steps = 0;
    const work = counting(3, 10, () => {
      steps += 1;
    });
    await loop.finish(new Pace(10, mutex).run(work));
    expect(steps).toBe(3);
  });
});

const garbage = (length: number) => {
  let state = 1;
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 1;
    return String.fromCharCode(33 + (state % 94));
  };
  return Array.from({ length }, next).join("");
};
const TEXTS = {
  prose: "The walrus sat on the ice. It looked at the sea for a long time.\n\n".repeat(100),
  garbage: garbage(6_000),
  "a script without spaces": "東京で猫が好きです".repeat(600),
  lists: "- a\n  - b_c\n\n".repeat(400),
  "a word without end": "a".repeat(8_000),
};

test.for(Object.entries(TEXTS))(
  "every step of splitting %s is counted, and pauses between steps do not change the result",
  async ([, text]) => {
    const works = [
      () => toIndexedTerms(createStemmer(), "1~", text),
      () => splitText("[user]: ", { sequence: 1, content: text }, 500),
      () => chunkNote(text),
    ] as (() => Steps<unknown>)[];
    for (const work of works) {
      expect(await restless().run(work())).toEqual(runAtOnce(work()));
      let counted = 0;
      const steps = work();
      for (let step = steps.next(); !step.done; step = steps.next()) counted += step.value;
      expect(counted).toBeGreaterThanOrEqual(text.length);
    }
    expect(await encodeText(text, restless())).toEqual(await encodeText(text, tireless()));
  },
);
