import type { ImportedLines } from "@engram/spec";
import type { BodyLine } from "../invocation.ts";
import { decodedBytes } from "../platform/write-bytes.ts";

export interface ImportBatch {
  lines: BodyLine[];
  /** Number of the last line before the batch, counting blank lines; 0 for the first batch. */
  after: number;
  /** Number of the last line of the batch, counting blank lines. */
  end: number;
}

/**
 * Splits lines into batches, each of which is stored in one transaction. Small batches keep the transactions
 * short.
 *
 * @param lineCount number of all lines, including blank ones.
 * @returns At least one batch. A line larger than `bytesMax` is a batch of its own.
 */
export function toBatches(lines: BodyLine[], lineCount: number, bytesMax: number): ImportBatch[] {
  const batches: ImportBatch[] = [];
  let batch: BodyLine[] = [];
  let bytes = 0;
  let end = 0;
  for (const body of lines) {
    const size = "value" in body ? decodedBytes(body.value) : 0;
    if (bytes + size > bytesMax && batch.length > 0) {
      batches.push({ lines: batch, after: batches.at(-1)?.end ?? 0, end });
      batch = [];
      bytes = 0;
    }
    batch.push(body);
    bytes += size;
    end = body.line;
  }
  return [...batches, { lines: batch, after: batches.at(-1)?.end ?? 0, end: lineCount }];
}

export function joinAnswers(answers: ImportedLines[]): ImportedLines {
  const sum = (what: Exclude<keyof ImportedLines, "problems" | "skipped">) => ({
    created: answers.reduce((total, answer) => total + answer[what].created, 0),
    existing: answers.reduce((total, answer) => total + answer[what].existing, 0),
  });
  return {
    conversations: sum("conversations"),
    messages: sum("messages"),
    memories: sum("memories"),
    memory_versions: sum("memory_versions"),
    recalls: sum("recalls"),
    problems: answers.flatMap(({ problems }) => problems),
    skipped: answers.flatMap(({ skipped }) => skipped),
  };
}
