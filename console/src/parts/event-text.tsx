import type { Event } from "@engram/sdk";
import type { ComponentChildren } from "preact";
import { MESSAGES } from "../messages.ts";
import { linkTo } from "../route.ts";
import type { Titles } from "./conversation-titles.ts";
import type { KeyNames } from "./key-name.tsx";
import { Text } from "./text.tsx";

const { sentences } = MESSAGES.events;

/** What an event says, as a sentence with a link to what changed. */
export function EventText(props: { of: Event; titles: Titles; names: KeyNames }) {
  const { of: event, titles, names } = props;
  const { first_sequence: first, last_sequence: last } = event;
  const sentence = sentences[event.type as keyof typeof sentences];
  // The service may have types that this page does not know.
  const text = sentence === undefined ? `${event.type}: {}` : sentence(first ?? 0, last ?? 0);
  const [before = "", after = ""] = text.split("{}");
  return (
    <span class={event.type === "messages.indexed" ? "event note" : "event"}>
      {before}
      <Item of={event} titles={titles} names={names} />
      {after}
    </span>
  );
}

function Item({ of: event, titles, names }: { of: Event; titles: Titles; names: KeyNames }) {
  const { conversation_id, memory_id, operation_id, key_id, first_sequence } = event;
  if (conversation_id !== null) {
    const title = titles.get(conversation_id);
    const shown = title === null ? MESSAGES.conversations.untitled : title;
    const href = linkTo(["conversations", conversation_id], { at: first_sequence?.toString() });
    return <Linked href={href}>{shown === undefined ? <code>{conversation_id}</code> : <Text of={shown} />}</Linked>;
  }
  if (memory_id !== null)
    return (
      <Linked href={linkTo(["memories", memory_id])}>
        <code>{memory_id}</code>
      </Linked>
    );
  if (operation_id !== null)
    return (
      <Linked href={linkTo(["operations", operation_id])}>
        <code>{operation_id}</code>
      </Linked>
    );
  if (key_id === null) return null;
  const name = names.get(key_id);
  return (
    <Linked href={linkTo(["usage"], { key_id })}>
      {name === undefined ? <code>{key_id}</code> : <Text of={name} />}
    </Linked>
  );
}

const Linked = ({ href, children }: { href: string; children: ComponentChildren }) => (
  <a data-item href={href}>
    {children}
  </a>
);
