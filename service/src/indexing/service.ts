import { type IndexStatus, type MemoryChunk, type OperationOf, SEQUENCE_MAX } from "@engram/spec";
import { notFound } from "../errors.ts";
import type { Invocation, KeyCaller, MemoryRun } from "../invocation.ts";
import { type AppendedRange, countIndexJobs, type DueConversation } from "../jobs/queries.ts";
import { insertedQueuedOperation } from "../operations/queries.ts";
import { openOperation } from "../operations/service.ts";
import { assertConversationExists, assertKeyActive } from "../platform/batch.ts";
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
import { createLease } from "./leases.ts";
import { chunkNote } from "./note-chunks.ts";
import { selectIndexStatus } from "./queries.ts";
import * as repairs from "./repairs-queries.ts";
import { indexCompleteWindows, indexTogether } from "./run.ts";

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
const GROUP_SHORT_MEMORIES = 50;
/** Time in which a run of memories gathers writes for its next group: a large group takes as many calls as a small one. */
const GATHER_MS = 200;
/** How long a run of memories takes over what is written. Cloudflare ends background work after 30 seconds. */
const MEMORY_RUN_MS = 10_000;
/**
 * An append waits this often for those that follow within `RESPONSE_MS`, so that windows of a burst are indexed
 * together.
 */
const BURST_WAITS = 5;
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
    conversation: conversationId === null ? null : assertConversationExists(principal, conversationId),
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
function indexInBackground(
  caller: KeyCaller,
  index: (later: Invocation) => Promise<{ embedded: number }[]>,
  delayMs = RESPONSE_MS,
): void {
  runInBackground(caller, async (later) => {
    if (delayMs > 0) await caller.runtime.pause(delayMs);
    countUsage(caller, { embeddings: embeddedBy(await index(later)) });
  });
}

function runInBackground(caller: KeyCaller, index: (later: Invocation) => Promise<void>): void {
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

const indexWritten = (later: Invocation, due: DueConversation[], contentBytes: number) =>
  runLargeWork(later, contentBytes, async () => {
    const { indexRunSteps, ordinaryIndexBytes } = later.limits;
    const { indexed } = await indexConversations(later, due, {
      stepsMax: indexRunSteps,
      groupMemories: contentBytes <= ordinaryIndexBytes ? GROUP_SHORT_MEMORIES : GROUP_MEMORIES,
    });
    return indexed;
  });

/**
 * Indexes memories that a request has written, after its response. An isolate runs one such run of an organization at a
 * time: it takes over what is written meanwhile, so that memories written one by one are indexed in groups.
 */
export function indexMemoriesLater(caller: KeyCaller, due: DueConversation[], contentBytes: number): void {
  const { caches, limits, principal, runtime } = caller;
  if (contentBytes > limits.ordinaryIndexBytes) {
    indexLater(caller, due, contentBytes);
    return;
  }
  const write = { caller, due, contentBytes };
  const running = caches.memoryRuns.get(principal.organizationId);
  if (running !== undefined && running.untilMs > runtime.nowMs()) {
    running.waiting.push(write);
    return;
  }
  const run: MemoryRun = { untilMs: runtime.nowMs() + MEMORY_RUN_MS, waiting: [write] };
  caches.memoryRuns.set(principal.organizationId, run);
  runInBackground(caller, (later) =>
    indexWaiting(later, run).finally(() => {
      if (caches.memoryRuns.get(principal.organizationId) === run)
        caches.memoryRuns.delete(principal.organizationId);
    }),
  );
}

async function indexWaiting(later: Invocation, run: MemoryRun): Promise<void> {
  const { limits, runtime } = later;
  let stepsLeft = limits.indexRunSteps;
  for (let pauseMs = RESPONSE_MS; run.waiting.length > 0 && stepsLeft > 0; pauseMs = GATHER_MS) {
    await runtime.pause(pauseMs);
    const writes = nextWrites(run.waiting, limits.ordinaryIndexBytes);
    // Each memory once, though several writes may have changed it.
    const memories = new Map(
      writes.flatMap(({ caller, due }) => due.map((one) => [one.conversationId, { caller, one }])),
    );
    const { indexed, steps } = await indexConversations(
      later,
      [...memories.values()].map(({ one }) => one),
      { stepsMax: stepsLeft, groupMemories: GROUP_SHORT_MEMORIES },
    );
    for (const { conversationId, embedded } of indexed) {
      const caller = memories.get(conversationId)?.caller;
      if (caller !== undefined) countUsage(caller, { embeddings: embedded });
    }
    stepsLeft -= steps;
    // The next write then begins a run of its own. This one has steps left for what waits already.
    if (stepsLeft <= limits.indexRunSteps / 2) run.untilMs = runtime.nowMs();
  }
}

/** Removes the first writes from the list: as many as have at most `bytesMax` together, and at least one. */
function nextWrites(waiting: MemoryRun["waiting"], bytesMax: number): MemoryRun["waiting"] {
  let bytes = 0;
  const end = waiting.findIndex(({ contentBytes }, i) => (bytes += contentBytes) > bytesMax && i > 0);
  return waiting.splice(0, end === -1 ? waiting.length : end);
}

/**
 * How the job of an append waits for further appends, with a lease for the windows that it completes. Null if the append
 * is indexed at once: always without a pause to wait for, and with `INDEX_FIRST_AT_ONCE` after one.
 */
export function openAppend(
  invocation: Invocation,
  due: DueConversation & { nowMs: number },
): AppendedRange | null {
  const { caches, indexFirstAtOnce, indexQuietMs } = invocation;
  const isFirst = !caches.newestAppends.has(toKey(due));
  if (indexQuietMs === 0 || (indexFirstAtOnce && isFirst)) return null;
  return { quietMs: indexQuietMs, lease: createLease(invocation, due.nowMs) };
}

const toKey = ({ organizationId, conversationId }: DueConversation): string =>
  `${organizationId} ${conversationId}`;

interface Appended {
  lastSequence: number;
  bytes: number;
  /** Whether the job got the lease of the append. If not, no window is complete, or another run will claim the job. */
  isLeased: boolean;
}

/**
 * Indexes the windows that an append completed, after the response. The open windows at the end of the conversation
 * are indexed when no further message was appended for `indexQuietMs`, by this isolate or by the sweep.
 */
export function indexAfterAppend(
  caller: KeyCaller,
  due: DueConversation,
  { lastSequence: last, bytes, isLeased }: Appended,
  append: AppendedRange | null,
): void {
  const { newestAppends } = caller.caches;
  const quietMs = caller.indexQuietMs;
  const key = toKey(due);
  if (append === null) indexLater(caller, [due], bytes);
  if (quietMs === 0) return;
  newestAppends.set(key, last);
  if (append !== null && isLeased) {
    indexInBackground(caller, async (later) => {
      let seen = last;
      for (let waits = 0; waits < BURST_WAITS; waits++) {
        const newest = newestAppends.get(key) ?? seen;
        if (newest === seen) break;
        seen = newest;
        await caller.runtime.pause(RESPONSE_MS);
      }
      return runLargeWork(later, bytes, () => indexCompleteWindows(later, due, append.lease.id));
    });
  }
  caller.waitUntil(
    caller.runtime.after(quietMs, async () => {
      if (newestAppends.get(key) !== last) return;
      newestAppends.delete(key);
      if (append === null) return;
      // The pause was part of the wait.
      indexInBackground(caller, (later) => indexWritten(later, [due], bytes), RESPONSE_MS - quietMs);
    }),
  );
}

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
