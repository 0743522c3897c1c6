import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as contract from "../../../spec/src/limits.ts";
import { SERVICE_LIMITS } from "../../src/limits.ts";

const ROOT = join(import.meta.dirname, "../../..");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
/** The numbers in the rows of the page, by the limited thing. */
const rows = read("docs/limits.md")
  .split("\n")
  .filter((line) => /^\| (?!limit |---)/.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(([, limit = "", value = "", beyond = ""]) => ({ limit, value, beyond }));
const numberOf = (value: string): number =>
  Number(/^[\d,]+/.exec(value)?.[0].replaceAll(",", "") ?? Number.NaN);
const rates = [...read("wrangler.toml").matchAll(/;q=(\d+);/g)].map(([, rate]) => Number(rate));

const isLimit = (entry: [string, unknown]): entry is [string, number] =>
  // Defaults for models limit nothing.
  typeof entry[1] === "number" && !entry[0].endsWith("_FOR_MODELS");
const limits = Object.entries<unknown>({ ...contract, ...SERVICE_LIMITS }).filter(isLimit);

describe("docs/limits.md", () => {
  test.for([...new Set(limits.map(([, value]) => value))])(
    "lists every limit of the contract and the service whose value is %i",
    (value) => {
      const named = limits.filter(([, each]) => each === value).map(([name]) => name);
      const shown = rows.filter((row) => numberOf(row.value) === value);
      expect(shown.length, `rows of docs/limits.md for ${named.join(", ")}`).toBeGreaterThanOrEqual(
        named.length,
      );
    },
  );

  test("has no number that is not a limit", () => {
    const known = new Set([...limits.map(([, value]) => value), ...rates]);
    const strange = rows.filter(({ value }) => !value.startsWith("the same") && !known.has(numberOf(value)));
    expect(strange).toEqual([]);
  });

  test("states the result of exceeding each limit, and lists each once", () => {
    expect(rows.filter(({ beyond }) => beyond === "")).toEqual([]);
    const texts = rows.map(({ limit }) => limit).filter((limit) => !limit.startsWith("the same"));
    expect(texts).toEqual([...new Set(texts)]);
  });
});
