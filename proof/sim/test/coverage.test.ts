import { expect, test } from "vitest";
import { isFull } from "../../support/scale.ts";
import { simulate } from "../src/simulate.ts";

const SEEDS = 300;

/** What must come about in some of the runs, as lines of their traces: an invariant that meets no trouble shows little. */
const COVERED_EVENTS = [
  ...["slow", "refused", "unacknowledged", "late"].map((outcome) => `d1\\(.*\\) ${outcome}`),
  ...["slow", "refused", "silent"].map((outcome) => `ai\\(.*\\) ${outcome}`),
  ...["slow", "refused", "unacknowledged", "late", "silent", "repeated", "partly"].map(
    (outcome) => `upsert\\(.*\\) ${outcome}`,
  ),
  ...["slow", "refused", "unacknowledged", "silent", "repeated"].map(
    (outcome) => `delete\\(.*\\) ${outcome}`,
  ),
  ...["slow", "refused", "silent"].map((outcome) => `(get|query).* ${outcome}`),
  ...["before d1", "after d1", "before upsert", "after upsert", "evicted", "30 seconds are over"].map(
    (death) => `dies: ${death}`,
  ),
  ...["slow", "refused", "silent", "is confused"].map((outcome) => `ai\\(sim/text\\) ${outcome}`),
  ...["append is lost", "capture is lost", "the answer to capture is lost", "capture again answers 201"],
  "the answer to append is lost",
  "append again answers 201",
  ...["create", "append", "capture", "create key"].map((name) => `${name} answers 201`),
  ...["replace", "edit", "retitle", "revoke key", "search hybrid", "search semantic", "search keyword"].map(
    (name) => `${name} answers 200`,
  ),
  ...["capture", "capture many", "update memory", "search memories hybrid"].map(
    (name) => `${name} answers 200`,
  ),
  ...["delete memory", "delete memories", "enrich"].map((name) => `${name} answers 202`),
  ...["access another agent answers 403", "access another agent answers 404", "look at the wipe answers 200"],
  ...["delete_memories", "enrich_memories", "repair_index"].map((type) => `cancel ${type} answers 200`),
  ...["update memory answers 409", "update memory answers 412"],
  ...["delete message", "delete conversation", "delete organization", "repair"].map(
    (name) => `${name} answers 202`,
  ),
  ...[
    "replace answers 409",
    "retitle answers 412",
    "access another tenant answers 404",
    "try former key answers 401",
  ],
  ...["fork answers 201", "fork answers 404", "fork answers 409", "fork again answers 201"],
  ...["the answer to fork is lost", "fork .*refused:source_changed"],
  ...["begin import answers 202", "import part answers 200", "cancel import answers 200"],
  ...["import part again answers 200", "the answer to import part is lost"],
  ...["import part .*refused:lines_missing", "import part .*refused:operation_ended"],
  ...["restore organization answers 200", "restore organization answers 409"],
  "search semantic answers 503",
];

test.runIf(isFull)("everything that can go wrong does, and every action runs", async () => {
  const missing = new Set(COVERED_EVENTS);
  let areCronsOverlapping = false;
  for (let seed = 1; seed <= SEEDS && (missing.size > 0 || !areCronsOverlapping); seed++) {
    const { trace } = await simulate(seed);
    for (const event of missing) {
      const pattern = new RegExp(event);
      if (trace.some((line) => pattern.test(line))) missing.delete(event);
    }
    let crons = 0;
    for (const line of trace) {
      if (/ cron begins$/.test(line)) crons += 1;
      if (/ cron (ends|dies: .*)$/.test(line)) crons -= 1;
      areCronsOverlapping ||= crons > 1;
    }
  }
  expect([...missing]).toEqual([]);
  expect(areCronsOverlapping).toBe(true);
});
