import * as contracts from "@engram/spec";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import type { InvokeDeliver } from "../../src/invocation.ts";
import { SERVICE_LIMITS, type ServiceLimits } from "../../src/limits.ts";
import { interceptCalls } from "../../src/platform/database-calls.ts";
import { deliverShare, LEASE_MS } from "../../src/webhooks/deliveries.ts";
import type { WebhookRef } from "../../src/webhooks/queries.ts";
import { decryptSecret } from "../../src/webhooks/secrets.ts";
import { createKey, readPages, seedConversation } from "../support/client.ts";
import { readProblem } from "../support/contract.ts";
import { type Clock, open, Service, selectRow, selectRows } from "../support/invocations.ts";
import { someTurns } from "../support/runtime.ts";

const URL_OF_HOOK = "https://hooks.example.com/engram";
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The schedule that the contract and the documents state. */
const WAITS_MS = [5_000, 5 * MINUTE_MS, 30 * MINUTE_MS].concat(
  [2, 5, 10, 14, 20, 20, 24, 24].map((hours) => hours * HOUR_MS),
);

interface Sent {
  url: string;
  redirect: string | undefined;
  id: string;
  body: string;
  headers: Record<string, string>;
}

/** A receiver that responds with `answer.status`, or with what `answer.to` says. */
class Receiver {
  readonly sent: Sent[] = [];
  status = 204;
  headers: Record<string, string> = {};
  to: ((sent: Sent) => Response | Promise<Response>) | null = null;
  /** A sweep also sends due events of the other tests' organizations. */
  organizationId: string | null = null;

  async fetch(url: unknown, init?: unknown): Promise<Response> {
    const { headers, body, redirect } = init as {
      headers: Record<string, string>;
      body: string;
      redirect: string;
    };
    const sent = { url: String(url), redirect, id: headers["webhook-id"] ?? "", body, headers };
    const isOfOther = this.organizationId !== null && !sent.id.includes(this.organizationId.slice(4));
    if (isOfOther && sent.id.split("_").length === 3) return new Response(null, { status: 500 });
    this.sent.push(sent);
    return this.to === null
      ? new Response(null, { status: this.status, headers: this.headers })
      : this.to(sent);
  }

  sequences(): number[] {
    return this.sent.map(({ body }) => (JSON.parse(body) as { data: contracts.Event }).data.sequence);
  }
}

async function openHooked(body: Record<string, unknown> = {}, limits: Partial<ServiceLimits> = {}) {
  const receiver = new Receiver();
  const world = await open({ WEBHOOKS: receiver as never }, limits);
  receiver.organizationId = world.organizationId;
  const webhook = await world.caller.call(contracts.createWebhook, { body: { url: URL_OF_HOOK, ...body } });
  const params = { webhook_id: webhook.id };
  const change = async () => {
    await world.caller.call(contracts.createConversation, { body: {} });
    await world.service.settle();
  };
  const get = () => world.caller.call(contracts.getWebhook, { params });
  const list = async (query = {}) =>
    (await world.caller.call(contracts.listDeliveries, { params, query })).items;
  const actions = async () =>
    (await world.caller.call(contracts.listAuditEvents)).items.map(({ action, target_id }) => [
      action,
      target_id,
    ]);
  return { ...world, receiver, webhook, params, change, get, list, actions };
}

type Hooked = Awaited<ReturnType<typeof openHooked>>;

const deliveryId = (organizationId: string, sequence: number) =>
  `evt_${organizationId.replace("org_", "")}_${sequence}`;

const resume = async ({ caller, params, service }: Hooked) => {
  const webhook = await caller.call(contracts.resumeWebhook, { params });
  await service.settle();
  return webhook;
};

const skip = async ({ caller, params, organizationId, service }: Hooked, sequence: number) => {
  const delivery_id = deliveryId(organizationId, sequence);
  const delivery = await caller.call(contracts.skipDelivery, { params: { ...params, delivery_id } });
  await service.settle();
  return delivery;
};

/** Lets the waits pass, with the attempts after them. */
const exhaust = async ({ clock, service, organizationId, webhook }: Hooked, waits = WAITS_MS) => {
  for (const wait of waits) {
    clock.advance(wait);
    await deliverShare(service.context(organizationId), [{ organizationId, id: webhook.id }]);
  }
};

async function pass({ service, clock }: { service: Service; clock: Clock }, ms: number): Promise<void> {
  clock.advance(ms);
  await service.sweep();
  await service.settle();
}

