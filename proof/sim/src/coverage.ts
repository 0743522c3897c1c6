/** Number of seeds in which every event must have happened. */
export const COVERAGE_SEEDS = 300;

/** Patterns of trace lines. Without these events, the invariants of a run prove little. */
const EVENTS = [
  ...["slow", "refused", "unacknowledged", "late"].map((outcome) => `d1\\(.*\\) ${outcome}`),
  ...["slow", "refused", "unacknowledged", "late", "silent"].map((outcome) => `cell\\(.*\\) ${outcome}`),
  ...["a call", "its answer"].map((place) => `cell .* dies: reset by ${place}`),
  ...["before a commit of", "after a commit of", "after"].map(
    (place) => `cell .* dies: reset ${place} its alarm`,
  ),
  ...["alarm begins", "alarm ends", "is erased", "dies: not used", "dies: evicted"].map(
    (what) => `cell .* ${what}`,
  ),
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
  ...["context", "context stable"].map((name) => `${name} answers 200`),
  ...[
    "access another agent answers 403",
    "access another agent answers 404",
    "access another user answers 403",
    "access another user answers 404",
    "look at the wipe answers 200",
  ],
  ...["put answers 201", "delete user answers 202"],
  ...["share answers 200", "list shared answers 200"],
  ...["access shared answers 200", "access shared answers 403", "access shared answers 404"],
  ...["search shared keyword", "search shared semantic"].map((name) => `${name} answers 200`),
  ...["supersede answers 201", "supersede answers 404", "list versions answers 200"],
  ...["get memory as of answers 200", "get memory as of answers 404", "list memories as of answers 200"],
  "list messages as of answers 200",
  ...["delete_memories", "delete_user", "enrich_memories", "repair_index"].map(
    (type) => `cancel ${type} answers 200`,
  ),
  ...["summarize answers 202", "list summaries answers 200"],
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
  ...["register", "authorize", "redeem", "refresh"].map((name) => `${name} answers 20[01]`),
  ...["consent answers 302", "consent answers 400", "the answer to refresh is lost", "refresh answers 400"],
  ...["delete grant", "revoke a person's key", "revoke refresh token", "revoke access token"].map(
    (name) => `${name} answers 200`,
  ),
  ...["rotate a person's key answers 201", "try ended program answers 401", "use program answers 403"],
  ...["call tool answers 200", "call tool answers 401", "call tool answers 403"],
  ...["wait for events answers 200", "wait for events answers 401"],
  ...["fork answers 201", "fork answers 404", "fork answers 409", "fork again answers 201"],
  ...["the answer to fork is lost", "fork .*refused:source_changed"],
  ...["begin import answers 202", "import part answers 200", "cancel import answers 200"],
  ...["import part again answers 200", "the answer to import part is lost"],
  ...["import part .*refused:lines_missing", "import part .*refused:operation_ended"],
  ...["restore organization answers 200", "restore organization answers 409"],
  ...["capture answers 409", "append answers 409", "create answers 409", "delete tombstone answers 200"],
  ...["capture .*refused:forgotten", "import part .*refused:tombstones_unknown"],
  ...["record answers 200", "replay answers 200", "get recall answers 404", "the answer to record is lost"],
  ...["move organization answers 202", "move organization answers 400", "look at move answers 200"],
  "cancel move answers 200",
  ...[
    "create hold answers 201",
    "lift hold answers 200",
    "delete memory answers 409",
    "force deletion answers 202",
  ],
  ...["create expiring answers 201", "capture expiring answers 201", "create rule answers 201"],
  "search semantic answers 503",
  ...["listen answers 200", "the answer to listen is lost", "listen again answers 200", "listen dies: .*"],
];
const OVERLAPPING_CRONS = "two crons at the same time";

const patterns = EVENTS.map((event) => [event, new RegExp(event)] as const);

/** The events that happened in a run. */
export function eventsIn(trace: string[]): string[] {
  const events = patterns.flatMap(([event, pattern]) =>
    trace.some((line) => pattern.test(line)) ? [event] : [],
  );
  let crons = 0;
  const overlap = trace.some((line) => {
    if (/ cron begins$/.test(line)) crons += 1;
    if (/ cron (ends|dies: .*)$/.test(line)) crons -= 1;
    return crons > 1;
  });
  return overlap ? [...events, OVERLAPPING_CRONS] : events;
}

/** The events that are not among those that happened: faults without effect, and actions that never ran. */
export const missingEvents = (happened: Set<string>): string[] =>
  [...EVENTS, OVERLAPPING_CRONS].filter((event) => !happened.has(event));
