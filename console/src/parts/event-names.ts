import type { Event } from "@engram/sdk";
import { PAGE_ITEMS_MAX } from "@engram/sdk/limits";
import { useEffect, useRef, useState } from "preact/hooks";
import { firstWords } from "../format.ts";
import { MESSAGES } from "../messages.ts";
import { engram } from "../session.ts";
import { titleOf } from "./listed-conversation.tsx";

/** What events are about, by id: titles of conversations, texts of memories, and work of operations. */
export type Names = ReadonlyMap<string, string>;

type Kind = "conversation_id" | "memory_id" | "operation_id";
const KINDS = ["conversation_id", "memory_id", "operation_id"] as const;

/** Time over which new events are gathered before names are loaded for them. */
const GATHER_MS = 300;

type Named = readonly [id: string, name: string];

/** The newest items of each kind. They are nearly all that the newest events are about. */
const LISTS: Record<Kind, (signal: AbortSignal) => Promise<Named[]>> = {
  conversation_id: async (signal) => {
    const query = { limit: PAGE_ITEMS_MAX, include_last_message: true };
    const { items } = await engram().conversations.list(query, { signal }).page();
    return items.map((conversation) => [conversation.id, titleOf(conversation)]);
  },
  memory_id: async (signal) => {
    const { items } = await engram().memories.list({ limit: PAGE_ITEMS_MAX }, { signal }).page();
    return items.map(({ id, content }) => [id, firstWords(content)]);
  },
  operation_id: async (signal) => {
    const { items } = await engram().operations.list({ limit: PAGE_ITEMS_MAX }, { signal }).page();
    return items.map(({ id, type }) => [id, MESSAGES.operationTypes[type]]);
  },
};

/**
 * Names of what events are about. One request for each kind reads all of them. What has none, such as a deleted memory,
 * is shown by its id.
 */
export function useEventNames(events: readonly Event[] | undefined): Names {
  const [names, setNames] = useState<Names>(new Map());
  const asked = useRef(new Set<string>());
  const missing = (kind: Kind) =>
    (events ?? []).flatMap(({ [kind]: id }) => (id === null || asked.current.has(id) ? [] : [id]));
  // A title or a text may have changed, too.
  const lastChange = events?.find(({ type }) => type.endsWith(".updated"));
  const changed = lastChange === undefined || asked.current.has(lastChange.id) ? undefined : lastChange;
  const wanted = KINDS.filter((kind) => missing(kind).length > 0 || (changed?.[kind] ?? null) !== null);
  useEffect(() => {
    if (wanted.length === 0) return;
    const controller = new AbortController();
    const load = async (kind: Kind) => {
      const ids = missing(kind);
      const named = await LISTS[kind](controller.signal);
      for (const id of [...ids, changed?.id ?? ""]) asked.current.add(id);
      setNames((before) => new Map([...before, ...named]));
    };
    const loadAll = () => {
      // Without names, events are shown with ids.
      for (const kind of wanted) load(kind).catch(() => {});
    };
    const timer = setTimeout(loadAll, asked.current.size === 0 ? 0 : GATHER_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [KINDS.flatMap(missing).join(), changed?.id]);
  return names;
}
