import type { Engram, Event, EventPosition, ListenOptions } from "@engram/sdk";
import { type Command, InvalidArgumentError } from "commander";
import { shownTime } from "./output.ts";

/** Which events a command reads. */
export interface EventOptions {
  conversation?: string;
  after?: EventPosition;
  wait: boolean;
}

/** @param after What `--after` names. @param noWait What is done with `--no-wait`. */
export const addEventOptions = (command: Command, after: string, noWait: string): Command =>
  command
    .option("--conversation <id>", "only events of this conversation and its messages")
    .option("--after <position>", `number of ${after}, 0 or now; default now`, position)
    .option("--no-wait", `${noWait} the events that exist, and end`);

/** Converts an option to a position in the event log. */
function position(text: string): EventPosition {
  if (text === "now") return text;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number or now.");
}

export function readEvents(
  engram: Engram,
  { conversation, after, wait }: EventOptions,
): AsyncIterable<Event> {
  const query = { ...(conversation !== undefined && { conversation_id: conversation }), after };
  return wait ? engram.events.listen(query) : storedEvents(engram, query);
}

/** The events up to the end of the log. */
async function* storedEvents(client: Engram, query: ListenOptions): AsyncGenerator<Event> {
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
