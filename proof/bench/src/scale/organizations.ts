import { Engram } from "@engram/sdk";
import pMap from "p-map";
import type { Said } from "../cost/workload.ts";
import { whenIndexed } from "../recall/memory.ts";
import { PLACES, type PlaceName, type PlacesService } from "./service.ts";

const APPEND_MESSAGES = 50;
/** Organizations that are filled at the same time. One thread of workerd serves them all. */
const FILLED_AT_ONCE = 4;

/** An organization with messages, and a conversation for more. */
export interface Filled {
  client: Engram;
  conversationId: string;
}

/** As many organizations in each place, with the same messages. */
export type Places = Record<PlaceName, Filled[]>;

/** Adds organizations of this number of messages to both places, until there are `count` in each. */
export async function fillPlaces(
  service: PlacesService,
  places: Places,
  { count, messages, said }: { count: number; messages: number; said: () => Iterable<Said[]> },
): Promise<void> {
  const missing = PLACES.flatMap((place) =>
    places[place].length < count ? Array(count - places[place].length).fill(place) : [],
  );
  await pMap(
    missing as PlaceName[],
    async (place) => void places[place].push(await fill(service, place, { messages, said: said() })),
    { concurrency: FILLED_AT_ONCE },
  );
  // After all are filled: each waits for as long as an append waits for those that follow.
  const filled = PLACES.flatMap((place) => places[place]);
  await pMap(filled, ({ client }) => whenIndexed(client), { concurrency: FILLED_AT_ONCE });
}

async function fill(
  { url, adminToken }: PlacesService,
  place: PlaceName,
  { messages, said }: { messages: number; said: Iterable<Said[]> },
): Promise<Filled> {
  const operator = new Engram({ baseUrl: url, apiKey: adminToken });
  const { key } = await operator.organizations.create({ name: place, place });
  const client = new Engram({ baseUrl: url, apiKey: key.secret });
  let left = messages;
  for (const conversation of said) {
    const { id } = await client.conversations.create();
    for (let from = 0; from < conversation.length && left > 0; from += APPEND_MESSAGES) {
      const part = conversation.slice(from, from + Math.min(left, APPEND_MESSAGES));
      await client.messages.append(id, { messages: part });
      left -= part.length;
    }
    if (left === 0) break;
  }
  const { id: conversationId } = await client.conversations.create();
  return { client, conversationId };
}
