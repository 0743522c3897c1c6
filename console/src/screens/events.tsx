import type { Event } from "@engram/sdk";
import { useEffect, useRef, useState } from "preact/hooks";
import { type EventFilters, readBefore, readEnds } from "../event-log.ts";
import { MESSAGES } from "../messages.ts";
import { Badge, Screen as Frame } from "../parts/basics.tsx";
import { CREATED, USER } from "../parts/columns.tsx";
import { useEventNames } from "../parts/event-names.ts";
import { EventText } from "../parts/event-text.tsx";
import { commonFilters, type Filter, Filters, filtered, filterValue } from "../parts/filters.tsx";
import { useKeyNames } from "../parts/key-name.tsx";
import { Empty, Failure, Loading } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { route } from "../route.ts";
import { engram } from "../session.ts";

const texts = MESSAGES.events;
const { filterLabels, columns } = MESSAGES;

const OWNERS = commonFilters("conversation_id", "user_id", "agent_id");

const FILTERS: readonly Filter[] = [
  { name: "type", label: filterLabels.type, choices: Object.keys(MESSAGES.eventTypes) },
  ...OWNERS,
];

export function Screen() {
  const log = useLog(route.value.query.toString());
  const { events, error } = log;
  const names = new Map([...useEventNames(events), ...useKeyNames()]);
  const isLive = !log.isPaused && error === undefined;
  return (
    <Frame
      title={
        <>
          {texts.title} <Badge tone={isLive ? "good" : "plain"}>{isLive ? texts.live : texts.paused}</Badge>
        </>
      }
      note={texts.note}
      actions={
        <button type="button" onClick={() => log.setPaused(!log.isPaused)}>
          {log.isPaused ? texts.goOn : texts.pause}
        </button>
      }
    >
      <Filters filters={FILTERS} />
      {error !== undefined && <Failure error={error} retry={log.retry} />}
      {events === undefined && error === undefined && <Loading />}
      {events?.length === 0 && error === undefined && <Empty title={texts.none}>{texts.noneText}</Empty>}
      {events !== undefined && events.length > 0 && (
        <Table<Event>
          items={events}
          label={texts.title}
          columns={[
            {
              title: columns.event,
              kind: "wide",
              cell: (event) => <EventText of={event} names={names} />,
            },
            USER,
            CREATED,
            { title: columns.sequence, kind: "minor number", cell: ({ sequence }) => sequence },
          ]}
        />
      )}
      {log.earlier !== undefined && (
        <footer class="table-foot">
          <span />
          <button type="button" disabled={log.isReading} onClick={log.earlier}>
            {log.isReading ? MESSAGES.loading : texts.earlier}
          </button>
        </footer>
      )}
    </Frame>
  );
}

function filtersOfPlace(): EventFilters {
  const type = filterValue<Event["type"]>("type");
  return { ...(type !== undefined && { type: [type] }), ...filtered(OWNERS) };
}

/** The newest events, which are followed from there, and earlier ones on request. */
function useLog(identity: string) {
  const [events, setEvents] = useState<Event[]>();
  const [error, setError] = useState<unknown>();
  const [isPaused, setPaused] = useState(false);
  const [isReading, setReading] = useState(false);
  const [round, setRound] = useState(0);
  /** Where the shown events begin and end. */
  const part = useRef<{ start: number | null; end: number; oldest: number }>(undefined);
  const shown = useRef(new AbortController());
  useEffect(() => {
    shown.current = new AbortController();
    part.current = undefined;
    setEvents(undefined);
    return () => shown.current.abort();
  }, [identity]);
  useEffect(() => {
    if (isPaused) return;
    const controller = new AbortController();
    const { signal } = controller;
    setError(undefined);
    const listen = async () => {
      if (part.current === undefined) {
        const { end, oldest } = await readEnds(signal);
        const newest = await readBefore(end, oldest, filtersOfPlace(), signal);
        signal.throwIfAborted();
        part.current = { start: newest.start, end, oldest };
        setEvents(newest.events);
      }
      const { end: after } = part.current;
      for await (const event of engram().events.listen({ after, signal, ...filtersOfPlace() })) {
        if (part.current !== undefined) part.current.end = event.sequence;
        setEvents((before = []) => [event, ...before]);
      }
    };
    listen().catch((failure) => signal.aborted || setError(failure));
    return () => controller.abort();
  }, [identity, isPaused, round]);
  const earlier = async () => {
    const { current: at } = part;
    const { signal } = shown.current;
    if (at === undefined || at.start === null) return;
    setReading(true);
    try {
      const before = await readBefore(at.start, at.oldest, filtersOfPlace(), signal);
      signal.throwIfAborted();
      at.start = before.start;
      setEvents((after = []) => [...after, ...before.events]);
    } catch (failure) {
      if (!signal.aborted) setError(failure);
    } finally {
      setReading(false);
    }
  };
  return {
    ...{ events, error, isPaused, setPaused, isReading },
    retry: () => setRound(round + 1),
    earlier: events !== undefined && part.current?.start != null ? earlier : undefined,
  };
}
