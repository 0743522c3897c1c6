import type { ServiceContext } from "../context.ts";
import { slices } from "../platform/calls.ts";
import { sha256Hex } from "../platform/digest.ts";
import { EMBED_TOKENS_MAX } from "../platform/embedder.ts";
import { describeFailure, PortFailure } from "../platform/failures.ts";
import { createId, isMemoryId } from "../platform/ids.ts";
import { PreconditionFailed } from "../platform/preconditions.ts";
import { batch, type Statement } from "../platform/sql.ts";
import { toDay, toVectorText, type VectorMetadata } from "../platform/vectors.ts";
import { featuresOf } from "../text/features.ts";
import { toIndexedTerms, toNameTerms } from "../text/index-terms.ts";
import { toVectorId } from "./chunk-ids.ts";
import {
  type Chunk,
  chunksOfWindow,
  firstWindowOf,
  lastWindowBefore,
  lastWindowOf,
  messagesOfWindow,
  textOf,
  WINDOW_STRIDE,
  windowsOf,
} from "./chunks.ts";
import * as chunks from "./chunks-queries.ts";
import { coalesce } from "./coalesce.ts";
import { embedUnits } from "./embed.ts";
import * as jobs from "./jobs-queries.ts";
import type { Unit } from "./split-text.ts";

/** How long a run owns a conversation. Every step extends it. */
const LEASE_MS = 60_000;
/** Upper bound on the vectors held in memory. */
const BATCH_CHUNKS = 1_000;
/** Memories indexed together. A short memory takes one step, but may hold a megabyte of memory. */
const GROUP_MEMORIES = 10;
/** Delays before a retry: after an outage of the model or store, and the backoff for a rejected text. */
const OUTAGE_MS = 30_000;
const BACKOFF_MS = 2_000;
const BACKOFF_MAX_MS = 600_000;

/**
 * Updates the chunks and vectors of a conversation for all due jobs.
 *
 * After a failure the jobs are released and retried later, which does not count as an attempt: only a text
 * that is rejected because of its content is given up eventually. Never throws errors of a model or store.
 *
 * @returns the number of steps, the texts embedded in them, and whether the run ended in a failure.
 */
export async function indexConversation(
  ctx: ServiceContext,
  due: jobs.DueConversation,
  stepsMax = ctx.limits.indexRunSteps,
): Promise<{ steps: number; embedded: number; failed: boolean }> {
  const { db } = ctx;
  const leaseId = createId(ctx.runtime, "req");
  let work = await jobs.claimIndexJobs(db, due, leaseFrom(ctx, leaseId));
  let steps = 0;
  let embedded = 0;
  while (work !== null && steps < stepsMax) {
    const claimed: jobs.ClaimedWork = work;
    try {
      let lastVectorId: string | null = null;
      const runs = runsOf(claimed.jobs);
      const end = runs.at(-1)?.to ?? 0;
      for (const { from, to } of runs) {
        for (let next = from; next <= to && steps < stepsMax; ) {
          const range = { from: next, to, end };
          const step = await indexWindows(ctx, claimed, leaseId, range, lastVectorId);
          lastVectorId = step.lastVectorId;
          next = step.doneTo + WINDOW_STRIDE;
          steps += 1 + Math.floor(step.chunks / BATCH_CHUNKS);
          embedded += step.embedded;
          work = step.next;
        }
      }
    } catch (error) {
      // The index status reports failures of ports. All other failures appear only in the log.
      if (!(error instanceof PortFailure || error instanceof PreconditionFailed))
        ctx.log.error("indexing failed", error);
      await releaseJobs(ctx, due, leaseId, OUTAGE_MS, describeFailure(error));
      return { steps: steps + 1, embedded, failed: true };
    }
  }
  if (steps >= stepsMax) await releaseJobs(ctx, due, leaseId, 0, null);
  return { steps, embedded, failed: false };
}

/**
 * Indexes conversations one after the other, and memories in groups, within `stepsMax` steps. Resolves to the
 * number of texts embedded for each. Stops at the first failure, because it would most likely hit the others
 * too.
 */
