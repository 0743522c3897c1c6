import { expect, test } from "vitest";
import { formatReport } from "../src/live/report.ts";

test("the report of live updates says which goals are met at 100 readers", () => {
  const figure = {
    title: "SSE",
    readers: 100,
    appends: 2,
    afterAnswer: { p50: 10.1, p99: 30 },
    afterRequest: { p50: 20, p99: 40 },
    listenedMs: 13,
    loneMs: 10,
  };
  const one = { ...figure, title: "WebSocket", readers: 1 };
  const report = formatReport({ machine: { cores: 2, node: "26.10.0" }, figures: [one, figure] });
  const goals = report.split("\n").filter((line) => line.includes("| ≤ "));
  expect(goals).toEqual([
    "| SSE, 100 readers: p50 after the response | ≤ 10 ms | 10.1 ms | **missed** |",
    "| SSE, 100 readers: append, compared with none | ≤ 1.3 × | 1.30 × | met |",
  ]);
  expect(report).toContain("| WebSocket | 1 | 10.1 | 30.0 | 20.0 | 40.0 |");
});
