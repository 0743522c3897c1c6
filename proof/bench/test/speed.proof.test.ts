import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startChild } from "../../support/child.ts";
import type { ServiceProcess } from "../../support/service-process.ts";
import { quantile } from "../../support/statistics.ts";
import { UsageError } from "../src/command/options.ts";
import { readArgs } from "../src/speed/args.ts";
import { openEmbedder } from "../src/speed/embedder.ts";
import { exactLines, exactWindows, lineMatrix } from "../src/speed/exact.ts";
import type { Measurement } from "../src/speed/figures.ts";
import { toGoals } from "../src/speed/goals.ts";
import { measureLarge } from "../src/speed/large.ts";
import { measureSystem, type Store } from "../src/speed/measure.ts";
import type { MeasuredRound } from "../src/speed/peers.ts";
import { type Panel, plot, plotMeasurement } from "../src/speed/plot.ts";
import { formatReport } from "../src/speed/report.ts";
import { runSpeed } from "../src/speed/run.ts";
import { createScan } from "../src/speed/scan.mjs";
import { startSpeedService } from "../src/speed/service.ts";
import { median } from "../src/speed/statistics.ts";
import { summarizeLarge, summarizeRounds } from "../src/speed/summary.ts";
import { bestRows, recallOf, scoreRows, toMatrix } from "../src/speed/vectors.ts";
import { makeWorkload } from "../src/speed/workload.ts";

const SERVICE_TIMEOUT_MS = 120_000;
const quiet = { progress: () => {}, onStart: () => {} };

describe("a run of Engram alone", () => {
  let measurement: Measurement;
  beforeAll(async () => {
    const args: Parameters<typeof runSpeed>[0] = { systems: ["engram", "memories"], messages: 60, rounds: 1 };
    measurement = await runSpeed(args, quiet, { singles: 3, queries: 4, warmUps: 1 });
  }, SERVICE_TIMEOUT_MS);

  test("measures appends, both ways to search, the plain limits and memory", () => {
    const [engram] = measurement.systems;
    expect(measurement).toMatchObject({ messages: 60, windows: 20, rounds: 1, skipped: [], large: null });
    expect(engram?.rounds).toBe(1);
    expect(Object.keys(engram?.searches ?? {})).toEqual(["hybrid", "semantic"]);
    const measured = [
      ...Object.values(engram?.appended ?? {}),
      ...Object.values(engram?.searches ?? {}).flatMap(
        ({ p50, p95, p99, scanP50, emptyP50, p50OfRounds }) => [
          ...[p50, p95, p99, scanP50, emptyP50],
          ...p50OfRounds,
        ],
      ),
      ...Object.values(measurement.inserts ?? {}),
      ...(process.platform === "linux" ? [engram?.memoryBytes] : []),
    ];
    expect(measured).toHaveLength(3 + 2 * 6 + 2 + (process.platform === "linux" ? 1 : 0));
    for (const figure of measured) expect(figure).toBeGreaterThan(0);
  });

  test("finds by meaning exactly what a scan of the same windows finds, and of the same memories", () => {
    for (const { searches } of measurement.systems) {
      expect(searches.semantic?.recall).toBe(1);
      expect(searches.hybrid?.recall).toBeNull();
    }
    expect(measurement.systems.map(({ name }) => name)).toEqual(["engram", "memories"]);
  });

  test("reports them as tables without a gap, and plots them", () => {
    const report = formatReport(measurement, "speed.svg");
    expect(report).toContain("![Messages a second and search times](speed.svg)");
    expect(report).toContain("| Engram over HTTP |");
    expect(report).toContain("an empty request, `GET /health`");
    expect(report).not.toMatch(/NaN|undefined|null/);
    const plotted = plotMeasurement(measurement);
    for (const label of ["Engram, hybrid", "Engram, memories, hybrid"]) expect(plotted).toContain(label);
  });

  test("judges what it measured, and says of every other goal that it was not", () => {
    const { goals } = measurement;
    const judged = goals.filter(({ met }) => met !== null);
    expect(judged.map(({ name }) => name)).toEqual([
      "Search, hybrid, p50 against an empty request and a scan",
      "Search, semantic, p50 against an empty request and a scan",
    ]);
    expect(formatReport(measurement).match(/\| not measured \|/g)).toHaveLength(goals.length - judged.length);
  });
});