export async function indexConversations(
  ctx: ServiceContext,
  due: jobs.DueConversation[],
  stepsMax: number,
): Promise<{ indexed: { organizationId: string; embedded: number }[]; failed: boolean }> {
  const indexed: { organizationId: string; embedded: number }[] = [];
  const byKind = [true, false].flatMap((kind) =>
    due.filter(({ conversationId }) => isMemoryId(conversationId) === kind),
  );
  let steps = 0;
  while (indexed.length < due.length && steps < stepsMax) {
    const stepsLeft = stepsMax - steps;
    const group = nextGroup(byKind.slice(indexed.length), Math.min(GROUP_MEMORIES, stepsLeft));
    const runs = await coalesce(
      ctx,
      group.map(
        (target) => (shared) => indexConversation(shared, target, Math.floor(stepsLeft / group.length)),
      ),
    );
    for (const [i, { organizationId }] of group.entries())
      indexed.push({ organizationId, embedded: runs[i]?.embedded ?? 0 });
    if (runs.some(({ failed }) => failed)) return { indexed, failed: true };
    steps += runs.reduce((sum, run) => sum + run.steps, 0);
  }
  return { indexed, failed: false };
}

/** The memories at the head of the list, at most `memoriesMax`, or else its first conversation. */
function nextGroup(due: jobs.DueConversation[], memoriesMax: number): jobs.DueConversation[] {
  const groupEnd = due.findIndex(({ conversationId }) => !isMemoryId(conversationId));
  return due.slice(0, Math.max(1, Math.min(memoriesMax, groupEnd === -1 ? due.length : groupEnd)));
}

function leaseFrom({ runtime }: ServiceContext, id: string): jobs.Lease {
  const nowMs = runtime.nowMs();
  return { id, nowMs, untilMs: nowMs + LEASE_MS };
}

/** Consecutive windows, by the starts of the first and the last. */
interface Windows {
  from: number;
  to: number;
}

/** Groups the windows that jobs touch into runs, ascending and without overlap. */
function runsOf(claimed: jobs.ClaimedWork["jobs"]): Windows[] {
  const touched = claimed
    .map((job) => ({ from: firstWindowOf(job.fromSequence), to: lastWindowOf(job.toSequence) }))
    .sort((a, b) => a.from - b.from);
  const runs: Windows[] = [];
  for (const { from, to } of touched) {
    const last = runs.at(-1);
    // Messages that were appended one by one are embedded together.
    if (last !== undefined && from <= last.to + WINDOW_STRIDE) last.to = Math.max(last.to, to);
    else runs.push({ from, to });
  }
  return runs;
}

/**
 * Indexes at least the first of some windows. Resolves to the last one done, the number of chunks and of
 * texts embedded, and, once `asked.end` is reached, the next claimed work.
 *
 * @param lastVectorId the last vector that earlier steps wrote. A window without chunks of its own is covered
 *   by theirs.
 */
