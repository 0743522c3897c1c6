import type { Invocation } from "../invocation.ts";
import { slices } from "../platform/calls.ts";
import { sha256Hex } from "../platform/digest.ts";
import { PortFailure } from "../platform/failures.ts";
import { createId } from "../platform/ids.ts";
import { PreconditionFailed } from "../platform/preconditions.ts";
import { drawRound } from "../platform/round-robin.ts";
import type { Summarizer } from "../platform/summarizer.ts";
import type { ExtractLimits } from "../text/extracts.ts";
import { groupsOf, LEVELS_MAX, type Segment, segmentsOf, spanEnd, spanStart } from "../text/segments.ts";
import {
  extractFromMessages,
  extractFromSummaries,
  GROUP_LIMITS,
  SEGMENT_LIMITS,
  SUMMARY_RULES,
  type SummarizedMessage,
  type SummarySentence,
} from "../text/summaries.ts";
import {
  type Citable,
  checkDraft,
  citableMessages,
  citableSentences,
  toMessagesPrompt,
  toSummariesPrompt,
} from "../text/summary-drafts.ts";
import * as jobs from "./jobs-queries.ts";

/** How long no other run works on a conversation after a run has claimed or last stored summaries of it. */
const LEASE_MS = 120_000;
/** Summaries that are made at once. A Worker can have six connections. */
const AT_ONCE = 6;
/** Time after its start in which a run begins further summaries. */
const RUN_MS = 20_000;
/**
 * Steps of one run, each of up to 192 messages. D1 runs at most 1,000 statements in one invocation of the Worker, and a
 * step has up to 70.
 */
const STEPS = 12;
/** How long a job waits for a text model that fails. Then its summaries are made without it. */
const MODEL_WAIT_MS = 1_800_000;
/** Runs in one sweep. */
const SWEEP_RUNS = 6;
/** After this time, a sweep starts no further run. */
const SWEEP_MS = 50_000;

/** Makes due summaries in a separate invocation of the Worker. Resolves to true if more may be due. */
export type InvokeSummarize = () => Promise<boolean>;

export async function summarizeAllDue(invocation: Invocation, invoke: InvokeSummarize): Promise<void> {
  const { db, runtime } = invocation;
  const endMs = runtime.nowMs() + SWEEP_MS;
  for (let runs = 0; runs < SWEEP_RUNS && runtime.nowMs() < endMs; runs++)
    if (!(await jobs.hasDueJobs(db, runtime.nowMs(), drawRound(invocation))) || !(await invoke())) return;
}

/** Work that one run may still do. */
interface Budget {
  steps: number;
  endMs: number;
}

const openBudget = ({ runtime }: Invocation): Budget => ({ steps: STEPS, endMs: runtime.nowMs() + RUN_MS });
const isSpent = ({ runtime }: Invocation, { steps, endMs }: Budget): boolean =>
  steps <= 0 || runtime.nowMs() >= endMs;

/** Makes due summaries within the limits of one invocation. Resolves to true if more may be due. */
export async function summarizeDue(invocation: Invocation): Promise<boolean> {
  const budget = openBudget(invocation);
  while (!isSpent(invocation, budget)) {
    const job = await claim(invocation, { round: drawRound(invocation) });
    if (job === null) return false;
    if (!(await runJob(invocation, job, budget))) return false;
  }
  return true;
}

/** Makes the summaries of one conversation, if they are queued. */
export async function summarizeConversation(invocation: Invocation, of: jobs.ConversationRef): Promise<void> {
  const job = await claim(invocation, { of });
  if (job !== null) await runJob(invocation, job, openBudget(invocation));
}

function claim(invocation: Invocation, from: Parameters<typeof jobs.claimJob>[2]) {
  const { db, runtime } = invocation;
  return jobs.claimJob(db, { id: createId(runtime, "req"), ...leaseOf(invocation) }, from);
}

function leaseOf({ runtime }: Invocation) {
  const nowMs = runtime.nowMs();
  return { nowMs, untilMs: nowMs + LEASE_MS };
}

/** Resolves to false if it failed, so that a model is probably down. */
async function runJob(invocation: Invocation, job: jobs.SummaryJob, budget: Budget): Promise<boolean> {
  const { db, runtime } = invocation;
  try {
    const isDone = await runSteps(invocation, job, budget);
    if (isDone) await jobs.endJob(db, job, runtime.nowMs());
    else await jobs.releaseJob(db, job, runtime.nowMs());
    return true;
  } catch (error) {
    // A message was changed meanwhile, or the conversation deleted. The job is due again, or gone.
    if (error instanceof PreconditionFailed && error.code === "lease_lost") return true;
    if (!(error instanceof PortFailure)) invocation.log.error("summary failed", error);
    await jobs.delayJob(db, job, runtime.nowMs() + backoffMs(job.attempts));
    return false;
  }
}

const RETRY_MS = 30_000;
const RETRY_MAX_MS = 600_000;
const backoffMs = (attempts: number): number =>
  Math.min(RETRY_MS * 2 ** Math.min(attempts - 1, 10), RETRY_MAX_MS);

