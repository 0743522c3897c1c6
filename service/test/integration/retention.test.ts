import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { sha256Hex } from "../../src/platform/digest.ts";
import { deleteExpired } from "../../src/retention/expiry.ts";
import { claimRules } from "../../src/retention/rules-queries.ts";
import { type Caller, seedConversation } from "../support/client.ts";
import { RowsRead } from "../support/counting.ts";
import { env } from "../support/env.ts";
import { exportOnce } from "../support/exports.ts";
import { open, selectRow } from "../support/invocations.ts";

const DAY_MS = 86_400_000;
const NEVER_ENRICHED = { tags: [], summary: "" };

const at = (ms: number): string => new Date(ms).toISOString();
const titles = async (caller: Caller) =>
  (await caller.call(contracts.listConversations)).items.map(({ title }) => title).sort();
const contents = async (caller: Caller) =>
  (await caller.call(contracts.listMemories)).items.map(({ content }) => content).sort();
const operations = async (caller: Caller) =>
  (await caller.call(contracts.listOperations)).items.filter(({ type }) => type.startsWith("delete_"));
const eventsOf = async (caller: Caller, action: contracts.AuditAction) =>
  (await caller.call(contracts.listAuditEvents, { query: { action } })).items;
const capture = async (caller: Caller, content: string, more: object = {}): Promise<string> =>
  (await caller.call(contracts.createMemory, { body: { content, ...NEVER_ENRICHED, ...more } })).id;
const converse = async (caller: Caller, title: string, more: object = {}): Promise<string> =>
  (await caller.call(contracts.createConversation, { body: { title, ...more } })).id;

describe("`expires_at`", () => {
  test("deletes conversations and memories at their time, each corpus in one operation with a receipt", async () => {
    const { caller, clock, service, idle, organizationId } = await open();
    const expires_at = at(clock.nowMs() + DAY_MS);
    for (const title of ["a", "b"]) await converse(caller, title, { expires_at });
    await converse(caller, "later", { expires_at: at(clock.nowMs() + 2 * DAY_MS) });
    await converse(caller, "kept");
    for (const content of ["one", "two"]) await capture(caller, content, { expires_at });
    await capture(caller, "kept");
    await service.sweep();
    clock.advance(DAY_MS - 1);
    await service.sweep();
    expect(await operations(caller)).toEqual([]);
    clock.advance(1);
    await service.sweep();
    expect(await titles(caller)).toEqual(["kept", "later"]);
    expect(await contents(caller)).toEqual(["kept"]);
    // A second run finds nothing.
    await service.sweep();
    await idle();
    const receipts = await operations(caller);
    expect(receipts.map(({ type, status }) => [type, status]).sort()).toEqual([
      ["delete_conversations", "succeeded"],
      ["delete_memories", "succeeded"],
    ]);
    for (const receipt of receipts)
      expect(receipt).toMatchObject({ progress: { done: 2, total: 2 }, retention_rule_id: null });
    const events = await eventsOf(caller, "items.expired");
    expect(events.map(({ operation_id }) => operation_id).sort()).toEqual(
      receipts.map(({ id }) => id).sort(),
    );
    for (const event of events) expect(event).toMatchObject({ target_id: organizationId, key_id: null });
    const gone = await selectRow<{ rows: number }>(
      "SELECT count(*) AS rows FROM conversations WHERE organization_id = ? AND deleted_at_ms IS NOT NULL",
      organizationId,
    );
    expect(gone.rows).toBe(0);
  });

  test("is changed and removed by updates, stays out of forks and versions, and survives an export and import", async () => {
    const { caller, clock } = await open();
    const [soon, late] = [at(clock.nowMs() + DAY_MS), at(clock.nowMs() + 9 * DAY_MS)];
    const id = await seedConversation(caller, ["hello"]);
    const params = { conversation_id: id };
    const conversation = (body: object) => caller.call(contracts.updateConversation, { params, body });
    expect((await conversation({ expires_at: soon })).expires_at).toBe(soon);
    expect((await conversation({ title: "same" })).expires_at).toBe(soon);
    expect((await caller.call(contracts.forkConversation, { params, body: {} })).expires_at).toBeNull();
    expect((await conversation({ expires_at: late })).expires_at).toBe(late);
    const memory_id = await capture(caller, "a fact", { external_id: "fact", expires_at: soon });
    const memory = async (body: object) =>
      (await caller.call(contracts.updateMemory, { params: { memory_id }, body })).expires_at;
    expect(await memory({ expires_at: null })).toBeNull();
    expect(await memory({ expires_at: late })).toBe(late);
    const put = { content: "a fact", external_id: "fact", ...NEVER_ENRICHED };
    expect((await caller.call(contracts.putMemory, { body: put })).expires_at).toBeNull();
    const again = await caller.call(contracts.putMemory, { body: { ...put, expires_at: soon } });
    expect(again.expires_at).toBe(soon);
    const { items } = await caller.call(contracts.listMemoryVersions, { params: { memory_id } });
    expect(items).toHaveLength(1);
    const { lines } = await exportOnce(caller);
    const other = (await open()).caller;
    const rawBody = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    const { problems } = await other.call(contracts.importLines, { rawBody });
    expect(problems).toEqual([]);
    const imported = await other.call(contracts.getConversation, { params });
    expect(imported.expires_at).toBe(late);
    expect((await other.call(contracts.getMemory, { params: { memory_id } })).expires_at).toBe(soon);
  });

  test("deletes in further invocations what one sweep leaves of many organizations", async () => {
    const opened = await open({}, { expirySweepDeletions: 1, expiryInvocationDeletions: 1 }, "d1");
    const { clock, service } = opened;
    const callers = [opened, await open({}, {}, "d1"), await open({}, {}, "d1")].map(({ caller }) => caller);
    for (const caller of callers) await converse(caller, "a", { expires_at: at(clock.nowMs() + DAY_MS / 2) });
    clock.advance(DAY_MS / 2);
    await service.sweep();
    for (const caller of callers) expect(await titles(caller)).toEqual([]);
  });

  test("costs a sweep a few index seeks while nothing has expired, however much expires later", async () => {
    const database = new RowsRead();
    const { caller, clock, service } = await open({ DB: database.db }, {}, "d1");
    const readWith = async (count: number): Promise<number> => {
      for (let i = 0; i < count; i++)
        await converse(caller, `later ${i}`, { expires_at: at(clock.nowMs() + DAY_MS) });
      await service.settle();
      database.reset();
      await deleteExpired(service.context(), 6);
      return database.total;
    };
    const few = await readWith(1);
    expect(await readWith(30)).toBeLessThan(few + 30);
  });
});

