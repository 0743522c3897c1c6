import { EVENT_TYPES, type Event, type EventPage, type EventType } from "@engram/spec";
import { ApiError } from "../errors.ts";
import type { Invocation, KeyCaller } from "../invocation.ts";
import { drawRound } from "../platform/round-robin.ts";
import { batch, sql } from "../platform/sql.ts";
import type { Waker } from "../platform/waker.ts";
import * as queries from "./queries.ts";

/** Reads of the log while one request waits. */
const LOOKS_MAX = 100;
/** Deletions of events in one sweep. */
const PRUNE_ROUNDS = 3;
/** Age up to which events are kept. */
const KEPT_MS = 7 * 24 * 3_600_000;

/**
 * Events after a sequence. Without one at once, waits for it at most `waitSeconds`.
 *
 * A key that is revoked while the request waits gets no event: each read of the log checks it, also one by the hub.
 *
 * @param input.after null for the oldest event.
 * @throws {ApiError} `cursor_expired`, `unauthenticated`.
 */
export async function listEvents(
  caller: KeyCaller,
  input: {
    after: queries.Position;
    limit: number;
    waitSeconds: number;
    filter: queries.EventFilter;
  },
): Promise<EventPage> {
  const { limits, runtime, principal } = caller;
  const { filter, limit } = input;
  const untilMs = runtime.nowMs() + input.waitSeconds * 1_000;
  let { after } = input;
  let rowsLeft = limits.eventPageRows;
  let waker: Waker | null = null;
  let part: LogPart | null = null;
  try {
    for (let look = 1; ; look++) {
      const { answer, rows } = part ?? (await readPage(caller, { ...input, after, rowsMax: rowsLeft }));
      after = answer.after;
      rowsLeft -= rows;
      const leftMs = untilMs - runtime.nowMs();
      const isOver = leftMs <= 0 || look >= LOOKS_MAX || rowsLeft <= 0;
      if (answer.items.length > 0 || !answer.caught_up || isOver) return answer;
      waker ??= await caller.openWaker(principal.organizationId, {
        principal,
        filter,
        limit,
        getsBroadcasts: false,
      });
      part = partOf(caller, await waker.pause(leftMs, after), after);
    }
  } finally {
    waker?.close();
  }
}

/** A part of the log after a position, and the number of events that were read for it. */
export interface LogPart {
  answer: EventPage;
  rows: number;
}

/**
 * What is new after a position in a part that the hub read; null if the caller has to read the log itself: the part does
 * not continue what was read up to there, or the key has expired by the caller's clock.
 *
 * @param text the JSON of the hub, or null.
 */
export function partOf(
  { principal, runtime }: KeyCaller,
  text: string | null,
  after: number,
): LogPart | null {
  const { expiresAtMs } = principal;
  if (text === null || (expiresAtMs !== null && expiresAtMs <= runtime.nowMs())) return null;
  const { from, page } = JSON.parse(text) as { from: number; page: EventPage };
  if (from > after || page.after < after) return null;
  const items = page.items.filter(({ sequence }) => sequence > after);
  return { answer: { ...page, items }, rows: page.after - after };
}

/** @throws {ApiError} `cursor_expired`, `unauthenticated`. */
export async function readPage(
  { db, principal }: KeyCaller,
  input: { after: queries.Position; limit: number; rowsMax: number; filter: queries.EventFilter },
): Promise<LogPart> {
  const { organizationId } = principal;
  const { after: position, limit, rowsMax } = input;
  const filter = readable(principal.scopes.includes("admin"), input.filter);
  // One transaction, so that no event between the position and the end is pruned in between.
  const { ends, found } = await batch(db, {
    ends: queries.logEnds(organizationId),
    found:
      position === "now"
        ? null
        : queries.eventsAfter(principal, filter, {
            after: position === null ? queries.beforeOldest(organizationId) : sql`${position}`,
            limit,
            rowsMax,
          }),
  });
  const { oldest, last } = ends;
  const after = position === "now" ? last : (position ?? oldest - 1);
  refuseOutside(after, ends);
  const events = found ?? [];
  // With a full page, further events may match.
  const end = events.length < limit ? Math.min(last, after + rowsMax) : (events.at(-1)?.sequence ?? last);
  return {
    answer: {
      items: events.map((event) => toEvent(organizationId, event)),
      after: end,
      oldest,
      caught_up: end === last,
    },
    rows: end - after,
  };
}

/** @throws {ApiError} `cursor_expired`. */
function refuseOutside(after: number, { oldest, last }: { oldest: number; last: number }): void {
  if (after > last)
    throw new ApiError(
      "cursor_expired",
      `\`after\` is ${after}, and the newest event has the sequence ${last}. Read your data again, then continue from \`after=now\`.`,
    );
  if (after < oldest - 1)
    throw new ApiError(
      "cursor_expired",
      `The events after ${after} are deleted, and the oldest that is left has the sequence ${oldest}. Read your data again, then continue from \`after=now\`.`,
    );
}

/** The filter without types that the key may not read: events of keys require the scope `admin`. */
function readable(isAdmin: boolean, filter: queries.EventFilter): queries.EventFilter {
  if (isAdmin) return filter;
  return { ...filter, types: (filter.types ?? EVENT_TYPES).filter((type) => !type.startsWith("key.")) };
}

export const eventId = (organizationId: string, sequence: number): string =>
  `evt_${organizationId.replace(/^org_/, "")}_${sequence}`;

export function toEvent(
  organizationId: string,
  { subject_id, sequence, type, ...event }: queries.EventRow,
): Event {
  const subjects = { conversation_id: null, memory_id: null, operation_id: null, key_id: null };
  return {
    id: eventId(organizationId, sequence),
    sequence,
    type,
    ...subjects,
    [SUBJECTS[nounOf(type)]]: subject_id,
    ...event,
  };
}

const SUBJECTS = {
  conversation: "conversation_id",
  messages: "conversation_id",
  summary: "conversation_id",
  memory: "memory_id",
  operation: "operation_id",
  key: "key_id",
} as const;

const nounOf = (type: EventType) => type.slice(0, type.indexOf(".")) as keyof typeof SUBJECTS;

/** Deletes events that are older than seven days or exceed the number that an organization keeps. */
export async function pruneEvents(invocation: Invocation): Promise<void> {
  const { db, limits, runtime } = invocation;
  const kept = { sinceMs: runtime.nowMs() - KEPT_MS, rows: limits.eventsKept };
  const { chance, organizationsMax } = drawRound(invocation);
  let left = limits.eventPruneRows;
  for (let round = 0; round < PRUNE_ROUNDS && left > 0; round++) {
    const logs = await queries.selectOverdueLogs(db, { kept, chance, organizationsMax, limit: left });
    if (logs.length === 0) return;
    // What a short log leaves of its share goes to the others in the next round.
    const limit = Math.floor(left / logs.length);
    left -= await queries.deleteOverdueEvents(db, logs, { kept, limit });
  }
}
