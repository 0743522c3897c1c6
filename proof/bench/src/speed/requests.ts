import type { Engram } from "@engram/sdk";
import type { ServiceProcess } from "../../../support/service-process.ts";
import { openOrganization } from "../recall/memory.ts";
import { engramStore, memoryStore } from "./engram.ts";
import { emptyRequest } from "./limits.ts";
import { appendBatches, searchInTurns } from "./measure.ts";
import { makeLongWorkload, makeTalk, makeWorkload, type Workload } from "./workload.ts";

/** Messages of an agent's length, as many as fill some tens of its context windows. */
const LONG_MESSAGES = 260;
/** More than the hundred messages that a request for a conversation returns by default. */
const CONVERSATION_MESSAGES = 500;

/** Messages and memories of the agent whose contexts are measured. */
const CONTEXT_MESSAGES = 2_000;
const CONTEXT_MEMORIES = 100;
const AGENT = "bench";
/** What a context of the default size gathers, asked of a search. */
const CONTEXT_SIZE = { limit: 20, max_tokens: 4_000 };

/** Milliseconds of the most frequent requests with their defaults, and of empty requests between them. */
export interface FrequentRequests {
  longSearchMs: number[];
  conversationMs: number[];
  contexts: ContextRequests;
  emptyMs: number[];
}

/** Milliseconds of contexts, and of the same searches, in turns. */
export interface ContextRequests {
  contextMs: number[];
  /** Of a search of messages and memories with the query and the size of the context. */
  sameSearchMs: number[];
  withoutQueryMs: number[];
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
    contexts: await measureContexts(service, asked),
    emptyMs: [...longSearchMs.empty, ...conversationMs.empty],
  };
}

export async function measureContexts(
  service: ServiceProcess,
  asked: { queries: number; warmUps: number },
): Promise<ContextRequests> {
  const client = await openOrganization(service, "contexts");
  const workload = makeWorkload({ messages: CONTEXT_MESSAGES, ...asked });
  await fill(client, workload.talks, AGENT);
  const memories = memoryStore(client, AGENT);
  await appendBatches(memories, makeWorkload({ messages: CONTEXT_MEMORIES, ...asked }).talks);
  await memories.settle();
  const talk = workload.talks.at(-1)?.id ?? "";
  const conversation = await client.conversations.create({ external_id: talk, agent_id: AGENT });
  const who = { agent_id: AGENT, conversation_id: conversation.id };
  const ways = {
    context: (query: string) => client.context({ query, ...who, max_tokens: CONTEXT_SIZE.max_tokens }),
    search: (query: string) =>
      client.search({ query, agent_id: AGENT, in: ["conversations", "memories"], ...CONTEXT_SIZE }),
    withoutQuery: () => client.context({ ...who, max_tokens: CONTEXT_SIZE.max_tokens }),
  };
  const { searches, baselines } = await searchInTurns(
    Object.entries(ways).map(([name, request]) => ({
      name,
      exact: null,
      async find(query) {
        await request(query);
        return [];
      },
    })),
    workload,
    { empty: () => emptyRequest(service.url) },
  );
  return {
    contextMs: searches.context?.ms ?? [],
    sameSearchMs: searches.search?.ms ?? [],
    withoutQueryMs: searches.withoutQuery?.ms ?? [],
    emptyMs: baselines.empty ?? [],
  };
}

async function fill(client: Engram, talks: Workload["talks"], agentId?: string): Promise<void> {
  const store = engramStore(client, agentId);
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
