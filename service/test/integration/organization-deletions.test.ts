import * as contracts from "@engram/spec";
import { describe, expect, test, vi } from "vitest";
import { purgeConversations } from "../../src/deletions/purge-queries.ts";
import { softDeleteConversationsOf } from "../../src/deletions/queries.ts";
import { principalOf } from "../../src/keys/queries.ts";
import { SERVICE_LIMITS } from "../../src/limits.ts";
import { deleteOrganizationRows, selectDeletedOrganizations } from "../../src/organizations/queries.ts";
import { sha256Hex } from "../../src/platform/digest.ts";
import { run } from "../../src/platform/sql.ts";
import { type Caller, callerOf, createKey, createOrganization, seedConversation } from "../support/client.ts";
import { RowsRead } from "../support/counting.ts";
import { insertConversations } from "../support/deletions.ts";
import { env } from "../support/env.ts";
import {
  Clock,
  existingVectors,
  open,
  Service,
  selectChunks,
  selectRow,
  selectRows,
  vectorsOf,
} from "../support/invocations.ts";
import { isInCells } from "../support/places.ts";

const cancel = contracts.cancelOperation;

/** An organization with items of every kind, whose deletion can be canceled. */
async function openFilled() {
  const opened = await open();
  const { caller, organizationId, service, idle } = opened;
  const operator = service.callerOf(env.ADMIN_TOKEN);
  const first = await seedConversation(caller, ["The zeppelin lands at noon.", "Bring an umbrella."]);
  await seedConversation(caller, ["Gone before."]).then((conversation_id) =>
    caller.call(contracts.deleteConversation, { params: { conversation_id } }),
  );
  const remember = (content: string) =>
    caller.call(contracts.createMemory, { body: { content, tags: ["trip"], summary: content } });
  await remember("Maria prefers the zeppelin.");
  await idle();
  const params = { organization_id: organizationId };
  const remove = async () => {
    const { id } = await caller.call(contracts.deleteOrganization, { params });
    return { params: { operation_id: id } };
  };
  return { ...opened, operator, first, remember, params, remove };
}

/** All data that a key with every scope can read in its organization. */
async function everythingOf(caller: Caller, organization_id: string) {
  const { items } = await caller.call(contracts.listConversations);
  const search = (mode: string) =>
    caller.call(contracts.search, {
      body: { query: "When does the zeppelin land?", mode, in: ["conversations", "memories"] },
    });
  const keys = await caller.call(contracts.listKeys);
  return {
    organization: await caller.call(contracts.getOrganization, { params: { organization_id } }),
    conversations: await Promise.all(
      items.map(({ id }) => caller.call(contracts.getConversation, { params: { conversation_id: id } })),
    ),
    memories: await caller.call(contracts.listMemories),
    words: await search("keyword"),
    meaning: await search("semantic"),
    index: await caller.call(contracts.getIndexStatus),
    keys: keys.items.map(({ last_used_at: _, ...key }) => key),
  };
}

/** The counters of the organization, and the expected values. */
const counted = (organizationId: string) =>
  Promise.all([
    selectRow(
      `SELECT conversation_count, message_count, term_count, memory_count, memory_term_count
         FROM organization_counters WHERE organization_id = ?1`,
      organizationId,
    ),
    selectRow(
      `SELECT count(iif(kind = 'conversation', 1, NULL)) AS conversation_count,
              coalesce(sum(iif(kind = 'conversation', message_count, 0)), 0) AS message_count,
              coalesce(sum(iif(kind = 'conversation', term_count, 0)), 0) AS term_count,
              count(iif(kind <> 'conversation', 1, NULL)) AS memory_count,
              coalesce(sum(iif(kind <> 'conversation', term_count, 0)), 0) AS memory_term_count
         FROM conversations WHERE organization_id = ?1 AND deleted_at_ms IS NULL`,
      organizationId,
    ),
  ]);

