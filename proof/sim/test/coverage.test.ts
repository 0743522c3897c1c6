import { expect, test } from "vitest";
import { eventsIn, missingEvents } from "../src/coverage.ts";
import { simulate } from "../src/simulate.ts";

// `npm run sim` checks that no event is missing in 300 seeds.
test("an event of a run is covered, and the others are missing", async () => {
  const { trace } = await simulate(1);
  const happened = new Set(eventsIn(trace));
  expect(happened).toContain("append answers 201");
  const missing = missingEvents(happened);
  expect(missing).not.toContain("append answers 201");
  expect(missing).not.toEqual([]);
  expect(missingEvents(new Set())).toHaveLength(happened.size + missing.length);
});

test("crons overlap when one begins before the other ends", () => {
  const event = "two crons at the same time";
  expect(eventsIn(["1 cron begins", "1 cron ends", "2 cron begins"])).not.toContain(event);
  expect(eventsIn(["1 cron begins", "2 cron begins", "1 cron dies: evicted"])).toContain(event);
});
