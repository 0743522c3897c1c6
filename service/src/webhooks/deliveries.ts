import type { Event } from "@engram/spec";
import { auditEvent } from "../audit/service.ts";
import { eventsAfter, logEnds } from "../events/queries.ts";
import { toEvent } from "../events/service.ts";
import type { Invocation, InvokeDeliver, WebhookBudget } from "../invocation.ts";
import { wholeOrganization } from "../platform/batch.ts";
import { slices } from "../platform/calls.ts";
import { createId } from "../platform/ids.ts";
import { drawFraction } from "../platform/runtime.ts";
import { batch, run, type Statements, sql } from "../platform/sql.ts";
import * as deliveries from "./delivery-queries.ts";
import * as queries from "./queries.ts";
import { sendEvent } from "./sending.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Waits between the attempts at one event, five days in all. Later events wait too. After the last attempt, the webhook
 * is paused.
 */
const WAITS_MS = [
  ...[5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS],
  ...[2, 5, 10, 14, 20, 20, 24, 24].map((hours) => hours * HOUR_MS),
];
/** The longest wait that a receiver can ask for. */
const RETRY_AFTER_MS_MAX = HOUR_MS;

/** Time after which a run begins no further request. The runtime ends work 30 seconds after a response. */
const RUN_MS = 15 * SECOND_MS;
/** Time after which a run that died holds its webhook no longer. */
export const LEASE_MS = 6 * SECOND_MS;
/** Pause between two extensions of the lease during a request, which can take longer than the lease. */
const RENEW_MS = 2 * SECOND_MS;
/** Requests at once: a Worker has six connections. */
const CONCURRENT = 6;
/** Events of one webhook that one read of the log gets. */
const PAGE_EVENTS = 20;
/** Time for which an isolate does not look for webhooks of an organization that has none. */
const WITHOUT_WEBHOOKS_MS = 10 * SECOND_MS;
/** Rounds of an organization after a response, because events can happen while others are sent. */
const ROUNDS = 3;
/** How many invocations for webhooks a sweep starts. Each starts the next one itself while events are left. */
export const DELIVERY_INVOCATIONS_MAX = 2;

/** Begins to send new events of organizations. Never throws: the sweep sends what this does not. */
export async function wakeWebhooks(invocation: Invocation, organizationIds: string[]): Promise<void> {
  const { caches, runtime } = invocation;
  const nowMs = runtime.nowMs();
  const ids = organizationIds.filter((id) => (caches.withoutWebhooks.get(id) ?? 0) <= nowMs);
  if (ids.length === 0) return;
  const webhooks = await queries.selectEnabledOf(invocation.db, ids, nowMs).catch(() => null);
  if (webhooks === null) return;
  for (const id of ids) {
    if (webhooks.some(({ ref }) => ref.organizationId === id)) continue;
    // Old entries are of no use.
    if (caches.withoutWebhooks.size >= 10_000) caches.withoutWebhooks.clear();
    caches.withoutWebhooks.set(id, nowMs + WITHOUT_WEBHOOKS_MS);
  }
  const due = dueOf(webhooks);
  if (due.length > 0) {
    invocation.defer("deliver webhooks", (later) => deliverRounds(later, due, later.webhookBudget));
  }
}

const dueOf = (webhooks: { ref: queries.WebhookRef; isDue: boolean }[]): queries.WebhookRef[] =>
  webhooks.filter(({ isDue }) => isDue).map(({ ref }) => ref);

/**
 * Sends due events of webhooks, also those that happen meanwhile: a run that they would begin finds the webhook leased.
 * Starts the next invocation if events are left.
 */
async function deliverRounds(
  invocation: Invocation,
  due: queries.WebhookRef[],
  budget: WebhookBudget,
): Promise<void> {
  const { db, runtime } = invocation;
  const untilMs = runtime.nowMs() + RUN_MS;
  const organizationIds = [...new Set(due.map(({ organizationId }) => organizationId))];
  let left = due;
  for (let round = 0; round < ROUNDS && left.length > 0; round++) {
    const unfinished = await deliverAll(invocation, left, budget, untilMs);
    if (unfinished.length > 0) return startNext(invocation, unfinished);
    if (budget.runs <= 0) return;
    left = dueOf(await queries.selectEnabledOf(db, organizationIds, runtime.nowMs()));
  }
}

