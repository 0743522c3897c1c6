import type { Event } from "@engram/spec";
import { auditEvent } from "../audit/service.ts";
import type { ServiceContext } from "../context.ts";
import { eventsAfter, logEnds } from "../events/queries.ts";
import { toEvent } from "../events/service.ts";
import { wholeOrganization } from "../platform/batch.ts";
import { createId } from "../platform/ids.ts";
import { drawFraction } from "../platform/runtime.ts";
import { batch, run, type Statements, sql } from "../platform/sql.ts";
import * as deliveries from "./delivery-queries.ts";
import * as queries from "./queries.ts";
import { sendEvent } from "./sending.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits after the attempts at an event that holds up those after it. After the last attempt it is set aside. */
const WAITS_IN_TURN_MS = [5 * SECOND_MS, 5 * MINUTE_MS, 10 * MINUTE_MS, 25 * MINUTE_MS];
/** Attempts after which an event is set aside. */
export const ATTEMPTS_IN_TURN = WAITS_IN_TURN_MS.length + 1;
/** Waits before the attempts at an event that was set aside. */
const WAITS_ASIDE_MS = [2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS);
/** Time without a success after which a webhook is disabled. */
const FAILING_MS = 5 * 24 * HOUR_MS;
/** The longest wait that a receiver can ask for. */
const RETRY_AFTER_MS_MAX = HOUR_MS;

/** Time after which a run begins no further request. The runtime ends work 30 seconds after a response. */
const RUN_MS = 15 * SECOND_MS;
/** Time after which a run that died holds its webhook no longer. */
const LEASE_MS = MINUTE_MS;
/** Requests at once: a Worker has six connections. */
const CONCURRENT = 6;
/** Time for which an isolate does not look for webhooks of an organization that has none. */
const WITHOUT_WEBHOOKS_MS = 10 * SECOND_MS;
/** Rounds of an organization after a response, because events can happen while others are sent. */
const ROUNDS = 3;

/** Begins to send new events of an organization. Never throws: the sweep sends what this does not. */
export async function wakeWebhooks(ctx: ServiceContext, organizationId: string): Promise<void> {
  const { caches, runtime } = ctx;
  const nowMs = runtime.nowMs();
  if ((caches.withoutWebhooks.get(organizationId) ?? 0) > nowMs) return;
  const due = await queries.selectDueOf(ctx.db, { organizationId, nowMs }).catch(() => []);
  if (due === null) {
    // Old entries are of no use.
    if (caches.withoutWebhooks.size >= 10_000) caches.withoutWebhooks.clear();
    caches.withoutWebhooks.set(organizationId, nowMs + WITHOUT_WEBHOOKS_MS);
  } else if (due.length > 0) {
    ctx.defer("deliver webhooks", (later) => deliverOf(later, organizationId));
  }
}

async function deliverOf(ctx: ServiceContext, organizationId: string): Promise<void> {
  const left = { events: ctx.limits.webhookRunEvents };
  for (let round = 0; round < ROUNDS && left.events > 0; round++) {
    const due = await queries.selectDueOf(ctx.db, { organizationId, nowMs: ctx.runtime.nowMs() });
    if (due === null || due.length === 0) return;
    await deliverAll(ctx, due, left);
  }
}

/** Sends what is due of all organizations, beginning with a random one. */
export async function deliverDue(ctx: ServiceContext): Promise<void> {
  const { db, limits, runtime } = ctx;
  const due = await queries.selectDue(db, {
    chance: drawFraction(runtime),
    nowMs: runtime.nowMs(),
    webhooksMax: limits.sweepOrganizations,
    limit: limits.webhookSweepRuns,
  });
  await deliverAll(ctx, due, { events: limits.webhookSweepEvents * due.length });
}

/**
 * Runs webhooks, a few at once, each with an equal share of the events that are left. A failed one does not stop the
 * others.
 */
async function deliverAll(
  ctx: ServiceContext,
  due: queries.WebhookRef[],
  left: { events: number },
): Promise<void> {
  const eventsMax = Math.ceil(left.events / due.length);
  const untilMs = ctx.runtime.nowMs() + RUN_MS;
  const queue = due.values();
  const work = async () => {
    for (const ref of queue) {
      if (ctx.runtime.nowMs() >= untilMs || left.events <= 0) return;
      await deliver(ctx, ref, { untilMs, eventsMax, left }).catch((error: unknown) => {
        ctx.log.error("webhook failed", error, { webhook_id: ref.id });
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENT, due.length) }, work));
}

/**
 * Sends the events of one webhook, one after the other. Before each request, the webhook and its organization are read
 * again, so that nothing is sent once they are deleted.
 */
