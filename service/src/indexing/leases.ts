import type { ServiceContext } from "../context.ts";
import { randomMs } from "../platform/backoff.ts";
import { describeFailure, PortFailure } from "../platform/failures.ts";
import { createId } from "../platform/ids.ts";
import { PreconditionFailed } from "../platform/preconditions.ts";
import { batchOf } from "../platform/sql.ts";
import { type DueConversation, type Lease, releasedJobs } from "./jobs-queries.ts";

/** How long a run reserves a conversation, so that no other run indexes it. Each step of the run extends the time. */
const LEASE_MS = 60_000;
/**
 * When the model, the vector store or the database fails, the jobs of the conversation become due after a random time
 * within these limits.
 */
const OUTAGE_MS = { from: 30_000, to: 40_000 };
/** Time until a text that the model rejects is tried again. It doubles with each attempt, up to the maximum. */
const BACKOFF_MS = 2_000;
const BACKOFF_MAX_MS = 600_000;

/** One run of indexing of one conversation: the id of its lease, and what the run has done. */
export interface Run {
  readonly due: DueConversation;
  readonly leaseId: string;
  /** Whether the run also indexes the complete windows of jobs that wait for further appends. */
  readonly isEarly: boolean;
  /** Whether an append has claimed the work already. */
  readonly isClaimed: boolean;
  steps: number;
  /** Number of texts embedded. */
  embedded: number;
  /** Whether the run ended in a failure. Its jobs are released then. */
  failed: boolean;
}

export const createRun = ({ runtime }: ServiceContext, due: DueConversation): Run =>
  toRun(due, { leaseId: createId(runtime, "req"), isClaimed: false });

/** A run for the complete windows of an append, which has stored the lease. */
export const createEarlyRun = (due: DueConversation, leaseId: string): Run =>
  toRun(due, { leaseId, isClaimed: true });

const toRun = (
  due: DueConversation,
  { leaseId, isClaimed }: { leaseId: string; isClaimed: boolean },
): Run => ({
  due,
  leaseId,
  isEarly: isClaimed,
  isClaimed,
  steps: 0,
  embedded: 0,
  failed: false,
});

/** A lease for the run after an append, which the append stores. */
export const createLease = ({ runtime }: ServiceContext, nowMs: number): { id: string; untilMs: number } => ({
  id: createId(runtime, "req"),
  untilMs: nowMs + LEASE_MS,
});

/** The lease of a run, from now until `LEASE_MS` later. */
export function leaseFrom({ runtime, limits }: ServiceContext, { leaseId, isEarly }: Run): Lease {
  const nowMs = runtime.nowMs();
  return { id: leaseId, nowMs, untilMs: nowMs + LEASE_MS, isEarly, jobsMax: limits.indexClaimJobs };
}

/** Ends the lease on jobs that runs did not finish within their steps. They are due at once. */
export const releaseUnfinished = (ctx: ServiceContext, runs: Run[]): Promise<void> =>
  release(ctx, runs, { delayMs: () => 0, error: null });

/**
 * Ends runs that failed. Their jobs store the error for the index status, and can be claimed again after
 * `OUTAGE_MS`. Errors other than those of the model, the vector store or a precondition are logged too.
 */
export async function endAfterFailure(ctx: ServiceContext, runs: Run[], error: unknown): Promise<void> {
  if (!(error instanceof PortFailure || error instanceof PreconditionFailed))
    ctx.log.error("indexing failed", error);
  for (const run of runs) {
    run.steps += 1;
    run.failed = true;
  }
  await release(ctx, runs, {
    delayMs: () => randomMs(ctx.runtime, OUTAGE_MS),
    error: describeFailure(error),
  });
}

async function release(
  { db, runtime }: ServiceContext,
  runs: Run[],
  { delayMs, error }: { delayMs: () => number; error: string | null },
): Promise<void> {
  const nowMs = runtime.nowMs();
  await batchOf(db, runs, ({ due, leaseId }) =>
    releasedJobs(due, leaseId, { dueAtMs: nowMs + delayMs(), error, nowMs }),
  );
}

/** Delay before a text is tried again that the model has rejected `attempts` times. */
export const backoffMs = (attempts: number): number =>
  Math.min(BACKOFF_MS * 2 ** (attempts - 1), BACKOFF_MAX_MS);
