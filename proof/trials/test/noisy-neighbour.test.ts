import { expect, test } from "vitest";
import { describeFindings, holds } from "../src/report.ts";
import { judgeRound } from "../src/support/neighbour/verdict.ts";
import { Findings } from "../src/support/trial.ts";

const FAST = { quietMs: [20, 90], noisyMs: [50, 999], grownBytes: 0, isDrained: true };

test("a round of the noisy-neighbour trial passes if no request of the victim takes a second", () => {
  expect(judgeRound(FAST)).toEqual({ broken: [], notMeasured: null });
});

test("the bound of the noisy-neighbour trial does not depend on the victim's response times when alone", () => {
  for (const quietMs of [[5], [100]])
    expect(judgeRound({ ...FAST, quietMs, noisyMs: [50, 1_000] }).broken).toEqual([
      "The victim waited 1000 ms.",
    ]);
});

test("a round of the noisy-neighbour trial counts as not measured on a slow machine or with unfinished work", () => {
  const slow = judgeRound({ ...FAST, quietMs: [20, 101], noisyMs: [5_000] });
  expect(slow).toEqual({ broken: [], notMeasured: "the victim alone has a 99th percentile of 101 ms" });
  expect(judgeRound({ ...FAST, quietMs: [] }).notMeasured).not.toBeNull();
  expect(judgeRound({ ...FAST, isDrained: false }).notMeasured).toBe(
    "the work of earlier attacks did not end",
  );
});

test("the noisy-neighbour trial judges memory growth on a machine of any speed", () => {
  const { broken } = judgeRound({ ...FAST, quietMs: [101], grownBytes: 251_000_000 });
  expect(broken).toEqual(["Memory rose by 251 MB."]);
  expect(judgeRound({ ...FAST, grownBytes: Number.NaN }).broken).toEqual([]);
});

test("a trial that measured nothing reports this and does not pass", () => {
  const findings = new Findings();
  findings.expect(true, () => "");
  expect(holds(findings)).toBe(true);
  findings.notMeasured = "the machine is slow";
  expect(holds(findings)).toBe(false);
  expect(describeFindings({ name: "one", promise: "Two." }, [], findings)).toContain(
    "- 1 checks: not measured: the machine is slow\n",
  );
});