async function deliver(
  ctx: ServiceContext,
  ref: queries.WebhookRef,
  { untilMs, eventsMax, left }: { untilMs: number; eventsMax: number; left: { events: number } },
): Promise<void> {
  const { db, runtime } = ctx;
  const nowMs = runtime.nowMs();
  const lease = { id: createId(runtime, "wh"), untilMs: nowMs + LEASE_MS, nowMs };
  const claim = await run(db, queries.claimedWebhook(ref, lease));
  if (claim === null) return;
  let progress: Statements = null;
  let oldest = 0;
  for (let sent = 0; sent < eventsMax && runtime.nowMs() < untilMs; sent++) {
    const next = await readNext(ctx, claim, progress);
    progress = null;
    oldest = next.oldest;
    if (next.receiver === null) break;
    if (next.event === null) {
      progress = queries.storedProgress(claim);
      break;
    }
    left.events -= 1;
    const sentEvent = await sendEvent(ctx, claim, next.receiver, next.event);
    progress = afterRequest(ctx, claim, { ...next, event: next.event }, sentEvent);
    if (sentEvent.result.error !== null) break;
  }
  await batch(db, {
    progress,
    expired: deliveries.deletedExpired(claim, oldest),
    released: queries.releasedWebhook(claim),
  });
}

interface Next {
  receiver: queries.Receiver | null;
  retry: deliveries.Retry | null;
  event: Event | null;
  oldest: number;
}

/** Stores the progress, and reads what to send next: an event that was set aside, or the next one of the log. */
async function readNext(ctx: ServiceContext, claim: queries.Claim, progress: Statements): Promise<Next> {
  const { db, limits, runtime } = ctx;
  const { organizationId } = claim;
  const nowMs = runtime.nowMs();
  const isWaiting = claim.nextAttemptAtMs !== null && claim.nextAttemptAtMs > nowMs;
  const filter = { types: claim.types, conversationId: null, agentId: null, userId: null };
  const after = (position: number) =>
    eventsAfter(wholeOrganization(organizationId), filter, {
      after: sql`${position}`,
      limit: 1,
      rowsMax: limits.eventPageRows,
    });
  const { isActive, receiver, retry, ends, inTurn } = await batch(db, {
    progress,
    isActive: queries.isOrganizationActive(organizationId),
    receiver: queries.heldReceiver(claim, nowMs),
    retry: deliveries.dueDelivery(claim, nowMs),
    ends: logEnds(organizationId),
    inTurn: isWaiting ? null : after(claim.position),
  });
  const none = { receiver: isActive ? receiver : null, retry: null, event: null, oldest: ends.oldest };
  if (none.receiver === null) return none;
  if (retry !== null && retry.sequence >= ends.oldest) {
    const [event] = await run(db, after(retry.sequence - 1));
    // An event of a type that the webhook no longer gets has the progress of a success.
    if (event?.sequence === retry.sequence) return { ...none, retry, event: toEvent(organizationId, event) };
    await run(db, deliveries.deletedDelivery(claim, retry.sequence));
    return readNext(ctx, claim, null);
  }
  if (isWaiting) return none;
  // The log may have lost its start since.
  const position = Math.max(claim.position, ends.oldest - 1);
  const [event] = inTurn ?? [];
  if (event !== undefined) return { ...none, event: toEvent(organizationId, event) };
  claim.position = Math.min(ends.last, position + limits.eventPageRows);
  return none;
}

/** Moves the claim on, and returns the statements that store it. */
function afterRequest(
  ctx: ServiceContext,
  claim: queries.Claim,
  { retry, event: { sequence } }: { retry: deliveries.Retry | null; event: Event },
  { result, attempt }: Awaited<ReturnType<typeof sendEvent>>,
): Statements {
  const nowMs = ctx.runtime.nowMs();
  if (result.error === null) {
    claim.failingSinceMs = null;
    if (retry === null) passTo(claim, sequence);
    return [deliveries.storedSuccess(claim, sequence, attempt, nowMs), queries.storedProgress(claim)];
  }
  claim.failingSinceMs ??= nowMs;
  const reason = result.isGone ? "gone" : nowMs - claim.failingSinceMs >= FAILING_MS ? "failing" : null;
  const after = (waitMs: number | undefined) =>
    waitMs === undefined
      ? null
      : nowMs + Math.max(waitMs, Math.min(result.retryAfterMs ?? 0, RETRY_AFTER_MS_MAX));
  const attempts = (retry?.attempts ?? claim.attempts) + 1;
  const waitInTurn = retry === null ? WAITS_IN_TURN_MS[claim.attempts] : undefined;
  let nextAttemptAtMs: number | null = null;
  if (waitInTurn !== undefined) {
    claim.attempts = attempts;
    claim.nextAttemptAtMs = after(waitInTurn);
  } else {
    nextAttemptAtMs = after(WAITS_ASIDE_MS[attempts - ATTEMPTS_IN_TURN]);
    if (retry === null) passTo(claim, sequence);
  }
  const failed = { sequence, attempts, nextAttemptAtMs };
  return [
    deliveries.storedFailure(claim, failed, attempt, ctx.limits.webhookDeliveries),
    queries.storedProgress(claim),
    reason === null ? [] : disabledBecause(ctx, claim, reason, nowMs),
  ];
}

function passTo(claim: queries.Claim, sequence: number): void {
  claim.position = sequence;
  claim.attempts = 0;
  claim.nextAttemptAtMs = null;
}

const disabledBecause = (
  ctx: ServiceContext,
  claim: queries.Claim,
  reason: "gone" | "failing",
  nowMs: number,
): Statements => [
  auditEvent(
    ctx,
    null,
    { organizationId: claim.organizationId, action: "webhook.disabled", targetId: claim.id, nowMs },
    queries.isClaimHeld(claim),
  ),
  queries.disabledWebhook(claim, reason),
];
