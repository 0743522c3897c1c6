/** Memories captured by one request, and the ids in its response. */
export interface Capture {
  contents: string[];
  ids?: string[];
}

/** The requested and acknowledged writes of memories. */
export interface MemoryLedger {
  /** The source of exactly these memories. */
  source: string;
  captures: Capture[];
  /** Deletions by id; true once acknowledged. */
  deletions: Map<string, boolean>;
}

/**
 * The guarantees that memories break. An acknowledged memory must exist once, with the id of its response,
 * until it is deleted. An unacknowledged request must be complete or absent, and nothing else may exist.
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
    if (!sent.has(content)) broken.push(`${id} holds content that was never captured.`);
    if (deletions.get(id)) broken.push(`${id} is there again.`);
  }
  for (const { contents, ids } of captures) {
    if (ids === undefined) {
      // Contents captured before exist independently of this request.
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
