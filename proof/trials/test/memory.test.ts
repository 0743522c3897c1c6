import { expect, test } from "vitest";
import { growth } from "../src/support/soak/memory.ts";

const every10s = (bytes: (i: number) => number) =>
  Array.from({ length: 40 }, (_, i) => ({ seconds: 10 * i, bytes: bytes(i) }));

test("memory that only garbage collection moves up and down does not count as growing", () => {
  expect(growth(every10s((i) => 500 + (i % 4) * 50))).toBeCloseTo(0, 0);
});

test("memory that leaks between garbage collections counts as growing", () => {
  expect(growth(every10s((i) => 500 + (i % 4) * 50 + 100 * i))).toBeCloseTo(10, 0);
});
