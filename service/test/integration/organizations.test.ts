import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import * as contracts from "@engram/spec";
import { beforeAll, describe, expect, test } from "vitest";
import { report } from "../../src/organizations/service.ts";
import { cellOf, createIn } from "../support/cells.ts";
import {
  type Caller,
  callerOf,
  createOrganization,
  operator,
  readPages,
  seedConversation,
} from "../support/client.ts";
import { env } from "../support/env.ts";
import { Service } from "../support/invocations.ts";

/** Lets cells report their sizes, as they do after each sweep. */
const reportSizes = () => new Service().sweep();

let caller: Caller & { organizationId: string };
beforeAll(async () => {
  caller = await createOrganization("Acme");
});

describe("create organization", () => {
  const contract = contracts.createOrganization;

  test("returns a key with all scopes", async () => {
    const { organization, key } = await operator.call(contract, { body: { name: "New" } });
    expect(organization).toMatchObject({ name: "New", conversation_count: 0, deleted_at: null });
    expect(key.scopes).toEqual([...contracts.SCOPES]);
    await seedConversation(callerOf(key.secret), ["hello"]);
    const params = { organization_id: organization.id };
    const counted = await callerOf(key.secret).call(contracts.getOrganization, { params });
    expect(counted).toMatchObject({ conversation_count: 1, message_count: 1 });
  });
});

describe("list organizations", () => {
  const contract = contracts.listOrganizations;

  test("returns each with its size to the operator, newest first, in pages", async () => {
    const older = await createOrganization("Older");
    await seedConversation(older, ["hello", "and again"]);
    await older.call(contracts.createMemory, { body: { content: "Kept." } });
    await reportSizes();
    const newer = await createOrganization("Newer");
    const first = await operator.call(contract, { query: { limit: 1 } });
    expect(first.items).toMatchObject([
      {
        id: newer.organizationId,
        name: "Newer",
        conversation_count: 0,
        memory_count: 0,
        last_active_on: null,
      },
    ]);
    const query = { limit: 1, cursor: first.next_cursor ?? "" };
    expect((await operator.call(contract, { query })).items).toMatchObject([
      {
        id: older.organizationId,
        conversation_count: 1,
        message_count: 2,
        memory_count: 1,
        deleted_at: null,
      },
    ]);
    const pages = await readPages(operator, contract, { query: { limit: 2 } });
    const all = pages.flatMap(({ items }) => items.map(({ id }) => id));
    expect(new Set(all).size).toBe(all.length);
    expect(all).toEqual(expect.arrayContaining([newer.organizationId, caller.organizationId]));
  });

  test("returns the last day of usage, and includes a deleted organization until it is purged", async () => {
    const own = await createOrganization("Active");
    const add = env.DB.prepare(
      "INSERT INTO usage (organization_id, day, key_id, requests, messages, message_bytes, searches, embeddings) VALUES (?, ?, '', 1, 0, 0, 0, 0)",
    );
    await env.DB.batch([
      add.bind(own.organizationId, "2026-10-31"),
      add.bind(own.organizationId, "2026-11-02"),
    ]);
    await reportSizes();
    const newest = async () => (await operator.call(contract, { query: { limit: 1 } })).items[0];
    expect(await newest()).toMatchObject({ id: own.organizationId, last_active_on: "2026-11-02" });
    await own.call(contracts.deleteOrganization, { params: { organization_id: own.organizationId } });
    expect(await newest()).toMatchObject({ id: own.organizationId, deleted_at: expect.any(String) });
  });
});

