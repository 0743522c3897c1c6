import type { ServiceContext } from "../context.ts";
import { slices } from "../platform/calls.ts";
import { batch, type Statement } from "../platform/sql.ts";
import { featuresOf } from "../text/features.ts";
import { toIndexedTerms, toNameTerms } from "../text/index-terms.ts";
import { lastWindowBefore, WINDOW_STRIDE, windowsOf } from "./chunks.ts";
import * as chunks from "./chunks-queries.ts";
import { embedUnits } from "./embed.ts";
import {
  type ChunkChanges,
  compareChunks,
  type ExpectedChunk,
  expectedChunks,
  hashText,
} from "./expected-chunks.ts";
import { type ClaimedWork, type Lease, updateIndexJobsProgress } from "./jobs-queries.ts";
import { backoffMs, leaseFrom } from "./leases.ts";

/** Maximum number of vectors in memory. */
const BATCH_CHUNKS = 1_000;

/** A range of windows (groups of neighboring messages), by the sequence numbers at which the first and last start. */
export interface Windows {
  from: number;
  to: number;
}

/** Work that a run has reserved with the lease of this id. */
interface LeasedWork {
  work: ClaimedWork;
  leaseId: string;
}

/** What one step has indexed. */
export interface IndexedWindows {
  /** The last window that is done. */
  doneTo: number;
  /** How many steps this one counts as: a step with many chunks counts as several. */
  steps: number;
  /** Number of texts embedded. */
  embedded: number;
  /** Id of the last vector that this step or an earlier one stored; null if there is none. */
  lastVectorId: string | null;
  /** The work that is due next, reserved with the same lease; null while windows of this work are left. */
  next: ClaimedWork | null;
}

/**
 * One step of indexing: indexes the first windows of a range, as many as memory allows, and at least one.
 *
 * @param range.end the last window of the reserved work. When it is done, the next work is reserved.
 * @param lastVectorId the last vector that earlier steps stored. A window without chunks of its own has its
 *   messages in those of the window before it.
 */
export async function indexWindows(
  ctx: ServiceContext,
  leased: LeasedWork,
  range: Windows & { end: number },
  lastVectorId: string | null,
): Promise<IndexedWindows> {
  const { work } = leased;
  const stored = await readWindows(ctx, work, range);
  // A repair computes the terms again and stores all vectors again, because the vector store may have lost some.
  const rebuild = work.jobs.some((job) => job.rebuildTerms);
  if (rebuild) await rebuildTerms(ctx, work, stored.messages);
  const expected = await expectedChunks(ctx, work, stored.windows, stored.messages);
  const changes = compareChunks(stored.chunks, expected, { rebuild });
  const written = await writeChunks(ctx, leased, changes);
  const vectorId = written.lastVectorId ?? lastVectorId;
  const next = await recordProgress(ctx, leased, {
    range: { from: range.from, to: stored.doneTo },
    isEnd: stored.doneTo >= range.end,
    messages: stored.messages,
    moved: changes.moved,
    written,
    vectorId,
  });
  return {
    doneTo: stored.doneTo,
    steps: 1 + Math.floor(changes.changed.length / BATCH_CHUNKS),
    embedded: written.embedded,
    lastVectorId: vectorId,
    next,
  };
}

/**
 * Reads the messages and the stored chunks of the next windows, as many as memory allows, and at least one.
 *
 * @returns `doneTo`: the last window of the range that is complete after these are indexed.
 */
async function readWindows(ctx: ServiceContext, work: ClaimedWork, range: Windows) {
  const { messages, nextSequence, ...stored } = await chunks.selectWindows(ctx.db, work, {
    fromWindow: range.from,
    toWindow: range.to,
    toSequence: range.to + chunks.WINDOW_MESSAGES - 1,
    windowMessages: chunks.WINDOW_MESSAGES,
    messagesMax: ctx.limits.indexStepMessages,
    bytesMax: ctx.limits.indexStepBytes,
  });
  const doneTo = nextSequence === null ? range.to : Math.min(range.to, lastWindowBefore(nextSequence));
  return {
    doneTo,
    windows: windowsOf(messages).filter((window) => window >= range.from && window <= doneTo),
    messages: messages.filter(({ sequence }) => sequence < doneTo + chunks.WINDOW_MESSAGES),
    chunks: stored.chunks.filter((chunk) => chunk.window_start <= doneTo),
  };
}

async function rebuildTerms(
  ctx: ServiceContext,
  work: ClaimedWork,
  messages: chunks.IndexedMessage[],
): Promise<void> {
  const { stem } = ctx.caches;
  const rows = messages.map(async ({ id, name, content, updatedAtMs }) => {
    const indexed = await ctx.pace.run(toIndexedTerms(stem, work.termPrefix, content));
    return {
      id,
      updated_at_ms: updatedAtMs,
      ...indexed,
      name_terms: toNameTerms(stem, work.termPrefix, name),
      features: featuresOf(content, indexed.term_count),
    };
  });
  await chunks.replaceTerms(ctx.db, work, await Promise.all(rows));
}

interface WrittenChunks {
  /** Statements that mark the last stored chunks as indexed. They run in the batch that records the progress. */
  marked: Statement<void>[];
  lastVectorId: string | null;
  embedded: number;
  /** Sequence numbers of messages with text that the model rejected, and the error codes of the last rejection. */
  rejected: Set<number>;
  rejection: string;
}

