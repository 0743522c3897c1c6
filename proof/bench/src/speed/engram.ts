import { randomUUID } from "node:crypto";
import { type ConversationSearchAnswer, Engram } from "@engram/sdk";
import { CommandError } from "../command/options.ts";
import { openOrganization, whenIndexed } from "../recall/memory.ts";
import { FOUND } from "./exact.ts";
import { type OpenStore, type Store, VECTORS_ONLY } from "./measure.ts";
import type { Line } from "./workload.ts";

/** A running service to measure, and the key of an empty organization in it. */
export interface Remote {
  url: string;
  key: string;
}

type ToStore = (client: Engram, agentId?: string) => Store;

/** Stores in new organizations of a running service, through the SDK. */
export function engramStores(
  service: { url: string; adminToken: string },
  toStore: ToStore = engramStore,
): OpenStore {
  return async (name) => toStore(await openOrganization(service, name));
}

/**
 * Stores in the organization of a key, each of an agent of its own, whose data is deleted when the store is closed.
 *
 * @param signal Ends the measurement early.
 */
export function remoteStores({ url, key }: Remote, toStore: ToStore, signal: AbortSignal): OpenStore {
  const client = new Engram({
    baseUrl: url,
    apiKey: key,
    fetch: (request) => {
      signal.throwIfAborted();
      return fetch(request);
    },
  });
  const deleting = new Engram({ baseUrl: url, apiKey: key });
  return async (name) => {
    const agentId = `bench-speed-${name}-${randomUUID()}`;
    return {
      ...toStore(client, agentId),
      async close() {
        await deleting.conversations.deleteMany({ agent_id: agentId });
        await deleting.memories.deleteMany({ agent_id: agentId });
      },
    };
  };
}

/** @throws {CommandError} if the organization of the key holds anything, which searches would find, too. */
export async function checkEmpty({ url, key }: Remote): Promise<void> {
  const { messages } = await new Engram({ baseUrl: url, apiKey: key }).index.status();
  if (messages > 0) {
    throw new CommandError(
      `The organization of the key holds ${messages} messages. Use a key of an empty one.`,
    );
  }
}

/** A store in an empty organization. */
export function engramStore(client: Engram, agentId?: string): Store {
  const conversations = new Map<string, string>();
  const places = new Map<string, number>();
  const placesOf = (answer: ConversationSearchAnswer): number[] =>
    answer.results.flatMap(({ matches }) =>
      matches.flatMap(({ message_id }) => places.get(message_id) ?? []),
    );
  return {
    async append(talk, lines) {
      let conversationId = conversations.get(talk.id);
      if (conversationId === undefined) {
        conversationId = (await client.conversations.create({ external_id: talk.id, agent_id: agentId })).id;
        conversations.set(talk.id, conversationId);
      }
      const { message_ids } = await client.messages.append(conversationId, {
        messages: lines.map(toMessage),
      });
      message_ids.forEach((id, i) => {
        places.set(id ?? "", lines[i]?.place ?? -1);
      });
    },
    settle: () => whenIndexed(client),
    searches: {
      hybrid: async (query) => placesOf(await client.search({ query, limit: FOUND })),
      [VECTORS_ONLY]: async (query) =>
        placesOf(
          await client.search({ query, mode: "semantic", limit: FOUND, neighbors: { before: 0, after: 0 } }),
        ),
    },
    async close() {},
  };
}

/** Like `engramStore`, with each line as a memory and each batch as one bulk capture. */
export function memoryStore(client: Engram, agentId?: string): Store {
  const places = new Map<string, number>();
  const find = async (query: string, mode: "hybrid" | "semantic") => {
    const { results } = await client.memories.search({ query, mode, limit: FOUND });
    return results.flatMap(({ memory }) => places.get(memory.id) ?? []);
  };
  return {
    async append(_, lines) {
      const memories = lines.map(({ content, createdAtMs }) => ({
        content,
        agent_id: agentId,
        created_at: new Date(createdAtMs).toISOString(),
      }));
      const [first] = memories;
      const items =
        memories.length === 1 && first !== undefined
          ? [await client.memories.create(first)]
          : (await client.memories.createMany({ memories })).items;
      items.forEach(({ id }, i) => {
        places.set(id ?? "", lines[i]?.place ?? -1);
      });
    },
    settle: () => whenIndexed(client),
    searches: {
      hybrid: (query) => find(query, "hybrid"),
      [VECTORS_ONLY]: (query) => find(query, "semantic"),
    },
    async close() {},
  };
}

const toMessage = ({ role, name, content, createdAtMs }: Line) => ({
  role,
  name,
  content,
  created_at: new Date(createdAtMs).toISOString(),
});
