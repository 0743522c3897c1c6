import { expect, test } from "vitest";
import type { IdleCells } from "../src/scale/idle-cells.ts";
import type { Figures } from "../src/scale/measure.ts";
import { formatReport } from "../src/scale/report.ts";
import { readSizes } from "../src/scale/sizes.ts";

const times = (p50: number) => ({ p50, p95: 2 * p50, p99: 3 * p50 });

const figuresOf = (organizations: number, addedMs: number, ofCell: number): Figures => ({
  ...{ organizations, messages: 1_000, addedMs, calls: { d1: 3, cell: 1 } },
  ...{ processorMs: { d1: 14, cell: 9 }, waited: 0.021 },
  append: { d1: times(10), cell: times(5) },
  search: { d1: times(100), cell: times(ofCell) },
});

const idleOf = (idle: number, reopenedIdle: number): IdleCells => ({
  ...{ cells: 200, before: 1e8, created: 3e8, idle, restarted: 1e8, reopened: 1.7e8, reopenedIdle },
});

const reportOf = (figures: Figures[], idle: IdleCells[]) =>
  formatReport({
    ...{ machine: { cores: 2, node: "26" }, samples: 10, loadPerSecond: 4, figures, idle },
  });

test("a search in a cell has its goal with 20 ms added, at each size", () => {
  const report = reportOf(
    [figuresOf(1, 20, 45), figuresOf(10, 20, 46), figuresOf(10, 5, 99)],
    [idleOf(2e8, 1.6e8)],
  );
  expect(report).toContain("1 of 1,000 messages: cell against D1 | at most 0.45 × | 0.45 × | met |");
  expect(report).toContain("10 of 1,000 messages: cell against D1 | at most 0.45 × | 0.46 × | **missed** |");
  expect(report.match(/cell against D1/g)).toHaveLength(2);
  expect(report).toContain(
    "| 10 of 1,000 messages | 5 | 10.0 / 30 | 5.0 / 15 | 0.50 | 100.0 / 300 | 99.0 / 297 | 0.99 | 3 / 1 | 14.0 / 9.0 | 2 % |",
  );
});

test("a ratio is not judged if workerd waited for a processor for more than a tenth of the time", () => {
  const of = (waited: number) => reportOf([{ ...figuresOf(1, 20, 46), waited }], []);
  expect(of(0.1)).toContain("| 0.46 × | **missed** |");
  expect(of(0.11)).toContain("| 0.46 × | not judged |");
});

test("the memory of idle cells is what they added, the median of all times", () => {
  const report = reportOf([], [idleOf(1.81e8, 1.8e8), idleOf(1.9e8, 1.1e8), idleOf(1.7e8, 2e8)]);
  expect(report).toContain("| 200 idle cells, created | at most 80 MB | 81 MB (70 to 90) | **missed** |");
  expect(report).toContain(
    "| 200 idle cells, opened again after a restart | at most 80 MB | 80 MB (10 to 100) | met |",
  );
});

test("a size adds organizations to the one before it, if they are more of the same messages", () => {
  expect(readSizes("--sizes", "1x1000,10x1000,1000x50,1x50,1x100000")).toEqual([
    [
      { organizations: 1, messages: 1_000 },
      { organizations: 10, messages: 1_000 },
    ],
    [{ organizations: 1_000, messages: 50 }],
    [{ organizations: 1, messages: 50 }],
    [{ organizations: 1, messages: 100_000 }],
  ]);
  for (const wrong of ["", "0x10", "10", "1x10,", "1x1e3"])
    expect(() => readSizes("--sizes", wrong)).toThrow("--sizes must be sizes");
});
