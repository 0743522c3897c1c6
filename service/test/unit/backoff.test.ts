import { describe, expect, test } from "vitest";
import { randomMs, retryIfBusy } from "../../src/platform/backoff.ts";
import { PortFailure } from "../../src/platform/failures.ts";
import type { Runtime } from "../../src/platform/runtime.ts";

/** A clock that only pauses advance, and a source of random numbers that always draws `fraction`. */
function runtimeAt(fraction: number) {
  const waits: number[] = [];
  let nowMs = 0;
  const runtime: Runtime = {
    nowMs: () => nowMs,
    pause: async (ms) => {
      waits.push(ms);
      nowMs += ms;
    },
    after: async () => {},
    randomBytes: (length) => {
      const draw = new Uint8Array(new Uint32Array([Math.floor(fraction * 2 ** 32)]).buffer);
      return draw.slice(0, length);
    },
  };
  return { runtime, waits, advance: (ms: number) => (nowMs += ms) };
}

/** A call that fails with each of the errors in turn, then succeeds. */
function failing(...messages: string[]) {
  const timeouts: number[] = [];
  const call = async (timeoutMs: number) => {
    timeouts.push(timeoutMs);
    const message = messages.shift();
    if (message !== undefined) throw new PortFailure("embedding", new Error(message));
    return "vector";
  };
  return { call, timeouts };
}

const RATE = "3021: rate limiting: inference request per min rate reached";
const CAPACITY = "3040: Capacity temporarily exceeded, please try again.";

test("randomMs stays within its limits and depends only on the random number", () => {
  const limits = { from: 30_000, to: 40_000 };
  expect([0, 0.5, 0.99999].map((fraction) => randomMs(runtimeAt(fraction).runtime, limits))).toEqual([
    30_000, 35_000, 39_999,
  ]);
});

describe("a Workers AI model without capacity", () => {
  test.for([RATE, CAPACITY, `AiError: ${RATE}`])(
    "is called once more after a random delay: %s",
    async (message) => {
      for (const [fraction, waitMs] of [
        [0, 200],
        [0.5, 400],
      ] as const) {
        const { runtime, waits } = runtimeAt(fraction);
        const { call, timeouts } = failing(message);
        expect(await retryIfBusy(runtime, 4_000, call)).toBe("vector");
        expect([waits, timeouts]).toEqual([[waitMs], [4_000, 4_000 - waitMs]]);
      }
    },
  );

  test("is not called a third time", async () => {
    const { call, timeouts } = failing(RATE, CAPACITY, RATE);
    await expect(retryIfBusy(runtimeAt(0).runtime, 4_000, call)).rejects.toThrow("code 3040");
    expect(timeouts).toHaveLength(2);
  });

  test("is not called again after the time limit", async () => {
    const { runtime, waits, advance } = runtimeAt(0);
    const { call, timeouts } = failing(RATE);
    const slow = (timeoutMs: number) => {
      advance(3_900);
      return call(timeoutMs);
    };
    await expect(retryIfBusy(runtime, 4_000, slow)).rejects.toThrow("code 3021");
    expect([waits, timeouts]).toEqual([[], [4_000]]);
  });
});

test.for([
  "3036: You have used up your daily free allocation",
  "3007: Request timeout",
  "5006: Error: '/text'",
])("another error of Workers AI is not retried: %s", async (message) => {
  const { call, timeouts } = failing(message);
  await expect(retryIfBusy(runtimeAt(0).runtime, 4_000, call)).rejects.toBeInstanceOf(PortFailure);
  expect(timeouts).toHaveLength(1);
});
