import * as contracts from "@engram/spec";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Caller,
  callerOf,
  createKey,
  createOrganization,
  operator,
  seedConversation,
} from "../support/client.ts";
import { expectEveryStatusRead } from "../support/contract.ts";
import { env } from "../support/env.ts";
import { expectBodyRefusals, expectKeyRefusals } from "../support/refusals.ts";

let caller: Caller & { organizationId: string };
let searcher: Caller;
beforeAll(async () => {
  caller = await createOrganization("Acme");
  searcher = await createKey(caller, { scopes: ["search"] });
});

const ABSENT = { organization_id: "org_00000000000000000000" };

describe("create organization", () => {
  const contract = contracts.createOrganization;
  afterAll(() =>
    expectEveryStatusRead({ ...contract, responses: withoutStatuses(contract.responses, [403, 404]) }),
  );

  test("returns a key with all scopes", async () => {
    const { organization, key } = await operator.call(contract, { body: { name: "New" } });
    expect(organization).toMatchObject({ name: "New", conversation_count: 0, deleted_at: null });
    expect(key.scopes).toEqual([...contracts.SCOPES]);
    await seedConversation(callerOf(key.secret), ["hello"]);
    const params = { organization_id: organization.id };
    const counted = await callerOf(key.secret).call(contracts.getOrganization, { params });
    expect(counted).toMatchObject({ conversation_count: 1, message_count: 1 });
  });

  test("creates one organization on a repeat, and does not return the secret again", async () => {
    const parts = { body: { name: "Once" }, headers: { "idempotency-key": "organization" } };
    const { organization } = await operator.call(contract, parts);
    const again = await operator.fail(contract, parts);
    expect(again).toMatchObject({
      code: "secret_already_shown",
      detail: expect.stringContaining(organization.id),
    });
    const other = await operator.fail(contract, { ...parts, body: { name: "Other" } });
    expect(other.code).toBe("idempotency_mismatch");
  });

  test("is for the operator only", async () => {
    for (const token of ["", "engram_admin_wrong", caller.secret]) {
      expect((await callerOf(token).fail(contract, { body: { name: "x" } })).code).toBe("unauthenticated");
    }
    await expectBodyRefusals(contract, operator);
  });
});

/** The security tests cover other hosts, and a deployment without an admin token. */
const withoutStatuses = (responses: object, statuses: number[]) =>
  Object.fromEntries(Object.entries(responses).filter(([key]) => !statuses.includes(Number(key))));

describe("list organizations", () => {
  const contract = contracts.listOrganizations;
  afterAll(() =>
    expectEveryStatusRead({ ...contract, responses: withoutStatuses(contract.responses, [403, 404]) }),
  );

  test("returns each with its size to the operator, newest first, in pages", async () => {
    const older = await createOrganization("Older");
    await seedConversation(older, ["hello", "and again"]);
    await older.call(contracts.createMemory, { body: { content: "Kept." } });
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
    const all = [];
    let cursor: string | null | undefined;
    do {
      const page = await operator.call(contract, { query: { limit: 2, ...(cursor && { cursor }) } });
      all.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== null);
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
    const newest = async () => (await operator.call(contract, { query: { limit: 1 } })).items[0];
    expect(await newest()).toMatchObject({ id: own.organizationId, last_active_on: "2026-11-02" });
    await own.call(contracts.deleteOrganization, { params: { organization_id: own.organizationId } });
    expect(await newest()).toMatchObject({ id: own.organizationId, deleted_at: expect.any(String) });
  });

  test("rejects keys, invalid tokens and invalid parameters", async () => {
    for (const token of ["", "engram_admin_wrong", caller.secret])
      expect((await callerOf(token).fail(contract)).code).toBe("unauthenticated");
    expect((await operator.fail(contract, { query: { cursor: "x" } })).code).toBe("invalid_cursor");
    expect((await operator.fail(contract, { query: { limit: 0 } })).code).toBe("validation_failed");
  });
});

describe("get organization", () => {
  const contract = contracts.getOrganization;
  afterAll(() => expectEveryStatusRead(contract));

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

  test("rejects missing keys and scopes, bound keys and other organizations", async () => {
    await expectKeyRefusals(contract, searcher, { params: ABSENT });
    expect((await caller.fail(contract, { params: ABSENT })).code).toBe("not_found");
    expect((await operator.fail(contract, { params: ABSENT })).code).toBe("not_found");
    const bot = await createKey(caller, { scopes: ["read"], agent_id: "bot" });
    const params = { organization_id: caller.organizationId };
    expect((await bot.fail(contract, { params })).code).toBe("forbidden");
  });
});

describe("delete organization", () => {
  const contract = contracts.deleteOrganization;
  afterAll(() => expectEveryStatusRead(contract));

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

  test("rejects missing keys and scopes, and other organizations", async () => {
    await expectKeyRefusals(contract, searcher, { params: ABSENT });
    expect((await caller.fail(contract, { params: ABSENT })).code).toBe("not_found");
  });
});

describe("get operation", () => {
  const contract = contracts.getOperation;
  afterAll(() => expectEveryStatusRead(contract));

  test("returns a receipt only to its own organization", async () => {
    const params = { conversation_id: await seedConversation(caller) };
    const receipt = await caller.call(contracts.deleteConversation, { params });
    const operation = { params: { operation_id: receipt.id } };
    expect(await caller.call(contract, operation)).toEqual(receipt);
    expect((await (await createOrganization()).fail(contract, operation)).code).toBe("not_found");
  });

  test("rejects missing keys and missing scopes", () =>
    expectKeyRefusals(contract, searcher, { params: { operation_id: "op_00000000000000000000" } }));
});