describe("a sorted list of organizations", () => {
  const contract = contracts.listOrganizations;
  const SORTS = ["created_at", "place", "size_bytes", "message_count", "last_active_on"] as const;
  type Item = contracts.ListedOrganization;

  beforeAll(async () => {
    for (const [place, messages, day] of [
      ["d1", 0, null],
      ["d1", 2, "2026-11-02"],
      ["cell", 2, "2026-11-03"],
      ["d1", 2, "2026-11-02"],
      ["cell", 0, null],
    ] as const) {
      const own = await createIn(place);
      await seedConversation(own, Array(messages).fill("hello"));
      const usage =
        "INSERT INTO usage (organization_id, day, key_id, requests, messages, message_bytes, searches, embeddings) VALUES (?, ?, '', 1, 0, 0, 0, 0)";
      const binds = [own.organizationId, day] as const;
      const cell = cellOf(own.organizationId);
      if (place === "cell") {
        if (day !== null)
          await runInDurableObject(cell, (_, { storage }) => void storage.sql.exec(usage, ...binds));
        // Of the last one, nothing is reported yet.
        if (messages > 0) await runDurableObjectAlarm(cell);
      } else if (day !== null)
        await env.DB.prepare(usage)
          .bind(...binds)
          .run();
    }
  });

  const read = async (query: Record<string, string | number>): Promise<Item[]> =>
    (await readPages(operator, contract, { query })).flatMap(({ items }) => items);

  test.for(SORTS)("by %s returns each once, in both orders, however long the pages are", async (sort) => {
    const all = await read({ limit: 100 });
    // Newest first, with null as less than anything.
    const least = (value: string | number | null) => value ?? (sort === "size_bytes" ? -1 : "");
    const newest = new Map(all.map(({ id }, i) => [id, -i]));
    const sorted = all.toSorted((a, b) => {
      const [x, y] = [least(a[sort]), least(b[sort])];
      return sort === "created_at" || x === y
        ? (newest.get(a.id) ?? 0) - (newest.get(b.id) ?? 0)
        : x < y
          ? -1
          : 1;
    });
    expect(new Set(sorted.map((one) => one[sort])).size).toBeGreaterThan(1);
    for (const limit of [1, 3, 100]) {
      expect(await read({ sort, order: "asc", limit }), `${limit}`).toEqual(sorted);
      expect(await read({ sort, limit }), `${limit}`).toEqual(sorted.toReversed());
    }
  });

  test("has the size that a cell has reported, and none of organizations in D1", async () => {
    const all = await read({ sort: "size_bytes", limit: 100 });
    const [largest] = all;
    expect(largest).toMatchObject({ place: "cell", message_count: 2, last_active_on: "2026-11-03" });
    const actual = await runInDurableObject(
      cellOf(largest?.id ?? ""),
      (_, { storage }) => storage.sql.databaseSize,
    );
    expect(largest?.size_bytes).toBe(actual);
    for (const { place, size_bytes } of all) if (place === "d1") expect(size_bytes).toBeNull();
    // A report of a request, which does not know the size, keeps it.
    const service = new Service();
    await report(service.context().at(largest?.id ?? ""), largest?.id ?? "");
    expect((await read({ sort: "size_bytes", limit: 1 }))[0]?.size_bytes).toBe(actual);
  });

  test("rejects a cursor of another order", async () => {
    const { next_cursor } = await operator.call(contract, { query: { sort: "place", limit: 1 } });
    const others: Record<string, string>[] = [{ sort: "size_bytes" }, { sort: "place", order: "asc" }, {}];
    for (const query of others)
      expect(await operator.fail(contract, { query: { ...query, cursor: next_cursor ?? "" } })).toMatchObject(
        { code: "invalid_cursor" },
      );
  });
});

describe("get organization", () => {
  const contract = contracts.getOrganization;

  test("returns its own organization to a key, and any to the operator", async () => {
    const params = { organization_id: caller.organizationId };
    const own = await caller.call(contract, { params });
    expect(own.name).toBe("Acme");
    expect(await operator.call(contract, { params })).toEqual(own);
  });

  test("returns the organization of the key as `current`, which the operator does not have", async () => {
    const params = { organization_id: "current" };
    expect((await caller.call(contract, { params })).id).toBe(caller.organizationId);
    expect((await operator.fail(contract, { params })).code).toBe("not_found");
  });
});

describe("delete organization", () => {
  const contract = contracts.deleteOrganization;

  test("revokes its keys at once, and reports the progress of the purge to the operator", async () => {
    const own = await createOrganization();
    await seedConversation(own, ["hello"]);
    const params = { organization_id: own.organizationId };
    const receipt = await own.call(contract, { params });
    expect(receipt).toMatchObject({ type: "delete_organization", target_id: own.organizationId });
    expect((await own.fail(contracts.listConversations)).code).toBe("unauthenticated");
    expect((await operator.call(contracts.getOrganization, { params })).deleted_at).not.toBeNull();
    expect(await operator.call(contracts.getOperation, { params: { operation_id: receipt.id } })).toEqual(
      receipt,
    );
    expect((await operator.fail(contract, { params })).code).toBe("not_found");
  });
});

describe("get operation", () => {
  const contract = contracts.getOperation;

  test("returns a receipt only to its own organization", async () => {
    const params = { conversation_id: await seedConversation(caller) };
    const receipt = await caller.call(contracts.deleteConversation, { params });
    const operation = { params: { operation_id: receipt.id } };
    expect(await caller.call(contract, operation)).toEqual(receipt);
    expect((await (await createOrganization()).fail(contract, operation)).code).toBe("not_found");
  });
});
