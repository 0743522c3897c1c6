/** Memories captured by one request: what was sent and, once it was answered, their ids. */
export interface Capture {
  contents: string[];
  ids?: string[];
}

/** What was asked of memories, and what of that was acknowledged. */
export interface MemoryLedger {
  /** What all of them name as their source, and no others. */
  source: string;
  captures: Capture[];
  /** Deletions by id; true once acknowledged. */
  deletions: Map<string, boolean>;
}

/**
 * What of a ledger does not hold: every acknowledged memory is there once, under the id that it was answered
 * with, until it is deleted; a request that was not answered is there whole or not at all, and nothing else is.
 */
export function whatMemoriesBroke(
  { captures, deletions }: MemoryLedger,
  stored: { id: string; content: string }[],
): string[] {
  const byContent = new Map(stored.map((memory) => [memory.content, memory.id]));
  const sent = new Set(captures.flatMap(({ contents }) => contents));
  const answered = new Set(captures.flatMap(({ contents, ids }) => (ids === undefined ? [] : contents)));
  const broken: string[] = [];
  if (byContent.size !== stored.length) broken.push("A memory is there twice.");
  for (const { id, content } of stored) {
    if (!sent.has(content)) broken.push(`${id} holds what nobody captured.`);
    if (deletions.get(id)) broken.push(`${id} is there again.`);
  }
  for (const { contents, ids } of captures) {
    if (ids === undefined) {
      // What was captured before is there whatever became of this.
      const fresh = contents.filter((content) => !answered.has(content));
      const there = fresh.filter((content) => byContent.has(content)).length;
      if (there !== 0 && there !== fresh.length)
        broken.push(`Of ${fresh.length} memories ${there} are there.`);
      continue;
    }
    for (const [i, content] of contents.entries()) {
      const id = ids[i] ?? "";
      const found = byContent.get(content);
      if (found === undefined && !deletions.has(id)) broken.push(`${id} is lost or altered.`);
      if (found !== undefined && found !== id) broken.push(`${id} is there as ${found}.`);
    }
  }
  return broken;
}
