import type { CapturedMemories, Engram, NewMemory } from "@engram/sdk";

/** The service's limit on the memories in one request. */
const MEMORIES_MAX = 1_000;
/** Maximum size of the JSON of several memories in one request, in bytes. The service's limit is 2 MiB. */
const BYTES_MAX = 2_000_000;
/**
 * Bytes to count for each object field and array item, even if it is shorter. The service accepts at most 50,000 of
 * them in a request, so `BYTES_MAX` also keeps a request below that limit.
 */
const VALUE_BYTES = 45;

export type Captured = CapturedMemories["items"][number];

/**
 * Stores memories in as few requests as possible, one after the other.
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
    // The number of these characters is at least the number of fields and items, because each ends with one. If text
    // contains some too, the request only becomes smaller than necessary.
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