async function indexWindows(
  ctx: ServiceContext,
  work: jobs.ClaimedWork,
  leaseId: string,
  range: Windows & { end: number },
  lastVectorId: string | null,
): Promise<{
  doneTo: number;
  chunks: number;
  embedded: number;
  lastVectorId: string | null;
  next: jobs.ClaimedWork | null;
}> {
  const { db } = ctx;
  const stored = await readWindows(ctx, work, range);
  const { doneTo } = stored;
  // A repair recomputes the index terms and upserts all vectors again, because the store may have lost them.
  const rebuild = work.jobs.some((job) => job.rebuildTerms);
  if (rebuild) await rebuildTerms(ctx, work, stored.messages);
  const expected = await planWindows(ctx, work, stored.windows, stored.messages);
  const byId = new Map(stored.chunks.map((chunk) => [chunk.id, chunk]));
  const changed = expected.filter(({ record }) => {
    const chunk = byId.get(record.id);
    return rebuild || !chunk?.indexed || chunk.text_hash !== record.text_hash;
  });
  // An edit of earlier text can move a chunk without changing its own text. Its vector stays valid.
  const moved = expected.flatMap(({ record }) => {
    const chunk = byId.get(record.id);
    return chunk === undefined || hasSamePosition(chunk, record) ? [] : [record];
  });
  const expectedIds = new Set(expected.map(({ record }) => record.id));
  const remove = stored.chunks.filter((chunk) => !expectedIds.has(chunk.id));
  const attempts = Math.max(...work.jobs.map((job) => job.attempts));
  const rejected = new Set<number>();
  let lastError = "";
  let vectorId = lastVectorId;
  let indexed: Statement<void>[] = [];
  let embedded = 0;
  const batches = changed.length > 0 ? slices(changed, BATCH_CHUNKS) : [[]];
  for (const [i, changes] of batches.entries()) {
    if (indexed.length > 0) await batch(db, indexed);
    const answer = await embedUnits(ctx, changes);
    lastError = answer.poisoned ?? lastError;
    for (const { sequence } of answer.rejected) rejected.add(sequence);
    embedded += answer.chunks.filter(({ values }) => values !== undefined).length;
    const write = await Promise.all(
      answer.chunks.map((chunk, at) => hashEmbedded(chunk, changes[at] ?? chunk)),
    );
    // The previous chunks stay searchable until their replacements are embedded.
    const plan = { write, remove: i === batches.length - 1 ? remove : [] };
    const accepted = await storeChunks(ctx, work, leaseFrom(ctx, leaseId), plan);
    vectorId = accepted.at(-1)?.vector_id ?? vectorId;
    indexed = chunks.indexedChunks(work, {
      chunks: accepted,
      leaseId,
      nowMs: ctx.runtime.nowMs(),
    });
  }
  const doneToSequence = doneTo + WINDOW_STRIDE - 1;
  const lease = leaseFrom(ctx, leaseId);
  const next = await jobs.updateIndexJobsProgress(db, work, {
    statements: [...indexed, ...chunks.movedChunks(work, { chunks: moved, leaseId })],
    lease,
    doneToSequence,
    claimNext: doneTo >= range.end,
    upsert:
      vectorId === null
        ? null
        : {
            vectorId,
            messages: countMessages(work.jobs, stored.messages, {
              from: range.from,
              to: doneToSequence,
            }),
            agentId: work.agentId,
          },
    // A rejected text waits on its own and does not block others.
    failed: [...rejected].map((sequence) => ({ from: sequence, to: sequence })),
    attempts,
    error: lastError,
    dueAtMs: lease.nowMs + backoffMs(attempts),
  });
  return { doneTo, chunks: changed.length, embedded, lastVectorId: vectorId, next };
}

function countMessages(
  claimed: jobs.ClaimedWork["jobs"],
  messages: chunks.IndexedMessage[],
  range: { from: number; to: number },
): number {
  return messages.filter(
    ({ sequence }) =>
      sequence >= range.from &&
      sequence <= range.to &&
      claimed.some((job) => sequence >= job.fromSequence && sequence <= job.toSequence),
  ).length;
}

/**
 * Reads the stored state of the next windows with messages, as many as memory allows, at least one.
 *
 * @returns `doneTo`: the last window of the range that is complete once these are indexed.
 */
