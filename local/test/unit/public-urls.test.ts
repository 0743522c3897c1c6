import { expect, test } from "vitest";
import { readPublicUrls } from "../../src/start/public-urls.ts";

test("ENGRAM_PUBLIC_URLS has URLs, separated by commas", () => {
  expect(readPublicUrls(undefined)).toEqual([]);
  expect(readPublicUrls(" https://a.example/engram, ,http://b.example:8080 ")).toEqual([
    ...["https://a.example/engram", "http://b.example:8080"],
  ]);
});

test.for([
  ...["a.example", "ftp://a.example", "https://u@a.example", "https://a.example/?x", "https://a.example/#x"],
])("ENGRAM_PUBLIC_URLS may not have %s", (value) => {
  expect(() => readPublicUrls(value)).toThrow(`ENGRAM_PUBLIC_URLS has "${value}"`);
});
