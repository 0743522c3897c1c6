import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import {
  type Caller,
  createKey,
  createOrganization,
  operator,
  readPages,
  seedConversation,
} from "../support/client.ts";
import { RowsRead } from "../support/counting.ts";
import { env } from "../support/env.ts";
import { Clock, open as openWorld, Service, selectRows, sweepUntilIdle } from "../support/invocations.ts";
import { ABSENT, freshIds, requestFor, seedIds } from "../support/requests.ts";
import { callOf, contractOf, insertDelivery, operations, scopesOf } from "../support/worlds.ts";

const eventsOf = async (caller: Caller, query: Record<string, string | number | boolean> = {}) =>
  (await caller.call(contracts.listAuditEvents, { query: { limit: 100, ...query } })).items;

/** The events of the list, newest first, without their own ids and times. */
const told = async (caller: Caller) =>
  (await eventsOf(caller)).map(({ action, key_id, target_id, operation_id }) => [
    action,
    key_id,
    target_id,
    operation_id,
  ]);

async function open() {
  const owner = await createOrganization();
  const { items } = await owner.call(contracts.listKeys);
  return { owner, firstKey: items[0]?.id ?? "" };
}

/** As the contract describes it, written apart from the service. */
async function hashOf(before: string | null, event: contracts.AuditEvent): Promise<string> {
  const names = Object.keys(event)
    .filter((name) => name !== "hash")
    .sort() as (keyof typeof event)[];
  const fields = names.flatMap((name) => (event[name] === null ? [] : [[name, event[name]]]));
  const bytes = new TextEncoder().encode(JSON.stringify([before, fields]));
  return Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

async function openChain() {
  const world = await openWorld();
  const { caller, clock, service } = world;
  /** The events, oldest first, once all are in the chain. */
  const chained = async () => {
    clock.advance(61_000);
    for (let sweeps = 0; sweeps < 60; sweeps++) {
      await service.sweep();
      const events = await eventsOf(caller, { order: "asc" });
      if (events.every(({ number }) => number !== null)) return events;
    }
    throw new Error("the chain comes to no end");
  };
  const record = () => createKey(caller, { scopes: ["read"] });
  return { ...world, chained, record };
}

/** With an active hold, the organization cannot be deleted. */
async function liftHolds(owner: Caller): Promise<void> {
  const { items } = await owner.call(contracts.listHolds, { query: { status: "active" } });
  for (const { id } of items) await owner.call(contracts.liftHold, { params: { hold_id: id } });
}

describe("the chain of audit events", () => {
  test("numbers the events of an organization without a gap, each with the hash of it and the one before", async () => {
    const { caller, chained, record } = await openChain();
    const other = await openChain();
    for (let i = 0; i < 3; i++) await Promise.all([record(), other.record()]);
    const first = await chained();
    expect(first).toHaveLength(4);
    await record();
    const all = await chained();
    expect(all.slice(0, 4)).toEqual(first);
    expect(all.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
    let before: string | null = null;
    for (const event of all) {
      expect(event.hash).toBe(await hashOf(before, event));
      before = event.hash;
    }
    expect((await other.chained()).map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    const pages = await readPages(caller, contracts.listAuditEvents, { query: { order: "asc", limit: 2 } });
    expect(pages.flatMap(({ items }) => items)).toEqual(all);
    expect(await eventsOf(caller)).toEqual(all.toReversed());
  });

  test("takes in an event when a minute has passed, so that none comes in between", async () => {
    const { caller, clock, service, record, chained } = await openChain();
    await record();
    clock.advance(50_000);
    await service.sweep();
    expect((await eventsOf(caller)).map(({ number, hash }) => [number, hash])).toEqual([
      [null, null],
      [null, null],
    ]);
    expect(await chained()).toHaveLength(2);
  });

  test("stays as it is when two sweeps that saw other events add to it", async () => {
    const { caller, organizationId, clock, service, record, chained } = await openChain();
    const [newer] = await eventsOf(caller);
    await record();
    clock.advance(61_000);
    // An event with an earlier id that comes after all.
    const late = `aud_0${newer?.id.slice(5)}`;
    await Promise.all([
      service.sweep(),
      env.DB.prepare(
        "INSERT INTO audit_events (organization_id, id, action, target_id, created_at_ms) VALUES (?1, ?2, 'data.exported', ?1, 0)",
      )
        .bind(organizationId, late)
        .run(),
      service.sweep(),
    ]);
    const all = (await chained()).sort((a, b) => (a.number ?? 0) - (b.number ?? 0));
    expect(all.map(({ number }) => number)).toEqual([1, 2, 3]);
    let before: string | null = null;
    for (const event of all) {
      expect(event.hash).toBe(await hashOf(before, event));
      before = event.hash;
    }
  });
});

describe("the audit log", () => {
  test("has an event for every key that was created, revoked or rotated, with the key that did it", async () => {
    const { owner, firstKey } = await open();
    const worker = await createKey(owner, { scopes: ["read"] });
    const rotation = { params: { key_id: worker.keyId }, body: { overlap_seconds: 60 } };
    const next = await owner.call(contracts.rotateKey, rotation);
    await owner.call(contracts.revokeKey, { params: { key_id: next.id } });
    // Changes nothing, so that there is no event.
    await owner.call(contracts.revokeKey, { params: { key_id: next.id } });
    await owner.fail(contracts.revokeKey, { params: { key_id: "key_none" } });
    const all = await told(owner);
    expect(all[0]).toEqual(["key.revoked", firstKey, next.id, null]);
    // Of the same time, so their order is not defined.
    expect(all.slice(1, 3)).toEqual(
      expect.arrayContaining([
        ["key.created", firstKey, next.id, null],
        ["key.rotated", firstKey, worker.keyId, null],
      ]),
    );
    expect(all.slice(3)).toEqual([
      ["key.created", firstKey, worker.keyId, null],
      ["key.created", null, firstKey, null],
    ]);
  });

  test("has the id of the request that did it, which is in the response", async () => {
    const { owner } = await open();
    const conversation_id = await seedConversation(owner, ["one"]);
    const deleted = await owner.fetch(contracts.deleteConversation, { params: { conversation_id } });
    const [event] = await eventsOf(owner);
    expect(event).toMatchObject({ action: "conversation.deleted" });
    expect(event?.request_id).toBe(deleted.headers.get("x-request-id"));
  });

  test("has the events of a request under its id, for no other organization, from an index alone", async () => {
    const { owner } = await open();
    const requestOf = (response: Response) => response.headers.get("x-request-id") ?? "";
    const rotate = { params: { key_id: (await createKey(owner, { scopes: ["read"] })).keyId }, body: {} };
    const request_id = requestOf(await owner.fetch(contracts.rotateKey, rotate));
    const of = await eventsOf(owner, { request_id });
    expect(of.map(({ action }) => action).sort()).toEqual(["key.created", "key.rotated"]);
    expect(of.every((event) => event.request_id === request_id)).toBe(true);
    expect((await eventsOf(owner, { request_id, action: "key.rotated" })).map(({ id }) => id)).toEqual(
      of.filter(({ action }) => action === "key.rotated").map(({ id }) => id),
    );
    const pages = await readPages(owner, contracts.listAuditEvents, { query: { request_id, limit: 1 } });
    expect(pages.flatMap(({ items }) => items)).toEqual(of);
    expect(await eventsOf(await createOrganization(), { request_id })).toEqual([]);
    await env.DB.prepare(
      `INSERT INTO audit_events (organization_id, id, action, target_id, created_at_ms)
       SELECT ?1, 'aud_' || key, 'data.exported', ?1, 0 FROM json_each(?2)`,
    )
      .bind(owner.organizationId, JSON.stringify(Array(500).fill(0)))
      .run();
    const database = new RowsRead();
    const counting = new Service({ DB: database.db }).callerOf(owner.secret);
    expect(await eventsOf(counting, { request_id })).toEqual(of);
    for (const { read } of database.statements) expect(read).toBeLessThan(10);
  });

  test("has an event for every deletion, with its receipt", async () => {
    const { owner, firstKey } = await open();
    const cleaner = await createKey(owner, { scopes: ["read", "write", "delete"] });
    const conversation_id = await seedConversation(owner, ["one", "two", "three"]);
    const params = { conversation_id };
    const { items } = await owner.call(contracts.listMessages, { params });
    const message_id = items[0]?.id ?? "";
    const first = await cleaner.call(contracts.deleteMessage, { params: { ...params, message_id } });
    const messages = [{ role: "user", content: "four" }];
    const end = { expected_last_sequence: 3, from_sequence: 3, messages };
    await cleaner.call(contracts.replaceMessages, { params, body: end });
    // Deletes nothing.
    const behind = { expected_last_sequence: 4, from_sequence: 5, messages };
    await cleaner.call(contracts.replaceMessages, { params, body: behind });
    const second = await cleaner.call(contracts.deleteConversation, { params });
    await cleaner.fail(contracts.deleteConversation, { params });
    expect(await told(owner)).toEqual([
      ["conversation.deleted", cleaner.keyId, conversation_id, second.id],
      ["messages.replaced", cleaner.keyId, conversation_id, null],
      ["message.deleted", cleaner.keyId, message_id, first.id],
      ["key.created", firstKey, cleaner.keyId, null],
      ["key.created", null, firstKey, null],
    ]);
  });

  test("has an event for a deleted memory, and for memories deleted by a filter", async () => {
    const { owner, firstKey } = await open();
    const memories = [{ content: "a" }, { content: "b" }];
    const { items } = await owner.call(contracts.createMemories, { body: { memories } });
    const memory_id = items[0]?.id ?? "";
    const first = await owner.call(contracts.deleteMemory, { params: { memory_id } });
    const second = (await owner.call(contracts.deleteMemories, {
      body: { all: true },
    })) as contracts.Operation;
    expect((await told(owner)).slice(0, 2)).toEqual([
      ["memories.deleted", firstKey, owner.organizationId, second.id],
      ["memory.deleted", firstKey, memory_id, first.id],
    ]);
  });

  test("has an event for every operation that deletes, exports, restores, or creates or revokes a key", async () => {
    // An import stores only what an append could store.
    const telling = operations
      .filter(([id]) => id !== "createImport" && id !== "importLines")
      // A test changes nothing. For a sign-in code, the audit log records the key that it creates.
      .filter(([id]) => !["testWebhook", "createSignInCode", "previewRetentionRule"].includes(id))
      .filter(([id, contract]) => contract.method !== "get" || ["exportData", "getArchiveLines"].includes(id))
      .filter(
        ([id, contract]) =>
          id === "cancelOperation" ||
          scopesOf(contract)?.some((scope) => scope === "delete" || scope === "admin"),
      )
      .map(([id]) => id);
    const { owner } = await open();
    const ids = await seedIds(callOf(owner), owner.organizationId);
    // An event that fails, and so can be skipped.
    const ofWebhook = [owner.organizationId, ids.webhook_id];
    await selectRows("UPDATE webhooks SET position = 0 WHERE organization_id = ?1 AND id = ?2", ...ofWebhook);
    await insertDelivery(ids);
    const calls: Record<string, contracts.AuditAction> = {
      createKey: "key.created",
      rotateKey: "key.rotated",
      revokeKey: "key.revoked",
      createMember: "member.created",
      updateMember: "member.updated",
      createMemberSignInCode: "member.sign_in_code.created",
      deleteMember: "member.deleted",
      replaceMessages: "messages.replaced",
      deleteMessage: "message.deleted",
      deleteConversation: "conversation.deleted",
      deleteConversations: "conversations.deleted",
      deleteMemory: "memory.deleted",
      deleteMemories: "memories.deleted",
      deleteUser: "user.deleted",
      deleteTombstone: "tombstone.deleted",
      createHold: "hold.created",
      liftHold: "hold.lifted",
      exportData: "data.exported",
      createRetentionRule: "retention.created",
      updateRetentionRule: "retention.updated",
      deleteRetentionRule: "retention.deleted",
      createArchive: "archive.created",
      setArchiveSchedule: "archive_schedule.updated",
      getArchiveLines: "data.exported",
      deleteArchive: "archive.deleted",
      createWebhook: "webhook.created",
      updateWebhook: "webhook.updated",
      rotateWebhook: "webhook.rotated",
      resumeWebhook: "webhook.resumed",
      skipDelivery: "delivery.skipped",
      deleteGrant: "grant.deleted",
      deleteWebhook: "webhook.deleted",
      updateOrganization: "organization.updated",
      deleteOrganization: "organization.deleted",
      cancelOperation: "organization.restored",
    };
    expect(Object.keys(calls).sort()).toEqual(telling.sort());
    let deletion = ABSENT.operation_id;
    for (const [id, action] of Object.entries(calls)) {
      const count = async () =>
        (
          await selectRows(
            "SELECT 1 FROM audit_events WHERE organization_id = ?1 AND action = ?2",
            owner.organizationId,
            action,
          )
        ).length;
      const isRestored = id === "cancelOperation";
      const fresh = isRestored ? { ...ids, operation_id: deletion } : await freshIds(id, ids, callOf(owner));
      if (id === "deleteOrganization") await liftHolds(owner);
      const before = await count();
      const response = await (isRestored ? operator : owner).fetch(contractOf(id), requestFor(id, fresh));
      const answer = await response.text();
      if (id === "deleteOrganization") deletion = JSON.parse(answer).id;
      expect([id, await count()]).toEqual([id, before + 1]);
    }
    expect(
      [...new Set(Object.values(calls))]
        // The service does this without a request, after failures.
        .concat("webhook.paused")
        // The sweep does these, see retention.test.ts.
        .concat("items.expired", "retention.applied")
        // People do this on a page, see oauth-grants.test.ts.
        .concat("grant.created")
        // The cell does this, see moves.test.ts.
        .concat("organization.move.started")
        .sort(),
    ).toEqual([...contracts.AUDIT_ACTIONS].sort());
  });

  test("has one event for a request that is repeated with its idempotency key", async () => {
    const { owner } = await open();
    const request = {
      body: { name: "worker", scopes: ["read"] },
      headers: { "idempotency-key": "once" },
    };
    await owner.call(contracts.createKey, request);
    await owner.fail(contracts.createKey, request);
    expect(await eventsOf(owner, { action: "key.created" })).toHaveLength(2);
  });

  test("contains no content, no names and no secrets", async () => {
    const owner = await createOrganization("Acme Rockets");
    await owner.call(contracts.createKey, { body: { name: "deploy bot", scopes: ["read"] } });
    const conversation_id = await seedConversation(owner, ["the code is mango-4711"], { title: "Vault" });
    await owner.call(contracts.deleteConversation, { params: { conversation_id } });
    const rows = JSON.stringify(
      await selectRows("SELECT * FROM audit_events WHERE organization_id = ?1", owner.organizationId),
    );
    expect(rows).toContain(conversation_id);
    expect(rows).not.toMatch(/Acme|deploy bot|mango|Vault|engram_sk/);
  });

  test.for([
    ["by the operator", true],
    ["with its own key", false],
  ] as const)("ends with the event of the organization's deletion %s", async ([, byOperator]) => {
    const clock = new Clock();
    const service = new Service({}, clock);
    const { owner, firstKey } = await open();
    const params = { organization_id: owner.organizationId };
    const by = byOperator ? operator : owner;
    const receipt = await by.call(contracts.deleteOrganization, { params });
    await sweepUntilIdle(service, clock, owner.organizationId);
    const left = await selectRows(
      "SELECT action, key_id, target_id, operation_id FROM audit_events WHERE organization_id = ?1",
      owner.organizationId,
    );
    expect(left).toEqual([
      {
        action: "organization.deleted",
        key_id: byOperator ? null : firstKey,
        target_id: owner.organizationId,
        operation_id: receipt.id,
      },
    ]);
  });

  test("has no events of another organization", async () => {
    const [owner, other] = [await createOrganization(), await createOrganization()];
    expect((await eventsOf(other)).map(({ id }) => id)).not.toEqual(
      expect.arrayContaining((await eventsOf(owner)).map(({ id }) => id)),
    );
  });

  test("is paged without gaps or repeats, and filtered by action", async () => {
    const { owner } = await open();
    for (let i = 0; i < 5; i++) await createKey(owner, { scopes: ["read"] });
    const all = (await eventsOf(owner)).map(({ id }) => id);
    expect(all).toHaveLength(6);
    const pages = await readPages(owner, contracts.listAuditEvents, { query: { limit: 4 } });
    expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(all);
    expect(await eventsOf(owner, { action: "key.revoked" })).toEqual([]);
  });
});
