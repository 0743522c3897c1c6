import type { Event } from "@engram/sdk";
import { MESSAGES } from "../messages.ts";
import { linkTo } from "../route.ts";
import type { Names } from "./event-names.ts";
import { Text } from "./text.tsx";

const { sentences } = MESSAGES.events;

/** What an event says, as a sentence with a link to what changed. */
export function EventText({ of: event, names }: { of: Event; names: Names }) {
  const { first_sequence: first, last_sequence: last } = event;
  // The service may have types that this page does not know.
  const sentence = Object.hasOwn(sentences, event.type) ? sentences[event.type] : undefined;
  const text = sentence === undefined ? `${event.type}: {}` : sentence(first ?? 0, last ?? 0);
  const [before = "", after = ""] = text.split("{}");
  const { id, href } = itemOf(event);
  const name = names.get(id);
  return (
    <span class={event.type === "messages.indexed" ? "event soft" : "event"}>
      {before}
      <a data-item href={href}>
        {name === undefined ? <code>{id}</code> : <Text of={name} />}
      </a>
      {after}
    </span>
  );
}

/** What changed. Each event has exactly one such id. */
function itemOf(event: Event): { id: string; href: string } {
  const { conversation_id, memory_id, operation_id, first_sequence } = event;
  if (conversation_id !== null) {
    const at = first_sequence?.toString();
    return { id: conversation_id, href: linkTo(["conversations", conversation_id], { at }) };
  }
  if (memory_id !== null) return { id: memory_id, href: linkTo(["memories", memory_id]) };
  if (operation_id !== null) return { id: operation_id, href: linkTo(["operations", operation_id]) };
  const key_id = event.key_id ?? "";
  return { id: key_id, href: linkTo(["usage"], { key_id }) };
}
