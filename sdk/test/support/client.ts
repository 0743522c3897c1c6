import { Engram } from "../../src/index.ts";

/** A client whose requests this function answers. */
export const clientOf = (fetch: (request: Request) => Response | Promise<Response>) =>
  new Engram({ apiKey: "engram_sk_live_test", baseUrl: "http://engram.test", fetch });

/** The first items of a list or loop. */
export async function take<Item>(items: AsyncIterable<Item>, count = Infinity): Promise<Item[]> {
  const taken: Item[] = [];
  for await (const item of items) {
    taken.push(item);
    if (taken.length === count) break;
  }
  return taken;
}

/** The sequences of the first events of a loop. */
export const takeSequences = async (items: AsyncIterable<{ sequence: number }>, count: number) =>
  (await take(items, count)).map(({ sequence }) => sequence);
