import * as contracts from "@engram/spec";
import { beforeAll, describe, expect, test } from "vitest";
import { type Caller, callerOf, createKey, createOrganization, operator } from "../support/client.ts";
import { readProblem } from "../support/contract.ts";
import { Clock, Service, selectRows } from "../support/invocations.ts";
import { fetchWith } from "../support/worlds.ts";

const HOUR_MS = 3_600_000;

let owner: Caller & { organizationId: string };
beforeAll(async () => {
  owner = await createOrganization();
});

const createCode = async (caller: Caller) => (await caller.call(contracts.createSignInCode)).code;

/** A new key that may create codes. */
const createManager = (more: { expires_at?: string } = {}) =>
  createKey(owner, { scopes: ["admin", "read"], ...more });

const expectInvalid = async (caller: Caller) =>
  expect(await caller.fail(contracts.redeemSignInCode)).toMatchObject({
    code: "unauthenticated",
    status: 401,
    detail: expect.stringContaining("sign-in code is not valid"),
  });

describe("create sign-in code", () => {
  test("returns a code valid for an hour, which is stored only as a hash", async () => {
    const manager = await createManager();
    const { code, expires_at } = await manager.call(contracts.createSignInCode);
    expect(code).toMatch(/^engram_code_[0-9a-z]+_[0-9a-z]+_[0-9A-Za-z]{32}$/);
    expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(HOUR_MS - 60_000);
    const [row] = await selectRows<{ sign_in_code_hash: string }>(
      "SELECT * FROM api_keys WHERE id = ?1",
      manager.keyId,
    );
    expect(row?.sign_in_code_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(row)).not.toContain(code.slice(-32));
  });
});

describe("redeem sign-in code", () => {
  test("creates a key with the creator's scopes for twelve hours, and records the creator", async () => {
    const manager = await createManager();
    const key = await callerOf(await createCode(manager)).call(contracts.redeemSignInCode);
    expect(key).toMatchObject({ name: "console sign-in", scopes: ["admin", "read"], agent_id: null });
    const lastsMs = Date.parse(key.expires_at ?? "") - Date.now();
    expect(lastsMs).toBeLessThanOrEqual(12 * HOUR_MS);
    expect(lastsMs).toBeGreaterThan(12 * HOUR_MS - 60_000);
    await callerOf(key.secret).call(contracts.listKeys);
    expect((await callerOf(key.secret).fail(contracts.search, { body: { query: "x" } })).code).toBe(
      "forbidden",
    );
    const { items } = await owner.call(contracts.listAuditEvents, { query: { action: "key.created" } });
    expect(items.find(({ target_id }) => target_id === key.id)).toMatchObject({ key_id: manager.keyId });
    const { items: events } = await owner.call(contracts.listEvents, { query: { type: "key.created" } });
    expect(events.filter(({ key_id }) => key_id === key.id)).toHaveLength(1);
  });

  test("creates one key, however often and concurrently the code is used", async () => {
    const redeemer = callerOf(await createCode(await createManager()));
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => redeemer.fetch(contracts.redeemSignInCode)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(401)]);
    await expectInvalid(redeemer);
  });

  test("rejects a code that was replaced", async () => {
    const manager = await createManager();
    const [first, second] = [await createCode(manager), await createCode(manager)];
    await expectInvalid(callerOf(first));
    await callerOf(second).call(contracts.redeemSignInCode);
  });

  test("rejects a code after an hour, and creates no key that outlives its creator", async () => {
    const clock = new Clock();
    const service = new Service({}, clock);
    const expires_at = new Date(clock.nowMs() + 2 * HOUR_MS).toISOString();
    const manager = service.callerOf((await createManager({ expires_at })).secret);
    const key = await service.callerOf(await createCode(manager)).call(contracts.redeemSignInCode);
    expect(key.expires_at).toBe(expires_at);
    const late = await createCode(manager);
    clock.advance(HOUR_MS);
    await expectInvalid(service.callerOf(late));
  });

  test.for([
    [
      "a revoked key",
      async (key: Caller & { keyId: string }) => {
        await owner.call(contracts.revokeKey, { params: { key_id: key.keyId } });
      },
    ],
    [
      "a rotated key that is valid for another hour",
      async (key: Caller & { keyId: string }) => {
        await owner.call(contracts.rotateKey, {
          params: { key_id: key.keyId },
          body: { overlap_seconds: 3_600 },
        });
      },
    ],
    [
      "an expired key",
      async (key: Caller & { keyId: string }) => {
        await owner.call(contracts.rotateKey, {
          params: { key_id: key.keyId },
          body: { overlap_seconds: 0 },
        });
      },
    ],
  ] as const)("rejects a code of %s", async ([, end]) => {
    const manager = await createManager();
    const code = await createCode(manager);
    await end(manager);
    await expectInvalid(callerOf(code));
  });

  test("rejects a code of a deleted organization", async () => {
    const other = await createOrganization();
    const code = await createCode(other);
    await operator.call(contracts.deleteOrganization, { params: { organization_id: other.organizationId } });
    await expectInvalid(callerOf(code));
  });

  test("rejects an invalid code, and a code is not valid as a key", async () => {
    const code = await createCode(await createManager());
    for (const wrong of [
      "",
      owner.secret,
      `${code.slice(0, -1)}-`,
      code.slice(0, -2),
      `${code}A`,
      "engram_code_",
    ])
      await expectInvalid(callerOf(wrong));
    const guess = code.endsWith("A") ? `${code.slice(0, -1)}B` : `${code.slice(0, -1)}A`;
    await expectInvalid(callerOf(guess));
    expect((await callerOf(code).fail(contracts.listKeys)).code).toBe("unauthenticated");
    await callerOf(code).call(contracts.redeemSignInCode);
  });

  test("responds only on the hosts that the deployment allows", async () => {
    const response = await fetchWith({ ALLOWED_HOSTS: "api.example" }, contracts.redeemSignInCode, {});
    expect(await readProblem(contracts.redeemSignInCode, response)).toMatchObject({
      code: "host_not_allowed",
    });
  });
});