async function readWindows(ctx: ServiceContext, work: jobs.ClaimedWork, range: Windows) {
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

/** Stores chunks, then their vectors. Resolves to the chunks whose vectors the store accepted. */
async function storeChunks(
  ctx: ServiceContext,
  work: jobs.ClaimedWork,
  lease: jobs.Lease,
  plan: { write: EmbeddedChunk[]; remove: chunks.ChunkRecord[] },
): Promise<chunks.ChunkRecord[]> {
  if (plan.write.length === 0 && plan.remove.length === 0) return [];
  // Embedding takes time. Chunks that were deleted since, or that another run took over, are not written.
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

interface ExpectedChunk {
  record: chunks.PlannedChunk;
  metadata: VectorMetadata;
  units: Unit[];
}

/** A chunk with its vector; undefined when the model rejects all of it. */
type EmbeddedChunk = ExpectedChunk & { values: number[] | undefined };

/** A partly embedded chunk is stored with the hash of that part, so that the whole is tried again. */
async function hashEmbedded(chunk: EmbeddedChunk, whole: ExpectedChunk): Promise<EmbeddedChunk> {
  if (chunk.units.length === whole.units.length) return chunk;
  const text_hash = await hashText(textOf(chunk.units), chunk.metadata);
  return { ...chunk, record: { ...chunk.record, text_hash } };
}

async function planWindows(
  ctx: ServiceContext,
  work: jobs.ClaimedWork,
  windows: number[],
  messages: chunks.IndexedMessage[],
): Promise<ExpectedChunk[]> {
  const { model } = ctx.embedder;
  const shared = {
    conversation_id: await toVectorText(work.conversationId),
    agent: work.agentId === null ? "" : await toVectorText(work.agentId),
    user: work.userId === null ? "" : await toVectorText(work.userId),
    kind: work.corpus === "memories" ? ("memory" as const) : ("conversation" as const),
    model: await toVectorText(model),
  };
  const expected: ExpectedChunk[] = [];
  for (const windowStart of windows) {
    const inside = messagesOfWindow(messages, windowStart);
    const { organizationId, corpus } = work;
    const options = { organizationId, corpus, model, windowStart, tokensMax: EMBED_TOKENS_MAX };
    for (const chunk of await chunksOfWindow(options, inside, ctx.pace)) {
      const metadata = { ...shared, ...daysOf(chunk, inside) };
      const record = await toRecord(chunk, work, model, metadata);
      const message_count = messagesOfChunk(chunk, inside).length;
      expected.push({ record: { ...record, message_count }, metadata, units: chunk.units });
      await ctx.pace.count(chunk.units.reduce((sum, { text }) => sum + text.length, 0));
    }
  }
  return expected;
}

function daysOf(chunk: Chunk, messages: chunks.IndexedMessage[]): { day: number; last_day: number } {
  const days = messagesOfChunk(chunk, messages).map(({ createdAtMs }) => toDay(createdAtMs));
  return { day: Math.min(...days), last_day: Math.max(...days) };
}

const messagesOfChunk = (chunk: Chunk, messages: chunks.IndexedMessage[]): chunks.IndexedMessage[] =>
  messages.filter(({ sequence }) => sequence >= chunk.startSequence && sequence <= chunk.endSequence);

const hasSamePosition = (a: chunks.ChunkRecord, b: chunks.ChunkRecord): boolean =>
  a.text_start === b.text_start && a.text_end === b.text_end && a.overlap_start === b.overlap_start;

async function toRecord(
  chunk: Chunk,
  work: jobs.ClaimedWork,
  model: string,
  metadata: VectorMetadata,
): Promise<chunks.ChunkRecord> {
  return {
    id: chunk.id,
    vector_id: toVectorId(chunk, work.conversationNumber),
    window_start: chunk.windowStart,
    start_sequence: chunk.startSequence,
    end_sequence: chunk.endSequence,
    model,
    text_hash: await hashText(textOf(chunk.units), metadata),
    ordinal: chunk.position?.ordinal ?? null,
    text_start: chunk.position?.start ?? null,
    text_end: chunk.position?.end ?? null,
    overlap_start: chunk.position?.overlapStart ?? null,
  };
}

const hashText = async (text: string, metadata: VectorMetadata): Promise<string> =>
  (await sha256Hex(JSON.stringify([text, metadata]))).slice(0, 32);

async function rebuildTerms(
  ctx: ServiceContext,
  work: jobs.ClaimedWork,
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

async function releaseJobs(
  ctx: ServiceContext,
  due: jobs.DueConversation,
  leaseId: string,
  delayMs: number,
  error: string | null,
): Promise<void> {
  const nowMs = ctx.runtime.nowMs();
  await jobs.releaseIndexJobs(ctx.db, { ...due, leaseId, dueAtMs: nowMs + delayMs, error, nowMs });
}

const backoffMs = (attempts: number): number => Math.min(BACKOFF_MS * 2 ** (attempts - 1), BACKOFF_MAX_MS);
