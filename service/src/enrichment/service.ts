import type { OperationOf } from "@engram/spec";
import { ApiError } from "../errors.ts";
import type { ConversationFilter } from "../filters/queries.ts";
import type { Invocation, KeyCaller } from "../invocation.ts";
import type { ServiceLimits } from "../limits.ts";
import { insertedQueuedOperation, type RunningOperation } from "../operations/queries.ts";
import { openOperation } from "../operations/service.ts";
import { assertKeyActive } from "../platform/batch.ts";
import type { Enricher } from "../platform/enricher.ts";
import type { Idempotent } from "../platform/idempotency.ts";
import type { IdempotentRequest } from "../platform/idempotency-queries.ts";
import { createId } from "../platform/ids.ts";
import { drawRound } from "../platform/round-robin.ts";
import { RESPONSE_MS } from "../platform/runtime.ts";
import { batch, type Statement } from "../platform/sql.ts";
import * as jobs from "./queries.ts";

/** Number of concurrent calls of the model. A Worker can have six connections. */
const AT_ONCE = 6;
/** Number of memories whose tags and summaries are stored in one transaction. */
const GROUP_MEMORIES = 10;
/**
 * Claims of one run after a response, because its indexing also runs statements, and D1 runs at most 1,000 in one
 * invocation of the Worker. The sweep does the rest.
 */
const CLAIMS = 3;
/** Time in which a run gathers memories for its next claim, because a claim reads up to 1,000 memories for their tags. */
const GATHER_MS = 1_000;
/** How long no other run claims the jobs that a run has claimed. */
const LEASE_MS = 60_000;
/** Time after the start of a run in which it may start calls of the model. The rest of the lease is for the last call. */
const RUN_MS = 20_000;
/**
 * Maximum number of runs in a sweep, which starts every minute. Each calls the model up to 60 times. Workers AI allows
 * 300 calls of text models in a minute, for background work of requests as well.
 */
export const SWEEP_RUNS = 3;
/** After this time, a sweep starts no further run. */
const SWEEP_MS = 50_000;

/**
 * Starts a backfill, which lets the text model write tags and summaries of existing memories.
 *
 * @throws {ApiError} `unavailable` if no text model is configured.
 */
export async function enrichMemories(
  caller: KeyCaller,
  filter: ConversationFilter,
  idempotency: IdempotentRequest | null,
): Promise<Idempotent<OperationOf<"enrich_memories">>> {
  const { enricher, principal, runtime } = caller;
  if (enricher === null)
    throw new ApiError("unavailable", "No text model is configured. The operator can configure one.");
  const { organizationId } = principal;
  const nowMs = runtime.nowMs();
  const id = createId(runtime, "op");
  const type = "enrich_memories";
  const statements = {
    key: assertKeyActive({ ...principal, nowMs }),
    opened: insertedQueuedOperation({
      owner: principal,
      id,
      type,
      targetId: organizationId,
      nowMs,
      filter,
    }),
    step: jobs.queuedBackfillStep({ owner: principal, id, filter }, backfillStep(caller, enricher)),
  };
  return openOperation(caller, { id, type }, statements, idempotency);
}

/**
 * Continues a backfill for at most `steps` steps, each of which queues some memories. A step begins only when
 * the memories queued before are done, so that the queue has a maximum size.
 */
export async function queueBackfill(
  invocation: Invocation,
  backfill: jobs.Backfill,
  steps: number,
): Promise<void> {
  const { db, enricher } = invocation;
  if (enricher === null) return;
  for (let step = 0; step < steps && !(await jobs.hasBackfillJobs(db, backfill.id)); step++) {
    const { isDone } = await batch(db, jobs.queuedBackfillStep(backfill, backfillStep(invocation, enricher)));
    if (isDone !== false) return;
  }
}

const backfillStep = ({ limits, runtime }: Invocation, { model }: Enricher) => ({
  model,
  nowMs: runtime.nowMs(),
  limits: {
    filteredConversations: Math.min(limits.filteredConversations, limits.backfillStepJobs),
    scannedConversations: Math.min(limits.scannedConversations, limits.backfillStepJobs),
  },
});

/** Null if no text model is configured or `ids` is empty. */
export const queuedEnrichment = (
  { enricher, principal }: KeyCaller,
  ids: string[],
  nowMs: number,
): Statement<void> | null =>
  enricher === null || ids.length === 0
    ? null
    : jobs.queuedEnrichmentJobs(principal.organizationId, ids, nowMs);

/**
 * Enriches due memories of the caller's organization after the response. An isolate runs one such run of an
 * organization at a time: it takes over what is stored meanwhile.
 */
export function enrichInBackground({ caches, defer, enricher, principal, runtime }: KeyCaller): void {
  if (enricher === null) return;
  const { organizationId } = principal;
  const running = caches.enrichments.get(organizationId);
  if (running !== undefined && running.untilMs > runtime.nowMs()) {
    running.isDue = true;
    return;
  }
  const run = { untilMs: runtime.nowMs() + LEASE_MS, isDue: true };
  caches.enrichments.set(organizationId, run);
  defer("enrich", async (later) => {
    try {
      const endMs = runtime.nowMs() + RUN_MS;
      let pauseMs = RESPONSE_MS;
      for (let claims = 0; run.isDue && claims < CLAIMS; claims++) {
        await runtime.pause(pauseMs);
        run.isDue = false;
        const { claimed, isDown } = await enrichClaim(later, organizationId, endMs);
        if (isDown) return;
        const isMore = claimed >= later.limits.enrichRunMemories;
        run.isDue ||= isMore;
        pauseMs = isMore ? 0 : GATHER_MS;
      }
    } finally {
      if (caches.enrichments.get(organizationId) === run) caches.enrichments.delete(organizationId);
    }
  });
}

