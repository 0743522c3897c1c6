import type { Event, ListEventsQuery } from "@engram/sdk";
import { EVENTS_PAGE_MAX } from "@engram/sdk/limits";
import { engram } from "./session.ts";

/** Filters of the log. */
export type EventFilters = Pick<ListEventsQuery, "type" | "conversation_id" | "user_id" | "agent_id">;

/** A part of the log, newest event first. */
export interface EventPart {
  events: Event[];
  /** Position after which the part begins. Null at the oldest event. */
  start: number | null;
}

/** Events that a part has, if the log has so many that match. */
const PART_EVENTS = 100;
/** Positions that are read at once for events that match filters. One request of the API reads so many at most. */
const STEP = 2_400;
/** Steps after which a part ends, also with fewer events. */
const STEPS_MAX = 5;

/** The end of the log and its oldest event. */
export async function readEnds(signal: AbortSignal): Promise<{ end: number; oldest: number }> {
  const { after, oldest } = await engram().events.list({ after: "now", limit: 1 }, { signal });
  return { end: after, oldest };
}

/** The newest events up to a position. The API reads forwards alone, so it reads steps that begin ever earlier. */
export async function readBefore(
  end: number,
  oldest: number,
  filters: EventFilters,
  signal: AbortSignal,
): Promise<EventPart> {
  const events: Event[] = [];
  let before = end;
  let size = PART_EVENTS;
  for (let i = 0; i < STEPS_MAX && events.length < PART_EVENTS && before >= oldest; i++) {
    const start = Math.max(oldest - 1, before - size);
    const found = await readBetween(start, before, filters, signal);
    events.push(...found.toReversed());
    before = start;
    size = STEP;
  }
  return { events, start: before < oldest ? null : before };
}

async function readBetween(
  start: number,
  end: number,
  filters: EventFilters,
  signal: AbortSignal,
): Promise<Event[]> {
  const found: Event[] = [];
  for (let after = start; after < end; ) {
    const page = await engram().events.list({ ...filters, after, limit: EVENTS_PAGE_MAX }, { signal });
    found.push(...page.items.filter(({ sequence }) => sequence <= end));
    if (page.caught_up) break;
    after = page.after;
  }
  return found;
}