describe("the deletion of an organization", () => {
  test("reads the same number of rows per request and step, however much is stored", async () => {
    const measure = async (stored: number) => {
      const { secret, organizationId } = await createOrganization();
      const rows = new RowsRead();
      const service = new Service({ DB: rows.db });
      const operator = service.callerOf(env.ADMIN_TOKEN);
      await insertConversations(organizationId, stored, "many", `${organizationId}_`);
      rows.reset();
      const { id: operationId } = await service
        .callerOf(secret)
        .call(contracts.deleteOrganization, { params: { organization_id: organizationId } });
      const operation = { params: { operation_id: operationId } };
      expect(await operator.call(contracts.getOperation, operation)).toMatchObject({
        progress: { done: 0, total: stored },
      });
      await softDeleteConversationsOf(rows.db, { organizationId, operationId, nowMs: 1, limit: 10 });
      expect(await operator.call(cancel, operation)).toMatchObject({ progress: { done: 10, total: stored } });
      return rows.total;
    };
    const before = await measure(100);
    expect(await measure(400)).toBeLessThanOrEqual(before + 5);
  });

  test("reports how many conversations and memories are purged", async () => {
    const { organizationId, operator, remove } = await openFilled();
    await insertConversations(organizationId, 28, "many", `${organizationId}_`);
    const operation = await remove();
    const { operation_id: operationId } = operation.params;
    await softDeleteConversationsOf(env.DB, { organizationId, operationId, nowMs: 1, limit: 20 });
    const hidden = await selectRows<{ id: string }>(
      "SELECT id FROM conversations WHERE organization_id = ?1 AND deleted_at_ms IS NOT NULL",
      organizationId,
    );
    const gone = await purgeConversations(
      env.DB,
      hidden
        .slice(0, 8)
        .map(({ id }) => ({ organizationId, id, operationId, messages: 0, tombstoneId: null })),
      { limit: 1_000, nowMs: 1 },
    );
    expect(gone).toBe(8);
    expect(await operator.call(contracts.getOperation, operation)).toMatchObject({
      progress: { done: 8, total: 30 },
      purged: 8,
      restored: null,
    });
  });
});

test("one sweep purges an organization of many steps, and soft-deletes one step ahead of the purge", async () => {
  const { organizationId } = await createOrganization();
  await insertConversations(organizationId, 12, "many");
  const limits = {
    softDeleteStepConversations: 2,
    purgeSweepSteps: 2,
    purgeInvocationSteps: 5,
    sweepRows: 1,
  };
  const service = new Service({}, new Clock(), limits);
  const operator = service.callerOf(env.ADMIN_TOKEN);
  await operator.call(contracts.deleteOrganization, { params: { organization_id: organizationId } });
  const left = () =>
    selectRow(
      `SELECT count(iif(deleted_at_ms IS NULL, 1, NULL)) AS live, count(deleted_at_ms) AS gone
         FROM conversations WHERE organization_id = ?1`,
      organizationId,
    );
  const untouched = await left();
  expect(untouched).toEqual({ live: 12, gone: 0 });
  const ofOneStep = {
    ...service.context(organizationId),
    limits: { ...SERVICE_LIMITS, ...limits, purgeInvocationSteps: 1 },
  };
  // The first steps may be those of other organizations.
  await vi.waitFor(async () => {
    await service.purgeApart(ofOneStep);
    expect(await left()).not.toEqual(untouched);
  });
  // With room for one conversation, the step has purged one of the two that it soft-deleted.
  expect(await left()).toEqual({ live: 10, gone: 1 });
  await service.purgeApart(ofOneStep);
  expect(await left()).toEqual({ live: 10, gone: 0 });
  await service.sweep();
  expect(await left()).toEqual({ live: 0, gone: 0 });
  expect(await selectRows("SELECT 1 FROM organizations WHERE id = ?1", organizationId)).toEqual([]);
});

