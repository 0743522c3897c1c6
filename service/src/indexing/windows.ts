import { replacedMentions } from "../entities/mentions-queries.ts";
import type { Invocation } from "../invocation.ts";
import {
  type ClaimedWork,
  INDEX_ATTEMPTS_MAX,
  NEVER_MS,
  type Progress,
  recordedProgress,
} from "../jobs/queries.ts";
import { WINDOW_MESSAGES } from "../jobs/window-size.ts";
import { rounds, slices } from "../platform/calls.ts";
import { batch, type Statement } from "../platform/sql.ts";
import { queuedSegments } from "../summaries/jobs-queries.ts";
import * as chunks from "./chunks-queries.ts";
import { type Embedded, embedUnits } from "./embed.ts";
import { type ExpectedChunk, hashText } from "./expected-chunks.ts";
import { backoffMs, endAfterFailure, leaseFrom, type RunGroup } from "./leases.ts";
import {
  endOf,
  indexedRange,
  isRunning,
  jobMessages,
  type LastVector,
  type Plan,
  planStep,
  type Step,
} from "./plans.ts";

/** Maximum number of vectors of one run in memory. */
const BATCH_CHUNKS = 1_000;

/** What one step has indexed. */
export interface IndexedWindows {
  step: Step;
  /** Start of the last window that is done. */
  doneTo: number;
  /** The last vector that this step or an earlier one stored; null if there is none. */
  lastVector: LastVector | null;
  /**
   * The work that is due next, claimed with the same lease; null if none is due, or while windows of this work
   * are left.
   */
  next: ClaimedWork | null;
}

/**
 * One step of several runs of a group: indexes the first windows of each range, as many as memory allows, and at least
 * one.
 *
 * The runs share each call that reads, embeds or writes, so that fifty short memories take as many calls as one.
 * If a call of the vector store fails, the runs of its organization end. If another call fails, all runs end.
 * Text that cannot be decoded ends only its own run.
 *
 * @returns what each run has indexed, without the runs that failed.
 */
export async function indexWindows(
  invocation: Invocation,
  group: RunGroup,
  steps: Step[],
): Promise<IndexedWindows[]> {
  const stored = await batch(
    invocation.db,
    chunks.storedWindows(
      steps.map(({ work, range }) => ({ work, fromWindow: range.from, toWindow: range.to })),
      {
        windowMessages: WINDOW_MESSAGES,
        messagesMax: invocation.limits.indexStepMessages,
        bytesMax: invocation.limits.indexStepBytes,
      },
    ),
  );
  const messages = Map.groupBy(stored.messages, ({ place }) => place);
  const storedChunks = Map.groupBy(stored.chunks, ({ place }) => place);
  const plans: Plan[] = [];
  for (const [place, step] of steps.entries()) {
    const windows = { messages: messages.get(place) ?? [], chunks: storedChunks.get(place) ?? [] };
    try {
      plans.push(await planStep(invocation, step, windows));
    } catch (error) {
      await endAfterFailure(invocation, group, [step.run], error);
    }
  }
  // Before the texts are embedded, so that a model that is down delays neither words nor entities.
  const writes = plans.map(({ step, terms, mentions }) => [
    ...chunks.replacedTerms(step.work, terms),
    ...replacedMentions(step.work, mentions),
  ]);
  for (const round of rounds(writes)) await batch(invocation.db, round);
  let marked: Statement<void>[] = [];
  for (const round of rounds(plans.map(toParts))) {
    if (marked.length > 0) await batch(invocation.db, marked);
    marked = await writeParts(invocation, group, round);
  }
  return recordProgress(invocation, group, { plans: plans.filter(isRunning), marked });
}

/** Chunks of a plan that are written at once. */
interface Part<Write> {
  plan: Plan;
  write: Write[];
  remove: chunks.ChunkRecord[];
}

/** The changed chunks of a plan, `BATCH_CHUNKS` at a time, and with the last of them the removed ones. */
function toParts(plan: Plan): Part<ExpectedChunk>[] {
  const writes = slices(plan.changed, BATCH_CHUNKS);
  // Old chunks are deleted with the last part, so that search finds them until their replacements are stored.
  const last = { plan, write: writes.pop() ?? [], remove: plan.removed };
  const parts = [...writes.map((write) => ({ plan, write, remove: [] })), last];
  return parts.filter(({ write, remove }) => write.length > 0 || remove.length > 0);
}

/**
 * Embeds chunks of several plans, stores them, and then writes their vectors.
 *
 * @returns statements that mark the chunks as indexed. They run before the next chunks, or with the progress.
 */
async function writeParts(
  invocation: Invocation,
  group: RunGroup,
  parts: Part<ExpectedChunk>[],
): Promise<Statement<void>[]> {
  const running = parts.filter(({ plan }) => isRunning(plan));
  const embedded = await embedParts(invocation, running);
  if (embedded.length === 0) return [];
  // Embedding takes time. Chunks whose messages were deleted since, or that another run indexes now, are not stored.
  const stored = await batch(
    invocation.db,
    chunks.plannedChunks(
      embedded.map(({ plan, write, remove }) => ({
        work: plan.step.work,
        write: write.map(({ record }) => record),
        remove,
      })),
      { lease: leaseFrom(invocation, group), deleteConfirmMs: invocation.limits.deleteConfirmMs },
    ),
  );
  const ids = new Set(stored.written.flatMap(({ ids }) => ids));
  const accepted = embedded.map(({ plan, write }) => {
    const vectors = write.flatMap(({ record, metadata, values }) =>
      values !== undefined && ids.has(record.id) ? [{ record, metadata, values }] : [],
    );
    return { plan, write: vectors };
  });
  await upsertVectors(invocation, group, accepted);
  const written = accepted
    .filter(({ plan }) => isRunning(plan))
    .map(({ plan, write }) => ({ plan, chunks: write.map(({ record }) => record) }));
  for (const { plan, chunks: records } of written) {
    const last = records.at(-1);
    if (last !== undefined) plan.lastVector = { vectorId: last.vector_id, textHash: last.text_hash };
  }
  return chunks.indexedChunks(
    written.map(({ plan, chunks: records }) => ({ work: plan.step.work, chunks: records })),
    { leaseId: group.leaseId, nowMs: invocation.runtime.nowMs() },
  );
}

