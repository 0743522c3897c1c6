import fc from "fast-check";
import { expect, test } from "vitest";
import { createId, createIds, toBase32, toBigInt } from "../../src/platform/ids.ts";
import { type Runtime, systemRuntime } from "../../src/platform/runtime.ts";

const runtime = (nowMs: number, byte?: number): Runtime => ({
  ...systemRuntime,
  nowMs: () => nowMs,
  randomBytes: (length) =>
    byte === undefined ? crypto.getRandomValues(new Uint8Array(length)) : new Uint8Array(length).fill(byte),
});
const time = fc.integer({ min: 0, max: 2 ** 45 - 1 });

test("ids have a prefix and twenty characters", () => {
  expect(createId(runtime(1_780_000_000_000), "conv")).toMatch(/^conv_[0-9a-hjkmnp-tv-z]{20}$/);
});

test("ids of one call are in ascending order, whatever the random part", () => {
  fc.assert(
    fc.property(time, fc.constantFrom(0, 127, 255, undefined), (nowMs, byte) => {
      const ids = createIds(runtime(nowMs, byte), "msg", 1_000);
      expect(ids).toEqual([...ids].sort());
      expect(new Set(ids).size).toBe(1_000);
      for (const id of ids) expect(id).toHaveLength(24);
    }),
    { numRuns: 20 },
  );
});

test("ids of a later millisecond sort after those of an earlier one", () => {
  fc.assert(
    fc.property(time, time, (a, b) => {
      fc.pre(a < b);
      expect((createIds(runtime(a, 255), "msg", 1_000).at(-1) ?? "") < createId(runtime(b, 0), "msg")).toBe(
        true,
      );
    }),
  );
});

test("ids are never repeated", () => {
  const ids = Array.from({ length: 5_000 }, () => createId(runtime(1_780_000_000_000), "msg"));
  expect(new Set(ids).size).toBe(ids.length);
});

test("numbers in ids sort as text in numerical order", () => {
  const number = fc.bigInt({ min: 0n, max: 2n ** 54n });
  fc.assert(
    fc.property(number, number, (a, b) => {
      expect(toBase32(a, 11) < toBase32(b, 11)).toBe(a < b);
    }),
  );
  expect(toBase32(31n, 2)).toBe("0z");
  expect(toBigInt(new Uint8Array([1, 0, 255]))).toBe(65_791n);
});