/** Resolves to whether all of the job is done. */
async function runSteps(invocation: Invocation, job: jobs.SummaryJob, budget: Budget): Promise<boolean> {
  let from = spanStart(1, job.fromSequence);
  for (;;) {
    const { conversation, messages, stored } = await jobs.readMessages(invocation.db, job, from);
    const [first] = messages;
    // A purge removes the job of a deleted conversation.
    if (conversation === null || first === undefined) return true;
    const lastBlockEnd = spanEnd(1, Math.min(job.toSequence, conversation.last_sequence));
    const end = Math.min(spanEnd(2, first.sequence), lastBlockEnd);
    if (first.sequence > end) return true;
    await summarizeSegments(invocation, job, {
      conversation,
      messages: messages.filter(({ sequence }) => sequence <= end),
      stored: stored.filter(({ from_sequence }) => from_sequence <= end),
    });
    const next = messages.find(({ sequence }) => sequence > end)?.sequence ?? null;
    const following = next === null || next > lastBlockEnd ? null : next;
    await summarizeGroups(invocation, job, {
      sequence: first.sequence,
      following,
      lastSequence: conversation.last_sequence,
    });
    if (following === null) return true;
    from = following;
    budget.steps -= 1;
    if (!(await jobs.advanceJob(invocation.db, job, from, leaseOf(invocation).untilMs)))
      throw new PreconditionFailed("lease_lost", null);
    if (isSpent(invocation, budget)) return false;
  }
}

type MessageSegment = Segment<jobs.CountedMessage>;
type LiveConversation = NonNullable<jobs.MessageStep["conversation"]>;

/** Makes the summaries of the first level that are missing, in place of those that no longer match their messages. */
async function summarizeSegments(
  invocation: Invocation,
  job: jobs.SummaryJob,
  { conversation, messages, stored }: jobs.MessageStep & { conversation: LiveConversation },
): Promise<void> {
  const missing: MessageSegment[] = [];
  const kept = new Set<jobs.StoredSummary>();
  for (const segment of segmentsOf(messages, conversation.last_sequence)) {
    const place = placeOf(segment);
    const same = stored.find((summary) => isSamePlace(summary, place) && isCurrent(invocation, job, summary));
    if (same !== undefined) kept.add(same);
    else if (segment.isFull || isEndDue(invocation, job, { segment, stored, conversation }))
      missing.push(segment);
    else for (const summary of stored) if (overlaps(summary, place)) kept.add(summary);
  }
  let removed = stored.filter((summary) => !kept.has(summary));
  for (const some of missing.length === 0 ? [[]] : slices(missing, AT_ONCE)) {
    const added = await summarizeMessages(invocation, job, some);
    if (added.length + removed.length === 0) return;
    await jobs.replaceSummaries(invocation.db, job, { level: 1, removed, added }, leaseOf(invocation));
    removed = [];
  }
}

const placeOf = ({ items, isFull }: MessageSegment) => ({
  level: 1,
  from_sequence: items[0]?.sequence ?? 0,
  to_sequence: items.at(-1)?.sequence ?? 0,
  source_count: items.length,
  is_full: isFull ? (1 as const) : (0 as const),
});

type Place = Pick<jobs.StoredSummary, "from_sequence" | "to_sequence" | "source_count" | "is_full">;

const isSamePlace = (a: Place, b: Place): boolean =>
  a.from_sequence === b.from_sequence &&
  a.to_sequence === b.to_sequence &&
  a.source_count === b.source_count &&
  a.is_full === b.is_full;

/** Whether a summary need not be made again for its rules. On request, it is also made again by another model. */
const isCurrent = (
  { summarizer }: Invocation,
  job: jobs.SummaryJob,
  { rules, model }: jobs.StoredSummary,
): boolean => rules === SUMMARY_RULES && (!job.isRequested || model === (summarizer?.model ?? null));

const overlaps = (a: Place, b: Place): boolean =>
  a.from_sequence <= b.to_sequence && a.to_sequence >= b.from_sequence;

/** Whether the end of a conversation is summarized, which may still grow. */
function isEndDue(
  { runtime }: Invocation,
  job: jobs.SummaryJob,
  input: { segment: MessageSegment; stored: jobs.StoredSummary[]; conversation: LiveConversation },
): boolean {
  const covered = Math.max(0, ...input.stored.map(({ to_sequence }) => to_sequence));
  const waiting = input.segment.items.filter(({ sequence }) => sequence > covered).length;
  if (job.isRequested) return waiting > 0;
  const rests = runtime.nowMs() >= input.conversation.updated_at_ms + jobs.REST_MS;
  return rests && waiting >= jobs.REST_MESSAGES_MIN;
}