describe("the canceled deletion of an organization", () => {
  test("before the purge restores everything, and its keys work at once", async () => {
    const { caller, organizationId, operator, params, remove, idle } = await openFilled();
    const revoked = await createKey(caller, { scopes: ["read"] });
    await caller.call(contracts.revokeKey, { params: { key_id: revoked.keyId } });
    const second = await createKey(caller, { scopes: ["read"] });
    const before = await everythingOf(caller, organizationId);
    expect(before.words.results).not.toEqual([]);
    const numbers = await counted(organizationId);
    const vectors = await vectorsOf(organizationId);
    const operation = await remove();
    for (const key of [caller, second])
      expect((await key.fail(contracts.listConversations)).code).toBe("unauthenticated");
    expect(await operator.call(cancel, operation)).toMatchObject({
      type: "delete_organization",
      status: "canceled",
      progress: { done: 0, total: 2 },
    });
    expect((await operator.call(contracts.getOrganization, { params })).deleted_at).toBeNull();
    await second.call(contracts.listConversations);
    expect((await revoked.fail(contracts.listConversations)).code).toBe("unauthenticated");
    expect(await everythingOf(caller, organizationId)).toEqual(before);
    await idle();
    expect(await everythingOf(caller, organizationId)).toEqual(before);
    expect(await counted(organizationId)).toEqual(numbers);
    expect(numbers[0]).toEqual(numbers[1]);
    expect(await vectorsOf(organizationId)).toEqual(vectors);
    expect(await caller.call(contracts.getOperation, operation)).toMatchObject({
      status: "canceled",
      progress: { done: 0, total: 2 },
      completed_at: expect.any(String),
    });
  });

  test("is listed once in the audit log, however often it is canceled", async () => {
    const { caller, organizationId, operator, remove } = await openFilled();
    const operation = await remove();
    const canceled = await operator.call(cancel, operation);
    expect(await operator.call(cancel, operation)).toEqual(canceled);
    expect(await caller.call(cancel, operation)).toEqual(canceled);
    const { items } = await caller.call(contracts.listAuditEvents, {
      query: { action: "organization.restored" },
    });
    expect(items).toMatchObject([
      { key_id: null, target_id: organizationId, operation_id: operation.params.operation_id },
    ]);
  });

  test.for([["hidden"], ["purged"]] as const)("restores everything that was not yet %s", async ([state]) => {
    const { caller, organizationId, operator, first, remember, remove, idle } = await openFilled();
    const vectors = (await selectChunks(organizationId, first)).map(({ vector_id }) => vector_id);
    expect(await existingVectors(vectors)).toHaveLength(1);
    // Their ids are between those created before and after.
    await insertConversations(organizationId, 1_100, "many", `${first}_`);
    const last = await seedConversation(caller, ["The airship never lands."]);
    await remember("Maria has an umbrella.");
    await idle();
    const operation = await remove();
    const { operation_id: operationId } = operation.params;
    await softDeleteConversationsOf(env.DB, { organizationId, operationId, nowMs: 1, limit: 1_000 });
    if (state === "purged") {
      const gone = await selectRows<{ id: string }>(
        "SELECT id FROM conversations WHERE organization_id = ?1 AND deleted_at_ms IS NOT NULL",
        organizationId,
      );
      const purged = gone.map(({ id }) => ({
        organizationId,
        id,
        operationId,
        messages: 1,
        tombstoneId: null,
      }));
      await purgeConversations(env.DB, purged, { limit: 1_000, nowMs: 1 });
    }
    const done = { done: 1_000, total: 1_104 };
    expect(await operator.call(cancel, operation)).toMatchObject({ status: "canceled", progress: done });
    const list = { query: { include_total: "true" } };
    expect((await caller.call(contracts.listConversations, list)).total).toBe(102);
    expect((await caller.call(contracts.listMemories, list)).total).toBe(2);
    const get = (conversation_id: string) => ({ params: { conversation_id } });
    expect((await caller.fail(contracts.getConversation, get(first))).code).toBe("not_found");
    expect(await caller.call(contracts.getConversation, get(last))).toMatchObject({ message_count: 1 });
    const [stored, visible] = await counted(organizationId);
    expect(stored).toEqual(visible);
    expect(stored).toMatchObject({ conversation_count: 102, message_count: 1, memory_count: 2 });
    await idle();
    expect(await selectRows("SELECT 1 FROM messages WHERE conversation_id = ?1", first)).toEqual([]);
    expect(await existingVectors(vectors)).toEqual([]);
    expect((await caller.call(contracts.listConversations, list)).total).toBe(102);
    expect(await caller.call(contracts.getOperation, operation)).toMatchObject({
      status: "canceled",
      progress: done,
      purged: 1_000,
      restored: 104,
      completed_at: expect.any(String),
      rows_deleted_at: expect.any(String),
      vectors_deleted_at: expect.any(String),
    });
  });

  test("is not continued by a concurrent sweep that read it before, even if a later deletion has begun", async () => {
    const { organizationId, caller, operator, params, remove, clock } = await openFilled();
    const headers = { "idempotency-key": "k" };
    await caller.call(contracts.createConversation, { body: {}, headers });
    await env.DB.prepare(
      `INSERT INTO usage (organization_id, day, key_id, requests, messages, message_bytes, searches, embeddings)
       VALUES (?1, '2026-11-01', '', 1, 1, 1, 1, 1)`,
    )
      .bind(organizationId)
      .run();
    const tables = ["idempotency_keys", "audit_events", "usage", "organization_counters", "api_keys"];
    const rows = async () => [
      ...(await Promise.all(
        [...tables, "operations", "conversations"].map((table) =>
          selectRows(`SELECT * FROM ${table} WHERE organization_id = ?1 ORDER BY 2`, organizationId),
        ),
      )),
      await selectRows("SELECT * FROM organizations WHERE id = ?1", organizationId),
    ];
    const operation = await remove();
    const round = { organizationsMax: 1_000, rowsMax: 1_000, chance: 0 };
    const deleted = await selectDeletedOrganizations(env.DB, { limit: 1_000, round });
    const read = deleted.find(({ id }) => id === organizationId);
    const operationId = read?.operationId ?? "";
    expect(operationId).toBe(operation.params.operation_id);
    const goOn = async () => {
      const nowMs = clock.nowMs();
      await deleteOrganizationRows(env.DB, { id: organizationId, operationId, nowMs });
      return softDeleteConversationsOf(env.DB, { organizationId, operationId, nowMs, limit: 1_000 });
    };
    await operator.call(cancel, operation);
    const restored = await rows();
    expect(restored.map((table) => table.length > 0)).not.toContain(false);
    expect(await goOn()).toBe(0);
    expect(await rows()).toEqual(restored);
    await operator.call(contracts.deleteOrganization, { params });
    const again = await rows();
    expect(await goOn()).toBe(0);
    expect(await rows()).toEqual(again);
    // Canceling the first deletion again does not affect the second. Of a cell, D1 knows only that.
    await (isInCells ? operator.fail(cancel, operation) : operator.call(cancel, operation));
    expect(await rows()).toEqual(again);
  });

  test("can be requested again, and then completes", async () => {
    const { organizationId, operator, params, remove, idle } = await openFilled();
    const first = await remove();
    await operator.call(cancel, first);
    const second = await remove();
    await idle();
    expect((await operator.fail(contracts.getOrganization, { params })).code).toBe("not_found");
    expect(await vectorsOf(organizationId)).toEqual([]);
    expect(await operator.call(contracts.getOperation, second)).toMatchObject({
      status: "succeeded",
      progress: { done: 2, total: 2 },
    });
    expect(await operator.call(contracts.getOperation, first)).toMatchObject({
      status: "canceled",
      progress: { done: 0, total: 2 },
    });
    const told = await selectRows<{ action: string }>(
      "SELECT action FROM audit_events WHERE organization_id = ?1 ORDER BY id",
      organizationId,
    );
    expect(told.map(({ action }) => action).sort()).toEqual([
      "organization.deleted",
      "organization.deleted",
      "organization.restored",
    ]);
    expect((await operator.fail(cancel, second)).code).toBe("not_cancelable");
    expect((await operator.call(cancel, first)).status).toBe("canceled");
  });

  test("is possible while only the organization's own rows are left", async () => {
    const { caller, organizationId, operator, params, remove, idle } = await openFilled();
    const operation = await remove();
    const { operation_id: operationId } = operation.params;
    await softDeleteConversationsOf(env.DB, { organizationId, operationId, nowMs: 1, limit: 1_000 });
    expect(await operator.call(cancel, operation)).toMatchObject({ progress: { done: 2, total: 2 } });
    await idle();
    const empty = { conversation_count: 0, message_count: 0, deleted_at: null };
    expect(await caller.call(contracts.getOrganization, { params })).toMatchObject(empty);
    expect(await vectorsOf(organizationId)).toEqual([]);
    const [stored, visible] = await counted(organizationId);
    expect(stored).toEqual(visible);
  });

  test("does not restore a key that was revoked later, however often it is canceled", async () => {
    const { caller, operator, remove } = await openFilled();
    const key = await createKey(caller, { scopes: ["read"] });
    const operation = await remove();
    await operator.call(cancel, operation);
    await caller.call(contracts.revokeKey, { params: { key_id: key.keyId } });
    await operator.call(cancel, operation);
    expect((await key.fail(contracts.listConversations)).code).toBe("unauthenticated");
  });

  test("closes its receipt even if an indexing run is working on restored conversations", async () => {
    const { organizationId, operator, service, clock, first, remove } = await openFilled();
    const operation = await remove();
    const { operation_id: operationId } = operation.params;
    await softDeleteConversationsOf(env.DB, { organizationId, operationId, nowMs: 1, limit: 1 });
    await operator.call(cancel, operation);
    await env.DB.prepare(
      `INSERT INTO index_jobs (organization_id, conversation_id, from_sequence, to_sequence, due_at_ms, lease_until_ms)
       VALUES (?1, (SELECT id FROM conversations WHERE organization_id = ?1 AND id <> ?2), 1, 1, 0, ?3)`,
    )
      .bind(organizationId, first, clock.nowMs() + 3_600_000)
      .run();
    for (let sweeps = 0; sweeps < 6; sweeps++) {
      await service.sweep();
      clock.advance(65_000);
    }
    expect(await operator.call(contracts.getOperation, operation)).toMatchObject({
      progress: { done: 1, total: 2 },
      completed_at: expect.any(String),
    });
  });

  test("is possible for the operator only", async () => {
    const { caller, operator, params, remove, clock, service } = await openFilled();
    const secretHash = await sha256Hex(caller.secret);
    const principal = await run(env.DB, principalOf({ secretHash }, clock.nowMs()));
    const operation = await remove();
    // As in an isolate that has the key in its cache and does not know of the revocation.
    if (principal !== null) service.context().caches.principals.set(secretHash, principal, clock.nowMs());
    expect((await (await createOrganization()).fail(cancel, operation)).code).toBe("not_found");
    for (const key of [caller, callerOf(`${env.ADMIN_TOKEN}x`), callerOf("")])
      expect((await key.fail(cancel, operation)).code).toBe("unauthenticated");
    const none = { params: { operation_id: "op_00000000000000000000" } };
    expect((await operator.fail(cancel, none)).code).toBe("not_found");
    expect((await operator.call(contracts.getOrganization, { params })).deleted_at).not.toBeNull();
  });
});
