import type { MemoryChunk } from "@engram/spec";
import { toChunkId } from "../platform/chunk-ids.ts";
import type { Pace, Steps } from "../text/pace.ts";
import { countTokens } from "../text/tokens.ts";
import type { IndexedMessage } from "./chunks-queries.ts";
import { chunkNote } from "./note-chunks.ts";
import type { Unit } from "./split-text.ts";

/** The parts of a memory, each of which gets a vector. A memory has no speaker, so no name is put before the text. */
export function* partsOfMemory({ sequence, content }: IndexedMessage): Steps<Unit[][]> {
  return (yield* chunkNote(content)).map((position) => {
    const text = content.slice(position.overlapStart, position.end);
    return [{ sequence, text, tokens: countTokens(text), position }];
  });
}

/** The chunks of a memory, in order, as indexing makes them. Their vectors may not be stored yet. */
export async function chunksOfMemory(
  { organizationId, model, pace }: { organizationId: string; model: string; pace: Pace },
  memory: { id: string; content: string },
): Promise<Omit<MemoryChunk, "indexed">[]> {
  const chunks = await pace.run(chunkNote(memory.content));
  return Promise.all(
    chunks.map(async ({ start, end, overlapStart }, ordinal) => ({
      // A memory is one message in a single window.
      id: await toChunkId({
        organizationId,
        conversationId: memory.id,
        model,
        windowStart: 1,
        part: ordinal,
        startSequence: 1,
        closedAt: 1,
        missing: [],
      }),
      ordinal,
      start,
      end,
      overlap_start: overlapStart,
    })),
  );
}
