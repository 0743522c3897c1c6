import { type IndexStatus, type MemoryChunk, type OperationOf, SEQUENCE_MAX } from "@engram/spec";
import { notFound } from "../errors.ts";
import type { Invocation, KeyCaller } from "../invocation.ts";
import { countIndexJobs, type DueConversation } from "../jobs/queries.ts";
import { insertedQueuedOperation } from "../operations/queries.ts";
import { openOperation } from "../operations/service.ts";
import { assertConversationWritable, assertKeyActive } from "../platform/batch.ts";
import { toChunkId } from "../platform/chunk-ids.ts";
import type { Idempotent } from "../platform/idempotency.ts";
import type { IdempotentRequest } from "../platform/idempotency-queries.ts";
import { createId, isMemoryId } from "../platform/ids.ts";
import { runLargeWork } from "../platform/large-runs.ts";
import { PreconditionFailed } from "../platform/preconditions.ts";
import { RESPONSE_MS } from "../platform/runtime.ts";
import { batch } from "../platform/sql.ts";
import type { Pace } from "../text/pace.ts";
import { countUsage, watchUsage } from "../usage/service.ts";
import { chunkNote } from "./note-chunks.ts";
import { selectIndexStatus } from "./queries.ts";
import * as repairs from "./repairs-queries.ts";
import { indexTogether } from "./run.ts";

/** How long a write waits until its content is indexed, if its caller asked for that. */
const WAIT_MS = 25_000;
/** Interval at which such a write checks whether another run has indexed the conversation. */
const LOOK_MS = 250;
/**
 * Steps of indexing that a write waits for, because D1 runs at most 1,000 statements in one invocation. The
 * sweep, a periodic background run, does the remaining steps.
 */
const WAIT_STEPS = 25;
/** Number of memories that are indexed together. It is limited, because each can have a megabyte. */
const GROUP_MEMORIES = 10;
/** Number of memories that are indexed together if they are short. */
export const GROUP_SHORT_MEMORIES = 50;
const ALL = { fromSequence: 1, toSequence: SEQUENCE_MAX };

/** @throws {ApiError} `not_found` for an unknown conversation. */
export async function getIndexStatus(caller: KeyCaller, conversationId: string | null): Promise<IndexStatus> {
  const { model, dimensions } = caller.embedder;
  const status = await selectIndexStatus(caller.db, {
    owner: caller.principal,
    conversationId,
    model,
    dimensions,
    limit: caller.limits.statusRows,
  });
  if (status === null) throw notFound("conversation");
  return status;
}

/**
 * Starts a repair of one conversation, or of all conversations and memories that the caller may access. If such
 * a repair is running already, returns that one.
 *
 * @throws {ApiError} `not_found`.
 */
export async function repairIndex(
  caller: KeyCaller,
  conversationId: string | null,
  idempotency: IdempotentRequest | null,
): Promise<Idempotent<OperationOf<"repair_index">>> {
  const { db, principal, runtime } = caller;
  const { organizationId } = principal;
  const nowMs = runtime.nowMs();
  const id = createId(runtime, "op");
  const type = "repair_index";
  const scope = { owner: principal, targetId: conversationId ?? organizationId };
  const checks = {
    key: assertKeyActive({ ...principal, nowMs }),
    conversation: conversationId === null ? null : assertConversationWritable(principal, conversationId),
  };
  const statements = {
    checks,
    noneQueued: repairs.assertNoQueuedRepair(scope),
    opened: insertedQueuedOperation({
      owner: principal,
      id,
      type,
      targetId: scope.targetId,
      nowMs,
      filter: {},
    }),
    step: repairs.queuedRepairStep({ ...scope, id }, { nowMs, limit: caller.limits.repairStepConversations }),
  };
  for (;;) {
    try {
      return await openOperation(caller, { id, type }, statements, idempotency);
    } catch (error) {
      if (!(error instanceof PreconditionFailed) || error.code !== "repair_queued") throw error;
    }
    const queued = await repairs.selectQueuedRepair(db, scope);
    // The queued repair may have ended by now. In that case, the loop tries to begin this one again.
    if (queued !== null) return openOperation(caller, { id: queued, type }, checks, idempotency);
  }
}

/**
 * Continues a repair for at most `steps` steps. A step queues conversations. No step begins while the repair still
 * has as many conversations to index as one step queues, so that the queue has a maximum length.
 */
export async function queueRepair(
  invocation: Invocation,
  repair: repairs.Repair,
  steps: number,
): Promise<void> {
  const { db, runtime } = invocation;
  const limit = invocation.limits.repairStepConversations;
  for (let step = 0; step < steps; step++) {
    if (await repairs.hasRepairJobs(db, repair.id, limit)) return;
    const { isDone } = await batch(db, repairs.queuedRepairStep(repair, { nowMs: runtime.nowMs(), limit }));
    if (isDone !== false) return;
  }
}

