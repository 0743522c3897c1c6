import { setTimeout as sleep } from "node:timers/promises";
import { type Exact, meanRecall } from "./exact.ts";
import { time } from "./statistics.ts";
import { type Line, makeTalk, type Talk, type Workload } from "./workload.ts";

export const BATCH = 50;

/** Messages that are searched for until they are found, and how. */
const LAG = { messages: 5, pollMs: 20, mostMs: 180_000 };

/** The search mode that ranks by vectors alone. "hybrid" also ranks by words, and is Engram's default. */
export const VECTORS_ONLY = "semantic";

/** An empty memory: an organization, a database or a collection. */
export interface Store {
  /** Append lines to a talk. Resolves when the system reports that they are stored. */
  append(talk: Talk, lines: readonly Line[]): Promise<void>;
  settle(): Promise<void>;
  /** Kinds of search by name. Each returns the places of the ten best lines, or fewer. */
  searches: Record<string, (query: string) => Promise<number[]>>;
  close(): Promise<void>;
}

export type OpenStore = (name: string) => Promise<Store>;

export interface Searched {
  /** Milliseconds per query. */
  ms: number[];
  /** Mean share of the exact top ten that was found, 0 to 1; null when the ranking uses more than vectors. */
  recall: number | null;
}

export interface Round {
  /** Milliseconds per append of one message. */
  singleMs: number[];
  /** Milliseconds per append of a batch. `messages` is their total number of messages. */
  batchMs: number[];
  messages: number;
  /** From the first batch until everything can be found by meaning. */
  settledMs: number;
  searches: Record<string, Searched>;
  /**
   * From the response to each append of one message until a search by meaning finds it. Infinite if none did in time;
   * empty without such a search.
   */
  foundMs: number[];
  /** Times of other work, measured after each search. */
  baselines: Record<string, number[]>;
}

export interface MeasureOptions {
  /** Number of messages to append one by one, in a separate store. */
  singles: number;
  /** Exact scores to compare the results with; null when the ranking uses more than vectors. */
  exactOf(way: string): Exact | null;
  baselines: Baselines;
  progress(text: string): void;
}

/** Other work to time after each search, so that both run under the same conditions. */
export type Baselines = Record<string, (query: string) => Promise<unknown> | unknown>;

/** Fill two stores and search the second, one call at a time. */
export async function measureSystem(
  open: OpenStore,
  workload: Workload,
  options: MeasureOptions,
): Promise<Round> {
  const { progress } = options;
  progress("appending one by one");
  const singleMs = await appendSingly(open, workload, options.singles);
  progress("appending in batches");
  const store = await open("batches");
  try {
    const startedAtMs = performance.now();
    const { batchMs, messages } = await appendBatches(store, workload.talks);
    await store.settle();
    const settledMs = performance.now() - startedAtMs;
    progress("searching");
    const ways = Object.entries(store.searches).map(([name, find]) => ({
      name,
      find,
      exact: options.exactOf(name),
    }));
    const searched = await searchInTurns(ways, workload, options.baselines);
    progress("appending until found by meaning");
    const foundMs = await measureLag(store, workload);
    return { singleMs, batchMs, messages, settledMs, foundMs, ...searched };
  } finally {
    await store.close();
  }
}

async function measureLag(store: Store, { talks }: Workload): Promise<number[]> {
  const find = store.searches[VECTORS_ONLY];
  if (find === undefined) return [];
  const count = talks.reduce((sum, { lines }) => sum + lines.length, 0);
  const appended: { place: number; content: string; sinceMs: number }[] = [];
  for (let i = 0; i < LAG.messages; i++) {
    const { id, lines } = makeTalk(talks.length + i, count + i, 2);
    const [line] = lines;
    if (line === undefined) continue;
    // Long enough to be unlike every other message.
    const content = lines.map((each) => each.content).join(" ");
    await store.append({ id, lines }, [{ ...line, content }]);
    appended.push({ place: line.place, content, sinceMs: performance.now() });
  }
  const foundMs = appended.map(() => Number.POSITIVE_INFINITY);
  const startedAtMs = performance.now();
  while (foundMs.includes(Number.POSITIVE_INFINITY) && performance.now() - startedAtMs < LAG.mostMs) {
    for (const [i, { place, content, sinceMs }] of appended.entries()) {
      if (Number.isFinite(foundMs[i]) || !(await find(content)).includes(place)) continue;
      foundMs[i] = performance.now() - sinceMs;
    }
    await sleep(LAG.pollMs);
  }
  return foundMs;
}

async function appendSingly(open: OpenStore, { talks }: Workload, singles: number): Promise<number[]> {
  const store = await open("singles");
  try {
    const entries = talks.flatMap((talk) => talk.lines.map((line) => ({ talk, line }))).slice(0, singles);
    const ms: number[] = [];
    for (const { talk, line } of entries) ms.push((await time(() => store.append(talk, [line]))).ms);
    await store.settle();
    return ms;
  } finally {
    await store.close();
  }
}

export async function appendBatches(
  store: Store,
  talks: readonly Talk[],
  size = BATCH,
): Promise<{ batchMs: number[]; messages: number }> {
  const batchMs: number[] = [];
  let messages = 0;
  for (const talk of talks) {
    for (let from = 0; from < talk.lines.length; from += size) {
      const lines = talk.lines.slice(from, from + size);
      batchMs.push((await time(() => store.append(talk, lines))).ms);
      messages += lines.length;
    }
  }
  return { batchMs, messages };
}

/** Run every query in every kind of search, one after the other, and time the other work after each. */
export async function searchInTurns(
  ways: readonly { name: string; find: (query: string) => Promise<number[]>; exact: Exact | null }[],
  workload: Workload,
  baselines: Baselines = {},
): Promise<Pick<Round, "searches" | "baselines">> {
  const searches = ways.map((way) => ({ ...way, ms: [] as number[], answers: [] as number[][] }));
  const others = Object.entries(baselines).map(([name, work]) => ({ name, work, ms: [] as number[] }));
  for (const query of workload.warmUps) {
    for (const { find } of searches) await find(query);
    for (const { work } of others) await work(query);
  }
  for (const query of workload.queries) {
    for (const { find, ms, answers } of searches) {
      const found = await time(() => find(query));
      ms.push(found.ms);
      answers.push(found.result);
      for (const other of others) other.ms.push((await time(() => other.work(query))).ms);
    }
  }
  return {
    searches: Object.fromEntries(
      searches.map(({ name, ms, answers, exact }) => [
        name,
        { ms, recall: exact && meanRecall(answers, workload, exact) },
      ]),
    ),
    baselines: Object.fromEntries(others.map(({ name, ms }) => [name, ms])),
  };
}
