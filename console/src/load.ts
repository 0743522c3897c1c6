import { ApiError, type List } from "@engram/sdk";
import { useEffect, useRef, useState } from "preact/hooks";

/** What a screen knows of something that it asked for. `value` stays while it is loaded again. */
export interface Loaded<T> {
  value: T | undefined;
  error: unknown;
  isLoading: boolean;
  reload(): void;
}

/** Loads a value when the component appears and whenever `inputs` changes. An earlier request is canceled. */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
): Loaded<T> {
  const [state, setState] = useState<{ value?: T; error?: unknown; isLoading: boolean }>({ isLoading: true });
  const [round, setRound] = useState(0);
  const identity = JSON.stringify(inputs);
  const shown = useRef(identity);
  useEffect(() => {
    const controller = new AbortController();
    const isSame = shown.current === identity;
    shown.current = identity;
    setState((before) => ({ ...(isSame ? before : {}), isLoading: true }));
    load(controller.signal).then(
      (value) => controller.signal.aborted || setState({ value, isLoading: false }),
      (error) => controller.signal.aborted || setState({ error, isLoading: false }),
    );
    return () => controller.abort();
  }, [identity, round]);
  return {
    value: state.value,
    error: state.error,
    isLoading: state.isLoading,
    reload: () => setRound((before) => before + 1),
  };
}

/** Null if the key may not have what is asked for, where the rest of a screen makes sense without it. */
export async function unlessForbidden<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError && error.code === "forbidden") return null;
    throw error;
  }
}

export interface Pages<T> {
  items: T[];
  /** The number of items on all pages. Undefined if it was not asked for or not counted. */
  total: number | undefined;
  error: unknown;
  isLoading: boolean;
  hasMore: boolean;
  more(): void;
  reload(): void;
  /** Changes the items that are shown, such as after an event, and their number if it is given. */
  change(items: (before: T[]) => T[], total?: number | null): void;
}

/** Loads a list page by page: the first at once, each further one on `more`. */
export function usePages<T>(list: (signal: AbortSignal) => List<T>, inputs: readonly unknown[]): Pages<T> {
  const [items, setItems] = useState<T[]>([]);
  const [total, setTotal] = useState<number>();
  const [error, setError] = useState<unknown>();
  const [isLoading, setLoading] = useState(true);
  const [hasMore, setMore] = useState(false);
  const [round, setRound] = useState(0);
  const reader = useRef<{ next(): Promise<void> }>(undefined);
  const identity = JSON.stringify(inputs);
  useEffect(() => {
    const controller = new AbortController();
    const pages = list(controller.signal).pages();
    const next = async () => {
      setLoading(true);
      setError(undefined);
      try {
        const { value, done } = await pages.next();
        if (controller.signal.aborted || done) return;
        setItems((before) => [...before, ...value.items]);
        if (typeof value.total === "number") setTotal(value.total);
        setMore(value.next_cursor !== null);
        // A page may be empty although more pages follow.
        if (value.items.length === 0 && value.next_cursor !== null) await next();
      } catch (failure) {
        if (!controller.signal.aborted) setError(failure);
      } finally {
        if (!controller.signal.aborted) setLoading(false);
      }
    };
    reader.current = { next };
    setItems([]);
    setTotal(undefined);
    setMore(false);
    next();
    return () => controller.abort();
  }, [identity, round]);
  return {
    ...{ items, total, error, isLoading, hasMore },
    more: () => void reader.current?.next(),
    reload: () => setRound((before) => before + 1),
    change: (items, count) => {
      setItems(items);
      if (count !== undefined) setTotal(count ?? undefined);
    },
  };
}

/** Work that a user starts. `isBusy` stays after a success, because the screen then shows something else. */
export interface Action {
  isBusy: boolean;
  error: unknown;
  run(work: () => Promise<unknown>): Promise<void>;
}

export function useAction(): Action {
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  const run = async (work: () => Promise<unknown>) => {
    setState({ isBusy: true });
    await work().catch((error) => setState({ isBusy: false, error }));
  };
  return { isBusy: state.isBusy, error: state.error, run };
}
