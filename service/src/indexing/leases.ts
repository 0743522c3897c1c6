import type { ServiceContext } from "../context.ts";
import { describeFailure, PortFailure } from "../platform/failures.ts";
import { PreconditionFailed } from "../platform/preconditions.ts";
import { type DueConversation, type Lease, releaseIndexJobs } from "./jobs-queries.ts";

/** How long a run owns a conversation. Every step extends it. */
const LEASE_MS = 60_000;
/** Delay of a conversation's jobs after an outage of the model, the vector store or the database. */
const OUTAGE_MS = 30_000;
/** Delay of a rejected text. Doubles with every attempt. */
const BACKOFF_MS = 2_000;
const BACKOFF_MAX_MS = 600_000;

/** A lease that starts now. */
export function leaseFrom({ runtime }: ServiceContext, id: string): Lease {
  const nowMs = runtime.nowMs();
  return { id, nowMs, untilMs: nowMs + LEASE_MS };
}

/** Releases the jobs that a run did not finish within its steps. They are due at once. */
export const releaseUnfinished = (
  ctx: ServiceContext,
  due: DueConversation,
  leaseId: string,
): Promise<void> => release(ctx, due, { leaseId, delayMs: 0, error: null });

/**
 * Releases the jobs of a run that failed, to be retried after `OUTAGE_MS`. Their index status reports failures
 * of ports. All other failures appear only in the log.
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
