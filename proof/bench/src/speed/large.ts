import type { Engram } from "@engram/sdk";
import pMap from "p-map";
import type { Embedder } from "../../../../local/src/embedder/embedder.ts";
import type { ServiceProcess } from "../../../support/service-process.ts";
import { openOrganization, whenIndexed } from "../recall/memory.ts";
import { engramStore } from "./engram.ts";
import { exactWindows } from "./exact.ts";
import { appendBatches, type Searched, type Store, searchInTurns, VECTORS_ONLY } from "./measure.ts";
import { time } from "./statistics.ts";
import { type Line, makeTalk, makeWorkload, type Talk } from "./workload.ts";

const LARGE_SIZES = {
  organizations: { small: 5_000, large: 100_000 },
  conversations: { small: 100, large: 100_000 },
};
const LOAD_BATCH = 1_000;
const LOAD_WIDTH = 4;
/** Appends rotate over several short conversations, so that none grows much. */
const SHORT_CONVERSATIONS = 10;

/** How many appends are measured at each size, and how many come before that are not. */
interface Appends {
  warmUps: number;
  measured: number;
}

/** The same work at both sizes, in turns. */
interface Compared<Figure> {
  small: Figure;
  large: Figure;
}

export interface Large {
  sizes: typeof LARGE_SIZES;
  /** Milliseconds per append of one message, until it is stored. */
  appendMs: Compared<number[]>;
  /** Milliseconds until its vectors are stored too. */
  indexedMs: Compared<number[]>;
  /** By size and kind of search: "small hybrid", "large hybrid", … */
  searches: Record<string, Searched>;
  /**
   * Milliseconds for filling the large organization, until everything was stored and until everything was
   * indexed.
   */
  loadMs: { kept: number; indexed: number };
}

/** Measure the effect of size: appends to a long conversation, and searches in a large organization. */
export async function measureLarge(
  service: ServiceProcess,
  embedder: Embedder,
  options: { queries: number; warmUps: number; appends: Appends; progress(text: string): void },
  sizes = LARGE_SIZES,
): Promise<Large> {
  const { progress, appends, ...asked } = options;
  const open = (name: string) => openOrganization(service, name);
  const compared = await compareAppends(await open("long"), sizes.conversations, appends, progress);
  // The queries are about messages that both organizations contain.
  const small = makeWorkload({ messages: sizes.organizations.small, ...asked });
  const { talks } = makeWorkload({ messages: sizes.organizations.large, ...asked });
  const one = await fill(await open("small"), small.talks, progress);
  const other = await fill(await open("large"), talks, progress);
  progress("searching both organizations");
  const ways = [
    waysOf("small", one.store, small.talks, embedder),
    waysOf("large", other.store, talks, embedder),
  ];
  const { searches } = await searchInTurns(ways.flat(), small);
  return { sizes, ...compared, searches, loadMs: other.loadMs };
}

function waysOf(size: string, store: Store, talks: readonly Talk[], embedder: Embedder) {
  const { exact } = exactWindows(talks, embedder);
  return Object.entries(store.searches).map(([way, find]) => ({
    name: `${size} ${way}`,
    find,
    exact: way === VECTORS_ONLY ? exact : null,
  }));
}

/** Store talks in appends of the largest size, and wait until they are indexed. */
async function fill(client: Engram, talks: readonly Talk[], progress: (text: string) => void) {
  const store = engramStore(client);
  const messages = talks.reduce((sum, { lines }) => sum + lines.length, 0);
  let kept = 0;
  const indexed = await time(async () => {
    const keeping = await time(() =>
      pMap(
        talks,
        async (talk) => {
          await appendBatches(store, [talk], LOAD_BATCH);
          kept += talk.lines.length;
          progress(`stored ${kept} of ${messages} messages`);
        },
        { concurrency: LOAD_WIDTH },
      ),
    );
    await whenIndexed(client, (pending) => progress(`indexing, ${pending} of ${messages} messages to go`));
    return keeping.ms;
  });
  return { store, loadMs: { kept: indexed.result, indexed: indexed.ms } };
}

/** Append one message at a time, in turns to a long and to a short conversation of one organization. */
async function compareAppends(
  client: Engram,
  sizes: { small: number; large: number },
  appends: Appends,
  progress: (text: string) => void,
): Promise<Pick<Large, "appendMs" | "indexedMs">> {
  const long = makeTalk(0, 0, sizes.large);
  const shorts = Array.from({ length: SHORT_CONVERSATIONS }, (_, i) => makeTalk(i + 1, 0, sizes.small));
  await fill(client, [long, ...shorts], progress);
  progress("appending to a long and to short conversations");
  const pairs = await Promise.all(
    shorts.map(async (short) => ({
      small: (await client.conversations.create({ external_id: short.id })).id,
      large: (await client.conversations.create({ external_id: long.id })).id,
    })),
  );
  const measure = async (
    append: (id: string, line: Line) => Promise<unknown>,
  ): Promise<Compared<number[]>> => {
    const all: Compared<number[]> = { small: [], large: [] };
    for (let i = 0; i < appends.warmUps + appends.measured; i++) {
      const line = long.lines[i % long.lines.length];
      if (line === undefined) continue;
      for (const size of ["small", "large"] as const) {
        const { ms } = await time(() => append(pairs[i % pairs.length]?.[size] ?? "", line));
        if (i >= appends.warmUps) all[size].push(ms);
        // No background work of this append overlaps the next one.
        await whenIndexed(client);
      }
    }
    return all;
  };
  const toBody = ({ role, name, content }: Line) => ({ messages: [{ role, name, content }] });
  return {
    appendMs: await measure((id, line) => client.messages.append(id, toBody(line))),
    indexedMs: await measure((id, line) => client.messages.append(id, { ...toBody(line), wait: "indexed" })),
  };
}
