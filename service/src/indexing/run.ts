import type { ServiceContext } from "../context.ts";
import { createId } from "../platform/ids.ts";
import { firstWindowOf, lastWindowOf, WINDOW_STRIDE } from "./chunks.ts";
import { type ClaimedWork, claimIndexJobs, type DueConversation } from "./jobs-queries.ts";
import { leaseFrom, releaseAfterFailure, releaseUnfinished } from "./leases.ts";
import { indexWindows, type Windows } from "./windows.ts";

/** A run of one conversation: its lease, its limit, and what it has done. */
interface Run {
  leaseId: string;
  stepsMax: number;
  steps: number;
  embedded: number;
}

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
  due: DueConversation,
  stepsMax = ctx.limits.indexRunSteps,
): Promise<{ steps: number; embedded: number; failed: boolean }> {
  const run: Run = { leaseId: createId(ctx.runtime, "req"), stepsMax, steps: 0, embedded: 0 };
  let work = await claimIndexJobs(ctx.db, due, leaseFrom(ctx, run.leaseId));
  try {
    while (work !== null && run.steps < stepsMax) work = await indexWork(ctx, work, run);
  } catch (error) {
    await releaseAfterFailure(ctx, due, run.leaseId, error);
    return { steps: run.steps + 1, embedded: run.embedded, failed: true };
  }
  if (run.steps >= stepsMax) await releaseUnfinished(ctx, due, run.leaseId);
  return { steps: run.steps, embedded: run.embedded, failed: false };
}

/** Indexes the windows of claimed work, within the steps of the run. Resolves to the work that is due next. */
async function indexWork(ctx: ServiceContext, work: ClaimedWork, run: Run): Promise<ClaimedWork | null> {
  const ranges = rangesOf(work.jobs);
  const end = ranges.at(-1)?.to ?? 0;
  let lastVectorId: string | null = null;
  let next: ClaimedWork | null = null;
  for (const { from, to } of ranges) {
    for (let start = from; start <= to && run.steps < run.stepsMax; ) {
      const range = { from: start, to, end };
      const step = await indexWindows(ctx, { work, leaseId: run.leaseId }, range, lastVectorId);
      start = step.doneTo + WINDOW_STRIDE;
      run.steps += step.steps;
      run.embedded += step.embedded;
      ({ lastVectorId, next } = step);
    }
  }
  return next;
}

/** Ranges of the windows that jobs touch, ascending and without overlap. */
function rangesOf(jobs: ClaimedWork["jobs"]): Windows[] {
  const touched = jobs
    .map((job) => ({ from: firstWindowOf(job.fromSequence), to: lastWindowOf(job.toSequence) }))
    .sort((a, b) => a.from - b.from);
  const ranges: Windows[] = [];
  for (const { from, to } of touched) {
    const last = ranges.at(-1);
    // Messages that were appended one by one are embedded together.
    if (last !== undefined && from <= last.to + WINDOW_STRIDE) last.to = Math.max(last.to, to);
    else ranges.push({ from, to });
  }
  return ranges;
}
