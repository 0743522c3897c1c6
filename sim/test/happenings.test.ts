import { expect, test } from "vitest";
import { simulate } from "../src/simulate.ts";

const SEEDS = 300;

/** What must come about in some of the runs, as lines of their traces: an invariant that meets no trouble shows little. */
const HAPPENINGS = [
  ...["slow", "refused", "unheard", "late"].map((fate) => `d1\\(.*\\) ${fate}`),
  ...["slow", "refused", "silent"].map((fate) => `ai\\(.*\\) ${fate}`),
  ...["slow", "refused", "unheard", "late", "silent", "repeated", "partly"].map(
    (fate) => `upsert\\(.*\\) ${fate}`,
  ),
  ...["slow", "refused", "unheard", "silent", "repeated"].map((fate) => `delete\\(.*\\) ${fate}`),
  ...["slow", "refused", "silent"].map((fate) => `(get|query).* ${fate}`),
  ...["before d1", "behind d1", "before upsert", "behind upsert", "evicted", "30 seconds are over"].map(
    (death) => `dies: ${death}`,
  ),
  ...["slow", "refused", "silent", "is confused"].map((fate) => `ai\\(sim/text\\) ${fate}`),
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
  ...["meddle answers 403", "meddle answers 404", "look at the wipe answers 200"],
  ...["delete_memories", "enrich_memories", "repair_index"].map((type) => `cancel ${type} answers 200`),
  ...["update memory answers 409", "update memory answers 412"],
  ...["delete message", "delete conversation", "delete organization", "repair"].map(
    (name) => `${name} answers 202`,
  ),
  ...["replace answers 409", "retitle answers 412", "trespass answers 404", "try former key answers 401"],
  ...["fork answers 201", "fork answers 404", "fork answers 409", "fork again answers 201"],
  ...["the answer to fork is lost", "fork .*refused:source_changed"],
  ...["begin import answers 202", "import part answers 200", "cancel import answers 200"],
  ...["import part again answers 200", "the answer to import part is lost"],
  ...["import part .*refused:lines_missing", "import part .*refused:operation_ended"],
  ...["restore organization answers 200", "restore organization answers 409"],
  "search semantic answers 503",
];

test("everything that can go wrong does, and every deed is done", async () => {
  const open = new Set(HAPPENINGS);
  let areCronsOverlapping = false;
  for (let seed = 1; seed <= SEEDS && (open.size > 0 || !areCronsOverlapping); seed++) {
    const { trace } = await simulate(seed);
    for (const happening of open) {
      const pattern = new RegExp(happening);
      if (trace.some((line) => pattern.test(line))) open.delete(happening);
    }
    let crons = 0;
    for (const line of trace) {
      if (/ cron begins$/.test(line)) crons += 1;
      if (/ cron (ends|dies: .*)$/.test(line)) crons -= 1;
      areCronsOverlapping ||= crons > 1;
    }
  }
  expect([...open]).toEqual([]);
  expect(areCronsOverlapping).toBe(true);
});
