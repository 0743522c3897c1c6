import type { CapturedMemories, Engram, NewMemory } from "@engram/sdk";
import { CAPTURE_MEMORIES_MAX } from "@engram/sdk/limits";

/** Size of a request. The service's limit is 2 MiB. */
const BYTES_MAX = 2_000_000;
/**
 * A memory counts as at least this size for each of its object fields and array items. The service accepts at
 * most 50,000 of them in a request, so `BYTES_MAX` also keeps a request below that limit.
 */
const VALUE_BYTES = 45;

export type Captured = CapturedMemories["items"][number];

/**
 * Stores memories in several requests, one after the other. Yields the items of each request in order, with
 * the service's results.
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
    // An upper bound of the number of fields and items, because each ends with one of these characters.
    const values = json.split(/[,\]}]/).length;
    const size = Math.max(Buffer.byteLength(json) + 1, VALUE_BYTES * values);
    if (part.length === CAPTURE_MEMORIES_MAX || (part.length > 0 && bytes + size > BYTES_MAX)) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(item);
    bytes += size;
  }
  if (part.length > 0) yield part;
}
