import type { ServiceContext } from "../context.ts";
import { sha256Hex } from "../digest.ts";
import { createId } from "../ids.ts";
import { EMBED_TOKENS_MAX } from "../ports/embedder.ts";
import { toDay, toVectorText, type VectorMetadata } from "../ports/vectors.ts";
import * as queries from "../queries/search-index.ts";
import { toIndexedWords } from "../text/index-words.ts";
import {
  type Chunk,
  chunksOfWindow,
  firstWindowOf,
  lastWindowOf,
  messagesOfWindow,
  toVectorId,
  WINDOW_MESSAGES,
  WINDOW_STRIDE,
} from "./chunks.ts";
import { embedWithoutPoison } from "./embed.ts";

/** How long one run has a conversation to itself; every step holds it on. */
const LEASE_MS = 60_000;
/** Windows read, embedded and written in one step. */
const STEP_WINDOWS = 100;
/** Steps of one run; the sweep goes on with what is left. */
const STEPS_MAX = 20;
const BACKOFF_MS = 2_000;
const BACKOFF_MAX_MS = 600_000;

/**
 * Bring chunks and vectors of a conversation up to its messages, as far as jobs are due.
 *
 * A failure gives the jobs back, to be tried later; it never throws what a model or store did.
 */
export async function indexConversation(ctx: ServiceContext, due: queries.DueConversation): Promise<void> {
  for (let steps = 0; steps < STEPS_MAX; ) {
    const lease = {
      id: createId(ctx.runtime, "req"),
      nowMs: ctx.runtime.nowMs(),
      untilMs: ctx.runtime.nowMs() + LEASE_MS,
    };
    const work = await queries.claimIndexJobs(ctx.db, due, lease);
    if (work === null) return;
    try {
      for (const windows of stepsOf(work.jobs)) {
        await indexWindows(ctx, work, lease.id, windows);
        steps += 1;
        if (steps >= STEPS_MAX) break;
      }
    } catch (error) {
      await giveBack(ctx, work, lease.id, error);
      return;
    }
    if (steps >= STEPS_MAX) await queries.releaseIndexJobs(ctx.db, { ...due, leaseId: lease.id });
  }
}

/** A run of windows by the starts of its first and last. */
interface Windows {
  from: number;
  to: number;
}

/** The windows that jobs touch, rising, each once, in runs short enough for one step. */
function stepsOf(jobs: queries.ClaimedWork["jobs"]): Windows[] {
  const touched = jobs
    .map((job) => ({ from: firstWindowOf(job.fromSequence), to: lastWindowOf(job.toSequence) }))
    .sort((a, b) => a.from - b.from);
  const steps: Windows[] = [];
  let next = 1;
  for (const { from, to } of touched) {
    for (let start = Math.max(from, next); start <= to; start = next) {
      const end = Math.min(to, start + (STEP_WINDOWS - 1) * WINDOW_STRIDE);
      steps.push({ from: start, to: end });
      next = end + WINDOW_STRIDE;
    }
  }
  return steps;
}

async function indexWindows(
  ctx: ServiceContext,
  work: queries.ClaimedWork,
  leaseId: string,
  windows: Windows,
): Promise<void> {
  const { db, runtime } = ctx;
  const stored = await queries.selectWindows(db, work, {
    fromWindow: windows.from,
    toWindow: windows.to,
    fromSequence: windows.from,
    toSequence: windows.to + WINDOW_MESSAGES - 1,
  });
  if (work.jobs.some((job) => job.rebuildWords)) await rebuildWords(ctx, work, stored.messages);
  const wanted = await planWindows(ctx, work, windows, stored.messages);
  const byId = new Map(stored.chunks.map((chunk) => [chunk.id, chunk]));
  const write = wanted.filter(({ record }) => {
    const chunk = byId.get(record.id);
    return !chunk?.indexed || chunk.text_hash !== record.text_hash;
  });
  const wantedIds = new Set(wanted.map(({ record }) => record.id));
  const nowMs = runtime.nowMs();
  await queries.planChunks(db, work, {
    write: write.map(({ record }) => record),
    remove: stored.chunks.filter((chunk) => !wantedIds.has(chunk.id)),
    leaseUntilMs: nowMs + LEASE_MS,
    nowMs,
  });
  const attempts = Math.max(...work.jobs.map((job) => job.attempts));
  const { vectors, poisoned } = await embedWithoutPoison(
    ctx.embedder,
    write.map(({ text }) => text),
    attempts,
  );
  const done = write.flatMap((item, i) => {
    const values = vectors[i];
    return values ? [{ ...item, values }] : [];
  });
  await ctx.vectors.upsert(
    work.organizationId,
    done.map(({ record, metadata, values }) => ({ id: record.vector_id, values, metadata })),
  );
  if (done.length > 0) {
    await queries.markChunksIndexed(db, work, {
      chunks: done.map(({ record }) => record),
      nowMs: runtime.nowMs(),
    });
  }
  const failedWindows = [
    ...new Set(write.filter((_, i) => !vectors[i]).map(({ record }) => record.window_start)),
  ];
  await queries.updateIndexJobsProgress(db, {
    ...work,
    leaseId,
    doneToSequence: windows.to + WINDOW_STRIDE - 1,
    leaseUntilMs: runtime.nowMs() + LEASE_MS,
    // A text that the model refuses waits on its own and blocks no other.
    failed: failedWindows.map((from) => ({ from, to: from + WINDOW_MESSAGES - 1 })),
    attempts,
    error: poisoned ?? "",
    dueAtMs: runtime.nowMs() + backoffMs(attempts),
    nowMs: runtime.nowMs(),
  });
}