/** Indexes after the response, and adds the number of embedded texts to the usage of the caller's key. */
export function indexInBackground(
  caller: KeyCaller,
  index: (later: Invocation) => Promise<{ embedded: number }[]>,
  delayMs = RESPONSE_MS,
): void {
  runInBackground(caller, async (later) => {
    if (delayMs > 0) await caller.runtime.pause(delayMs);
    countUsage(caller, { embeddings: embeddedBy(await index(later)) });
  });
}

export function runInBackground(caller: KeyCaller, index: (later: Invocation) => Promise<void>): void {
  const fromMs = caller.runtime.nowMs();
  caller.defer("index", async (later) => {
    await index(later);
    // The request that was to write the usage counts may have ended before these were added.
    watchUsage(later, fromMs);
  });
}

const embeddedBy = (runs: { embedded: number }[]): number =>
  runs.reduce((sum, { embedded }) => sum + embedded, 0);

/**
 * Indexes conversations and memories in the background, within the limits of one invocation of the Worker. The sweep, a
 * periodic background run, does the rest.
 *
 * @param contentBytes size of the content that was written.
 */
export const indexLater = (caller: KeyCaller, due: DueConversation[], contentBytes: number): void =>
  indexInBackground(caller, (later) => indexWritten(later, due, contentBytes));

export const indexWritten = (later: Invocation, due: DueConversation[], contentBytes: number) =>
  runLargeWork(later, contentBytes, async () => {
    const { indexRunSteps, ordinaryIndexBytes } = later.limits;
    const { indexed } = await indexConversations(later, due, {
      stepsMax: indexRunSteps,
      groupMemories: contentBytes <= ordinaryIndexBytes ? GROUP_SHORT_MEMORIES : GROUP_MEMORIES,
    });
    return indexed;
  });

/**
 * Indexes conversations and memories. True when no job of them is left in the range; false after a timeout, a failure, or
 * `WAIT_STEPS` steps. The sweep indexes the remaining ones.
 */
export async function indexUntilDone(
  caller: KeyCaller,
  due: DueConversation[],
  range: { fromSequence: number; toSequence: number } = ALL,
): Promise<boolean> {
  const untilMs = caller.runtime.nowMs() + WAIT_MS;
  for (let steps = 0; steps < WAIT_STEPS && caller.runtime.nowMs() < untilMs; ) {
    // Uses the context without the key check: even if the key is revoked, a started run must release its
    // lease.
    const run = await indexConversations(caller.system, due, { stepsMax: WAIT_STEPS - steps });
    countUsage(caller, { embeddings: embeddedBy(run.indexed) });
    steps += run.steps;
    const jobs = await countIndexJobs(caller.system.db, due, range, caller.runtime.nowMs());
    if (jobs.waiting === 0) return true;
    if (jobs.failing > 0) return false;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return false;
}

/**
 * Indexes conversations one after the other, and memories in groups, in at most `stepsMax` steps. Resolves to the
 * number of texts that were embedded for each. Ends at the first failure, because the others would probably fail too.
 */
export async function indexConversations(
  invocation: Invocation,
  due: DueConversation[],
  { stepsMax, groupMemories = GROUP_MEMORIES }: { stepsMax: number; groupMemories?: number },
): Promise<{ indexed: (DueConversation & { embedded: number })[]; steps: number; failed: boolean }> {
  const indexed: (DueConversation & { embedded: number })[] = [];
  const byKind = [true, false].flatMap((kind) =>
    due.filter(({ conversationId }) => isMemoryId(conversationId) === kind),
  );
  let steps = 0;
  while (indexed.length < due.length && steps < stepsMax) {
    const runs = await indexTogether(
      invocation,
      nextGroup(byKind.slice(indexed.length), groupMemories),
      stepsMax - steps,
    );
    for (const { due: done, embedded } of runs) indexed.push({ ...done, embedded });
    // The runs of a group share the statements of a step.
    steps += Math.max(...runs.map((run) => run.steps));
    if (runs.some(({ failed }) => failed)) return { indexed, steps, failed: true };
  }
  return { indexed, steps, failed: false };
}

/** The first memories of the list, at most `memoriesMax`. Otherwise its first conversation. */
function nextGroup(due: DueConversation[], memoriesMax: number): DueConversation[] {
  const groupEnd = due.findIndex(({ conversationId }) => !isMemoryId(conversationId));
  return due.slice(0, Math.max(1, Math.min(memoriesMax, groupEnd === -1 ? due.length : groupEnd)));
}

/** The chunks of a memory, in order, as indexing makes them. Their vectors may not be stored yet. */
export async function chunksOfMemory(
  { organizationId, model, pace }: { organizationId: string; model: string; pace: Pace },
  memory: { id: string; content: string },
): Promise<Omit<MemoryChunk, "indexed">[]> {
  const chunks = await pace.run(chunkNote(memory.content));
  return Promise.all(
    chunks.map(async ({ start, end, overlapStart }, ordinal) => ({
      // A memory is one message in a single window.
      id: await toChunkId({
        organizationId,
        conversationId: memory.id,
        model,
        windowStart: 1,
        part: ordinal,
        startSequence: 1,
        closedAt: 1,
        missing: [],
      }),
      ordinal,
      start,
      end,
      overlap_start: overlapStart,
    })),
  );
}
