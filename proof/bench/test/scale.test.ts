import { expect, test } from "vitest";
import type { Figures } from "../src/scale/measure.ts";
import { formatReport } from "../src/scale/report.ts";

const times = (p50: number) => ({ p50, p95: 2 * p50, p99: 3 * p50 });

const figuresOf = (organizations: number, addedMs: number, ofCell: number): Figures => ({
  ...{ organizations, messages: 1_000, addedMs, calls: { d1: 3, cell: 1 } },
  append: { d1: times(10), cell: times(5) },
  search: { d1: times(100), cell: times(ofCell) },
});

const reportOf = (figures: Figures[], reopenedIdle: number) =>
  formatReport({
    ...{ machine: { cores: 2, node: "26" }, samples: 10, loadPerSecond: 4, figures },
    idle: { cells: 200, before: 1e8, created: 3e8, idle: 2e8, restarted: 1e8, reopened: 1.7e8, reopenedIdle },
  });

test("a search in a cell has its goal with 20 ms added, at each size", () => {
  const report = reportOf([figuresOf(1, 20, 45), figuresOf(10, 20, 46), figuresOf(10, 5, 99)], 1.6e8);
  expect(report).toContain("1 of 1,000 messages: cell against D1 | at most 0.45 × | 0.45 × | met |");
  expect(report).toContain("10 of 1,000 messages: cell against D1 | at most 0.45 × | 0.46 × | **missed** |");
  expect(report.match(/cell against D1/g)).toHaveLength(2);
  expect(report).toContain(
    "| 10 of 1,000 messages | 5 | 10.0 / 30 | 5.0 / 15 | 0.50 | 100.0 / 300 | 99.0 / 297 | 0.99 | 3 / 1 |",
  );
});

test("the memory of idle cells is what they added after a restart", () => {
  expect(reportOf([], 1.8e8)).toContain("| 200 idle cells, memory together | at most 80 MB | 80 MB | met |");
  expect(reportOf([], 1.81e8)).toContain("| at most 80 MB | 81 MB | **missed** |");
});
