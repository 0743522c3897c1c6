import { wordIn } from "../clients/texts.ts";
import type { Database } from "../ports/database.ts";
import { describe, type TextModel } from "../ports/text-model.ts";
import { expect } from "../violation.ts";
import { type StoredText, textOf } from "./texts.ts";

interface Stored extends StoredText {
  id: string;
  tags: string;
  summary: string | null;
  authored: number;
  /** Highest attempt count of an ended job that left the memory with its current content. */
  attempts: number | null;
}

/** The service stops enriching a memory after this number of attempts. */
const ATTEMPTS_MAX = 12;

/**
 * Checks that the model filled in every field that people left open, unless it failed too often or returned
 * nonsense.
 */
export function checkDescribed(database: Database, textModel: TextModel): void {
  const memories = database.select<Stored>(
    `SELECT c.id, c.tags, c.summary, c.authored, m.content, m.content_encoding,
            (SELECT max(attempts) FROM ended_jobs AS e WHERE e.memory_id = c.id AND e.content_hash = c.content_hash) AS attempts
       FROM conversations AS c JOIN messages AS m ON m.row_key = (c.row_key << 24) + 1
      WHERE c.kind <> 'conversation' AND c.authored <> 3`,
  );
  for (const { id, tags, summary, authored, attempts, ...stored } of memories) {
    const word = wordIn(textOf(stored));
    const said = describe(word);
    const isWritten =
      (authored & 1 || (JSON.parse(tags) as string[])[0] === said.tags[0]) &&
      (authored & 2 || summary === said.summary);
    const isGivenUp =
      (attempts ?? 0) >= ATTEMPTS_MAX || (attempts !== null && textModel.hasMisunderstood(word));
    expect(
      Boolean(isWritten) || isGivenUp,
      "described",
      () => `${id} has ${tags} and ${summary} instead of ${JSON.stringify(said)}, after ${attempts} attempts`,
    );
  }
}
