import type { CapturedMemories, Engram, NewMemory } from "@engram/sdk";

/** Upper bound on the memories in one request. */
const MEMORIES_MAX = 1_000;
/**
 * Upper bound on the JSON of several memories in one request, in bytes. Below the 2 MiB that a request can
 * carry.
 */
const BYTES_MAX = 2_000_000;
/** Minimum size to count per field or item: a request can have at most 50,000 of them. */
const VALUE_BYTES = 45;

export type Captured = CapturedMemories["items"][number];

/**
 * Capture memories in requests of the largest allowed size, one after the other.
 *
 * @returns For each request, its items with their ids and whether they are new, in order.
 */
export async function* captureAll<Item extends { memory: NewMemory }>(
  engram: Engram,
  items: Iterable<Item> | AsyncIterable<Item>,
  signal?: AbortSignal,
): AsyncGenerator<(Item & Captured)[], void, undefined> {
  for await (const part of parts(items)) {
    const memories = part.map(({ memory }) => memory);
    const captured = await engram.memories.createMany({ memories }, { signal });
    yield part.flatMap((item, i) => {
      const came = captured.items[i];
      return came === undefined ? [] : [{ ...item, ...came }];
    });
  }
}

async function* parts<Item extends { memory: NewMemory }>(
  items: Iterable<Item> | AsyncIterable<Item>,
): AsyncGenerator<Item[], void, undefined> {
  let part: Item[] = [];
  let bytes = 0;
  for await (const item of items) {
    const json = JSON.stringify(item.memory);
    // Every field or item ends in one of these characters. Counting them in text too only makes a part
    // smaller.
    const values = json.split(/[,\]}]/).length;
    const size = Math.max(Buffer.byteLength(json) + 1, VALUE_BYTES * values);
    if (part.length === MEMORIES_MAX || (part.length > 0 && bytes + size > BYTES_MAX)) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(item);
    bytes += size;
  }
  if (part.length > 0) yield part;
}
