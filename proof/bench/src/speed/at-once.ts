import { appendBatches, type OpenStore } from "./measure.ts";
import { time } from "./statistics.ts";
import { makeTalk, makeWorkload } from "./workload.ts";

/** Clients that call a system at once. Each sends its next call when its last one was answered. */
export const CLIENTS = 8;

export interface AtOnceSizes {
  /** Messages that are stored before. */
  messages: number;
  warmUps: number;
  /** Number of appends of each client, and of searches of each client in each way. */
  calls: number;
}

export interface Calls {
  /** Milliseconds of each call. */
  ms: number[];
  /** From the first call until the last answer. */
  totalMs: number;
}

export interface AtOnce {
  /** Appends of one message, each client in a conversation of its own. */
  appends: Calls;
  /** By kind of search. */
  searches: Record<string, Calls>;
}

/** Fill a store, and search it and append to it with several clients at once. */
export async function measureAtOnce(
  open: OpenStore,
  { messages, warmUps, calls }: AtOnceSizes,
  progress: (text: string) => void,
): Promise<AtOnce> {
  const store = await open("at-once");
  try {
    const ways = Object.entries(store.searches);
    const perWay = CLIENTS * calls;
    const workload = makeWorkload({ messages, queries: perWay * ways.length, warmUps });
    progress(`appending in batches, for ${CLIENTS} clients`);
    await appendBatches(store, workload.talks);
    await store.settle();
    progress(`searching with ${CLIENTS} clients`);
    const searches: [string, Calls][] = [];
    for (const [i, [way, find]] of ways.entries()) {
      // Other queries in each way, because Engram keeps the vectors of earlier ones.
      const queries = workload.queries.slice(i * perWay, (i + 1) * perWay);
      await callAtOnce(shares(workload.warmUps), find);
      searches.push([way, await callAtOnce(shares(queries), find)]);
    }
    progress(`appending with ${CLIENTS} clients`);
    const talks = Array.from({ length: CLIENTS }, (_, client) =>
      makeTalk(workload.talks.length + client, messages + client * (calls + 1), calls + 1),
    );
    // The first append of each creates its conversation.
    await Promise.all(talks.map((talk) => store.append(talk, talk.lines.slice(0, 1))));
    const lines = talks.map((talk) => talk.lines.slice(1).map((line) => ({ talk, line })));
    const appends = await callAtOnce(lines, ({ talk, line }) => store.append(talk, [line]));
    return { appends, searches: Object.fromEntries(searches) };
  } finally {
    await store.close();
  }
}

/** Make each client's calls one after the other, and those of all clients at once. */
async function callAtOnce<Input>(
  clients: readonly Input[][],
  call: (input: Input) => Promise<unknown>,
): Promise<Calls> {
  const ms: number[] = [];
  const total = await time(() =>
    Promise.all(
      clients.map(async (inputs) => {
        for (const input of inputs) ms.push((await time(() => call(input))).ms);
      }),
    ),
  );
  return { ms, totalMs: total.ms };
}

/** One share of the values for each client. */
const shares = <Value>(values: readonly Value[]): Value[][] =>
  Array.from({ length: CLIENTS }, (_, client) => values.filter((_value, i) => i % CLIENTS === client));