/** A chunk that a window is to have. */
interface WantedChunk {
  record: queries.ChunkRecord;
  metadata: VectorMetadata;
  text: string;
}

async function planWindows(
  ctx: ServiceContext,
  work: queries.ClaimedWork,
  windows: Windows,
  messages: queries.IndexedMessage[],
): Promise<WantedChunk[]> {
  const { model } = ctx.embedder;
  const shared = {
    conversation_id: await toVectorText(work.conversationId),
    agent: work.agentId === null ? "" : await toVectorText(work.agentId),
    user: work.userId === null ? "" : await toVectorText(work.userId),
    kind: "conversation" as const,
    model: await toVectorText(model),
  };
  const wanted: WantedChunk[] = [];
  for (let windowStart = windows.from; windowStart <= windows.to; windowStart += WINDOW_STRIDE) {
    const inside = messagesOfWindow(messages, windowStart);
    const options = { organizationId: work.organizationId, model, windowStart, tokensMax: EMBED_TOKENS_MAX };
    for (const chunk of await chunksOfWindow(options, inside)) {
      const metadata = { ...shared, ...daysOf(chunk, inside) };
      wanted.push({ record: await toRecord(chunk, work, model, metadata), metadata, text: chunk.text });
    }
  }
  return wanted;
}

function daysOf(chunk: Chunk, messages: queries.IndexedMessage[]): { day: number; last_day: number } {
  const days = messages
    .filter(({ sequence }) => sequence >= chunk.startSequence && sequence <= chunk.endSequence)
    .map(({ createdAtMs }) => toDay(createdAtMs));
  return { day: Math.min(...days), last_day: Math.max(...days) };
}

async function toRecord(
  chunk: Chunk,
  work: queries.ClaimedWork,
  model: string,
  metadata: VectorMetadata,
): Promise<queries.ChunkRecord> {
  return {
    id: chunk.id,
    vector_id: toVectorId(chunk, work.conversationNumber),
    window_start: chunk.windowStart,
    start_sequence: chunk.startSequence,
    end_sequence: chunk.endSequence,
    model,
    text_hash: (await sha256Hex(JSON.stringify([chunk.text, metadata]))).slice(0, 32),
  };
}

async function rebuildWords(
  ctx: ServiceContext,
  work: queries.ClaimedWork,
  messages: queries.IndexedMessage[],
): Promise<void> {
  const words = toIndexedWords(
    work.organizationNumber,
    messages.map(({ content }) => content),
  );
  await queries.replaceWords(
    ctx.db,
    work,
    messages.map(({ id }, i) => ({
      id,
      words: words[i]?.words ?? "",
      token_count: words[i]?.token_count ?? 0,
    })),
  );
}

async function giveBack(
  ctx: ServiceContext,
  work: queries.ClaimedWork,
  leaseId: string,
  error: unknown,
): Promise<void> {
  const nowMs = ctx.runtime.nowMs();
  const attempts = Math.max(...work.jobs.map((job) => job.attempts));
  await queries.updateIndexJobsFailed(ctx.db, {
    organizationId: work.organizationId,
    leaseId,
    error: String(error),
    nowMs,
    dueAtMs: nowMs + backoffMs(attempts),
  });
}

const backoffMs = (attempts: number): number => Math.min(BACKOFF_MS * 2 ** (attempts - 1), BACKOFF_MAX_MS);