describe("size", () => {
  let service: ServiceProcess;
  beforeAll(async () => {
    service = await startSpeedService();
  }, SERVICE_TIMEOUT_MS);
  afterAll(() => service?.stop());

  test(
    "compares the same appends and searches in the small and in the large",
    async () => {
      const sizes = { organizations: { small: 20, large: 40 }, conversations: { small: 5, large: 20 } };
      const options = { queries: 3, warmUps: 1, appends: { warmUps: 1, measured: 2 }, progress: () => {} };
      const large = await measureLarge(service, openEmbedder(), options, sizes);
      expect(large.appendMs.small).toHaveLength(2);
      expect(large.indexedMs.large).toHaveLength(2);
      expect(Object.entries(large.searches).map(([name, { recall }]) => [name, recall])).toEqual([
        ["small hybrid", null],
        ["small semantic", 1],
        ["large hybrid", null],
        ["large semantic", 1],
      ]);
      expect(Object.values(summarizeLarge(large).append).every((ms) => ms > 0)).toBe(true);
    },
    SERVICE_TIMEOUT_MS,
  );
});

describe("one round of any system", () => {
  const workload = makeWorkload({ messages: 130, queries: 6, warmUps: 2 });
  const embedder = openEmbedder();
  const exact = exactLines(lineMatrix(workload.talks, embedder), embedder);

  /** Remembers what it is given and answers as `find` says. */
  function fakeStores(find: (query: string) => number[]) {
    const opened: { name: string; batches: number[]; asked: string[]; closed: boolean; settled: number }[] =
      [];
    const open = async (name: string): Promise<Store> => {
      const store = { name, batches: [] as number[], asked: [] as string[], closed: false, settled: 0 };
      opened.push(store);
      return {
        append: async (_talk, lines) => void store.batches.push(lines.length),
        settle: async () => {
          store.settled = store.batches.length;
        },
        searches: {
          semantic: async (query) => {
            store.asked.push(query);
            return find(query);
          },
        },
        close: async () => {
          store.closed = true;
        },
      };
    };
    return { opened, open };
  }

  test("stores single messages apart from the batches, whole, and closes both", async () => {
    const { opened, open } = fakeStores(() => []);
    const noted: string[] = [];
    const round = await measureSystem(open, workload, {
      singles: 3,
      exactOf: () => exact,
      baselines: { noted: (query) => noted.push(query) },
      progress: () => {},
    });
    expect(opened.map(({ batches }) => batches)).toEqual([
      [1, 1, 1],
      [50, 50, 30],
    ]);
    expect(opened.map(({ closed, settled }) => [closed, settled])).toEqual([
      [true, 3],
      [true, 3],
    ]);
    expect(round).toMatchObject({ messages: 130, searches: { semantic: { recall: 0 } } });
    // Warmed up with queries that are not measured, and timed with those that are.
    expect(opened[1]?.asked).toEqual([...workload.warmUps, ...workload.queries]);
    expect(round.searches.semantic?.ms).toHaveLength(workload.queries.length);
    expect(noted).toEqual(opened[1]?.asked);
    expect(round.baselines.noted).toHaveLength(workload.queries.length);
  });

  test("its recall is the share of the exact ten best", async () => {
    const { open } = fakeStores((query) => [...bestRows(exact(query), 5), ...bestRows(negated(query), 5)]);
    const negated = (query: string) => exact(query).map((score) => -score);
    const options = { singles: 1, exactOf: () => exact, baselines: {}, progress: () => {} };
    const { searches } = await measureSystem(open, workload, options);
    expect(searches.semantic?.recall).toBeCloseTo(0.5);
  });
});

describe("the workload", () => {
  test("is the same every time, in ten talks of two people, no text twice in a row of places", () => {
    const one = makeWorkload({ messages: 5_882, queries: 200, warmUps: 50 });
    expect(makeWorkload({ messages: 5_882, queries: 200, warmUps: 50 })).toEqual(one);
    expect(one.talks).toHaveLength(10);
    expect(one.talks.map(({ lines }) => new Set(lines.map(({ name }) => name)).size)).toEqual(
      Array(10).fill(2),
    );
    const lines = one.talks.flatMap((talk) => talk.lines);
    expect(lines.map(({ place }) => place)).toEqual(Array.from({ length: 5_882 }, (_, i) => i));
    expect(new Set(lines.map(({ createdAtMs }) => createdAtMs)).size).toBe(5_882);
    expect(one.queries.filter((query) => one.warmUps.includes(query))).toEqual([]);
  });

  test("of more messages begins with that of fewer", () => {
    const lines = (messages: number) =>
      makeWorkload({ messages, queries: 0, warmUps: 0 }).talks.flatMap((talk) => talk.lines);
    expect(lines(1_000).slice(0, 700)).toEqual(lines(700));
  });
});

