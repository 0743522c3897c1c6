import { Engram } from "@engram/sdk";
import type { MeteredService } from "./service.ts";
import { addUp, type Taken } from "./units.ts";
import type { Said, Workload } from "./workload.ts";

const SEARCHES = 100;
/** Sweeps until nothing waits, at most. */
const SWEEPS_MAX = 1_000;
const MINUTE_MS = 60_000;
/** By then idempotency keys have expired. */
const NEXT_DAY_MS = 25 * 60 * MINUTE_MS;

/** What was stored, and what that took with the indexing and sweeping that followed. */
export interface Load {
  conversations: number;
  messages: number;
  contentBytes: number;
  taken: Taken;
  /** In the index, of the whole organization. */
  vectors: number;
}

/** An organization of its own that grows by whole conversations. */
export interface Organization {
  /** Store so many messages more, finish the last conversation, and wait until everything has settled. */
  grow(messages: number): Promise<Load>;
  /** Ask the first queries; each with what it took. */
  search(): Promise<Taken[]>;
}

/** Open an organization that is filled with `workload`, `batch` messages an append. */
export async function openOrganization(
  service: MeteredService,
  workload: Workload,
  batch: number,
): Promise<Organization> {
  const operator = new Engram({ baseUrl: service.url, apiKey: service.adminToken });
  const { key } = await operator.organizations.create({ name: `${batch} at a time` });
  const client = new Engram({ baseUrl: service.url, apiKey: key.secret });
  const conversations = workload.conversations()[Symbol.iterator]();
  return {
    async grow(messages) {
      const load = { conversations: 0, messages: 0, contentBytes: 0 };
      const loading = await service.count(async () => {
        while (load.messages < messages) {
          const next = conversations.next();
          if (next.done) return;
          await store(client, next.value, batch);
          load.conversations += 1;
          load.messages += next.value.length;
          for (const { content } of next.value) load.contentBytes += Buffer.byteLength(content);
        }
      });
      const sweeping = await settle(client, service);
      const { chunks } = await client.index.status();
      return { ...load, taken: addUp([loading, ...sweeping]), vectors: chunks };
    },
    async search() {
      const searches: Taken[] = [];
      for (const query of workload.queries.slice(0, SEARCHES)) {
        searches.push(await service.count(() => client.search({ query })));
      }
      return searches;
    },
  };
}

async function store(client: Engram, conversation: Said[], batch: number): Promise<void> {
  const { id } = await client.conversations.create();
  for (let from = 0; from < conversation.length; from += batch) {
    await client.messages.append(id, { messages: conversation.slice(from, from + batch) });
  }
}

/** Let the cron run, once a minute as it were, until nothing waits, and once more on the next day. */
async function settle(client: Engram, service: MeteredService): Promise<Taken[]> {
  const sweeps: Taken[] = [];
  const sweep = async (laterMs: number) => sweeps.push(await service.count(() => service.sweep(laterMs)));
  for (;;) {
    const { pending, failed, deletions_pending, last_error } = await client.index.status();
    if (failed > 0 || sweeps.length === SWEEPS_MAX) {
      throw new Error(`The index does not settle: ${pending + failed} messages wait. ${last_error?.message}`);
    }
    if (pending === 0 && deletions_pending === 0) break;
    await sweep(sweeps.length * MINUTE_MS);
  }
  await sweep(NEXT_DAY_MS);
  return sweeps;
}
