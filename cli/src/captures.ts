import type { CapturedMemories, Engram, NewMemory } from "@engram/sdk";

/** What one request may hold, less what stands around the memories. */
const MEMORIES_MAX = 1_000;
const BYTES_MAX = 8_388_608 - 64;

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
    const size = Buffer.byteLength(JSON.stringify(item.memory)) + 1;
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