const rule = (body: object) => ({
  name: "test",
  kind: "conversations",
  older_than_days: 30,
  ...body,
});
const create = (caller: Caller, body: object) =>
  caller.call(contracts.createRetentionRule, { body: rule(body) });
const ruleOf = (caller: Caller, rule_id: string) =>
  caller.call(contracts.getRetentionRule, { params: { rule_id } });

/** The hash that an audit event has after another hash, as the contract says. */
const hashAfter = (before: string | undefined, { hash: _, ...fields }: Partial<contracts.AuditEvent> = {}) =>
  sha256Hex(
    JSON.stringify([
      before,
      Object.entries(fields)
        .filter(([, value]) => value !== null)
        .sort(),
    ]),
  );

describe("a rule of retention", () => {
  test("deletes what is as old and matches, as one operation that names it, and keeps everything else", async () => {
    const { caller, clock, service, idle } = await open();
    await converse(caller, "old", { tags: ["support"] });
    await converse(caller, "old of others", { tags: ["sales"] });
    await capture(caller, "an old memory");
    clock.advance(20 * DAY_MS);
    await converse(caller, "young", { tags: ["support"] });
    await idle();
    const tagged = { filter: { tags_any: ["support"] } };
    const { id } = await create(caller, tagged);
    const counting = await create(caller, { kind: "memories", older_than_days: 10, dry_run: true });
    await service.sweep();
    expect(await ruleOf(caller, id)).toMatchObject({ matched: 0, operation_id: null });
    expect(await operations(caller)).toEqual([]);
    clock.advance(11 * DAY_MS);
    const body = { kind: "conversations", older_than_days: 30, ...tagged };
    const preview = await caller.call(contracts.previewRetentionRule, { body });
    expect(preview).toEqual({
      matched: 1,
      held: 0,
      complete: true,
      samples: [expect.stringMatching(/^conv_/)],
    });
    await service.sweep();
    expect(await titles(caller)).toEqual(["old of others", "young"]);
    // Due again in an hour only.
    await service.sweep();
    const [receipt, ...more] = await operations(caller);
    expect([receipt?.type, more]).toEqual(["delete_conversations", []]);
    expect(receipt).toMatchObject({ retention_rule_id: id, progress: { done: 1, total: 1 } });
    expect(await ruleOf(caller, id)).toMatchObject({ matched: 1, operation_id: receipt?.id });
    expect(await ruleOf(caller, counting.id)).toMatchObject({ matched: 1, operation_id: null });
    expect(await contents(caller)).toEqual(["an old memory"]);
    const [event, ...others] = await eventsOf(caller, "retention.applied");
    expect([event, others]).toEqual([
      expect.objectContaining({ target_id: id, operation_id: receipt?.id, key_id: null }),
      [],
    ]);
    await idle();
    expect((await operations(caller))[0]?.status).toBe("succeeded");
    // An update makes it due at once; a deleted one is never applied again.
    await caller.call(contracts.updateRetentionRule, {
      params: { rule_id: id },
      body: { older_than_days: 5 },
    });
    await service.sweep();
    expect(await titles(caller)).toEqual(["old of others"]);
    await caller.call(contracts.updateRetentionRule, {
      params: { rule_id: counting.id },
      body: { dry_run: false },
    });
    await caller.call(contracts.deleteRetentionRule, { params: { rule_id: counting.id } });
    await service.sweep();
    expect(await contents(caller)).toEqual(["an old memory"]);
  });

  test("deletes what comes after more rows than its count reads", async () => {
    const { caller, clock, service } = await open({}, { dryRunSteps: 1, filteredConversations: 2 });
    for (const title of ["a", "b", "c", "d"]) {
      await converse(caller, title, { tags: [title] });
      clock.advance(1);
    }
    clock.advance(31 * DAY_MS);
    await create(caller, { filter: { tags_any: ["d"] } });
    await service.sweep();
    expect(await titles(caller)).toEqual(["a", "b", "c"]);
  });

  test("takes turns with the rules of other organizations", async () => {
    const many = await open({}, {}, "d1");
    const few = await open({}, {}, "d1");
    for (const { caller } of [many, many, many, few]) await create(caller, { dry_run: true });
    // Due before the rules of other tests.
    await env.DB.prepare(
      "UPDATE retention_rules SET next_run_at_ms = iif(organization_id = ?1, 1, 2) WHERE organization_id IN (?1, ?2)",
    )
      .bind(many.organizationId, few.organizationId)
      .run();
    const due = { nowMs: 2, untilMs: Number.MAX_SAFE_INTEGER, limit: 2, rowsMax: 1_000 };
    const claimed = await claimRules(env.DB, due);
    expect(claimed.map(({ organizationId }) => organizationId).sort()).toEqual(
      [many.organizationId, few.organizationId].sort(),
    );
  });

  test("counts the age by the time that it names, so that a new message keeps a conversation", async () => {
    const { caller, clock, service } = await open();
    const used = await seedConversation(caller, ["hello"], { title: "used" });
    await seedConversation(caller, ["hello"], { title: "unused" });
    clock.advance(31 * DAY_MS);
    const body = { messages: [{ role: "user", content: "again" }] };
    await caller.call(contracts.appendMessages, { params: { conversation_id: used }, body });
    await create(caller, { by: "last_message_at" });
    await create(caller, { by: "updated_at", older_than_days: 60 });
    await service.sweep();
    expect(await titles(caller)).toEqual(["used"]);
  });

  test("deletes events, usage, receipts and audit events, whose chain stays verifiable", async () => {
    const { caller, clock, service, organizationId } = await open();
    const search = { body: { query: "walrus", mode: "keyword", record: true } };
    const work = async () => {
      const { id } = await create(caller, { kind: "usage", dry_run: true, older_than_days: 36_000 });
      await caller.call(contracts.deleteRetentionRule, { params: { rule_id: id } });
      await seedConversation(caller, ["a walrus"]);
      const { recall_id } = await caller.call(contracts.search, search);
      await service.settle();
      for (let i = 0; i < 3; i++) {
        clock.advance(120_000);
        await service.sweep();
      }
      return recall_id ?? "";
    };
    const old = await work();
    clock.advance(3 * DAY_MS);
    const young = await work();
    const chain = async () =>
      (await caller.call(contracts.listAuditEvents, { query: { order: "asc", limit: 100 } })).items;
    const before = await chain();
    for (const kind of ["events", "usage", "recalls", "audit_events"])
      await create(caller, { kind, older_than_days: 2 });
    const body = { kind: "audit_events", older_than_days: 2 };
    const preview = await caller.call(contracts.previewRetentionRule, { body });
    await service.sweep();
    const after = await chain();
    const [first] = after;
    expect(first?.number).toBe(preview.matched + 1);
    expect(preview.samples[0]).toBe(before[0]?.id);
    expect(after.every(({ created_at }) => Date.parse(created_at) > clock.nowMs() - 2 * DAY_MS)).toBe(true);
    const { start } = await caller.call(contracts.listAuditEvents);
    expect(start).toEqual({ number: preview.matched, hash: before[preview.matched - 1]?.hash });
    expect(first?.hash).toBe(await hashAfter(start?.hash, first));
    expect((await caller.fail(contracts.getRecall, { params: { recall_id: old } })).status).toBe(404);
    expect((await caller.call(contracts.getRecall, { params: { recall_id: young } })).id).toBe(young);
    const { items } = await caller.call(contracts.listEvents);
    expect(Date.parse(items[0]?.created_at ?? "")).toBeGreaterThan(clock.nowMs() - 2 * DAY_MS);
    expect(organizationId).toMatch(/^org_/);
    expect(await eventsOf(caller, "retention.applied")).not.toEqual([]);
  });
});
