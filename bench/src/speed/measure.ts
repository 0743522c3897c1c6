import { type Exact, meanRecall } from "./exact.ts";
import { time } from "./statistics.ts";
import type { Line, Talk, Workload } from "./workload.ts";

/** Messages of one append, as batch appends are measured. */
export const BATCH = 50;

/** The way to search that nothing but vectors ranks; "hybrid" ranks by words, too, and is Engram's default. */
export const VECTORS_ONLY = "semantic";

/** Something that remembers, holding nothing yet: an organization, a database, a collection. */
export interface Store {
  /** Store lines of one talk behind those that are there; resolves when the system says that they are kept. */
  append(talk: Talk, lines: readonly Line[]): Promise<void>;
  /** Resolves once all of it can be found by meaning. */
  settle(): Promise<void>;
  /** The ways to search it, by name: each answers the places of the ten best lines, or fewer. */
  searches: Record<string, (query: string) => Promise<number[]>>;
  close(): Promise<void>;
}

/** What a system is: a maker of stores. */
export type OpenStore = (name: string) => Promise<Store>;

/** One way to search, measured. */
export interface Searched {
  /** Of each query, in milliseconds. */
  ms: number[];
  /** The mean share of the exact ten best that was found, 0 to 1; null where more than vectors ranks them. */
  recall: number | null;
}

/** One round of one system. */
export interface Round {
  /** Of each append of one message. */
  singleMs: number[];
  /** Of each append of a batch, and how many messages they stored. */
  batchMs: number[];
  messages: number;
  /** From the first batch until the last of them can be found by meaning. */
  settledMs: number;
  searches: Record<string, Searched>;
  /** What was timed beside each search, at the same moment. */
  beside: Record<string, number[]>;
}

/** How one round is measured. */
export interface MeasureOptions {
  /** How many messages to append one by one, in a store of their own. */
  singles: number;
  /** What the answers of a way to search are held against; null where more than vectors ranks them. */
  exactOf(way: string): Exact | null;
  beside: Beside;
  progress(text: string): void;
}

/** Work to time beside each search, so that both see the machine alike. */
export type Beside = Record<string, (query: string) => Promise<unknown> | unknown>;

/** Fill two stores and search the second, with one call under way at a time. */
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
    const searched = await searchInTurns(ways, workload, options.beside);
    return { singleMs, batchMs, messages, settledMs, ...searched };
  } finally {
    await store.close();
  }
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

/** Append every talk, a batch at a time. */
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

/** Ask every query in every way, one after the other, and do what is timed beside them after each. */
export async function searchInTurns(
  ways: readonly { name: string; find: (query: string) => Promise<number[]>; exact: Exact | null }[],
  workload: Workload,
  beside: Beside = {},
): Promise<Pick<Round, "searches" | "beside">> {
  const searches = ways.map((way) => ({ ...way, ms: [] as number[], answers: [] as number[][] }));
  const others = Object.entries(beside).map(([name, work]) => ({ name, work, ms: [] as number[] }));
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
    beside: Object.fromEntries(others.map(({ name, ms }) => [name, ms])),
  };
}