/** Enriches due memories in a separate invocation of the Worker. Resolves to whether the model responds. */
export type InvokeEnrich = () => Promise<boolean>;

export async function enrichAllDue(invocation: Invocation, invokeEnrich: InvokeEnrich): Promise<void> {
  const { db, enricher, runtime } = invocation;
  if (enricher === null) return;
  const endMs = runtime.nowMs() + SWEEP_MS;
  for (let runs = 0; runs < SWEEP_RUNS && runtime.nowMs() < endMs; runs++) {
    const due = { nowMs: runtime.nowMs(), round: drawRound(invocation) };
    if (!(await jobs.hasDueEnrichmentJobs(db, due)) || !(await invokeEnrich())) return;
  }
}

/** Advances backfills that their last run of enrichment left unfinished, for example because it crashed. */
export async function updateFinishedBackfills(
  { db, limits, runtime }: Invocation,
  running: RunningOperation[],
): Promise<void> {
  const ids = running.filter(({ type }) => type === "enrich_memories").map(({ id }) => id);
  await jobs.updateBackfills(db, ids, { nowMs: runtime.nowMs(), limit: limits.backfillStepJobs });
}

/** Enriches due memories. Resolves to false if no model is configured or an enrichment failed. */
export async function enrichDue(invocation: Invocation): Promise<boolean> {
  if (invocation.enricher === null) return false;
  return !(await enrichClaim(invocation, null, invocation.runtime.nowMs() + RUN_MS)).isDown;
}

/**
 * Claims due memories of one organization, or of all if `organizationId` is null, and enriches those that it reaches
 * until `endMs`.
 */
async function enrichClaim(
  invocation: Invocation,
  organizationId: string | null,
  endMs: number,
): Promise<{ claimed: number; isDown: boolean }> {
  const { db, enricher, limits, runtime } = invocation;
  if (enricher === null) return { claimed: 0, isDown: false };
  const nowMs = runtime.nowMs();
  const due = await jobs.claimEnrichmentJobs(db, {
    organizationId,
    nowMs,
    untilMs: nowMs + LEASE_MS,
    limit: limits.enrichRunMemories,
    bytesMax: limits.enrichRunBytes,
    round: drawRound(invocation),
  });
  const vocabularies = new Map<string, Promise<string[]>>();
  const vocabularyOf = (job: jobs.EnrichmentJob): Promise<string[]> => {
    // The tags of the first pass become the vocabulary, so this pass gets none.
    if (job.pass === 1) return Promise.resolve([]);
    const key = JSON.stringify([job.organizationId, job.agentId, job.userId, job.isShared, job.operationId]);
    const known = vocabularies.get(key) ?? jobs.selectVocabulary(db, job);
    vocabularies.set(key, known);
    return known;
  };
  const waiting = due.values();
  const untried: jobs.EnrichmentJob[] = [];
  let answered: jobs.AnsweredJob[] = [];
  let isDown = false;
  const fail = async (failed: jobs.EnrichmentJob[], error: unknown) => {
    isDown = true;
    invocation.log.error("enrichment failed", error, { model: enricher.model });
    for (const job of failed) await retryLater(invocation, enricher, job);
  };
  /** Stores the answers if they are a whole group, or the last ones. */
  const store = async (isLast: boolean) => {
    if (answered.length < (isLast ? 1 : GROUP_MEMORIES)) return;
    const group = answered;
    answered = [];
    try {
      await jobs.updateAnswered(db, group, { model: enricher.model, nowMs: runtime.nowMs() });
    } catch (error) {
      await fail(
        group.map(({ job }) => job),
        error,
      );
    }
  };
  const worker = async () => {
    for (const job of waiting) {
      if (isDown || runtime.nowMs() >= endMs) {
        untried.push(job);
        continue;
      }
      try {
        const enrichment = await enricher.enrich(job.content, await vocabularyOf(job));
        answered.push({ job, enrichment });
      } catch (error) {
        await fail([job], error);
      }
      await store(false);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  await store(true);
  // After a failure, the model is probably down. If the time ran out instead, they are due at once.
  if (untried.length > 0) {
    await jobs.updateUntried(db, untried, isDown ? nowMs + limits.enrichPauseMs : runtime.nowMs());
  }
  const backfills = [...new Set(due.flatMap(({ operationId }) => operationId ?? []))];
  await jobs.updateBackfills(db, backfills, { nowMs: runtime.nowMs(), limit: limits.backfillStepJobs });
  return { claimed: due.length, isDown };
}

/** Sets when a failed job is tried again. After the last attempt, its pass ends without a result. */
async function retryLater(
  { db, limits, runtime }: Invocation,
  { model }: Enricher,
  job: jobs.EnrichmentJob,
): Promise<void> {
  if (job.attempts < jobs.ENRICHMENT_ATTEMPTS_MAX)
    await jobs.updateDelayed(db, job, runtime.nowMs() + backoffMs(limits, job.attempts));
  else await jobs.updateAnswered(db, [{ job, enrichment: null }], { model, nowMs: runtime.nowMs() });
}

const backoffMs = ({ enrichRetryMs, enrichRetryMaxMs }: ServiceLimits, attempts: number): number =>
  Math.min(enrichRetryMs * 2 ** (attempts - 1), enrichRetryMaxMs);
