import type { RecalledItem } from "@engram/spec";
import { expect, test } from "vitest";
import { differencesOf, withCauses } from "../../src/replays/differences.ts";

const item = (id: string, hash = "h"): RecalledItem => ({
  ...{ type: "memory", id, part: "results", conversation_id: null, sequence: null, version: 1, hash },
  ...{ updated_at: null, score: 1, relevance: 1 },
});
const items = (ids: string) => [...ids].map((id) => item(id));
const told = (before: string, now: string) =>
  differencesOf(items(before), items(now)).map(
    ({ change, ...one }) => `${(one.before ?? one.now)?.id} ${change}`,
  );

test("an item that only shifts because another one is missing or added has not moved", () => {
  expect(told("abcde", "acde")).toEqual(["b missing"]);
  expect(told("abcde", "xabcdey")).toEqual(["x added", "y added"]);
});

test("the fewest items that explain another order have moved", () => {
  expect(told("abcde", "eabcd")).toEqual(["e moved"]);
  expect(told("abcde", "bacde")).toHaveLength(1);
  expect(told("abc", "cba")).toHaveLength(2);
});

test("an item with another hash, or cut differently, has changed", () => {
  expect(differencesOf([item("a")], [item("a", "other")])).toMatchObject([{ change: "changed" }]);
  const cut = { ...item("a"), content_start: 0, content_end: 5 };
  expect(differencesOf([item("a")], [cut])).toMatchObject([{ change: "changed" }]);
});

test("an item has its own cause, else the common one, else that of the items it gave way to", () => {
  const changes = differencesOf(items("abc"), items("xb"));
  const causes = (own: Record<string, "deleted" | "newer">, common: "degraded" | null) =>
    withCauses(changes, ({ id }) => own[id] ?? null, common).map(({ cause }) => cause);
  expect(causes({}, null)).toEqual(["others_changed", "others_changed", "others_changed"]);
  expect(causes({ x: "newer" }, null)).toEqual(["newer", "newer", "newer"]);
  expect(causes({ x: "newer", a: "deleted" }, null)).toEqual(["deleted", "deleted", "newer"]);
  expect(causes({ x: "newer" }, "degraded")).toEqual(["degraded", "degraded", "newer"]);
});
