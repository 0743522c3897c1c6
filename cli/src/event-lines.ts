import type { Engram, Event, EventPosition, ListenOptions } from "@engram/sdk";
import { InvalidArgumentError } from "commander";
import { shownTime } from "./output.ts";

/** Converts an option to a position in the event log. */
export function position(text: string): EventPosition {
  if (text === "now") return text;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number or now.");
}

/** The events up to the end of the log. */
export async function* storedEvents(client: Engram, query: ListenOptions): AsyncGenerator<Event> {
  for (let { after } = query; ; ) {
    const page = await client.events.list({ ...query, after });
    yield* page.items;
    if (page.caught_up) return;
    after = page.after;
  }
}

export function lineOf(event: Event): string {
  const { sequence, created_at, type, first_sequence, last_sequence } = event;
  const subject = event.conversation_id ?? event.memory_id ?? event.operation_id ?? event.key_id ?? "";
  const messages = [first_sequence, last_sequence].filter((number) => number !== null);
  return [sequence, shownTime(created_at), type.padEnd(20), subject, [...new Set(messages)].join("-")]
    .join("  ")
    .trimEnd();
}