describe("exact answers", () => {
  const rows = [
    [1, 0, 0, 0],
    [0.6, 0.8, 0, 0],
    [0, 1, 0, 0],
    [0.6, 0.8, 0, 0],
  ].map((values) => Float32Array.from(values));
  const scores = scoreRows(toMatrix(rows), Float32Array.from([0.8, 0.6, 0, 0]));

  test("score every row and put the best first, of equal ones the earlier", () => {
    expect([...scores].map((score) => score.toFixed(2))).toEqual(["0.80", "0.96", "0.60", "0.96"]);
    expect(bestRows(scores, 3)).toEqual([1, 3, 0]);
    expect(bestRows(scores, 9)).toEqual([1, 3, 0, 2]);
  });

  test("are what a scan at memory speed finds", () => {
    const { talks, queries } = makeWorkload({ messages: 100, queries: 5, warmUps: 0 });
    const embedder = openEmbedder();
    const matrix = lineMatrix(talks, embedder);
    const scan = createScan(matrix, 10);
    for (const query of queries) {
      const vector = embedder.embed(query);
      expect(recallOf(scan(vector), scoreRows(matrix, vector), 10)).toBe(1);
    }
  });

  test("count either of two equal rows, no row twice, and nothing that is worse", () => {
    expect(recallOf([3], scores, 1)).toBe(1);
    expect(recallOf([3, 3], scores, 2)).toBe(0.5);
    expect(recallOf([0, 2], scores, 2)).toBe(0);
    expect(recallOf([1, 3, 0, 2], scores, 2)).toBe(1);
  });

  test("of windows: five messages each, three apart, and no window that adds none", () => {
    const count = (messages: number) =>
      exactWindows(makeWorkload({ messages, queries: 0, warmUps: 0 }).talks, openEmbedder()).windows;
    expect([1, 5, 6, 8, 9, 10].map(count)).toEqual([1, 1, 2, 2, 3, 3]);
  });
});

describe("statistics", () => {
  test("percentiles are values that were measured, whatever their order", () => {
    const values = Array.from({ length: 200 }, (_, i) => 200 - i);
    expect([0.5, 0.95, 0.99].map((share) => quantile(values, share))).toEqual([100, 190, 198]);
    expect(quantile([7], 0.99)).toBe(7);
    expect(quantile([], 0.5)).toBeNaN();
    expect(values[0]).toBe(200);
  });

  test("a median lies between the middle two", () => {
    expect([median([3, 1, 2]), median([4, 1]), median([])]).toEqual([2, 2.5, Number.NaN]);
  });
});

describe("several rounds", () => {
  const round = (ms: number, memoryBytes: number): MeasuredRound => ({
    singleMs: [ms, ms],
    batchMs: [ms, ms],
    messages: 100,
    settledMs: 4 * ms,
    searches: { semantic: { ms: [ms, ms], recall: 1 } },
    baselines: { scan: [ms] },
    memoryBytes,
  });
  const figures = summarizeRounds([round(100, 5), round(50, 7), round(20, 6)]);

  test("give the middle rate, percentiles over all searches, each round's own median, the most memory", () => {
    expect(figures.appended).toEqual({ singly: 20, batched: 1_000, settled: 500 });
    expect(figures.searches.semantic).toMatchObject({
      p50: 50,
      p99: 100,
      p50OfRounds: [100, 50, 20],
      recall: 1,
    });
    expect(figures).toMatchObject({ rounds: 3, memoryBytes: 7 });
  });

  test("without requests or memory to be seen leave them open", () => {
    expect(figures.searches.semantic?.emptyP50).toBeNull();
    expect(summarizeRounds([round(1, Number.NaN)]).memoryBytes).toBeNull();
  });
});