/** Has what is due of all organizations sent in separate invocations, beginning with a random organization. */
export async function deliverDue(invocation: Invocation, invokeDeliver: InvokeDeliver): Promise<void> {
  const { db, limits, runtime } = invocation;
  const due = await queries.selectDue(db, {
    chance: drawFraction(runtime),
    nowMs: runtime.nowMs(),
    webhooksMax: limits.sweepOrganizations,
    limit: DELIVERY_INVOCATIONS_MAX * limits.webhookInvocationRuns,
  });
  await Promise.all(slices(due, limits.webhookInvocationRuns).map(invokeDeliver));
}

/** Sends due events of webhooks within the limits of one invocation, and starts the next one if events are left. */
export async function deliverShare(invocation: Invocation, due: queries.WebhookRef[]): Promise<void> {
  const { webhookInvocationEvents: events, webhookInvocationRuns: runs } = invocation.limits;
  await deliverRounds(invocation, due, { events, runs });
}

async function startNext({ invokeDeliver }: Invocation, due: queries.WebhookRef[]): Promise<void> {
  // Cloudflare limits how many invocations follow from one request. After the last one, the sweep continues.
  if (due.length > 0) await invokeDeliver?.(due).catch(() => {});
}

/**
 * Runs webhooks, a few at once, each with an equal share of the events that are left. A failed one does not stop the
 * others.
 *
 * @returns Those that can continue at once, first those that did not get a turn.
 */
async function deliverAll(
  invocation: Invocation,
  due: queries.WebhookRef[],
  budget: WebhookBudget,
  untilMs: number,
): Promise<queries.WebhookRef[]> {
  const share = Math.ceil(budget.events / due.length);
  const queue = due.values();
  const unfinished: queries.WebhookRef[] = [];
  const work = async () => {
    while (budget.events > 0 && budget.runs > 0 && invocation.runtime.nowMs() < untilMs) {
      const { value: ref } = queue.next();
      if (ref === undefined) return;
      const run = { untilMs, events: Math.min(share, budget.events) };
      budget.events -= run.events;
      budget.runs -= 1;
      const end = await deliver(invocation, ref, run).catch((error: unknown) => {
        invocation.log.error("webhook failed", error, { webhook_id: ref.id });
        return { unused: 0, isUnfinished: false };
      });
      budget.events += end.unused;
      if (end.isUnfinished) unfinished.push(ref);
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENT, due.length) }, work));
  return [...queue, ...unfinished];
}

/**
 * Sends the events of one webhook, one after the other, as long as the receiver accepts them. Before each request, the
 * webhook and its organization are read again, so that nothing is sent once they are deleted.
 *
 * @returns The events of the budget that were not sent, and whether more can be sent at once.
 */
async function deliver(
  invocation: Invocation,
  ref: queries.WebhookRef,
  budget: { events: number; untilMs: number },
): Promise<{ unused: number; isUnfinished: boolean }> {
  const { db, runtime } = invocation;
  const claimedMs = runtime.nowMs();
  const lease = { id: createId(runtime, "wh"), untilMs: claimedMs + LEASE_MS, nowMs: claimedMs };
  const claim = await run(db, queries.claimedWebhook(ref, lease));
  let unused = budget.events;
  if (claim === null) return { unused, isUnfinished: false };
  const endLease = keepLease(invocation, claim);
  let page: Page = { oldest: 0, events: [], isEnd: false };
  let progress: Statements = null;
  let canContinue = true;
  try {
    while (canContinue && unused > 0 && runtime.nowMs() < budget.untilMs) {
      if (page.events.length === 0 && !page.isEnd) {
        page = await readPage(invocation, claim, { limit: Math.min(PAGE_EVENTS, unused), progress });
        progress = null;
      }
      const [event] = page.events;
      if (event === undefined) {
        canContinue = !page.isEnd;
        // A read of the log that finds only events of other types counts as one event.
        unused -= 1;
        continue;
      }
      const nowMs = runtime.nowMs();
      const untilMs = nowMs + LEASE_MS;
      const { receiver } = await batch(db, {
        progress,
        receiver: queries.renewedReceiver(claim, { untilMs, nowMs }),
      });
      progress = null;
      canContinue = receiver !== null;
      if (receiver === null) break;
      // Another run may have begun while the database responded.
      if (runtime.nowMs() >= untilMs) continue;
      page.events.shift();
      unused -= 1;
      const sent = await sendEvent(invocation, claim, receiver, event);
      progress = afterRequest(invocation, claim, event, sent);
      canContinue = sent.result.error === null;
    }
  } finally {
    endLease();
  }
  await batch(db, {
    progress,
    stored: queries.storedProgress(claim),
    expired: deliveries.deletedExpired(claim, page.oldest),
    released: queries.releasedWebhook(claim),
  });
  return { unused, isUnfinished: canContinue };
}

