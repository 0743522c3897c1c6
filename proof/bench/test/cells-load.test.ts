import { describe, expect, test } from "vitest";
import { toRandom, uniform } from "../../support/random.ts";
import { quantile } from "../../support/statistics.ts";
import { type Load, scenarioOf, simulate, TIMES } from "../src/cells/load.ts";
import { formatLoad } from "../src/cells/load-report.ts";
import { CHATTY, requestsPerSession, SLEEPY, TENANTS } from "../src/cells/tenants.ts";
import { Server, Timeline } from "../src/cells/timeline.ts";

const DAY_MS = 86_400_000;

test("events run in the order of their times, and of the same time as they were planned", () => {
  const timeline = new Timeline();
  const random = toRandom(uniform(1));
  const ran: [atMs: number, number: number][] = [];
  for (let number = 0; number < 1_000; number++) {
    const atMs = random.between(0, 50);
    timeline.after(atMs, () => ran.push([timeline.nowMs, number]));
  }
  timeline.run(40);
  expect(ran.every(([atMs]) => atMs <= 40)).toBe(true);
  timeline.run(50);
  expect(ran).toHaveLength(1_000);
  expect(ran).toEqual(ran.toSorted(([a, i], [b, j]) => a - b || i - j));
});

test("the wait for one server is that of the formula for calls at random times", () => {
  const timeline = new Timeline();
  const server = new Server();
  const random = toRandom(uniform(1));
  const [takesMs, everyMs, untilMs] = [5, 8, 8_000_000];
  const arrive = () =>
    timeline.after(-Math.log(1 - random.next()) * everyMs, () => {
      server.call(timeline, takesMs);
      arrive();
    });
  arrive();
  timeline.run(untilMs);
  const use = takesMs / everyMs;
  const mean = server.waitsMs.reduce((sum, wait) => sum + wait, 0) / server.waitsMs.length;
  expect(server.busyMs / untilMs).toBeCloseTo(use, 2);
  // Pollaczek and Khinchine, for calls that all take the same time.
  expect(mean / ((use * takesMs) / (2 * (1 - use)))).toBeCloseTo(1, 1);
});

describe("the simulation", () => {
  /** One organization, whose only isolate gets one request after the other. */
  const alone = (tenant: { messages: number } | { searches: number }, sessions: number, more: object = {}) =>
    simulate(
      scenarioOf(
        { name: "alone", messages: 0, searches: 0, sweepsPerSession: 0, ...tenant, sessions },
        {
          organizations: 1,
          isolates: 1,
          idleSweepsOverMs: Number.POSITIVE_INFINITY,
          seconds: 86_400,
          peak: 1,
          ...more,
        },
      ),
    );

  test("asks the directory for the place once a minute, and reports once for each alarm", () => {
    // Sessions of 24 requests, two minutes long, so rare that they do not meet.
    const load = alone({ messages: 24 * 60 }, 60);
    const sessions = load.requests / 24;
    expect(sessions).toBeGreaterThanOrEqual(1);
    expect(load.answered).toBe(load.requests);
    expect(load.directory.writes).toBe(load.alarms);
    // Again after each minute, also for the counts of usage.
    expect(load.directory.reads / sessions).toBeGreaterThanOrEqual(2);
    expect(load.directory.reads / sessions).toBeLessThanOrEqual(4);
    expect(load.alarms / sessions).toBeGreaterThanOrEqual(3);
    expect(load.alarms / sessions).toBeLessThanOrEqual(4);
    expect(load.cells.coldStarts).toBeGreaterThanOrEqual(sessions);
  });

  test("loads a cell that was not called for ten seconds, and lets the request wait for that", () => {
    const times = { ...TIMES, coldStart: 1_000 };
    const load = alone({ searches: 3_000 }, 3_000, { times });
    expect(load.requests).toBeGreaterThan(50);
    // The place, the key in a cell that is loaded for it, and the search.
    expect(quantile(load.requestsMs, 0.5)).toBeCloseTo(
      times.read + times.coldStart + times.read + times.search,
    );
  });

  test("sweeps each idle cell once in the time over which the sweeps are spread", () => {
    const quiet = { name: "quiet", messages: 1, searches: 0, sessions: 1e-9, sweepsPerSession: 0 };
    const load = simulate(
      scenarioOf(quiet, { organizations: 5_000, seconds: 3_600, idleSweepsOverMs: 3.6e6 }),
    );
    expect([load.requests, load.alarms]).toEqual([0, 5_000]);
    const daily = simulate(
      scenarioOf(quiet, { organizations: 24_000, seconds: 3_600, idleSweepsOverMs: DAY_MS }),
    );
    expect(daily.alarms / 1_000).toBeCloseTo(1, 0);
  });

  test("lets calls wait ever longer for a directory that gets more than it can run", () => {
    const busy = (over: number): Load =>
      simulate(scenarioOf(SLEEPY, { seconds: 600, organizations: 20_000, idleSweepsOverMs: over }));
    // 20,000 reports of 5 ms take 100 seconds.
    const [half, double] = [busy(200_000), busy(50_000)];
    expect(quantile(half.directory.waitsMs, 0.99)).toBeLessThan(100);
    expect(quantile(double.directory.waitsMs, 0.99)).toBeGreaterThan(40_000);
  });

  test.each(TENANTS)("sweeps the cells of $name tenants as often as the bill assumes", (tenant) => {
    const load = simulate(
      scenarioOf(tenant, { idleSweepsOverMs: Number.POSITIVE_INFINITY, organizations: 20_000 }),
    );
    const sessions = load.requests / requestsPerSession(tenant);
    expect(load.alarms / sessions / tenant.sweepsPerSession).toBeCloseTo(1, 1);
  });

  test("gives the same figures again, and others for another seed", () => {
    const of = (seed: number) => simulate(scenarioOf(CHATTY, { organizations: 2_000, seconds: 300, seed }));
    expect(of(1)).toEqual(of(1));
    expect(of(2).requestsMs).not.toEqual(of(1).requestsMs);
  });

  test("is in the report with all figures", () => {
    const scenario = scenarioOf(CHATTY, { organizations: 2_000, seconds: 300 });
    const report = formatLoad([{ title: "chatty", scenario, load: simulate(scenario) }]);
    expect(report).toMatch(
      /^\| directory: wait, p50 \/ p99 \/ longest, ms \| [\d.]+ \/ [\d.]+ \/ [\d.]+ \|$/m,
    );
    expect(report).not.toMatch(/NaN|Infinity/);
  });
});
