import type { Event } from "@engram/sdk";
import { useEffect, useState } from "preact/hooks";
import { MESSAGES } from "../messages.ts";
import { Badge, Screen as Frame, Time } from "../parts/basics.tsx";
import { type Filter, Filters, filterValue } from "../parts/filters.tsx";
import { Empty, Failure } from "../parts/states.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Text } from "../parts/text.tsx";
import { linkTo, route } from "../route.ts";
import { engram } from "../session.ts";

const texts = MESSAGES.events;
const { filterLabels, columns } = MESSAGES;
/** Events that the screen keeps, the newest ones. */
const KEPT = 500;

const FILTERS: readonly Filter[] = [
  { name: "type", label: filterLabels.type, choices: Object.keys(MESSAGES.eventTypes) },
  { name: "conversation_id", label: filterLabels.conversation },
  { name: "user_id", label: filterLabels.user },
  { name: "agent_id", label: filterLabels.agent },
  { name: "from", label: texts.from, placeholder: texts.now, choices: ["oldest"] },
];

const COLUMNS: readonly Column<Event>[] = [
  { title: columns.sequence, kind: "minor number", cell: ({ sequence }) => sequence },
  { title: columns.event, kind: "wide", cell: (event) => MESSAGES.eventTypes[event.type] },
  { title: columns.item, cell: (event) => <Item of={event} /> },
  { title: columns.user, kind: "minor", cell: ({ user_id }) => user_id && <Text of={user_id} /> },
  { title: columns.created, kind: "minor", cell: ({ created_at }) => <Time at={created_at} /> },
];

export function Screen() {
  const [events, setEvents] = useState<Event[]>([]);
  const [error, setError] = useState<unknown>();
  const [isPaused, setPaused] = useState(false);
  const [round, setRound] = useState(0);
  const identity = route.value.query.toString();
  useEffect(() => {
    setEvents([]);
  }, [identity]);
  useEffect(() => {
    if (isPaused) return;
    const controller = new AbortController();
    setError(undefined);
    const listen = async () => {
      const type = filterValue<Event["type"]>("type");
      const listening = engram().events.listen({
        after: events[0]?.sequence ?? (filterValue("from") === "oldest" ? 0 : "now"),
        signal: controller.signal,
        ...(type !== undefined && { type: [type] }),
        ...filled("conversation_id"),
        ...filled("user_id"),
        ...filled("agent_id"),
      });
      for await (const event of listening) setEvents((before) => [event, ...before].slice(0, KEPT));
    };
    listen().catch((failure) => controller.signal.aborted || setError(failure));
    return () => controller.abort();
  }, [identity, isPaused, round]);
  const isLive = !isPaused && error === undefined;
  return (
    <Frame
      title={
        <>
          {texts.title} <Badge tone={isLive ? "good" : "plain"}>{isLive ? texts.live : texts.paused}</Badge>
        </>
      }
      note={texts.note}
      actions={
        <button type="button" onClick={() => setPaused(!isPaused)}>
          {isPaused ? texts.goOn : texts.pause}
        </button>
      }
    >
      <Filters filters={FILTERS} />
      {error !== undefined && <Failure error={error} retry={() => setRound(round + 1)} />}
      {events.length === 0 && error === undefined && <Empty title={texts.none}>{texts.noneText}</Empty>}
      {events.length > 0 && <Table items={events} columns={COLUMNS} label={texts.title} />}
    </Frame>
  );
}

const filled = (name: string) => {
  const value = filterValue(name);
  return value === undefined ? {} : { [name]: value };
};

function Item({ of: event }: { of: Event }) {
  const { conversation_id, memory_id, operation_id, key_id, first_sequence } = event;
  if (conversation_id !== null)
    return (
      <a data-item href={linkTo(["conversations", conversation_id], { at: first_sequence?.toString() })}>
        <code>{conversation_id}</code>
      </a>
    );
  if (memory_id !== null)
    return (
      <a data-item href={linkTo(["memories", memory_id])}>
        <code>{memory_id}</code>
      </a>
    );
  if (operation_id !== null)
    return (
      <a data-item href={linkTo(["operations", operation_id])}>
        <code>{operation_id}</code>
      </a>
    );
  return key_id === null ? null : <code>{key_id}</code>;
}