/** Extends the lease of a run until the returned function is called, so that only a run that died loses its webhook. */
function keepLease({ db, runtime }: Invocation, claim: queries.Claim): () => void {
  let isOver = false;
  const renew = async (): Promise<void> => {
    if (isOver) return;
    await run(db, queries.renewedLease(claim, runtime.nowMs() + LEASE_MS)).catch(() => {});
    await runtime.after(RENEW_MS, renew);
  };
  runtime.after(RENEW_MS, renew).catch(() => {});
  return () => {
    isOver = true;
  };
}

interface Page {
  /** The first sequence of the log. */
  oldest: number;
  events: Event[];
  /** Whether nothing more is due now. */
  isEnd: boolean;
}

/** Stores the progress, and reads the next events of the log. Events of other types are passed over. */
async function readPage(
  { db, limits }: Invocation,
  claim: queries.Claim,
  { limit, progress }: { limit: number; progress: Statements },
): Promise<Page> {
  const { organizationId } = claim;
  const filter = { types: claim.types, conversationId: null, agentId: null, userId: null };
  const { ends, found } = await batch(db, {
    progress,
    stored: queries.storedProgress(claim),
    ends: logEnds(organizationId),
    found: eventsAfter(wholeOrganization(organizationId), filter, {
      after: sql`${claim.position}`,
      limit,
      rowsMax: limits.eventPageRows,
    }),
  });
  const { oldest, last } = ends;
  // The log has lost its start since.
  if (claim.position < oldest - 1) claim.missedUpTo = oldest - 1;
  if (found.length === 0)
    claim.position = Math.min(last, Math.max(claim.position + limits.eventPageRows, oldest - 1));
  return {
    oldest,
    events: found.map((event) => toEvent(organizationId, event)),
    isEnd: found.length === 0 && claim.position >= last,
  };
}

/** Moves the claim on, and returns the statements that store the attempt. */
function afterRequest(
  invocation: Invocation,
  claim: queries.Claim,
  { sequence }: Event,
  { result, attempt }: Awaited<ReturnType<typeof sendEvent>>,
): Statements {
  const nowMs = invocation.runtime.nowMs();
  if (result.error === null) {
    Object.assign(claim, { position: sequence, attempts: 0, nextAttemptAtMs: null, failingSinceMs: null });
    return deliveries.storedSuccess(claim, sequence, attempt, nowMs);
  }
  claim.failingSinceMs ??= nowMs;
  const waitMs = WAITS_MS[claim.attempts++];
  const isPaused = result.isGone || waitMs === undefined;
  claim.nextAttemptAtMs = isPaused
    ? null
    : nowMs + Math.max(waitMs, Math.min(result.retryAfterMs ?? 0, RETRY_AFTER_MS_MAX));
  return [
    deliveries.storedFailure(claim, sequence, attempt, invocation.limits.webhookDeliveries),
    isPaused ? pausedBecause(invocation, claim, result.isGone ? "gone" : "failing", nowMs) : [],
  ];
}

const pausedBecause = (
  invocation: Invocation,
  claim: queries.Claim,
  reason: queries.PausedReason,
  nowMs: number,
): Statements => [
  auditEvent(
    invocation,
    null,
    { organizationId: claim.organizationId, action: "webhook.paused", targetId: claim.id, nowMs },
    queries.isClaimHeld(claim),
  ),
  queries.pausedWebhook(claim, reason),
];
