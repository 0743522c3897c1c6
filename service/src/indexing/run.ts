import type { Invocation } from "../invocation.ts";
import { type ClaimedWork, claimedWork, type DueConversation, leasedWork } from "../jobs/queries.ts";
import { WINDOW_STRIDE } from "../jobs/window-size.ts";
import { batch } from "../platform/sql.ts";
import { firstWindowOf, lastCompleteSequence, lastWindowOf } from "./chunks.ts";
import {
  createEarlyGroup,
  createGroup,
  endAfterFailure,
  leaseFrom,
  type Run,
  type RunGroup,
  releaseUnfinished,
} from "./leases.ts";
import type { Step, Windows } from "./plans.ts";
import { type IndexedWindows, indexWindows } from "./windows.ts";

/**
 * Updates the chunks and vectors of conversations for all due jobs, in at most `stepsMax` steps for each, as
 * {@link indexGroup}.
 */
export const indexTogether = (
  invocation: Invocation,
  due: DueConversation[],
  stepsMax: number,
): Promise<Run[]> => indexGroup(invocation, createGroup(invocation, due), stepsMax);

/** Updates the chunks and vectors of the complete windows of an append that has stored this lease. */
export const indexCompleteWindows = (
  invocation: Invocation,
  due: DueConversation,
  leaseId: string,
): Promise<Run[]> => indexGroup(invocation, createEarlyGroup(due, leaseId), invocation.limits.indexRunSteps);

/**
 * Indexes the conversations of a group. They share each call of the database, the model and the vector store, and most
 * statements.
 *
 * After a failure the jobs are released and retried later, which does not count as an attempt: only a text
 * that is rejected because of its content is given up eventually. Never throws errors of a model or store.
 */
async function indexGroup(invocation: Invocation, group: RunGroup, stepsMax: number): Promise<Run[]> {
  const due = group.runs.map((run) => run.due);
  const lease = leaseFrom(invocation, group);
  const { work } = await batch(
    invocation.db,
    group.isEarly ? { work: leasedWork(due, lease) } : claimedWork(due, lease),
  );
  let steps = group.runs.flatMap((run, place) => firstStep(run, work[place] ?? null));
  while (steps.length > 0) {
    const indexed = await indexWindows(invocation, group, steps).catch(async (error: unknown) => {
      const ended = steps.map(({ run }) => run).filter(({ failed }) => !failed);
      await endAfterFailure(invocation, group, ended, error);
      return [];
    });
    const next = indexed.flatMap(nextStep);
    steps = next.filter(({ run }) => run.steps < stepsMax);
    const unfinished = next.filter((step) => !steps.includes(step));
    await releaseUnfinished(
      invocation,
      group,
      unfinished.map(({ run }) => run),
    );
  }
  return group.runs;
}

/** The first step of claimed work; none without work. */
const firstStep = (run: Run, work: ClaimedWork | null): Step[] =>
  work === null ? [] : toStep({ run, work, lastVector: null }, rangesOf(work));

/** The step that follows; none when nothing is left to do. */
function nextStep({ step, doneTo, lastVector, next }: IndexedWindows): Step[] {
  const { run, work, range, later } = step;
  const from = doneTo + WINDOW_STRIDE;
  const left = from <= range.to ? [{ from, to: range.to }, ...later] : later;
  return left.length > 0 ? toStep({ run, work, lastVector }, left) : firstStep(run, next);
}

const toStep = (step: Pick<Step, "run" | "work" | "lastVector">, [range, ...later]: Windows[]): Step[] =>
  range === undefined ? [] : [{ ...step, range, later }];

/**
 * Ranges of the windows that jobs touch, ascending and without overlap. Of a job that waits for further appends, only
 * the complete windows.
 */
function rangesOf({ jobs, lastSequence }: ClaimedWork): Windows[] {
  const lastComplete = firstWindowOf(lastCompleteSequence(lastSequence));
  const touched = jobs
    .map(({ fromSequence, toSequence, isQuiet }) => {
      const to = lastWindowOf(toSequence);
      return { from: firstWindowOf(fromSequence), to: isQuiet ? to : Math.min(to, lastComplete) };
    })
    .sort((a, b) => a.from - b.from);
  const ranges: Windows[] = [];
  for (const { from, to } of touched) {
    const last = ranges.at(-1);
    // Neighboring ranges become one, so that messages that were appended one by one are embedded together.
    if (last !== undefined && from <= last.to + WINDOW_STRIDE) last.to = Math.max(last.to, to);
    else ranges.push({ from, to });
  }
  return ranges;
}
