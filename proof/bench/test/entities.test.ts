import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ENTITY_KINDS } from "@engram/spec";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CommandError } from "../src/command/options.ts";
import { COMPROMISE, RULES, withoutValues } from "../src/entities/finders.ts";
import { findBelowEntityFloors, readEntityFloors } from "../src/entities/floors.ts";
import { type Finder, measureFinder } from "../src/entities/measure.ts";
import { type LabelledMessage, parseMarks } from "../src/entities/set.ts";

const toMessage = (source: string): LabelledMessage => ({
  name: "a.txt:1",
  half: "dev",
  at: "2026-06-04T08:20:00Z",
  ...parseMarks(source),
});

describe("measureFinder", () => {
  const message = toMessage("{{ticket:#12}} of {{date=2026-06-03:yesterday}}, {{ticket:#13}}");
  const finder: Finder = {
    name: "some",
    kinds: ["ticket", "date"],
    find: () => [
      { kind: "ticket", start: 0, end: 3 },
      { kind: "ticket", start: 4, end: 6 },
      { kind: "date", start: 7, end: 16, value: "2026-06-04" },
      { kind: "url", start: 0, end: 3 },
    ],
  };

  test("counts a mention when its kind and offsets agree, and for a date its value", () => {
    expect(measureFinder([message], finder)).toEqual({
      figures: {
        ticket: { mentions: 2, precision: 50, recall: 50 },
        date: { mentions: 1, precision: 0, recall: 0 },
      },
      misses: [
        { message: "a.txt:1", kind: "date", text: "yesterday", is: "missed" },
        { message: "a.txt:1", kind: "ticket", text: "#13", is: "missed" },
        { message: "a.txt:1", kind: "ticket", text: "of", is: "wrong" },
        { message: "a.txt:1", kind: "date", text: "yesterday", is: "wrong" },
      ],
    });
  });

  test("accepts every value where values do not count", () => {
    const labels = message.labels.map(({ value: _, ...label }) => label);
    const { figures } = measureFinder([{ ...message, labels }], withoutValues(finder));
    expect(figures).toEqual({ date: { mentions: 1, precision: 100, recall: 100 } });
  });
});

const MARKED =
  'Pay {{amount:$5}} to {{email:a@b.com}} by {{date=2026-06-05:tomorrow}}, see {{url:https://a.com/x}} and "{{quoted_name:Blue Ocean}}".';

test.for([RULES, COMPROMISE])("$name gives mentions as the set marks them", (finder) => {
  const { figures, misses } = measureFinder([toMessage(MARKED)], finder);
  expect(misses).toEqual([]);
  expect(Object.values(figures).filter(({ mentions }) => mentions > 0)).toHaveLength(5);
});

describe("floors", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "engram-entity-floors-"));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const read = async (floors: unknown) => {
    const file = join(folder, "floors.json");
    await writeFile(file, JSON.stringify(floors));
    return readEntityFloors(file);
  };
  const floor = { precision: 95, recall: 85 };
  const held = Object.fromEntries(ENTITY_KINDS.map((kind) => [kind, floor]));

  test("name each figure that is below", async () => {
    const floors = await read({ held });
    const reached = { mentions: 30, precision: 95, recall: 90 };
    const figures = Object.fromEntries(ENTITY_KINDS.map((kind) => [kind, reached]));
    expect(findBelowEntityFloors(floors, { dev: {}, held: figures })).toEqual([]);
    const worse = { ...figures, url: { mentions: 30, precision: null, recall: 84.9 } };
    expect(findBelowEntityFloors(floors, { dev: {}, held: worse })).toEqual([
      "held, url: precision is 0.0, below its floor of 95",
      "held, url: recall is 84.9, below its floor of 85",
    ]);
  });

  test.for([
    ["a half that there is not", { held, test: {} }],
    ["a kind that there is not", { held: { ...held, person: floor } }],
    ["a floor that is no number", { held: { ...held, url: { precision: 95 } } }],
    ["no floor for a kind", { held: { ...held, url: undefined } }],
  ] as const)("are refused with %s", async ([, floors]) => {
    await expect(read(floors)).rejects.toThrow(CommandError);
  });
});
