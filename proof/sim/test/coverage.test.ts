import { expect, test } from "vitest";
import { eventsIn, missingEvents } from "../src/coverage.ts";

// `npm run sim` checks that no event is missing in 300 seeds.
test("an event counts as covered if a trace contains it, and otherwise as missing", () => {
  const event = "append answers 201";
  const covered = eventsIn(["7 client 2: append answers 201", "8 client 2: append answers 418"]);
  expect(covered).toEqual([event]);
  const all = missingEvents(new Set());
  expect(missingEvents(new Set(covered))).toEqual(all.filter((other) => other !== event));
  expect(all).toContain(event);
});

test("two crons count as overlapping if one begins before the other ends", () => {
  const event = "two crons at the same time";
  expect(eventsIn(["1 cron begins", "1 cron ends", "2 cron begins"])).not.toContain(event);
  expect(eventsIn(["1 cron begins", "2 cron begins", "1 cron dies: evicted"])).toContain(event);
});