/** A chunk with its vector, if the model accepts any of it. */
type EmbeddedChunk = Embedded<ExpectedChunk>;

/** Embeds the chunks of several plans together, and notes what the model rejected. */
async function embedParts(
  invocation: Invocation,
  parts: Part<ExpectedChunk>[],
): Promise<Part<EmbeddedChunk>[]> {
  const all = await embedUnits(
    invocation,
    parts.flatMap(({ write }) => write),
  );
  const embedded: Part<EmbeddedChunk>[] = [];
  for (const { plan, write, remove } of parts) {
    const own = await Promise.all(all.splice(0, write.length).map(hashEmbedded));
    embedded.push({ plan, write: own, remove });
    for (const { values, rejected, rejection } of own) {
      if (values !== undefined) plan.embedded += 1;
      for (const { sequence } of rejected) plan.rejected.add(sequence);
      plan.rejection = rejection ?? plan.rejection;
    }
  }
  return embedded;
}

/**
 * If the model rejected a part of a chunk, the chunk is stored with the hash of the accepted part. The hash then
 * differs from the expected one, so that the whole chunk is tried again.
 */
async function hashEmbedded(chunk: EmbeddedChunk): Promise<EmbeddedChunk> {
  if (chunk.values === undefined || chunk.rejected.length === 0) return chunk;
  const text_hash = await hashText(chunk.units, chunk.metadata);
  return { ...chunk, record: { ...chunk.record, text_hash } };
}

/** Writes vectors, with one call for each organization. If a call fails, ends the runs of its organization. */
async function upsertVectors(
  invocation: Invocation,
  group: RunGroup,
  written: { plan: Plan; write: (Pick<ExpectedChunk, "record" | "metadata"> & { values: number[] })[] }[],
): Promise<void> {
  const byOrganization = Map.groupBy(written, ({ plan }) => plan.step.work.organizationId);
  const upserts = [...byOrganization].map(async ([organizationId, some]) => {
    const vectors = some.flatMap(({ write }) =>
      write.map(({ record, metadata, values }) => ({
        id: record.vector_id,
        values,
        metadata,
        textHash: record.text_hash,
      })),
    );
    try {
      await invocation.vectors.upsert(organizationId, vectors);
    } catch (error) {
      await endAfterFailure(
        invocation,
        group,
        some.map(({ plan }) => plan.step.run),
        error,
      );
    }
  });
  await Promise.all(upserts);
}

/**
 * Records that the windows of several plans are done. At the end of its claimed work, a run claims what is due
 * next.
 */
async function recordProgress(
  invocation: Invocation,
  group: RunGroup,
  { plans, marked }: { plans: Plan[]; marked: Statement<void>[] },
): Promise<IndexedWindows[]> {
  if (plans.length === 0) return [];
  const lease = leaseFrom(invocation, group);
  const steps = plans.map((plan) => toProgress(plan, lease.nowMs));
  const { progress } = await batch(invocation.db, {
    marked,
    moved: chunks.movedChunks(
      plans.map(({ step, moved }) => ({ work: step.work, chunks: moved })),
      lease.id,
    ),
    progress: recordedProgress(steps, lease),
    summaries: plans.map(({ step, doneTo }) =>
      step.work.corpus === "memories"
        ? null
        : queuedSegments(step.work, { nowMs: lease.nowMs, range: indexedRange(step, doneTo) }),
    ),
  });
  const ending = steps.filter(({ claimNext }) => claimNext);
  const next = new Map(ending.map(({ work }, place) => [work, progress.next?.work[place] ?? null]));
  return plans.map(({ step, doneTo, changed, embedded, lastVector }) => {
    step.run.steps += 1 + Math.floor(changed.length / BATCH_CHUNKS);
    step.run.embedded += embedded;
    return { step, doneTo, lastVector, next: next.get(step.work) ?? null };
  });
}

function toProgress(plan: Plan, nowMs: number): Progress {
  const { step, doneTo, lastVector, keptVector, rejected, rejection } = plan;
  const { work } = step;
  const attempts = Math.max(...work.jobs.map((job) => job.attempts));
  const { isLast, sequence } = endOf(step, doneTo);
  const messages = jobMessages(plan).length;
  return {
    work,
    doneToSequence: sequence,
    claimNext: isLast,
    upsert:
      lastVector === null ? null : { ...lastVector, messages, agentId: work.agentId, userId: work.userId },
    joined: lastVector === null && keptVector !== null ? { ...keptVector, messages } : null,
    // Each message with a rejected text gets a job of its own, so that it does not delay others.
    failed: [...rejected],
    attempts,
    error: rejection,
    dueAtMs: attempts < INDEX_ATTEMPTS_MAX ? nowMs + backoffMs(attempts) : NEVER_MS,
  };
}