describe("a plot", () => {
  const panel: Panel = {
    title: 'Rates <"&">',
    hint: "longer is better",
    bars: [
      { label: "slow", value: 10, kind: "peer" },
      { label: "fast", value: 100, until: 1_000, kind: "engram" },
      { label: "limit", value: 1_000, kind: "limit" },
    ],
  };
  const widths = (svg: string) =>
    [...svg.matchAll(/<rect class="(?:peer|engram|limit)"[^>]* width="([\d.]+)"/g)].map(([, width]) =>
      Number(width),
    );

  test("draws a bar for each value, as long as its logarithm", () => {
    const [slow = 0, fast = 0, limit = 0] = widths(plot([panel]));
    expect(slow).toBeGreaterThan(0);
    expect(fast - slow).toBeCloseTo(limit - fast, 0);
  });

  test("stays within its width, and draws one value alone", () => {
    const [width = 0] = widths(plot([{ ...panel, bars: [{ label: "one", value: 1, kind: "peer" }] }]));
    expect(width).toBeGreaterThan(0);
    expect(width).toBeLessThan(760);
  });

  test("is one SVG for light and dark pages, in which no text is markup", () => {
    const svg = plot([panel]);
    expect(svg).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
    expect(svg).toContain("prefers-color-scheme: dark");
    expect(svg).toContain("Rates &#60;&#34;&#38;&#34;&#62;");
    expect(svg).not.toContain('Rates <"');
  });
});

describe("goals", () => {
  type Figures = Measurement["systems"][number];
  const system = (name: Figures["name"], batched: number, p50: number): Figures => ({
    name,
    title: name,
    versions: [],
    job: "memory",
    rounds: 1,
    appended: { singly: 1, batched, settled: batched / 2 },
    searches: {
      hybrid: { p50, p95: p50, p99: p50, p50OfRounds: [p50], recall: null, scanP50: 1, emptyP50: 2 },
    },
    memoryBytes: null,
  });
  const figures = (engramBatched: number, engramP50: number): Omit<Measurement, "goals"> => ({
    machine: { cores: 1, node: "v0", platform: "any" },
    ...{ messages: 1, singles: 1, queries: 1, warmUps: 1, rounds: 1, windows: 1 },
    systems: [system("engram", engramBatched, engramP50), system("mastra", 10, 10)],
    inserts: null,
    large: null,
    skipped: [{ name: "mem0", reason: "no\ncompiler" }],
  });
  const verdicts = (batched: number, p50: number) =>
    Object.fromEntries(toGoals(figures(batched, p50)).map(({ name, met }) => [name, met]));
  const append = "Append at batch 50, against mastra";
  const least = "Search, hybrid, p50 against an empty request and a scan";
  const peer = "Search, hybrid, p50 against mastra";

  test("are met at the figure that they name, and missed beyond it", () => {
    expect(verdicts(200, 9)).toMatchObject({ [append]: true, [least]: true, [peer]: true });
    expect(verdicts(199, 9.1)).toMatchObject({ [append]: false, [least]: false, [peer]: true });
    expect(verdicts(200, 10.1)).toMatchObject({ [peer]: false });
  });

  test("against a peer that could not be measured are open, and the report says why", () => {
    const measurement = { ...figures(200, 9), goals: toGoals(figures(200, 9)) };
    expect(verdicts(200, 9)["Append at batch 50, against mem0"]).toBeNull();
    expect(formatReport(measurement)).toContain("- mem0: no compiler");
  });
});

describe("a program that fails", () => {
  test("is reported with the error that it wrote", async () => {
    const child = startChild(`${import.meta.dirname}/support/no-such-program.mjs`);
    try {
      await expect(child.receive()).rejects.toThrow("no-such-program.mjs");
    } finally {
      await child.stop();
    }
  });
});

describe("arguments of bench:speed", () => {
  const read = (...argv: string[]) => readArgs(argv, "/home/ada");

  test("everything, twice, into proof/bench/results, when nothing else is said", () => {
    expect(read()).toMatchObject({
      systems: ["engram", "memories", "mastra", "mem0", "lancedb", "chroma"],
      messages: 5_882,
      rounds: 2,
      large: false,
      jsonFile: undefined,
    });
    expect(read().resultsDirectory).toMatch(/bench[\\/]results$/);
  });

  test("a part leaves the results of a whole run alone, unless a folder is named", () => {
    expect(read("--only", "mastra, engram")).toMatchObject({
      systems: ["engram", "mastra"],
      resultsDirectory: undefined,
    });
    expect(read("--messages", "100").resultsDirectory).toBeUndefined();
    expect(read("--messages", "100", "--out", "r").resultsDirectory).toBe("/home/ada/r");
  });

  test.for([
    ["an unknown system", ["--only", "engram,zep"]],
    ["no message", ["--messages", "0"]],
    ["half a round", ["--rounds", "1.5"]],
    ["a stray word", ["fast"]],
  ] as const)("are refused: %s", ([, argv]) => {
    expect(() => read(...argv)).toThrow(UsageError);
  });
});
