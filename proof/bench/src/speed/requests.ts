import type { Engram } from "@engram/sdk";
import type { ServiceProcess } from "../../../support/service-process.ts";
import { openOrganization } from "../recall/memory.ts";
import { engramStore } from "./engram.ts";
import { emptyRequest } from "./limits.ts";
import { appendBatches, searchInTurns } from "./measure.ts";
import { makeLongWorkload, makeTalk, type Workload } from "./workload.ts";

/** Messages of an agent's length, as many as fill some tens of its context windows. */
const LONG_MESSAGES = 260;
/** More than the hundred messages that a request for a conversation returns by default. */
const CONVERSATION_MESSAGES = 500;

/** Milliseconds of the most frequent requests with their defaults, and of empty requests between them. */
export interface FrequentRequests {
  longSearchMs: number[];
  conversationMs: number[];
  emptyMs: number[];
}

export async function measureRequests(
  service: ServiceProcess,
  asked: { queries: number; warmUps: number },
): Promise<FrequentRequests> {
  const client = await openOrganization(service, "long messages");
  const workload = makeLongWorkload({ messages: LONG_MESSAGES, ...asked });
  await fill(client, workload.talks);
  const longSearchMs = await timed("search", service, workload, async (query) => {
    await client.search({ query });
  });
  const talk = makeTalk(0, 0, CONVERSATION_MESSAGES);
  await fill(client, [talk]);
  const { id } = await client.conversations.create({ external_id: talk.id });
  const conversationMs = await timed("conversation", service, workload, async () => {
    await client.conversations.get(id);
  });
  return {
    longSearchMs: longSearchMs.own,
    conversationMs: conversationMs.own,
    emptyMs: [...longSearchMs.empty, ...conversationMs.empty],
  };
}

async function fill(client: Engram, talks: Workload["talks"]): Promise<void> {
  const store = engramStore(client);
  await appendBatches(store, talks);
  await store.settle();
}

async function timed(
  name: string,
  { url }: ServiceProcess,
  workload: Workload,
  request: (query: string) => Promise<void>,
): Promise<{ own: number[]; empty: number[] }> {
  const find = async (query: string) => {
    await request(query);
    return [];
  };
  const { searches, baselines } = await searchInTurns([{ name, find, exact: null }], workload, {
    empty: () => emptyRequest(url),
  });
  return { own: searches[name]?.ms ?? [], empty: baselines.empty ?? [] };
}
