import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readArgs } from "../src/recall/args.ts";
import { bootstrap } from "../src/recall/intervals.ts";
import { toDialogue } from "../src/recall/locomo.ts";
import {
  COMPARED,
  createToLine,
  differenceOf,
  type QuestionLine,
  readJsonLines,
  toJsonLines,
} from "../src/recall/question-lines.ts";
import { toRankingFiles } from "../src/recall/run-file.ts";
import { compareRuns, toPage } from "../src/recall/table.ts";
import { dialogue } from "./support/dialogue.ts";

const set = {
  name: "locomo",
  categories: new Map([["4", "single-hop"]]),
  dialogues: [toDialogue("26", dialogue())],
  unanswerable: [],
};
const toLine = createToLine(set, "own");
const [adopted, moved] = set.dialogues.flatMap(({ questions }) => questions);
if (adopted === undefined || moved === undefined) throw new Error("no questions");

/** Lines of questions whose metrics all have these values. */
const linesOf = (system: string, values: readonly number[]): QuestionLine[] =>
  values.map((value, index) => ({
    ...toLine(system, adopted, []),
    id: `q${index}`,
    metrics: Object.fromEntries(COMPARED.map((metric) => [metric, value])) as QuestionLine["metrics"],
  }));
const half = Array.from({ length: 100 }, (_, index) => index % 2);

describe("an interval", () => {
  test("is 95 % of a bootstrap over the questions, and the same in every run", () => {
    const interval = bootstrap(half);
    expect(interval.mean).toBe(0.5);
    // The normal approximation gives 0.5 ± 0.098.
    expect(interval.low).toBeCloseTo(0.402, 1);
    expect(interval.high).toBeCloseTo(0.598, 1);
    const spread = half.map((_, index) => Math.sin(index));
    expect(bootstrap(spread)).toEqual(bootstrap(spread));
    expect(bootstrap([3, 3, 3])).toEqual({ mean: 3, low: 3, high: 3 });
  });

  test("of a difference pairs the questions by their id, in any order", () => {
    const worse = half.map((value) => value / 2);
    const { mean, low, high } = differenceOf(linesOf("a", half), linesOf("b", worse).reverse(), "mrr");
    expect(mean).toBe(25);
    expect(low).toBeGreaterThan(15);
    expect(high).toBeLessThan(35);
    const same = differenceOf(linesOf("a", half), linesOf("b", half).reverse(), "mrr");
    expect(same).toEqual({ mean: 0, low: 0, high: 0 });
  });
});

describe("a line of the file of --questions", () => {
  test("has the question's id and class, and its metrics from the ranking", () => {
    const line = toLine("Engram", adopted, ["26/D10:1", "26/D1:1"]);
    expect(line).toMatchObject({ set: "locomo", scope: "own", id: "26/q1", class: "single-hop" });
    expect(line.metrics).toMatchObject({ "s_any@1": 0, "s_any@5": 1, "r@10": 1, mrr: 0.5 });
    expect(line.metrics["ndcg@10"]).toBeCloseTo(1 / Math.log2(3));
    expect(() => toLine("Engram", adopted, ["27/D1:1"])).toThrow("found what was not stored: 27/D1:1");
  });

  test("is read back as it was written", async () => {
    const file = join(await mkdtemp(join(tmpdir(), "engram-lines-")), "questions.jsonl");
    const lines = [toLine("Engram", adopted, ["26/D1:1"]), toLine("Engram", moved, [])];
    await writeFile(file, toJsonLines(lines));
    expect(await readJsonLines(file)).toEqual(lines);
    await writeFile(file, '{"metrics":{}}\n');
    await expect(readJsonLines(file)).rejects.toThrow("is no file of --questions");
  });
});

test("the files of --rankings are TREC runs and qrels of turns and sessions, without blanks in ids", () => {
  const lines = [toLine("Engram, hybrid", moved, ["26/D1:1", "26/D1:3", "26/D2:1"])];
  expect(toRankingFiles(set, lines)).toEqual({
    "":
      "26/q2 Q0 26/D1:1 1 1000 Engram,_hybrid\n" +
      "26/q2 Q0 26/D1:3 2 999 Engram,_hybrid\n" +
      "26/q2 Q0 26/D2:1 3 998 Engram,_hybrid\n",
    ".qrels": "26/q2 0 26/D2:1 1\n26/q2 0 26/D10:1 1\n",
    ".sessions": "26/q2 Q0 26/session_1 1 1000 Engram,_hybrid\n26/q2 Q0 26/session_2 2 999 Engram,_hybrid\n",
    ".sessions.qrels": "26/q2 0 26/session_2 1\n26/q2 0 26/session_10 1\n",
  });
});

