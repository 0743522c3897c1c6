import type { Event } from "@engram/sdk";
import { PAGE_ITEMS_MAX } from "@engram/sdk/limits";
import { useEffect, useRef, useState } from "preact/hooks";
import { engram } from "../session.ts";

/** Titles of conversations by id. Null for one without a title. */
export type Titles = ReadonlyMap<string, string | null>;

/** Time over which new events are gathered before titles are loaded for them. */
const GATHER_MS = 300;

/**
 * Titles of the conversations of events. One request reads those that changed last, which are nearly all of them. Others,
 * such as deleted ones, stay without a title.
 */
export function useTitles(events: readonly Event[] | undefined): Titles {
  const [titles, setTitles] = useState<Titles>(new Map());
  const asked = useRef(new Set<string>());
  const missing = new Set(
    (events ?? []).flatMap(({ conversation_id: id }) => (id === null || asked.current.has(id) ? [] : [id])),
  );
  // A title may have changed, too.
  const renamed = events?.find(({ type }) => type === "conversation.updated")?.id;
  useEffect(() => {
    if (missing.size === 0 && renamed === undefined) return;
    const controller = new AbortController();
    const { signal } = controller;
    const load = async () => {
      const { items } = await engram().conversations.list({ limit: PAGE_ITEMS_MAX }, { signal }).page();
      for (const id of missing) asked.current.add(id);
      setTitles((before) => new Map([...before, ...items.map(({ id, title }) => [id, title] as const)]));
    };
    // Without titles, events are shown with ids.
    const timer = setTimeout(() => load().catch(() => {}), asked.current.size === 0 ? 0 : GATHER_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [[...missing].join(), renamed]);
  return titles;
}
