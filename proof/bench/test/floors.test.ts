import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FloorsError, findBelowFloors, readFloors } from "../src/recall/floors.ts";
import { METRICS, type Scores } from "../src/recall/metrics.ts";
import type { Silence } from "../src/recall/report.ts";

/** Figures of a scope: 50 for each metric except the given ones. */
const figures = (some: Partial<Scores & Record<Silence, number>>) => ({
  relevance: { off_topic: 50, unanswerable: 50, ...some, evidence: { off_topic: 50, unanswerable: 50 } },
  // The keys are METRICS, but `fromEntries` loses that type.
  metrics: { ...(Object.fromEntries(METRICS.map((metric) => [metric, 50])) as Scores), ...some },
});

describe("recall floors", () => {
  const floors = { chats: { shared: { mrr: 50, "t@10": 70, off_topic: 95 }, own: { mrr: 60 } } };

  test("report each metric below its floor, with both figures", () => {
    expect(findBelowFloors(floors, "chats", { shared: figures({ mrr: 49.9 }), own: figures({}) })).toEqual([
      "chats, shared: t@10 is 50.0, below its floor of 70",
      "chats, shared: mrr is 49.9, below its floor of 50",
      "chats, shared: off_topic is 50.0, below its floor of 95",
      "chats, own: mrr is 50.0, below its floor of 60",
    ]);
  });

  test("hold for a metric equal to its floor, and for scopes that were not measured", () => {
    expect(findBelowFloors(floors, "chats", { shared: figures({ "t@10": 70, off_topic: 95 }) })).toEqual([]);
  });
});

describe("a file of recall floors", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "engram-floors-test-"));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const read = async (text: string) => {
    const file = join(folder, "floors.json");
    await writeFile(file, text);
    return readFloors(file, "chats", ["shared"]);
  };

  test("is read into sets, scopes and metrics", async () => {
    const floors = { chats: { shared: { mrr: 50 } }, locomo: { own: {} } };
    expect(await read(JSON.stringify(floors))).toEqual(floors);
  });

  test.for([
    ["invalid JSON", "{"],
    ["a value that is not an object", "[1]"],
    ["an unknown scope", '{"chats": {"shared": {"mrr": 1}, "mine": {}}}'],
    ["an unknown metric", '{"chats": {"shared": {"mmr": 1}}}'],
    ["a floor that is not a number", '{"chats": {"shared": {"mrr": "1"}}}'],
  ] as const)("is rejected if it contains %s", async ([, text]) => {
    await expect(read(text)).rejects.toThrow(FloorsError);
  });

  test("is rejected if it has no floor for a measured set or scope", async () => {
    await expect(read('{"locomo": {"shared": {"mrr": 1}}}')).rejects.toThrow(/no floor for chats/);
    await expect(read('{"chats": {"own": {"mrr": 1}, "shared": {}}}')).rejects.toThrow(/in scope shared/);
  });

  test("of this project has floors for every set and scope", async () => {
    const shipped = join(import.meta.dirname, "../floors.json");
    await readFloors(shipped, "chats", ["own", "shared"]);
    await readFloors(shipped, "locomo", ["own", "shared"]);
    await readFloors(shipped, "notes", ["shared"]);
  });
});