describe("a webhook", () => {
  test("gets each event after the response, in order, signed so that `standardwebhooks` verifies it", async () => {
    const { receiver, webhook, change, get, organizationId } = await openHooked();
    await change();
    await change();
    expect(receiver.sequences()).toEqual([webhook.after + 1, webhook.after + 2]);
    const [sent] = receiver.sent;
    expect(sent).toMatchObject({ url: URL_OF_HOOK, redirect: "manual" });
    const judge = new Webhook(webhook.secret);
    // The clock of the test starts at the real time.
    expect(judge.verify(sent?.body ?? "", sent?.headers ?? {})).toMatchObject({
      type: "conversation.created",
      data: { id: sent?.id, sequence: webhook.after + 1, type: "conversation.created" },
    });
    expect(sent?.id).toBe(`evt_${organizationId.replace("org_", "")}_${webhook.after + 1}`);
    expect(() => judge.verify(`${sent?.body} `, sent?.headers ?? {})).toThrow();
    expect((await get()).after).toBe(webhook.after + 2);
  });

  test("gets ids and numbers, never content", async () => {
    const { caller, receiver, service } = await openHooked();
    await seedConversation(caller, ["a secret walrus"], { title: "secret title", metadata: { a: "secret" } });
    await caller.call(contracts.createMemory, { body: { content: "another secret" } });
    await service.settle();
    expect(receiver.sent.length).toBeGreaterThan(2);
    expect(JSON.stringify(receiver.sent.map(({ body }) => body))).not.toContain("secret");
  });

  test("gets only events of its types", async () => {
    const { caller, receiver, service, change } = await openHooked({ types: ["memory.created"] });
    await change();
    await caller.call(contracts.createMemory, { body: { content: "a" } });
    await service.settle();
    expect(receiver.sent.map(({ body }) => JSON.parse(body).type)).toEqual(["memory.created"]);
  });

  test("tries a failed event at the waits of its schedule, five days in all, while later events wait for it", async () => {
    const world = await openHooked();
    const { receiver, webhook, change } = world;
    const [first, second] = [webhook.after + 1, webhook.after + 2];
    receiver.status = 500;
    await change();
    await change();
    for (const [i, wait] of WAITS_MS.entries()) {
      await pass(world, wait - 1);
      expect(receiver.sent).toHaveLength(i + 1);
      if (i === WAITS_MS.length - 1) receiver.status = 200;
      await pass(world, 1);
    }
    expect(receiver.sequences()).toEqual([...Array.from({ length: 12 }, () => first), second]);
    // Each attempt had the same id, by which a receiver recognizes it.
    expect(new Set(receiver.sent.map(({ id }) => id)).size).toBe(2);
    expect(WAITS_MS.reduce((sum, wait) => sum + wait) / HOUR_MS).toBeCloseTo(120, -1);
    expect(await world.get()).toMatchObject({ after: second, failing_since: null, paused_reason: null });
  });

  test("begins the schedule again after a success", async () => {
    const world = await openHooked();
    const { receiver, webhook, change } = world;
    const second = webhook.after + 2;
    receiver.status = 500;
    await change();
    await exhaust(world, WAITS_MS.slice(0, 4));
    receiver.to = ({ body }) =>
      new Response(null, { status: JSON.parse(body).data.sequence === second ? 500 : 200 });
    await change();
    await pass(world, 5 * HOUR_MS);
    expect(receiver.sequences().slice(5)).toEqual([webhook.after + 1, second]);
    await pass(world, 5_000);
    expect(receiver.sequences().slice(7)).toEqual([second]);
    await pass(world, 5 * MINUTE_MS - 1);
    expect(receiver.sent).toHaveLength(8);
    await pass(world, 1);
    expect(receiver.sent).toHaveLength(9);
  });

  test("keeps the place in the schedule when another isolate takes over", async () => {
    const world = await openHooked();
    const { receiver, change, clock } = world;
    receiver.status = 500;
    await change();
    await pass(world, 5_000);
    const other = { service: new Service({ WEBHOOKS: receiver as never }, clock), clock };
    await pass(other, 5 * MINUTE_MS - 1);
    expect(receiver.sent).toHaveLength(2);
    await pass(other, 1);
    expect(receiver.sent).toHaveLength(3);
    await pass(other, 30 * MINUTE_MS - 1);
    expect(receiver.sent).toHaveLength(3);
  });

  test("that fails or is paused delays no other webhook of its organization", async () => {
    const world = await openHooked();
    const { receiver, caller, webhook, change, service } = world;
    const url = "https://other.example.com/";
    await caller.call(contracts.createWebhook, { body: { url, after: webhook.after } });
    receiver.to = ({ url: to }) => new Response(null, { status: to === url ? 200 : 500 });
    const ofOther = () => receiver.sent.filter((sent) => sent.url === url).length;
    await service.settle();
    for (let i = 0; i < 3; i++) await change();
    expect(ofOther()).toBe(3);
    await exhaust(world);
    expect((await world.get()).paused_reason).toBe("failing");
    await change();
    expect(ofOther()).toBe(4);
  });

  test("is not retried earlier than `Retry-After` says", async () => {
    const { receiver, change, clock, service } = await openHooked();
    receiver.status = 429;
    receiver.headers = { "retry-after": "60" };
    await change();
    await pass({ service, clock }, 59_000);
    expect(receiver.sent).toHaveLength(1);
    await pass({ service, clock }, 1_000);
    expect(receiver.sent).toHaveLength(2);
  });

  test.for([301, 302, 307, 308])(
    "counts a redirect with %i as a failure, and does not follow it",
    async (status) => {
      const { receiver, webhook, change, get } = await openHooked();
      receiver.status = status;
      receiver.headers = { location: "https://169.254.169.254/" };
      await change();
      expect(receiver.sent).toHaveLength(1);
      expect(await get()).toMatchObject({ after: webhook.after, failing_since: expect.any(String) });
    },
  );

  test("is paused by a 410 response, and continues where it stopped when it is resumed", async () => {
    const world = await openHooked();
    const { receiver, webhook, change, caller, params, service } = world;
    receiver.status = 410;
    await change();
    await change();
    expect(receiver.sent).toHaveLength(1);
    expect(await world.get()).toMatchObject({ enabled: true, paused_reason: "gone" });
    expect(await world.list()).toMatchObject([{ status: "pending", next_attempt_at: null }]);
    receiver.status = 200;
    await caller.call(contracts.updateWebhook, { params, body: { enabled: true } });
    await service.settle();
    expect(receiver.sent).toHaveLength(1);
    await resume(world);
    expect(receiver.sequences().slice(1)).toEqual([webhook.after + 1, webhook.after + 2]);
  });

  test("is paused after the last attempt, with its reason and an audit event, and keeps the events", async () => {
    const world = await openHooked();
    const { receiver, webhook, change, caller } = world;
    receiver.to = () => Promise.reject(new Error("connection refused"));
    await change();
    await exhaust(world, WAITS_MS.slice(0, -1));
    expect(await world.get()).toMatchObject({ paused_reason: null });
    await exhaust(world, WAITS_MS.slice(-1));
    expect(await world.get()).toMatchObject({
      ...{ enabled: true, paused_reason: "failing", after: webhook.after },
      failing_since: expect.any(String),
    });
    const { items } = await caller.call(contracts.listAuditEvents, { query: { action: "webhook.paused" } });
    expect(items).toMatchObject([{ target_id: webhook.id, key_id: null }]);
    await change();
    await pass(world, 24 * HOUR_MS);
    expect(receiver.sent).toHaveLength(12);
    receiver.to = null;
    expect(await resume(world)).toMatchObject({ paused_reason: null });
    expect(receiver.sequences().slice(12)).toEqual([webhook.after + 1, webhook.after + 2]);
  });

  test("says up to where events left the log before they were sent, and sends all that are left", async () => {
    const limits = { eventPageRows: 3, eventsKept: 5 };
    const world = await openHooked({ types: ["conversation.created"] }, limits);
    const { receiver, webhook, change, caller, params, service, organizationId } = world;
    receiver.status = 410;
    for (let i = 0; i < 12; i++) await change();
    await service.sweep();
    const log = "SELECT sequence FROM events WHERE organization_id = ?1 ORDER BY sequence";
    const sequences = (await selectRows<{ sequence: number }>(log, organizationId)).map(
      (row) => row.sequence,
    );
    expect(sequences).toHaveLength(5);
    const missed_up_to = (sequences[0] ?? 0) - 1;
    expect(await world.get()).toMatchObject({ after: webhook.after, missed_up_to });
    expect(await world.list()).toEqual([]);
    const delivery_id = deliveryId(organizationId, webhook.after + 1);
    const gone = { params: { ...params, delivery_id } };
    expect((await caller.fail(contracts.skipDelivery, gone)).code).toBe("not_found");
    receiver.status = 200;
    await resume(world);
    await pass(world, MINUTE_MS);
    expect(receiver.sequences().slice(1)).toEqual(sequences);
    expect(await world.get()).toMatchObject({ after: sequences.at(-1), missed_up_to });
    const body = { after: "now" as const };
    expect(await caller.call(contracts.updateWebhook, { params, body })).toMatchObject({
      missed_up_to: null,
    });
  });

  test("sends earlier events again from a given sequence", async () => {
    const { receiver, webhook, change, caller, params, service } = await openHooked();
    await change();
    await change();
    await caller.call(contracts.updateWebhook, { params, body: { after: webhook.after } });
    await service.settle();
    expect(receiver.sequences()).toEqual([1, 2, 1, 2].map((i) => webhook.after + i));
  });

  test("signs with both secrets for 24 hours after a rotation, and then with the new one only", async () => {
    const { receiver, webhook, change, caller, params, clock } = await openHooked();
    const { secret } = await caller.call(contracts.rotateWebhook, { params });
    const signatures = () => receiver.sent.at(-1)?.headers["webhook-signature"]?.split(" ") ?? [];
    const signatureOf = (of: string) => {
      const { id, body, headers } = receiver.sent.at(-1) as Sent;
      return new Webhook(of).sign(id, new Date(1_000 * Number(headers["webhook-timestamp"])), body);
    };
    clock.advance(24 * HOUR_MS - 1);
    await change();
    expect(signatures()).toEqual([signatureOf(secret), signatureOf(webhook.secret)]);
    clock.advance(1);
    await change();
    expect(signatures()).toEqual([signatureOf(secret)]);
  });

  test("has its secret only encrypted in the database and in no list, and fails if the admin token was replaced", async () => {
    const { webhook, caller, organizationId } = await openHooked();
    const stored = await selectRows("SELECT * FROM webhooks WHERE organization_id = ?1", organizationId);
    const [row] = stored as { secret: string }[];
    const shown = JSON.stringify([stored, await caller.call(contracts.listWebhooks)]);
    expect(shown).not.toContain(webhook.secret.replace("whsec_", ""));
    expect(row?.secret).not.toBe("");
    expect(
      await decryptSecret("another token", { organizationId, id: webhook.id }, row?.secret ?? ""),
    ).toBeNull();
  });

  test("gets nothing after its organization is deleted, and its rows are purged", async () => {
    const { receiver, change, caller, clock, service, idle, organizationId } = await openHooked();
    receiver.status = 500;
    await change();
    const before = receiver.sent.length;
    await caller.call(contracts.deleteOrganization, { params: { organization_id: organizationId } });
    receiver.status = 200;
    await pass({ service, clock }, MINUTE_MS);
    await idle();
    expect(receiver.sent).toHaveLength(before);
    for (const table of ["webhooks", "webhook_deliveries"]) {
      const { count } = await selectRow<{ count: number }>(
        `SELECT count(*) AS count FROM ${table} WHERE organization_id = ?1`,
        organizationId,
      );
      expect(count).toBe(0);
    }
  });

  test("gets nothing more if it is deleted while events are sent", async () => {
    const { receiver, webhook, caller, params, service } = await openHooked({ enabled: false });
    for (let i = 0; i < 3; i++) await caller.call(contracts.createConversation, { body: {} });
    receiver.to = async () => {
      await caller.call(contracts.deleteWebhook, { params });
      return new Response(null, { status: 200 });
    };
    await caller.call(contracts.updateWebhook, { params, body: { enabled: true } });
    await service.settle();
    expect(receiver.sequences()).toEqual([webhook.after + 1]);
    expect((await caller.fail(contracts.getWebhook, { params })).code).toBe("not_found");
  });

  test("gets one request at a time, also for many concurrent changes", async () => {
    const { receiver, webhook, caller, service } = await openHooked();
    let atOnce = 0;
    let most = 0;
    receiver.to = async () => {
      most = Math.max(most, ++atOnce);
      await someTurns();
      atOnce--;
      return new Response();
    };
    await Promise.all(
      Array.from({ length: 8 }, () => caller.call(contracts.createConversation, { body: {} })),
    );
    await service.settle();
    await service.sweep();
    expect(most).toBe(1);
    expect(receiver.sequences()).toEqual(Array.from({ length: 8 }, (_, i) => webhook.after + 1 + i));
  });
});

