import type { ServiceContext } from "../context.ts";
import type { Results, Statement } from "../platform/sql.ts";
import { featuresOf } from "../text/features.ts";
import { toIndexedTerms, toNameTerms } from "../text/index-terms.ts";
import { lastWindowBefore, windowsOf } from "./chunks.ts";
import * as chunks from "./chunks-queries.ts";
import { type ChunkChanges, compareChunks, expectedChunks } from "./expected-chunks.ts";
import type { ClaimedWork } from "./jobs-queries.ts";
import type { Run } from "./leases.ts";
import { WINDOW_MESSAGES } from "./window-size.ts";

/** A range of windows (groups of neighboring messages), by the sequence numbers at which the first and last start. */
export interface Windows {
  from: number;
  to: number;
}

/** A vector, and the hash of the text that it was computed from. */
export interface LastVector {
  vectorId: string;
  textHash: string;
}

/** The next step of a run. */
export interface Step {
  run: Run;
  work: ClaimedWork;
  range: Windows;
  /** The windows of the work that follow the range. */
  later: Windows[];
  /**
   * The last vector that earlier steps of the work stored; null if there is none. A step without chunks of its own
   * needs it: the messages of its windows are in the chunks of the window before them.
   */
  lastVector: LastVector | null;
}

/** What a step has to change, and how much of that is written. */
export interface Plan extends ChunkChanges {
  step: Step;
  /** Start of the last window that is done after this step. */
  doneTo: number;
  messages: chunks.IndexedMessage[];
  /** The index terms to replace. */
  terms: chunks.IndexedTerms[];
  /** Statements that mark the last stored chunks as indexed. They run before the next chunks, or with the progress. */
  marked: Statement<void>[];
  lastVector: LastVector | null;
  embedded: number;
  /** Sequence numbers of messages with text that the model rejected. */
  rejected: Set<number>;
  /** Error codes of the last rejection; empty if there is none. */
  rejection: string;
}

export const isRunning = ({ step }: Plan): boolean => !step.run.failed;

/** The messages and stored chunks of a step's windows. */
type StoredWindows = Results<ReturnType<typeof chunks.storedWindows>>;

/** Computes what has to change so that the windows of a step that were read are indexed. */
export async function planStep(ctx: ServiceContext, step: Step, stored: StoredWindows): Promise<Plan> {
  const { work, range } = step;
  const next = stored.messages.find(({ is_read }) => is_read === 0);
  const doneTo = next === undefined ? range.to : Math.min(range.to, lastWindowBefore(next.sequence));
  const read = stored.messages.filter(
    ({ sequence, is_read }) => is_read === 1 && sequence < doneTo + WINDOW_MESSAGES,
  );
  const messages = await Promise.all(read.map(chunks.toIndexedMessage));
  const windows = windowsOf(messages).filter((window) => window >= range.from && window <= doneTo);
  // A repair computes the terms again and stores all vectors again, because the vector store may have lost some.
  const rebuild = work.jobs.some((job) => job.rebuildTerms);
  const terms = rebuild ? await Promise.all(messages.map((message) => indexTerms(ctx, work, message))) : [];
  const expected = await expectedChunks(ctx, work, windows, messages);
  const before = stored.chunks.filter((chunk) => chunk.window_start <= doneTo);
  return {
    ...compareChunks(before, expected, { rebuild }),
    step,
    doneTo,
    messages,
    terms,
    marked: [],
    lastVector: step.lastVector,
    embedded: 0,
    rejected: new Set(),
    rejection: "",
  };
}

async function indexTerms(
  ctx: ServiceContext,
  { termPrefix }: ClaimedWork,
  { id, name, content, updatedAtMs }: chunks.IndexedMessage,
): Promise<chunks.IndexedTerms> {
  const { stem } = ctx.caches;
  const indexed = await ctx.pace.run(toIndexedTerms(stem, termPrefix, content));
  return {
    id,
    updated_at_ms: updatedAtMs,
    ...indexed,
    name_terms: toNameTerms(stem, termPrefix, name),
    features: featuresOf(content, indexed.term_count),
  };
}
