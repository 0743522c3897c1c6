import type { ServiceContext } from "../context.ts";
import { describeFailure, PortFailure } from "../platform/failures.ts";
import { PreconditionFailed } from "../platform/preconditions.ts";
import { type DueConversation, type Lease, releaseIndexJobs } from "./jobs-queries.ts";

/** How long a run reserves a conversation, so that no other run indexes it. Each step of the run extends the time. */
const LEASE_MS = 60_000;
/**
 * When the model, the vector store or the database fails, the jobs of the conversation become due after this time.
 */
const OUTAGE_MS = 30_000;
/** Time until a text that the model rejects is tried again. It doubles with each attempt. */
const BACKOFF_MS = 2_000;
const BACKOFF_MAX_MS = 600_000;

/** A lease that starts now. */
export function leaseFrom({ runtime }: ServiceContext, id: string): Lease {
  const nowMs = runtime.nowMs();
  return { id, nowMs, untilMs: nowMs + LEASE_MS };
}

/** Ends the lease on jobs that a run did not finish within its steps. They are due at once. */
export const releaseUnfinished = (
  ctx: ServiceContext,
  due: DueConversation,
  leaseId: string,
): Promise<void> => release(ctx, due, { leaseId, delayMs: 0, error: null });

/**
 * Ends the lease on the jobs of a run that failed. They are due after `OUTAGE_MS`. The index status reports
 * failures of the model and the vector store; others are only logged.
 */
export async function releaseAfterFailure(
  ctx: ServiceContext,
  due: DueConversation,
  leaseId: string,
  error: unknown,
): Promise<void> {
  if (!(error instanceof PortFailure || error instanceof PreconditionFailed))
    ctx.log.error("indexing failed", error);
  await release(ctx, due, { leaseId, delayMs: OUTAGE_MS, error: describeFailure(error) });
}

async function release(
  ctx: ServiceContext,
  due: DueConversation,
  { leaseId, delayMs, error }: { leaseId: string; delayMs: number; error: string | null },
): Promise<void> {
  const nowMs = ctx.runtime.nowMs();
  await releaseIndexJobs(ctx.db, { ...due, leaseId, dueAtMs: nowMs + delayMs, error, nowMs });
}

/** Delay before a text is tried again that the model has rejected `attempts` times. */
export const backoffMs = (attempts: number): number =>
  Math.min(BACKOFF_MS * 2 ** (attempts - 1), BACKOFF_MAX_MS);
