import type { Steps } from "../text/pace.ts";
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
