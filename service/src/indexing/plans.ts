import type { MessageMentions } from "../entities/mentions-queries.ts";
import { findMentions } from "../entities/service.ts";
import type { Invocation } from "../invocation.ts";
import type { ClaimedWork } from "../jobs/queries.ts";
import { WINDOW_MESSAGES, WINDOW_STRIDE } from "../jobs/window-size.ts";
import type { Results } from "../platform/sql.ts";
import { toNameTerms } from "../text/index-terms.ts";
import { readText } from "../text/prepared-text.ts";
import { lastCompleteSequence, lastWindowBefore, windowsOf } from "./chunks.ts";
import * as chunks from "./chunks-queries.ts";
import { type ChunkChanges, compareChunks, expectedChunks } from "./expected-chunks.ts";
import type { Run } from "./leases.ts";

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
  /** The mentions of entities to store, unless they are stored already. */
  mentions: MessageMentions[];
  lastVector: LastVector | null;
  /**
   * The last vector that is stored already as it should be. An earlier run may have written it a moment ago, after it
   * read messages of jobs that it had not claimed.
   */
  keptVector: LastVector | null;
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
export async function planStep(invocation: Invocation, step: Step, stored: StoredWindows): Promise<Plan> {
  const { work, range } = step;
  const next = stored.messages.find(({ is_read }) => is_read === 0);
  const doneTo = next === undefined ? range.to : Math.min(range.to, lastWindowBefore(next.sequence));
  const read = stored.messages.filter(
    ({ sequence, is_read }) => is_read === 1 && sequence < doneTo + WINDOW_MESSAGES,
  );
  const messages = await Promise.all(read.map(chunks.toIndexedMessage));
  const windows = windowsOf(messages).filter((window) => window >= range.from && window <= doneTo);
  const rebuild = work.jobs.some((job) => job.rebuildTerms);
  const terms = rebuild
    ? await Promise.all(messages.map((message) => indexTerms(invocation, work, message)))
    : [];
  const mentions = await foundMentions(invocation, work, jobMessages({ step, doneTo, messages }));
  const expected = await expectedChunks(invocation, work, windows, messages);
  const before = stored.chunks.filter((chunk) => chunk.window_start <= doneTo);
  // A repair stores all vectors again, because the vector store may have lost some.
  const isRepair = work.jobs.some((job) => job.rebuildTerms && !job.keepsVectors);
  const changes = compareChunks(before, expected, { rebuild: isRepair });
  const kept = expected.findLast((chunk) => !changes.changed.includes(chunk))?.record;
  return {
    ...changes,
    step,
    doneTo,
    messages,
    terms,
    mentions,
    lastVector: step.lastVector,
    keptVector: kept === undefined ? null : { vectorId: kept.vector_id, textHash: kept.text_hash },
    embedded: 0,
    rejected: new Set(),
    rejection: "",
  };
}

/** Whether a step ends the claimed work after `doneTo`, and the last sequence number that it has indexed then. */
export function endOf({ work, range, later }: Step, doneTo: number): { isLast: boolean; sequence: number } {
  const isLast = later.length === 0 && doneTo >= range.to;
  const sequence = doneTo + WINDOW_STRIDE - 1;
  return {
    isLast,
    sequence: isLast ? Math.max(sequence, lastCompleteSequence(work.lastSequence)) : sequence,
  };
}

/** The range of sequence numbers that a step has indexed for jobs; null if it has none. */
export function indexedRange(step: Step, doneTo: number): { first: number; last: number } | null {
  const { jobs } = step.work;
  const first = Math.max(step.range.from, Math.min(...jobs.map(({ fromSequence }) => fromSequence)));
  const last = Math.min(endOf(step, doneTo).sequence, Math.max(...jobs.map(({ toSequence }) => toSequence)));
  return first <= last ? { first, last } : null;
}

/** The messages that a step indexes for a job. The others are only text around them. */
export function jobMessages({
  step,
  doneTo,
  messages,
}: Pick<Plan, "step" | "doneTo" | "messages">): chunks.IndexedMessage[] {
  const { work, range } = step;
  const end = endOf(step, doneTo).sequence;
  return messages.filter(
    ({ sequence }) =>
      sequence >= range.from &&
      sequence <= end &&
      work.jobs.some((job) => sequence >= job.fromSequence && sequence <= job.toSequence),
  );
}

/** Memories have no mentions: they are short, and found by their words. */
async function foundMentions(
  invocation: Invocation,
  work: ClaimedWork,
  messages: chunks.IndexedMessage[],
): Promise<MessageMentions[]> {
  if (work.corpus === "memories") return [];
  const found: MessageMentions[] = [];
  for (const message of messages) {
    const mentions = await findMentions(invocation, work.organizationId, message);
    found.push({ id: message.id, updated_at_ms: message.updatedAtMs, mentions });
  }
  // A message without mentions may have those of earlier rules or content.
  const isRepair = work.jobs.some((job) => job.rebuildTerms);
  return found.filter(
    ({ mentions, updated_at_ms }) => mentions.length > 0 || updated_at_ms !== null || isRepair,
  );
}

async function indexTerms(
  invocation: Invocation,
  { termPrefix }: ClaimedWork,
  { id, name, content, updatedAtMs }: chunks.IndexedMessage,
): Promise<chunks.IndexedTerms> {
  const { stem } = invocation.caches;
  return {
    id,
    updated_at_ms: updatedAtMs,
    ...(await invocation.pace.run(readText(stem, termPrefix, content))),
    name_terms: toNameTerms(stem, termPrefix, name),
  };
}