/** An organization with webhooks of these names, each with `events` events to send. Those of creations come first. */
async function openBacklog(names: string[], events: number, limits: Partial<ServiceLimits> = {}) {
  const receiver = new Receiver();
  const world = await open({ WEBHOOKS: receiver as never }, limits);
  const { caller, organizationId, service } = world;
  receiver.organizationId = organizationId;
  const due: WebhookRef[] = [];
  for (const name of names) {
    const body = { enabled: false, url: `https://${name}.example.com/` };
    due.push({ organizationId, id: (await caller.call(contracts.createWebhook, { body })).id });
  }
  for (let i = 0; i < events; i++) await caller.call(contracts.createConversation, { body: {} });
  await service.settle();
  await selectRows(
    `UPDATE webhooks SET enabled = 1, position = (SELECT max(sequence) - ?2 FROM events AS e
      WHERE e.organization_id = ?1) WHERE organization_id = ?1`,
    organizationId,
    events,
  );
  const sequencesOf = (name: string) =>
    receiver.sent
      .filter(({ url }) => url.includes(`//${name}.`))
      .map(({ body }) => (JSON.parse(body) as { data: contracts.Event }).data.sequence);
  /** Sends what one invocation may send. Resolves to the webhooks that the next one continues. */
  const deliverOnce = async (refs = due) => {
    let next: WebhookRef[] = [];
    const invokeDeliver: InvokeDeliver = async (left) => {
      next = left;
    };
    await deliverShare({ ...service.context(world.organizationId), invokeDeliver }, refs);
    return next.map(({ id }) => names[due.findIndex((ref) => ref.id === id)]);
  };
  return { ...world, receiver, due, sequencesOf, deliverOnce };
}