async function summarizeMessages(
  invocation: Invocation,
  job: jobs.SummaryJob,
  segments: MessageSegment[],
): Promise<jobs.NewSummary[]> {
  if (segments.length === 0) return [];
  const places = segments.map(placeOf);
  const messages = await jobs.selectContents(
    invocation.db,
    job,
    places.map(({ from_sequence: from, to_sequence: to }) => ({ from, to })),
  );
  return Promise.all(
    places.map(async (place) => {
      const own = messages.filter(
        ({ sequence }) => sequence >= place.from_sequence && sequence <= place.to_sequence,
      );
      return { ...place, ...(await summaryOfMessages(invocation, job, own)) };
    }),
  );
}

type Made = Pick<jobs.NewSummary, "sentences" | "model" | "rules" | "source_hash">;

async function summaryOfMessages(
  invocation: Invocation,
  job: jobs.SummaryJob,
  messages: SummarizedMessage[],
): Promise<Made> {
  const { caches, pace } = invocation;
  const hashed = messages.map(({ sequence, role, name, content }) => [sequence, role, name, content]);
  const source_hash = await sha256Hex(JSON.stringify(hashed));
  const written = await writtenSentences(invocation, job, {
    prompt: toMessagesPrompt(messages, SEGMENT_LIMITS),
    citable: citableMessages(messages),
    limits: SEGMENT_LIMITS,
  });
  const made = written ?? {
    sentences: await pace.run(extractFromMessages(caches.stem, messages)),
    model: null,
  };
  return { ...made, rules: SUMMARY_RULES, source_hash };
}

/**
 * What the text model writes, without the sentences that what they cite does not say. Null without a model, if nothing is
 * left, and after a model has failed so often that the summary does not wait for it any longer.
 *
 * @throws {PortFailure} if the model fails.
 */
async function writtenSentences(
  { summarizer, caches, runtime }: Invocation,
  job: jobs.SummaryJob,
  input: {
    prompt: Parameters<Summarizer["summarize"]>[0];
    citable: ReadonlyMap<number, Citable>;
    limits: ExtractLimits;
  },
): Promise<{ sentences: SummarySentence[]; model: string } | null> {
  const isLate = runtime.nowMs() > job.dueAtMs + MODEL_WAIT_MS;
  if (summarizer === null || input.citable.size === 0 || isLate) return null;
  const draft = await summarizer.summarize(input.prompt);
  const sentences = checkDraft(caches.stem, draft ?? [], input.citable, input.limits);
  return sentences.length === 0 ? null : { sentences, model: summarizer.model };
}

/**
 * Makes the summaries of the higher levels that cover a message: on each level if the message is the last of its span, or
 * none follows it.
 */
async function summarizeGroups(
  invocation: Invocation,
  job: jobs.SummaryJob,
  input: { sequence: number; following: number | null; lastSequence: number },
): Promise<void> {
  for (let level = 2; level <= LEVELS_MAX; level++) {
    const start = spanStart(level, input.sequence);
    // The step of a later message makes them.
    if (input.following !== null && spanStart(level, input.following) === start) return;
    const { children, stored } = await jobs.readSummaries(invocation.db, job, { level, start });
    const groups = groupsOf(children, input.lastSequence >= spanEnd(level, start));
    const missing: jobs.ChildSummary[][] = [];
    const kept = new Set<jobs.StoredSummary>();
    for (const group of groups) {
      const same = stored.find(
        (one) => isSamePlace(one, placeOfGroup(group)) && isCurrent(invocation, job, one),
      );
      if (same === undefined) missing.push(group);
      else kept.add(same);
    }
    let removed = stored.filter((summary) => !kept.has(summary));
    for (const some of missing.length === 0 ? [[]] : slices(missing, AT_ONCE)) {
      const added = await Promise.all(
        some.map(async (group) => ({
          level,
          ...placeOfGroup(group),
          ...(await summaryOfGroup(invocation, job, group)),
        })),
      );
      if (added.length + removed.length === 0) break;
      await jobs.replaceSummaries(invocation.db, job, { level, removed, added }, leaseOf(invocation));
      removed = [];
    }
    // Without one, the next level has none either.
    if (groups.length === 0) return;
  }
}

const placeOfGroup = (group: jobs.ChildSummary[]) => ({
  from_sequence: group[0]?.from_sequence ?? 0,
  to_sequence: group.at(-1)?.to_sequence ?? 0,
  source_count: group.length,
  is_full: 1 as const,
});

async function summaryOfGroup(
  invocation: Invocation,
  job: jobs.SummaryJob,
  group: jobs.ChildSummary[],
): Promise<Made> {
  const { caches, pace } = invocation;
  const source_hash = await sha256Hex(JSON.stringify(group.map((child) => child.source_hash)));
  const written = await writtenSentences(invocation, job, {
    prompt: toSummariesPrompt(group, GROUP_LIMITS),
    citable: citableSentences(group),
    limits: GROUP_LIMITS,
  });
  const made = written ?? {
    sentences: await pace.run(extractFromSummaries(caches.stem, group)),
    model: null,
  };
  return { ...made, rules: SUMMARY_RULES, source_hash };
}
