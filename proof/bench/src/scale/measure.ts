import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../../../support/random.ts";
import { median, summarize, type Times, time } from "../speed/statistics.ts";
import type { Filled, Places } from "./organizations.ts";
import { type Calls, PLACES, type PlaceName, type PlacesService } from "./service.ts";

export const ADDED_MS = [0, 5, 20] as const;

/** Times of one organization in each place, with this time added to each call of D1 or of a cell. */
export interface Figures {
  organizations: number;
  messages: number;
  addedMs: number;
  append: Record<PlaceName, Times>;
  search: Record<PlaceName, Times>;
  /** Of one search. */
  calls: Calls;
  /** Processor time of workerd during a search, in milliseconds, the median. */
  processorMs: Record<PlaceName, number>;
  /** Share of the time in which workerd had work, but not a processor, because the machine had other work. */
  waited: number;
}

interface Texts {
  query(): string;
  message(): string;
}

/** Measures the first organization of each place, by turns, while the others have load. */
export async function measurePlaces(
  service: PlacesService,
  places: Places,
  input: { messages: number; samples: number; loadPerSecond: number; random: Random; texts: Texts },
): Promise<Figures[]> {
  const { messages, samples, loadPerSecond, random, texts } = input;
  const [measured, others] = [
    (place: PlaceName) => places[place][0],
    (place: PlaceName) => places[place].slice(1),
  ];
  const figures: Figures[] = [];
  for (const addedMs of ADDED_MS) {
    await service.setNetwork(addedMs);
    const load = startLoad(PLACES.flatMap(others), { loadPerSecond, random, texts });
    const each = async (use: (filled: Filled) => Promise<unknown>) => {
      const times: Record<PlaceName, number[]> = { d1: [], cell: [] };
      const ran: Record<PlaceName, number[]> = { d1: [], cell: [] };
      for (let i = -WARM_UPS; i < samples; i++) {
        for (const place of PLACES) {
          const filled = measured(place);
          if (filled === undefined) throw new RangeError("no organization");
          const { ranMs } = service.processor();
          const { ms } = await time(() => use(filled));
          if (i < 0) continue;
          times[place].push(ms);
          ran[place].push(service.processor().ranMs - ranMs);
        }
      }
      return {
        times: { d1: summarize(times.d1), cell: summarize(times.cell) },
        processorMs: { d1: median(ran.d1), cell: median(ran.cell) },
      };
    };
    const before = service.processor();
    const append = await each((filled) => appendTo(filled, texts));
    const search = await each(({ client }) => client.search({ query: texts.query() }));
    const after = service.processor();
    await load.stop();
    const [ranMs, waitedMs] = [after.ranMs - before.ranMs, after.waitedMs - before.waitedMs];
    const calls = await countCalls(service, addedMs, measured, texts);
    figures.push({
      ...{ organizations: places.d1.length, messages, addedMs, calls },
      ...{ append: append.times, search: search.times, processorMs: search.processorMs },
      waited: waitedMs / (ranMs + waitedMs),
    });
  }
  await service.setNetwork(0);
  return figures;
}

const WARM_UPS = 5;

const appendTo = ({ client, conversationId }: Filled, texts: Texts): Promise<unknown> =>
  client.messages.append(conversationId, { messages: [{ role: "user", content: texts.message() }] });

/** Background work of earlier requests has calls, too, so the fewest of some searches count. */
async function countCalls(
  service: PlacesService,
  addedMs: number,
  measured: (place: PlaceName) => Filled | undefined,
  texts: Texts,
): Promise<Calls> {
  const fewest: Calls = { d1: Number.POSITIVE_INFINITY, cell: Number.POSITIVE_INFINITY };
  for (let i = 0; i < WARM_UPS; i++) {
    for (const place of PLACES) {
      await service.setNetwork(addedMs);
      await measured(place)?.client.search({ query: texts.query() });
      fewest[place] = Math.min(fewest[place], (await service.setNetwork(addedMs))[place]);
    }
  }
  return fewest;
}

/** Appends to the organizations and searches them, by turns, at this rate for all of them together. */
function startLoad(
  organizations: readonly Filled[],
  { loadPerSecond, random, texts }: { loadPerSecond: number; random: Random; texts: Texts },
): { stop(): Promise<void> } {
  const running = new Set<Promise<unknown>>();
  let isStopped = organizations.length === 0;
  let failure: unknown;
  const run = async () => {
    for (let i = 0; !isStopped; i++) {
      const filled = random.pick(organizations);
      const request = (i % 2 === 0 ? appendTo(filled, texts) : filled.client.search({ query: texts.query() }))
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => running.delete(request));
      running.add(request);
      await sleep(1_000 / loadPerSecond);
    }
  };
  const ended = run();
  return {
    async stop() {
      isStopped = true;
      await ended;
      await Promise.all(running);
      if (failure !== undefined) throw failure;
    },
  };
}
