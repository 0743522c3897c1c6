import { describe, expect, test } from "vitest";
import { UsageError } from "../src/command/options.ts";
import type { Said, Workload } from "../src/cost/workload.ts";
import { readArgs } from "../src/isolation/args.ts";
import { type Measurement, MODES, measureIsolation, type Pair } from "../src/isolation/measure.ts";
import { findDependence, formatReport } from "../src/isolation/report.ts";

const conversation = (count: number): Said[] =>
  Array.from({ length: 12 }, (_, i) => ({
    role: i % 2 === 0 ? "user" : "assistant",
    content: `On day ${i} kettle ${count} leaked ${"again and ".repeat(i % 4)}again, says the plumber.`,
  }));

const workload: Workload = {
  name: "leaking kettles",
  conversations: () => [1, 2, 3, 4].map(conversation),
  queries: ["kettle 3", "Which kettle leaked on day 7?", "the plumber", "again and again"],
};

test("an organization that was copied among others answers as the one that was filled through the API", async () => {
  // The last conversation is cut off.
  const size = { organizations: 3, messages: 40, queries: 4 };
  const { signal } = new AbortController();
  const measurement = await measureIsolation(workload, size, () => {}, signal);
  expect(measurement.pairs).toHaveLength(MODES.length * size.queries);
  for (const { isSame, results, alone, among, mode, query } of measurement.pairs) {
    expect(isSame, `${mode}: ${query}`).toBe(true);
    expect(results, `${mode}: ${query}`).toBeGreaterThan(0);
    expect(alone.rowsRead).toBeGreaterThan(0);
    expect(among.ms).toBeGreaterThan(0);
  }
  expect(findDependence(measurement)).toEqual([]);
});

const pair = (more: Partial<Pair>): Pair => ({
  mode: "hybrid",
  query: "kettle",
  alone: { ms: 10, rowsRead: 1_000 },
  among: { ms: 12, rowsRead: 1_002 },
  isSame: true,
  results: 10,
  ...more,
});
const measured = (...pairs: Pair[]): Measurement => ({ organizations: 200, messages: 5_000, pairs });

describe("what counts as dependence", () => {
  test("another answer, and a tenth more or fewer rows; not time", () => {
    const slow = pair({ among: { ms: 1_000, rowsRead: 1_099 } });
    const read = pair({ among: { ms: 10, rowsRead: 1_101 } });
    const spared = pair({ mode: "keyword", among: { ms: 10, rowsRead: 899 } });
    expect(findDependence(measured(slow))).toEqual([]);
    expect(findDependence(measured(slow, read, spared, pair({ isSame: false })))).toEqual([
      'hybrid, "kettle" reads 1000 rows alone, 1101 among others.',
      'keyword, "kettle" reads 1000 rows alone, 899 among others.',
      'hybrid, "kettle" is answered otherwise among others.',
    ]);
  });

  test("the report sets medians, rows and answers side by side, by mode", () => {
    const times = [10, 30, 20].map((ms) => pair({ alone: { ms, rowsRead: 900 } }));
    const report = formatReport(measured(...times, pair({ mode: "keyword", isSame: false })));
    expect(report).toContain("| among 200, 1,000,000 messages in all |");
    expect(report).toContain("| hybrid, ms, median | 20.0 | 12.0 | 0.60 |");
    expect(report).toContain("| hybrid, D1 rows read, mean | 900 | 1002 | 1.11 |");
    expect(report).toContain("| keyword, answers that are the same |  | 0 of 1 |  |");
  });
});

describe("arguments of bench:isolation", () => {
  test("nothing is needed; paths start where the person stands", () => {
    expect(readArgs([], "/home/ada")).toEqual({
      organizations: 200,
      messages: 5_000,
      queries: 100,
      jsonFile: undefined,
    });
    expect(
      readArgs(["--organizations", "40", "--queries", "9", "--json", "i.json"], "/home/ada"),
    ).toMatchObject({
      organizations: 40,
      queries: 9,
      jsonFile: "/home/ada/i.json",
    });
  });

  test.for([["--organizations", "many"], ["--messages", "0"], ["--queries"], ["--keep"], ["40"]])(
    "are refused: %s",
    (argv) => {
      expect(() => readArgs(argv, "/")).toThrow(UsageError);
    },
  );
});