const isGapless = (sequences: number[]) =>
  sequences.every((sequence, i) => i === 0 || sequence === (sequences[i - 1] ?? 0) + 1);

describe("a backlog", () => {
  test("is sent completely after one response, without a sweep: each event once, in order, in several invocations", async () => {
    const limits = { webhookRunEvents: 4, webhookInvocationEvents: 25 };
    const { caller, clock, service, sequencesOf } = await openBacklog(["a"], 59, limits);
    clock.advance(MINUTE_MS);
    await caller.call(contracts.createConversation, { body: {} });
    await service.settle();
    expect(sequencesOf("a")).toHaveLength(60);
    expect(isGapless(sequencesOf("a"))).toBe(true);
  });

  test("is sent completely after one sweep", async () => {
    const { service, sequencesOf } = await openBacklog(["a"], 12, { webhookInvocationEvents: 5 });
    await service.sweep();
    await service.settle();
    expect(sequencesOf("a")).toHaveLength(12);
    expect(isGapless(sequencesOf("a"))).toBe(true);
  });

  test("is sent in equal shares for each webhook within the limit of an invocation", async () => {
    const { sequencesOf, deliverOnce } = await openBacklog(["a", "b"], 4, { webhookInvocationEvents: 6 });
    expect(await deliverOnce()).toEqual(expect.arrayContaining(["a", "b"]));
    expect([sequencesOf("a").length, sequencesOf("b").length]).toEqual([3, 3]);
  });

  test("waits for the next attempt after a failure, and starts no further invocation", async () => {
    const { receiver, deliverOnce } = await openBacklog(["a"], 4);
    receiver.status = 500;
    expect(await deliverOnce()).toEqual([]);
    expect(receiver.sent).toHaveLength(1);
  });

  test("of the most webhooks and events of an invocation takes less than 1,000 statements", async () => {
    const { webhookInvocationRuns, webhookInvocationEvents } = SERVICE_LIMITS;
    const names = Array.from({ length: webhookInvocationRuns }, (_, i) => `receiver-${i}`);
    const { service, receiver, due } = await openBacklog(names, 24);
    const invocation = service.context(due[0]?.organizationId);
    let statements = 0;
    const db = interceptCalls(invocation.db, async (_, send) => {
      const results = await send();
      statements += results.length;
      return results;
    });
    await deliverShare({ ...invocation, db, invokeDeliver: undefined }, due);
    expect(receiver.sent).toHaveLength(webhookInvocationEvents);
    expect(statements).toBeLessThan(1_000);
  });

  test("of a slow receiver does not hold those of others", async () => {
    const { receiver, sequencesOf, deliverOnce } = await openBacklog(["slow", "b", "c"], 8);
    const others = Promise.withResolvers<void>();
    receiver.to = async ({ url }) => {
      if (url.includes("//slow.")) await others.promise;
      else if (sequencesOf("b").length + sequencesOf("c").length === 16) others.resolve();
      return new Response();
    };
    await deliverOnce();
    expect(sequencesOf("slow")).toHaveLength(8);
  });

  test("that slow receivers kept out of one invocation comes first in the next", async () => {
    const names = ["a", "b", "c", "d", "e", "f", "last"];
    const { receiver, clock, sequencesOf, deliverOnce } = await openBacklog(names, 2);
    let slow = 0;
    const all = Promise.withResolvers<void>();
    receiver.to = async () => {
      if (++slow === 6) {
        clock.advance(16_000);
        all.resolve();
      }
      await all.promise;
      return new Response();
    };
    expect((await deliverOnce())[0]).toBe("last");
    expect(sequencesOf("last")).toEqual([]);
  });
});

describe("the lease of a run", () => {
  /** A run whose first request gets no response until `answer`, and another isolate of the service. */
  async function openHanging() {
    const world = await openBacklog(["a"], 3);
    const { receiver, clock, service, due } = world;
    const reached = Promise.withResolvers<void>();
    const response = Promise.withResolvers<Response>();
    receiver.to = () => {
      receiver.to = null;
      reached.resolve();
      return response.promise;
    };
    const hanging = deliverShare(service.context(due[0]?.organizationId), due);
    await reached.promise;
    const other = new Service({ WEBHOOKS: receiver as never }, clock);
    const sweepOther = async () => {
      await other.sweep();
      await other.settle();
      return world.sequencesOf("a").length;
    };
    const answer = async () => {
      response.resolve(new Response());
      await hanging;
    };
    return { ...world, sweepOther, answer };
  }

  test("ends six seconds after a run died, and another run takes over in order", async () => {
    const { clock, sequencesOf, sweepOther, answer } = await openHanging();
    clock.advance(LEASE_MS - 1);
    expect(await sweepOther()).toBe(1);
    clock.advance(1);
    expect(await sweepOther()).toBe(4);
    // The first run, which is not dead after all, sends nothing more.
    await answer();
    const [first = 0, ...others] = sequencesOf("a");
    expect(others).toEqual([first, first + 1, first + 2]);
    expect(LEASE_MS).toBeLessThanOrEqual(6_000);
  });

  test("is extended while a request waits for its response, so that no other run sends the event too", async () => {
    const { clock, sequencesOf, sweepOther, answer } = await openHanging();
    await clock.pass(9_900);
    expect(await sweepOther()).toBe(1);
    await answer();
    expect(isGapless(sequencesOf("a"))).toBe(true);
    expect(sequencesOf("a")).toHaveLength(3);
  });
});

