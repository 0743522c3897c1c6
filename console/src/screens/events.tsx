import type { Event } from "@engram/sdk";
import { useEffect, useState } from "preact/hooks";
import { MESSAGES } from "../messages.ts";
import { Badge, Screen as Frame } from "../parts/basics.tsx";
import { CREATED, USER } from "../parts/columns.tsx";
import { commonFilters, type Filter, Filters, filtered, filterValue } from "../parts/filters.tsx";
import { Empty, Failure } from "../parts/states.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { linkTo, type Query, route } from "../route.ts";
import { engram } from "../session.ts";

const texts = MESSAGES.events;
const { filterLabels, columns } = MESSAGES;
/** Events that the screen keeps, the newest ones. */
const KEPT = 500;

const OWNERS = commonFilters("conversation_id", "user_id", "agent_id");

const FILTERS: readonly Filter[] = [
  { name: "type", label: filterLabels.type, choices: Object.keys(MESSAGES.eventTypes) },
  ...OWNERS,
  { name: "from", label: texts.from, placeholder: texts.now, choices: ["oldest"] },
];

const COLUMNS: readonly Column<Event>[] = [
  { title: columns.sequence, kind: "minor number", cell: ({ sequence }) => sequence },
  { title: columns.event, kind: "wide", cell: (event) => MESSAGES.eventTypes[event.type] },
  { title: columns.item, cell: (event) => <Item of={event} /> },
  USER,
  { ...CREATED, kind: "minor" },
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
        ...filtered(OWNERS),
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

function Item({ of: event }: { of: Event }) {
  const { conversation_id, memory_id, operation_id, key_id, first_sequence } = event;
  const link = (path: [string, string], query: Query = {}) => (
    <a data-item href={linkTo(path, query)}>
      <code>{path[1]}</code>
    </a>
  );
  if (conversation_id !== null)
    return link(["conversations", conversation_id], { at: first_sequence?.toString() });
  if (memory_id !== null) return link(["memories", memory_id]);
  if (operation_id !== null) return link(["operations", operation_id]);
  return key_id === null ? null : <code>{key_id}</code>;
}
