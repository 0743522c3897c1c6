import type { Invocation } from "../invocation.ts";
import { type DueConversation, type Lease, releasedJobs } from "../jobs/queries.ts";
import { randomMs } from "../platform/backoff.ts";
import { describeFailure, PortFailure } from "../platform/failures.ts";
import { createId } from "../platform/ids.ts";
import { PreconditionFailed } from "../platform/preconditions.ts";
import { batch } from "../platform/sql.ts";

/** Time until a text that the model rejects is tried again. It doubles with each attempt, up to the maximum. */
const BACKOFF_MS = 2_000;
const BACKOFF_MAX_MS = 600_000;

/** One run of indexing of one conversation, and what the run has done. */
export interface Run {
  readonly due: DueConversation;
  steps: number;
  /** Number of texts embedded. */
  embedded: number;
  /** Whether the run ended in a failure. Its jobs are released then. */
  failed: boolean;
}

/** Runs of several conversations, which share the id of their leases and each call. */
export interface RunGroup {
  readonly runs: Run[];
  readonly leaseId: string;
  /**
   * Whether an append has claimed the work, before it is due. The runs then also index the complete windows of jobs that
   * wait for further appends.
   */
  readonly isEarly: boolean;
}

export const createGroup = ({ runtime }: Invocation, due: DueConversation[]): RunGroup =>
  toGroup(due, { leaseId: createId(runtime, "req"), isEarly: false });

/** A group of one run, for the complete windows of an append, which has stored the lease. */
export const createEarlyGroup = (due: DueConversation, leaseId: string): RunGroup =>
  toGroup([due], { leaseId, isEarly: true });

const toGroup = (due: DueConversation[], group: Omit<RunGroup, "runs">): RunGroup => ({
  ...group,
  runs: due.map((one) => ({ due: one, steps: 0, embedded: 0, failed: false })),
});

/** A lease for the run after an append, which the append stores. */
export const createLease = (
  { runtime, limits }: Invocation,
  nowMs: number,
): { id: string; untilMs: number } => ({
  id: createId(runtime, "req"),
  untilMs: nowMs + limits.indexLeaseMs,
});

/** The lease of the runs of a group, from now until `indexLeaseMs` later. */
export function leaseFrom({ runtime, limits }: Invocation, { leaseId, isEarly }: RunGroup): Lease {
  const nowMs = runtime.nowMs();
  return {
    id: leaseId,
    nowMs,
    untilMs: nowMs + limits.indexLeaseMs,
    isEarly,
    jobsMax: limits.indexClaimJobs,
  };
}

/** Ends the lease on jobs that runs of the group did not finish within their steps. They are due at once. */
export const releaseUnfinished = (
  invocation: Invocation,
  { leaseId }: RunGroup,
  runs: Run[],
): Promise<void> => release(invocation, leaseId, runs, { delayMs: () => 0, error: null });

/**
 * Ends runs of the group that failed. Their jobs store the error for the index status, and can be claimed again after
 * `indexRetryMinMs` to `indexRetryMaxMs`. Errors other than those of the model, the vector store or a precondition are logged too.
 */
export async function endAfterFailure(
  invocation: Invocation,
  { leaseId }: RunGroup,
  runs: Run[],
  error: unknown,
): Promise<void> {
  if (!(error instanceof PortFailure || error instanceof PreconditionFailed))
    invocation.log.error("indexing failed", error);
  const retry = { from: invocation.limits.indexRetryMinMs, to: invocation.limits.indexRetryMaxMs };
  for (const run of runs) {
    run.steps += 1;
    run.failed = true;
  }
  await release(invocation, leaseId, runs, {
    delayMs: () => randomMs(invocation.runtime, retry),
    error: describeFailure(error),
  });
}

async function release(
  { db, runtime }: Invocation,
  leaseId: string,
  runs: Run[],
  { delayMs, error }: { delayMs: () => number; error: string | null },
): Promise<void> {
  const nowMs = runtime.nowMs();
  if (runs.length === 0) return;
  await batch(
    db,
    runs.map(({ due }) => releasedJobs(due, leaseId, { dueAtMs: nowMs + delayMs(), error, nowMs })),
  );
}

/** Delay before a text is tried again that the model has rejected `attempts` times. */
export const backoffMs = (attempts: number): number =>
  Math.min(BACKOFF_MS * 2 ** (attempts - 1), BACKOFF_MAX_MS);