describe("the deliveries of a webhook", () => {
  test("include only events with a failed attempt, and the result of each attempt", async () => {
    const world = await openHooked();
    const { receiver, webhook, change, clock, organizationId } = world;
    const [first, second] = [webhook.after + 1, webhook.after + 2];
    const statuses = [503, 302, 204, 204];
    receiver.to = () => new Response(null, { status: statuses.shift() ?? 500 });
    await change();
    const id = `evt_${organizationId.replace("org_", "")}_${first}`;
    const attempt = { started_at: expect.any(String), duration_ms: 0, status: 503, error: "status" };
    const waiting = { id, sequence: first, status: "pending", attempts: [attempt] };
    expect(await world.list()).toEqual([
      { ...waiting, next_attempt_at: new Date(clock.nowMs() + 5_000).toISOString() },
    ]);
    await pass(world, 5_000);
    await change();
    await pass(world, 5 * MINUTE_MS);
    expect(receiver.sequences()).toEqual([first, first, first, second]);
    const [delivery] = await world.list();
    expect(delivery).toMatchObject({ sequence: first, status: "delivered", next_attempt_at: null });
    expect(delivery?.attempts.map(({ status, error }) => [status, error])).toEqual([
      [503, "status"],
      [302, "redirect"],
      [204, null],
    ]);
    expect(await world.list()).toHaveLength(1);
  });

  test("are pending until they are skipped, and can be filtered by status", async () => {
    const world = await openHooked();
    const { receiver, webhook, change } = world;
    const [first, second] = [webhook.after + 1, webhook.after + 2];
    receiver.to = ({ body }) =>
      new Response(null, { status: JSON.parse(body).data.sequence === first ? 500 : 200 });
    await change();
    await exhaust(world);
    const [paused] = await world.list({ status: "pending" });
    expect(paused).toMatchObject({ sequence: first, next_attempt_at: null });
    expect(paused?.attempts).toHaveLength(12);
    receiver.to = () => new Response(null, { status: 500 });
    await change();
    await skip(world, first);
    receiver.to = null;
    await pass(world, 5_000);
    const sequencesOf = async (status: string) =>
      (await world.list({ status })).map(({ sequence }) => sequence);
    expect(await sequencesOf("skipped")).toEqual([first]);
    expect(await sequencesOf("delivered")).toEqual([second]);
    expect(await sequencesOf("pending")).toEqual([]);
  });

  test("are listed in pages, newest first", async () => {
    const world = await openHooked();
    const { caller, params, organizationId, webhook } = world;
    for (let i = 0; i < 7; i++) await caller.call(contracts.createConversation, { body: {} });
    await storeDeliveries(organizationId, webhook.id, 7);
    const pages = await readPages(caller, contracts.listDeliveries, { params, query: { limit: 3 } });
    const seen = pages.flatMap(({ items }) => items.map(({ sequence }) => sequence));
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1]);
    const query = { limit: "3", status: "skipped" };
    const { next_cursor } = await caller.call(contracts.listDeliveries, { params, query });
    const other = { params, query: { limit: "3", cursor: next_cursor ?? "" } };
    expect((await caller.fail(contracts.listDeliveries, other)).code).toBe("invalid_cursor");
  });

  test("give the reason why no response arrived", async () => {
    const world = await openHooked();
    world.receiver.to = () => Promise.reject(new Error("connection refused"));
    await world.change();
    const [delivery] = await world.list();
    expect(delivery?.attempts).toMatchObject([{ status: null, error: "no_response" }]);
  });

  test.for([
    [null, "name_not_resolved", "name_not_resolved"],
    [null, "tls_failed", "tls_failed"],
    [999, null, "status"],
    [101, null, "status"],
    [0, null, "status"],
  ] as const)("and a test give the outcome that the binding states: status %j, error %j", async (outcome) => {
    const [status, stated, error] = outcome;
    const world = await openHooked();
    world.receiver.status = 502;
    world.receiver.headers = { "engram-webhook-outcome": JSON.stringify({ status, error: stated }) };
    await world.change();
    const [delivery] = await world.list();
    expect(delivery?.attempts).toMatchObject([{ status, error }]);
    const { attempt } = await world.caller.call(contracts.testWebhook, { params: world.params });
    expect(attempt).toMatchObject({ status, error });
  });

  test("report that the admin token was replaced, and nothing is sent", async () => {
    const world = await openHooked();
    const { caller, params, receiver, organizationId } = world;
    await selectRows("UPDATE webhooks SET secret = 'AAAA.AAAA' WHERE organization_id = ?1", organizationId);
    await world.change();
    const [delivery] = await world.list();
    expect(delivery?.attempts).toMatchObject([{ status: null, error: "secret_unreadable" }]);
    expect(receiver.sent).toEqual([]);
    const { attempt } = await caller.call(contracts.testWebhook, { params });
    expect(attempt.error).toBe("secret_unreadable");
  });

  test("keep the last 12 attempts, and the newest deliveries besides the one of the next event", async () => {
    const world = await openHooked({}, { webhookDeliveries: 3 });
    const { receiver, webhook, change, caller, params, organizationId, service } = world;
    for (let i = 0; i < 6; i++) await change();
    await storeDeliveries(organizationId, webhook.id, webhook.after + 6);
    receiver.status = 500;
    await caller.call(contracts.updateWebhook, { params, body: { after: webhook.after } });
    await service.settle();
    const sequences = (await world.list()).map(({ sequence }) => sequence);
    expect(sequences).toEqual([6, 5, 1].map((i) => webhook.after + i));
    for (let i = 0; i < 13; i++) await resume(world);
    expect((await world.list()).at(-1)?.attempts).toHaveLength(12);
    expect(receiver.sent).toHaveLength(6 + 14);
  });

  test("are deleted with their webhook", async () => {
    const world = await openHooked();
    await storeDeliveries(world.organizationId, world.webhook.id, 2);
    await world.caller.call(contracts.deleteWebhook, { params: world.params });
    expect(
      await selectRows("SELECT 1 FROM webhook_deliveries WHERE organization_id = ?1", world.organizationId),
    ).toEqual([]);
    expect((await world.caller.fail(contracts.listDeliveries, { params: world.params })).code).toBe(
      "not_found",
    );
  });
});

