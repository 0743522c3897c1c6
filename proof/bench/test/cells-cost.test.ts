import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { billCells, dollarsOfMonth, storedPerOrganization, usesPerMonth } from "../src/cells/bill.ts";
import { formatBill, formatLimits } from "../src/cells/bill-report.ts";
import { CHATTY, SLEEPY } from "../src/cells/tenants.ts";

const lineOf = (name: string, tenant = CHATTY) => {
  const line = billCells(tenant).find((line) => line.name === name);
  if (line === undefined) throw new Error(`no line ${name}`);
  return line;
};

test("a tenant uses what its messages, searches, minutes in use and sweeps use", () => {
  // 1,000 messages, 300 searches, 50 sessions of three minutes and three sweeps, and 30 daily sweeps.
  expect(usesPerMonth(CHATTY)).toMatchObject({
    objectRequests: 5_400 + 600 + 150 + 180,
    rowsRead: 112_000 + 5_070_000 + 150 * 15 + 180 * 270,
    directoryWrites: 180,
  });
  // Ten messages and five searches, each by itself, in 15 minutes, with 24 sweeps and 30 daily ones.
  expect(usesPerMonth(SLEEPY)).toMatchObject({
    objectRequests: 110 + 10 + 15 + 54,
    directoryWrites: 54,
    embeddingCalls: 15,
  });
});

test("a bill charges what exceeds the allowance, and what is stored", () => {
  const { quantity, dollars } = lineOf("Object requests, alarms too");
  expect(dollars).toBeCloseTo(((quantity - 1e6) / 1e6) * 0.15);
  expect(lineOf("Object requests, alarms too", SLEEPY).dollars).toBeGreaterThan(0);
  expect(lineOf("Object rows written", SLEEPY).dollars).toBe(0);
  expect(storedPerOrganization().vectors).toBe(4_780);
  const stored = lineOf("Object storage, bytes", SLEEPY);
  expect([stored.quantity / 1e12, stored.dollars]).toEqual([
    expect.closeTo(3.616, 3),
    expect.closeTo(722, 0),
  ]);
  expect(dollarsOfMonth(SLEEPY)).toBeGreaterThan(stored.dollars + 5);
});

test("the page of places has the tables as they are calculated", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../site/pages/places.md"), "utf8");
  expect(page).toContain(formatBill());
  expect(page).toContain(formatLimits());
});