describe("the page", () => {
  const rowOf = (page: string, name: string) =>
    page.split("\n").find((line) => line.startsWith(`| ${name} |`));
  const all = (cell: string) => COMPARED.map(() => cell);
  const goalOf = (own: readonly number[], other: readonly number[]) =>
    rowOf(toPage([...linesOf("Engram, hybrid", own), ...linesOf("Other", other)], [], {}), "goal");

  test("says whether the first system is first, within the interval of the first, or behind", () => {
    const almost = half.map((value, index) => (index === 1 ? 0 : value));
    expect(goalOf(half, half)).toBe(`| goal | ${all("first").join(" | ")} |`);
    expect(goalOf(almost, half)).toBe(`| goal | ${all("within the interval").join(" | ")} |`);
    expect(
      goalOf(
        half.map((value) => value / 2),
        half,
      ),
    ).toBe(`| goal | ${all("**behind**").join(" | ")} |`);
  });

  test("does not compare Engram with its own other modes", () => {
    const worse = half.map((value) => value / 2);
    const modes = [...linesOf("Engram, hybrid", worse), ...linesOf("Engram, keyword", half)];
    expect(rowOf(toPage(modes, [], {}), "goal")).toBeUndefined();
    expect(rowOf(toPage([...modes, ...linesOf("Other", worse)], [], {}), "goal")).toContain("| first |");
  });

  test("gives each mean with its interval, and the reason for a system that was not measured", () => {
    const page = toPage(linesOf("Engram, hybrid", [1, 1]), ["fts5"], { fts5: "locomo: no\nSQLite" });
    expect(rowOf(page, "Engram, hybrid")).toContain("| 100.0 (100.0–100.0) |");
    expect(page).toContain("may match; not measured on locomo: no SQLite |");
  });
});

test("two runs are compared question by question, with a mark where the interval excludes 0", () => {
  const now = linesOf("Engram, hybrid", half);
  const earlier = linesOf(
    "Engram, hybrid",
    half.map((value) => value / 2),
  );
  const [title, first] = compareRuns(now, earlier);
  expect(title).toContain("locomo, own, Engram, hybrid, 100 questions");
  expect(first).toMatch(/^ {2}s_any@1 +\+25\.0 \(\+\d\d\.\d to \+\d\d\.\d\) \*$/);
  expect(compareRuns(now, now)[1]).toBe("  s_any@1  0.0 (0.0 to 0.0)");
  expect(compareRuns(now, linesOf("Other", half))).toEqual([
    "locomo, own, Engram, hybrid: not in the earlier file",
  ]);
});

describe("the command line", () => {
  const read = (...argv: string[]) => readArgs(argv, "/here");

  test("takes several sets with --data, and LongMemEval by its name", () => {
    const { sources } = read("--data", "locomo", "--data", "b.json.gz");
    expect(sources).toEqual([
      { set: "locomo", dataPath: "/here/locomo" },
      { set: "transcripts", dataPath: "/here/b.json.gz" },
    ]);
    expect(read("--set", "longmemeval", "--data", "s.json").sources).toEqual([
      { set: "longmemeval", dataPath: "/here/s.json" },
    ]);
    expect(() => read("--set", "longmemeval")).toThrow("Name what to measure with");
    expect(() => read("--set", "chats", "--data", "x")).toThrow("Name what to measure with");
  });

  test("rejects a comparison with others over a shared organization", () => {
    expect(() => read("--data", "x", "--peers", "fts5")).toThrow("they need --scope own");
    expect(() => read("--data", "x", "--results", "x", "--scope", "shared")).toThrow("they need --scope own");
    expect(read("--data", "x", "--peers", "fts5,mastra", "--scope", "own").peers).toEqual(["fts5", "mastra"]);
    expect(() => read("--data", "x", "--peers", "nobody", "--scope", "own")).toThrow("must be among");
  });
});