/** Deliveries of the events 1 to `count`, which were not delivered. */
const storeDeliveries = (organizationId: string, webhookId: string, count: number) =>
  selectRows(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?3)
     INSERT INTO webhook_deliveries (organization_id, webhook_id, sequence) SELECT ?1, ?2, i FROM n`,
    organizationId,
    webhookId,
    count,
  );

describe("resume a webhook", () => {
  test("tries the failed event now, also before its next attempt, and begins the schedule again", async () => {
    const world = await openHooked();
    const { receiver, webhook, change } = world;
    const [first, second] = [webhook.after + 1, webhook.after + 2];
    receiver.status = 500;
    await change();
    await change();
    await exhaust(world, WAITS_MS.slice(0, 4));
    expect(await resume(world)).toMatchObject({ paused_reason: null, after: webhook.after });
    expect(receiver.sent).toHaveLength(6);
    await pass(world, 5_000);
    expect(receiver.sent).toHaveLength(7);
    receiver.status = 200;
    await resume(world);
    expect(receiver.sequences().slice(7)).toEqual([first, second]);
    expect(await world.actions()).toContainEqual(["webhook.resumed", webhook.id]);
  });

  test("sends nothing a second time while an attempt is under way, nor without a failed event", async () => {
    const world = await openHooked();
    const { receiver, change } = world;
    const response = Promise.withResolvers<Response>();
    const reached = Promise.withResolvers<void>();
    receiver.to = () => {
      reached.resolve();
      return response.promise;
    };
    const changed = change();
    await reached.promise;
    await world.caller.call(contracts.resumeWebhook, { params: world.params });
    response.resolve(new Response());
    await changed;
    await world.service.settle();
    await resume(world);
    expect(receiver.sent).toHaveLength(1);
  });

  test("does not enable a disabled webhook, which continues once it is enabled", async () => {
    const world = await openHooked();
    const { receiver, change, service, caller, params } = world;
    receiver.status = 410;
    await change();
    await caller.call(contracts.updateWebhook, { params, body: { enabled: false } });
    receiver.status = 200;
    expect(await resume(world)).toMatchObject({ enabled: false, paused_reason: null });
    expect(receiver.sent).toHaveLength(1);
    await caller.call(contracts.updateWebhook, { params, body: { enabled: true } });
    await service.settle();
    expect(receiver.sent).toHaveLength(2);
  });

  test("returns 404 for an unknown webhook and one of another organization, which stays paused", async () => {
    const { caller } = await openHooked();
    const other = await openHooked();
    other.receiver.status = 410;
    await other.change();
    for (const params of [{ webhook_id: "wh_0" }, other.params])
      expect((await caller.fail(contracts.resumeWebhook, { params })).code).toBe("not_found");
    expect((await other.get()).paused_reason).toBe("gone");
  });
});

describe("skip an event", () => {
  test.for([["waits for its next attempt"], ["is paused"]])(
    "that fails each time while its webhook %s: later events are sent now, in order",
    async ([state]) => {
      const world = await openHooked();
      const { receiver, webhook, change } = world;
      const sequence = webhook.after + 1;
      receiver.to = ({ body }) =>
        new Response(null, { status: JSON.parse(body).data.sequence === sequence ? 500 : 200 });
      for (let i = 0; i < 3; i++) await change();
      if (state === "is paused") await exhaust(world);
      const before = receiver.sent.length;
      expect(await skip(world, sequence)).toMatchObject({
        sequence,
        status: "skipped",
        next_attempt_at: null,
      });
      expect(receiver.sequences().slice(before)).toEqual([sequence + 1, sequence + 2]);
      expect(await world.get()).toMatchObject({
        after: sequence + 2,
        failing_since: null,
        paused_reason: null,
      });
      expect(await world.actions()).toContainEqual(["delivery.skipped", webhook.id]);
    },
  );

  test("begins the schedule of the next event, if that fails too", async () => {
    const world = await openHooked();
    const { receiver, webhook, change } = world;
    receiver.status = 500;
    await change();
    await change();
    await exhaust(world, WAITS_MS.slice(0, 5));
    await skip(world, webhook.after + 1);
    expect(receiver.sequences().slice(6)).toEqual([webhook.after + 2]);
    await pass(world, 5_000);
    expect(receiver.sequences().slice(7)).toEqual([webhook.after + 2]);
  });

  test("stays skipped when its attempt under way fails, and is delivered when that succeeds", async () => {
    for (const [status, outcome] of [
      [500, "skipped"],
      [200, "delivered"],
    ] as const) {
      const world = await openHooked();
      const { receiver, webhook, change, service } = world;
      receiver.status = 500;
      await change();
      const response = Promise.withResolvers<Response>();
      const reached = Promise.withResolvers<void>();
      receiver.to = () => {
        reached.resolve();
        return response.promise;
      };
      world.clock.advance(5_000);
      await service.sweep();
      await reached.promise;
      receiver.to = null;
      const delivery_id = deliveryId(world.organizationId, webhook.after + 1);
      const params = { ...world.params, delivery_id };
      await world.caller.call(contracts.skipDelivery, { params });
      response.resolve(new Response(null, { status }));
      await service.settle();
      expect(await world.list()).toMatchObject([{ status: outcome }]);
      expect((await world.get()).after).toBe(webhook.after + 1);
      await pass(world, HOUR_MS);
      expect(receiver.sent).toHaveLength(2);
    }
  });

  test("repeated, or of an event that was delivered meanwhile, changes nothing and says what became of it", async () => {
    const world = await openHooked();
    const { receiver, webhook, change } = world;
    const [first, second] = [webhook.after + 1, webhook.after + 2];
    receiver.status = 500;
    await change();
    await skip(world, first);
    await change();
    receiver.status = 200;
    await pass(world, 5_000);
    await change();
    const before = await world.get();
    expect(await skip(world, first)).toMatchObject({ status: "skipped" });
    expect(await skip(world, second)).toMatchObject({ status: "delivered" });
    expect(await world.get()).toEqual(before);
    // Not even if it will be sent again, and no attempt at that has failed.
    const body = { enabled: false, after: first };
    await world.caller.call(contracts.updateWebhook, { params: world.params, body });
    expect(await skip(world, second)).toMatchObject({ status: "delivered" });
    expect((await world.get()).after).toBe(first);
    const skips = (await world.actions()).filter(([action]) => action === "delivery.skipped");
    expect(skips).toHaveLength(1);
  });

  test("returns 404 behind an event that was not sent yet, which is not lost", async () => {
    const world = await openHooked();
    const { receiver, webhook, change, caller, params, service, organizationId } = world;
    const [first, second] = [webhook.after + 1, webhook.after + 2];
    receiver.to = ({ body }) =>
      new Response(null, { status: JSON.parse(body).data.sequence === second ? 410 : 200 });
    await change();
    await change();
    await caller.call(contracts.updateWebhook, { params, body: { after: webhook.after } });
    const delivery_id = deliveryId(organizationId, second);
    const refused = { params: { ...params, delivery_id } };
    expect((await caller.fail(contracts.skipDelivery, refused)).code).toBe("not_found");
    expect((await world.get()).paused_reason).toBe("gone");
    await resume(world);
    expect(receiver.sequences()).toEqual([first, second, first, second]);
    await service.settle();
    expect(await skip(world, second)).toMatchObject({ status: "skipped" });
  });

  test("passes over events of other types before it, and no further than one read of the log", async () => {
    const world = await openHooked({ types: ["memory.created"] }, { eventPageRows: 4 });
    const { receiver, caller, change, service } = world;
    receiver.status = 500;
    for (let i = 0; i < 3; i++) await change();
    await caller.call(contracts.createMemory, { body: { content: "a" } });
    await service.settle();
    const [sequence = 0] = receiver.sequences();
    const moveTo = (position: number) =>
      selectRows(
        "UPDATE webhooks SET position = ?2 WHERE organization_id = ?1",
        world.organizationId,
        position,
      );
    const delivery_id = deliveryId(world.organizationId, sequence);
    const params = { ...world.params, delivery_id };
    await moveTo(sequence - 5);
    expect((await caller.fail(contracts.skipDelivery, { params })).code).toBe("not_found");
    await moveTo(sequence - 4);
    expect(await skip(world, sequence)).toMatchObject({ status: "skipped" });
  });

  test("returns 404 for an event of another organization, an unknown event, and one without a failed attempt", async () => {
    const world = await openHooked();
    const { caller, params, change, organizationId, webhook } = world;
    await change();
    const other = await openHooked();
    other.receiver.status = 410;
    await other.change();
    const foreign = deliveryId(other.organizationId, other.webhook.after + 1);
    const own = [0, 1, webhook.after + 1, 99_999].map((sequence) => deliveryId(organizationId, sequence));
    for (const delivery_id of [foreign, "evt_1", "1", `${foreign}0`, "evt__1", ...own])
      expect((await caller.fail(contracts.skipDelivery, { params: { ...params, delivery_id } })).code).toBe(
        "not_found",
      );
    const theirs = { params: { ...other.params, delivery_id: foreign } };
    expect((await caller.fail(contracts.skipDelivery, theirs)).code).toBe("not_found");
    expect((await other.get()).paused_reason).toBe("gone");
    expect(await other.list()).toMatchObject([{ status: "pending" }]);
  });
});

describe("test a webhook", () => {
  test("sends it a signed event, even if it is disabled, and returns the receiver's response", async () => {
    const { receiver, webhook, caller, params, get } = await openHooked({ enabled: false });
    receiver.status = 500;
    const { event, attempt } = await caller.call(contracts.testWebhook, { params });
    expect(attempt).toMatchObject({ status: 500, error: "status" });
    const [sent] = receiver.sent;
    expect(new Webhook(webhook.secret).verify(sent?.body ?? "", sent?.headers ?? {})).toEqual({
      type: "webhook.test",
      timestamp: event.created_at,
      data: event,
    });
    expect(sent?.id).toBe(event.id);
    receiver.status = 200;
    const again = await caller.call(contracts.testWebhook, { params });
    expect(again.attempt).toMatchObject({ status: 200, error: null });
    expect(again.event.id).not.toBe(event.id);
    // Nothing is stored, not even the failed attempt.
    expect(await get()).toEqual({ ...webhook, secret: undefined });
    expect((await caller.call(contracts.listDeliveries, { params })).items).toEqual([]);
  });
});

describe("a webhook is tested at most ten times in a minute", () => {
  test("an eleventh test gets 429 with the time until the next, sends nothing, and leaves other webhooks alone", async () => {
    const { receiver, caller, params, clock } = await openHooked();
    await caller.call(contracts.testWebhook, { params });
    clock.advance(20_500);
    for (let i = 1; i < contracts.WEBHOOK_TESTS_MAX; i++)
      await caller.call(contracts.testWebhook, { params });
    const response = await caller.fetch(contracts.testWebhook, { params });
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "40"]);
    expect((await readProblem(contracts.testWebhook, response)).code).toBe("rate_limited");
    expect(receiver.sent).toHaveLength(contracts.WEBHOOK_TESTS_MAX);
    const other = await caller.call(contracts.createWebhook, { body: { url: URL_OF_HOOK } });
    await caller.call(contracts.testWebhook, { params: { webhook_id: other.id } });
    clock.advance(39_499);
    expect((await caller.fail(contracts.testWebhook, { params })).code).toBe("rate_limited");
    clock.advance(1);
    for (let i = 0; i < contracts.WEBHOOK_TESTS_MAX; i++)
      await caller.call(contracts.testWebhook, { params });
    expect((await caller.fail(contracts.testWebhook, { params })).code).toBe("rate_limited");
  });

  test("also if all are sent at once", async () => {
    const { receiver, caller, params } = await openHooked();
    const all = await Promise.all(
      Array.from({ length: 25 }, () => caller.fetch(contracts.testWebhook, { params })),
    );
    expect(all.filter(({ status }) => status === 200)).toHaveLength(contracts.WEBHOOK_TESTS_MAX);
    expect(receiver.sent).toHaveLength(contracts.WEBHOOK_TESTS_MAX);
  });

  test("returns 404 for an unknown webhook and one of another organization", async () => {
    const { caller } = await openHooked();
    const other = await openHooked();
    for (const params of [{ webhook_id: "wh_0" }, other.params])
      expect((await caller.fail(contracts.testWebhook, { params })).code).toBe("not_found");
    expect(other.receiver.sent).toEqual([]);
  });
});

describe("create a webhook", () => {
  test.for([
    ...["http://hooks.example.com/", "ftp://hooks.example.com/", "https://", "hooks.example.com"],
    ...["https://127.0.0.1/", "https://0x7f000001/", "https://2130706433/", "https://0177.0.0.1/"],
    ...[
      "https://127.1/",
      "https://169.254.169.254/latest/meta-data",
      "https://10.0.0.1/",
      "https://8.8.8.8/",
    ],
    ...["https://[::1]/", "https://[::ffff:127.0.0.1]/", "https://[fd00::1]/", "https://[64:ff9b::7f00:1]/"],
    ...["https://localhost/", "https://localhost./", "https://a.localhost/", "https://printer.local/"],
    ...["https://vault.internal/", "https://metadata.google.internal/", "https://nas.home.arpa/"],
    ...["https://localhost../", "https://engram.test../", "https://..example.com/", "https://127.0.0.1../"],
    ...["https://127.0.0.1./", "https://0x7f.1/", "https://017700000001/", "https://[::]/", "https://0/"],
    ...["https://hooks.example.com@127.0.0.1/", "https://hooks.example.com:443@169.254.169.254/"],
    ...[
      "https://hooks.example.com:65536/",
      "https:\\\\127.0.0.1/",
      "https://127。0。0。1/",
      "https://①②⑦.0.0.1/",
    ],
    ...["https://intranet/", "https://u:p@hooks.example.com/", "https://hooks.example.com:22/"],
    ...["https://hooks.example.com:80/", "https://engram.test/", "https://ENGRAM.test:8443/v1/webhooks"],
    ...["https://１２７.０.０.１/", "https://loc\u0430lhost/", "https://hooks.example.com/#x"],
    ...[
      "https://proxy.example.com/",
      "https://memory.example.com/",
      "https://MEMORY.example.com.:8443/v1/webhooks",
    ],
  ])("rejects the URL %s", async (url) => {
    const PUBLIC_URLS = "https://proxy.example.com:8443/engram";
    const { caller } = await open({ ALLOWED_HOSTS: "engram.test, memory.example.com:9000", PUBLIC_URLS });
    const refused = await caller.fail(contracts.createWebhook, { body: { url } });
    expect(refused.code).toBe("validation_failed");
    const { id } = await caller.call(contracts.createWebhook, { body: { url: URL_OF_HOOK, enabled: false } });
    const changed = await caller.fail(contracts.updateWebhook, { params: { webhook_id: id }, body: { url } });
    expect(changed.code).toBe("validation_failed");
  });

  test.for([
    ["http://hooks.lan/x", "hooks.lan", true],
    ["https://hooks.lan:8443/x", "hooks.lan", true],
    ["https://HOOKS.lan/x", " other.lan , Hooks.LAN", true],
    ["http://receiver:3000/", "receiver:3000", true],
    ["http://receiver/", "receiver:80", true],
    ["https://receiver/", "receiver:443", true],
    ["http://receiver:3001/", "receiver:3000", false],
    ["http://receiver:3000/", "receiver", false],
    ["https://a.hooks.lan/", "hooks.lan", false],
    ["https://hooks.lan./", "hooks.lan", false],
    ["https://hooks.lan@evil.lan/", "hooks.lan", false],
    ["https://u:p@hooks.lan/", "hooks.lan", false],
    ["ftp://hooks.lan/", "hooks.lan", false],
    ["https://hooks.lan/", "*,*.lan,.lan,lan", false],
    ["http://169.254.169.254/", "169.254.169.254", false],
    ["http://[fd00:ec2::254]/", "[fd00:ec2::254]", false],
    ["http://127.0.0.1:26366/", "127.0.0.1:26366,*", false],
  ] as const)("to %s, with WEBHOOK_HOSTS=%j: %j", async ([url, WEBHOOK_HOSTS, isAllowed]) => {
    const receiver = new Receiver();
    const { caller } = await open({ WEBHOOK_HOSTS, WEBHOOKS: receiver as never });
    if (!isAllowed) {
      const refused = await caller.fail(contracts.createWebhook, { body: { url } });
      return expect(refused.code).toBe("validation_failed");
    }
    const { id } = await caller.call(contracts.createWebhook, { body: { url } });
    const params = { webhook_id: id };
    const { attempt } = await caller.call(contracts.testWebhook, { params });
    expect([attempt.status, receiver.sent.at(-1)?.redirect]).toEqual([204, "manual"]);
  });

  test("stops sending to a host that the operator no longer allows", async () => {
    const receiver = new Receiver();
    const { caller } = await open({ WEBHOOK_HOSTS: "hooks.lan", WEBHOOKS: receiver as never });
    const body = { url: "http://hooks.lan/", enabled: false };
    const { id } = await caller.call(contracts.createWebhook, { body });
    const { secret } = await createKey(caller, { scopes: ["admin"] });
    const { service } = await open({ WEBHOOKS: receiver as never });
    const params = { webhook_id: id };
    const { attempt } = await service.callerOf(secret).call(contracts.testWebhook, { params });
    expect([attempt.error, receiver.sent]).toEqual(["url_refused", []]);
  });

  test("allows 20 per organization, and requires the scope `admin`", async () => {
    const { caller, service } = await open();
    const body = { url: URL_OF_HOOK, enabled: false };
    for (let i = 0; i < contracts.WEBHOOKS_MAX; i++) await caller.call(contracts.createWebhook, { body });
    expect((await caller.fail(contracts.createWebhook, { body })).code).toBe("too_many_webhooks");
    expect((await caller.call(contracts.listWebhooks)).items).toHaveLength(contracts.WEBHOOKS_MAX);
    const { secret } = await createKey(caller, { scopes: ["read", "write", "search", "delete"] });
    const lesser = service.callerOf(secret);
    expect((await lesser.fail(contracts.listWebhooks)).code).toBe("forbidden");
  });

  test("has one effect when repeated with its idempotency key, and returns the secret once", async () => {
    const { caller } = await open();
    const body = { url: URL_OF_HOOK, enabled: false };
    const headers = { "idempotency-key": "create-once" };
    const { id } = await caller.call(contracts.createWebhook, { body, headers });
    const repeated = await caller.fail(contracts.createWebhook, { body, headers });
    expect(repeated).toMatchObject({ code: "secret_already_shown" });
    expect(repeated.detail).toContain(id);
    const other = { body: { ...body, types: ["memory.created"] }, headers };
    expect((await caller.fail(contracts.createWebhook, other)).code).toBe("idempotency_mismatch");
    expect((await caller.call(contracts.listWebhooks)).items).toHaveLength(1);
  });

  test("beyond 20 does not store its idempotency key", async () => {
    const { caller } = await open();
    const body = { url: URL_OF_HOOK, enabled: false };
    const headers = { "idempotency-key": "one-too-many" };
    const made = [];
    for (let i = 0; i < contracts.WEBHOOKS_MAX; i++)
      made.push(await caller.call(contracts.createWebhook, { body }));
    expect((await caller.fail(contracts.createWebhook, { body, headers })).code).toBe("too_many_webhooks");
    await caller.call(contracts.deleteWebhook, { params: { webhook_id: made[0]?.id ?? "" } });
    await caller.call(contracts.createWebhook, { body, headers });
  });

  test("is rejected without an admin token, which encrypts the secret", async () => {
    const { caller } = await open({ ADMIN_TOKEN: "" });
    const refused = await caller.fail(contracts.createWebhook, { body: { url: URL_OF_HOOK } });
    expect(refused.code).toBe("unavailable");
  });
});