/** Embeds and stores the changed chunks, `BATCH_CHUNKS` at a time. Then deletes the removed ones. */
async function writeChunks(
  ctx: ServiceContext,
  { work, leaseId }: LeasedWork,
  { changed, removed }: ChunkChanges,
): Promise<WrittenChunks> {
  const written: WrittenChunks = {
    marked: [],
    lastVectorId: null,
    embedded: 0,
    rejected: new Set(),
    rejection: "",
  };
  const batches = changed.length > 0 ? slices(changed, BATCH_CHUNKS) : [[]];
  for (const [i, expected] of batches.entries()) {
    if (written.marked.length > 0) await batch(ctx.db, written.marked);
    const answer = await embedUnits(ctx, expected);
    written.rejection = answer.poisoned ?? written.rejection;
    for (const { sequence } of answer.rejected) written.rejected.add(sequence);
    written.embedded += answer.chunks.filter(({ values }) => values !== undefined).length;
    const write = await Promise.all(
      answer.chunks.map((chunk, at) => hashEmbedded(chunk, expected[at] ?? chunk)),
    );
    // Old chunks are deleted with the last batch, so that search finds them until their replacements are stored.
    const plan = { write, remove: i === batches.length - 1 ? removed : [] };
    const accepted = await storeChunks(ctx, work, leaseFrom(ctx, leaseId), plan);
    written.lastVectorId = accepted.at(-1)?.vector_id ?? written.lastVectorId;
    written.marked = chunks.indexedChunks(work, { chunks: accepted, leaseId, nowMs: ctx.runtime.nowMs() });
  }
  return written;
}

/** A chunk with its vector; undefined when the model rejects all of it. */
type EmbeddedChunk = ExpectedChunk & { values: number[] | undefined };

/**
 * If the model rejected a part of a chunk, the chunk is stored with the hash of the other part. The hash then
 * differs from the expected one, so that the whole chunk is tried again.
 */
async function hashEmbedded(chunk: EmbeddedChunk, whole: ExpectedChunk): Promise<EmbeddedChunk> {
  if (chunk.units.length === whole.units.length) return chunk;
  const text_hash = await hashText(chunk.units, chunk.metadata);
  return { ...chunk, record: { ...chunk.record, text_hash } };
}

/** Stores chunks, then their vectors. Resolves to the chunks whose vectors the store accepted. */
async function storeChunks(
  ctx: ServiceContext,
  work: ClaimedWork,
  lease: Lease,
  plan: { write: EmbeddedChunk[]; remove: chunks.ChunkRecord[] },
): Promise<chunks.ChunkRecord[]> {
  if (plan.write.length === 0 && plan.remove.length === 0) return [];
  // Embedding takes time. Chunks whose messages were deleted since, or that another run indexes now, are not stored.
  const planned = await chunks.planChunks(ctx.db, work, {
    write: plan.write.map(({ record }) => record),
    remove: plan.remove,
    lease,
  });
  const accepted = plan.write.flatMap(({ record, metadata, values }) =>
    values !== undefined && planned.has(record.id) ? [{ record, metadata, values }] : [],
  );
  await ctx.vectors.upsert(
    work.organizationId,
    accepted.map(({ record, metadata, values }) => ({ id: record.vector_id, values, metadata })),
  );
  return accepted.map(({ record }) => record);
}

/** Records that the windows of a range are done. At the end of the reserved work, reserves what is due next. */
async function recordProgress(
  ctx: ServiceContext,
  { work, leaseId }: LeasedWork,
  step: {
    range: Windows;
    isEnd: boolean;
    messages: chunks.IndexedMessage[];
    moved: chunks.ChunkRecord[];
    written: WrittenChunks;
    vectorId: string | null;
  },
): Promise<ClaimedWork | null> {
  const { range, written, vectorId } = step;
  const lease = leaseFrom(ctx, leaseId);
  const attempts = Math.max(...work.jobs.map((job) => job.attempts));
  const doneToSequence = range.to + WINDOW_STRIDE - 1;
  const sequences = { from: range.from, to: doneToSequence };
  const messages = countMessages(work.jobs, step.messages, sequences);
  return updateIndexJobsProgress(ctx.db, work, {
    statements: [...written.marked, ...chunks.movedChunks(work, { chunks: step.moved, leaseId })],
    lease,
    doneToSequence,
    claimNext: step.isEnd,
    upsert: vectorId === null ? null : { vectorId, messages, agentId: work.agentId },
    // A rejected text waits on its own and does not block others.
    failed: [...written.rejected].map((sequence) => ({ from: sequence, to: sequence })),
    attempts,
    error: written.rejection,
    dueAtMs: lease.nowMs + backoffMs(attempts),
  });
}

/** Number of messages in a range of sequence numbers that the jobs name. */
function countMessages(
  jobs: ClaimedWork["jobs"],
  messages: chunks.IndexedMessage[],
  range: { from: number; to: number },
): number {
  return messages.filter(
    ({ sequence }) =>
      sequence >= range.from &&
      sequence <= range.to &&
      jobs.some((job) => sequence >= job.fromSequence && sequence <= job.toSequence),
  ).length;
}
