import type { Engram } from "@engram/sdk";
import { openOrganization } from "../recall/memory.ts";
import type { MeteredService } from "./service.ts";
import { addUp, type Taken } from "./units.ts";
import type { Said, Workload } from "./workload.ts";

const SEARCHES = 100;
/** Upper bound on the sweeps until all work is complete. */
const SWEEPS_MAX = 1_000;
const MINUTE_MS = 60_000;
/** Idempotency keys are forgotten by then, after a day, and events, after seven days. */
const LATER_MS = 8 * 24 * 60 * MINUTE_MS;

/** Stored data, and the resources used, including the indexing and sweeps that follow. */
export interface Load {
  conversations: number;
  messages: number;
  contentBytes: number;
  taken: Taken;
  /** Vectors in the index for the whole organization. */
  vectors: number;
}

/** A new organization that grows by whole conversations. */
export interface Organization {
  /** Store this many more messages, complete the last conversation, and wait until all work is complete. */
  grow(messages: number): Promise<Load>;
  /** Run the first queries, and keep a receipt of each answer if `record` is set; returns the resources of each. */
  search(options?: { record: boolean }): Promise<Taken[]>;
}

/** How messages are appended: how many at a time, and how long after the ones before. */
export interface Way {
  batch: number;
  gapSeconds: number;
}

export async function growOrganization(
  service: MeteredService,
  workload: Workload,
  way: Way,
): Promise<Organization> {
  const { batch } = way;
  const client = await openOrganization(service, `${batch} at a time`);
  const conversations = workload.conversations()[Symbol.iterator]();
  // An isolate keeps the vectors of recent queries, so each round asks in another text with the same words.
  let marks = "";
  return {
    async grow(messages) {
      const load = { conversations: 0, messages: 0, contentBytes: 0 };
      const time = passing(service);
      const loading = await service.count(async () => {
        while (load.messages < messages) {
          const next = conversations.next();
          if (next.done) return;
          await store(client, next.value, way, time);
          load.conversations += 1;
          load.messages += next.value.length;
          for (const { content } of next.value) load.contentBytes += Buffer.byteLength(content);
        }
      });
      const sweeping = await settle(client, service);
      const { chunks } = await client.index.status();
      return { ...load, taken: addUp([loading, ...sweeping]), vectors: chunks };
    },
    async search({ record } = { record: false }) {
      const searches: Taken[] = [];
      for (const query of workload.queries.slice(0, SEARCHES)) {
        searches.push(await service.count(() => client.search({ query: `${query}${marks}`, record })));
      }
      marks += "?";
      return searches;
    },
  };
}

async function store(
  client: Engram,
  conversation: Said[],
  { batch, gapSeconds }: Way,
  pass: (ms: number) => Promise<void>,
): Promise<void> {
  const { id } = await client.conversations.create();
  for (let from = 0; from < conversation.length; from += batch) {
    await client.messages.append(id, { messages: conversation.slice(from, from + batch) });
    await pass(1_000 * gapSeconds);
  }
}

/** Moves the service's clock forward, and runs the cron once a minute of it. */
function passing(service: MeteredService): (ms: number) => Promise<void> {
  let sinceSweepMs = 0;
  return async (ms) => {
    await service.pass(ms);
    sinceSweepMs += ms;
    if (sinceSweepMs < MINUTE_MS) return;
    sinceSweepMs %= MINUTE_MS;
    await service.sweep();
  };
}

/** Run the cron at simulated one-minute intervals until no work is left, and a week later until no event is left. */
export async function settle(client: Engram, service: MeteredService): Promise<Taken[]> {
  const sweeps: Taken[] = [];
  const sweep = async (laterMs: number) => {
    await service.pass(laterMs);
    const taken = await service.count(() => service.sweep());
    sweeps.push(taken);
    return taken.usage.writtenTo.events ?? 0;
  };
  for (;;) {
    const { pending, failed, deletions_pending, last_error } = await client.index.status();
    if (failed > 0 || sweeps.length === SWEEPS_MAX) {
      throw new Error(`The index does not settle: ${pending + failed} messages wait. ${last_error?.message}`);
    }
    if (pending === 0 && deletions_pending === 0) break;
    await sweep(MINUTE_MS);
  }
  for (let deleted = await sweep(LATER_MS); deleted > 0; ) deleted = await sweep(MINUTE_MS);
  return sweeps;
}
