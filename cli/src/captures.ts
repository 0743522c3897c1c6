import type { CapturedMemories, Engram, NewMemory } from "@engram/sdk";

/** Memories in one request. */
const MEMORIES_MAX = 1_000;
/** JSON of several memories in one request, in bytes: below the 2 MiB that a request carries. */
const BYTES_MAX = 2_000_000;
/** Bytes that a field or item counts at least, since a request also ends at 50,000 of them. */
const VALUE_BYTES = 45;

/** What came of a memory: its id, and whether it is new. */
export type Captured = CapturedMemories["items"][number];

/**
 * Capture memories, as many in a request as it may hold, one request after the other.
 *
 * @returns For each request its items with what came of them, in order.
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
    // A field or item ends in one of these; text that holds them only makes a part smaller.
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
