import * as contracts from "@engram/spec";
import type { RouteConfig } from "@hono/zod-openapi";
import { describe, expect, test } from "vitest";
import { scale } from "../../../proof/support/scale.ts";
import { type Caller, createKey, createOrganization, operator, seedConversation } from "../support/client.ts";
import { RowsRead } from "../support/counting.ts";
import { env } from "../support/env.ts";
import { Clock, holdIndexing, Service, selectRow, selectRows } from "../support/invocations.ts";
import type { RequestParts } from "../support/requests.ts";

const DAY_MS = 24 * 3_600_000;
const say = (content: string, more: object = {}) => ({ role: "user", content, ...more });
const key = (value: string) => ({ "idempotency-key": value });
const appendOf = (id: string, messages: object[], headers: Record<string, string> = {}): RequestParts => ({
  params: { conversation_id: id },
  body: { messages },
  headers,
});
const contentsOf = (id: string) =>
  selectRows<{ sequence: number; content: string; external_id: string | null }>(
    "SELECT sequence, content, external_id FROM messages WHERE conversation_id = ?1 ORDER BY sequence",
    id,
  );

/** The responses of concurrent equal requests: the first of its kind, and the others. */
async function race(count: number, send: () => Promise<Response>) {
  const responses = await Promise.all(Array.from({ length: count }, send));
  const bodies = await Promise.all(responses.map((response) => response.text()));
  const replayed = responses.map((response) => response.headers.get("idempotent-replayed"));
  return { statuses: new Set(responses.map(({ status }) => status)), bodies: new Set(bodies), replayed };
}

describe("an idempotency key", () => {
  test("of fifty concurrent equal requests has one effect, and all get the same response", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller);
    const parts = appendOf(id, [say("one"), say("two", { external_id: "m-2" })], key("race"));
    const { statuses, bodies, replayed } = await race(50, () =>
      caller.fetch(contracts.appendMessages, parts),
    );
    expect([...statuses]).toEqual([201]);
    expect(bodies.size).toBe(1);
    expect(replayed.filter((header) => header === null)).toHaveLength(1);
    expect(replayed.filter((header) => header === "true")).toHaveLength(49);
    expect(await contentsOf(id)).toHaveLength(2);
  });

  test.for([
    ["createConversation", contracts.createConversation, { title: "t", tags: ["a"] }, 201],
    ["repairIndex", contracts.repairIndex, {}, 202],
  ] as [string, RouteConfig, object, number][])(
    "has one effect for concurrent requests of %s",
    async ([, contract, body, status]) => {
      const caller = await createOrganization();
      await seedConversation(caller, ["hello"]);
      const { statuses, bodies, replayed } = await race(10, () =>
        caller.fetch(contract, { body, headers: key("k") }),
      );
      expect([[...statuses], bodies.size, replayed.filter((header) => header === null).length]).toEqual([
        [status],
        1,
        1,
      ]);
      const { items } = await caller.call(contracts.listConversations);
      expect(items).toHaveLength(contract === contracts.createConversation ? 2 : 1);
    },
  );

  test.for([
    [
      "fields in another order",
      '{"metadata":{"b":[1,2],"a":{"d":1,"c":"\u00e9"}},"tags":["x","y"],"title":"t"}',
    ],
    [
      "white space and escapes",
      ' {\n "title" : "\\u0074" , "tags":["x", "y"],\t"metadata":{"a":{"c":"\\u00e9","d":1},"b":[1,2]}}\r\n',
    ],
    [
      "numbers written differently",
      '{"title":"t","tags":["x","y"],"metadata":{"a":{"c":"é","d":1e0},"b":[1.0,2]}}',
    ],
  ] as const)("is of the same request if its JSON has %s", async ([, again]) => {
    const caller = await createOrganization();
    const first = '{"title":"t","tags":["x","y"],"metadata":{"a":{"c":"é","d":1},"b":[1,2]}}';
    const create = (rawBody: string) =>
      caller.fetch(contracts.createConversation, { rawBody, headers: key("k") });
    const [one, other] = [await create(first), await create(again)];
    expect([other.status, other.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
    expect(await other.json()).toEqual(await one.json());
  });

  test.for([
    ["a list in another order", '{"tags":["y","x"],"title":"t"}'],
    ["another value in place of a number", '{"tags":["x","y"],"title":"t","metadata":{"a":"1"}}'],
    ["another field", '{"tags":["x","y"],"user_id":"t"}'],
  ] as const)("is of another request if its JSON has %s", async ([, again]) => {
    const caller = await createOrganization();
    const first = '{"tags":["x","y"],"title":"t","metadata":{"a":1}}';
    const create = (rawBody: string) =>
      caller.fetch(contracts.createConversation, { rawBody, headers: key("k") });
    expect([(await create(first)).status, (await create(again)).status]).toEqual([201, 422]);
  });

  test("with another body or path is rejected, and nothing is stored", async () => {
    const caller = await createOrganization();
    const [id, other] = [await seedConversation(caller), await seedConversation(caller)];
    await caller.call(contracts.appendMessages, appendOf(id, [say("one")], key("k")));
    for (const parts of [appendOf(id, [say("two")], key("k")), appendOf(other, [say("one")], key("k"))]) {
      expect(await caller.fail(contracts.appendMessages, parts)).toMatchObject({
        status: 422,
        code: "idempotency_mismatch",
      });
    }
    expect([await contentsOf(id), await contentsOf(other)]).toMatchObject([[{ content: "one" }], []]);
  });

  test("of another organization, key or operation is independent", async () => {
    const [a, b] = [await createOrganization(), await createOrganization()];
    const second = await createKey(a, { scopes: ["read", "write", "delete"] });
    const id = await seedConversation(a);
    const conversations: Caller[] = [a, b, second];
    for (const caller of conversations) {
      const response = await caller.fetch(contracts.createConversation, { body: {}, headers: key("k") });
      expect([response.status, response.headers.get("idempotent-replayed")]).toEqual([201, null]);
    }
    expect(
      (await a.fetch(contracts.appendMessages, appendOf(id, [say("x")], key("k")))).headers.get(
        "idempotent-replayed",
      ),
    ).toBeNull();
    expect(
      await selectRows("SELECT 1 FROM idempotency_keys WHERE organization_id = ?1", a.organizationId),
    ).toHaveLength(3);
  });

  test("that is an empty quoted string is rejected, and nothing is stored", async () => {
    const caller = await createOrganization();
    const headers = { "idempotency-key": '""' };
    const body = { title: "once" };
    expect(await caller.fail(contracts.createConversation, { body, headers })).toMatchObject({
      status: 400,
      errors: [{ path: "idempotency-key" }],
    });
    expect(await caller.call(contracts.listConversations)).toMatchObject({ items: [] });
  });

  test("means the same with and without quotes", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller);
    const first = await caller.call(contracts.appendMessages, appendOf(id, [say("x")], key("k-1")));
    expect(await caller.call(contracts.appendMessages, appendOf(id, [say("x")], key('"k-1"')))).toEqual(
      first,
    );
    expect(await contentsOf(id)).toHaveLength(1);
  });

  test("of a failed request can be used again", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller, [say("one", { external_id: "m-1" })]);
    const conflicting = appendOf(id, [say("other", { external_id: "m-1" })], key("k"));
    expect(await caller.fail(contracts.appendMessages, conflicting)).toMatchObject({
      code: "external_id_conflict",
    });
    expect(await caller.call(contracts.appendMessages, appendOf(id, [say("two")], key("k")))).toMatchObject({
      last_sequence: 2,
    });
  });

  test("is kept for 24 hours, then deleted by the sweep and can be used again", async () => {
    const { secret, organizationId } = await createOrganization();
    const clock = new Clock();
    const service = new Service({}, clock);
    const caller = service.callerOf(secret);
    const create = () => service.fetch(secret, contracts.createConversation, { body: {}, headers: key("k") });
    const kept = () =>
      selectRows("SELECT 1 FROM idempotency_keys WHERE organization_id = ?1", organizationId);
    const first = await (await create()).json();
    clock.advance(DAY_MS - 1);
    await service.sweep();
    expect(await (await create()).json()).toEqual(first);
    clock.advance(1);
    const again = await create();
    expect(again.headers.get("idempotent-replayed")).toBeNull();
    expect(await again.json()).not.toEqual(first);
    expect(await kept()).not.toEqual([]);
    // The sweep deletes the keys of a day after its end.
    clock.advance(2 * DAY_MS);
    await service.sweep();
    expect(await kept()).toEqual([]);
    expect((await caller.call(contracts.listConversations)).items).toHaveLength(2);
  });

  test("is deleted by the sweep together with tens of thousands of others", async () => {
    const { organizationId } = await createOrganization();
    const clock = new Clock();
    const service = new Service({}, clock);
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
       INSERT INTO idempotency_keys
              (expires_day, organization_id, key_id, operation, idempotency_key, request_hash, expires_at_ms)
       SELECT ?3, ?1, 'key_x', 'x', i, '', ?2 + (i > 29990) * 60000 FROM n`,
    )
      .bind(organizationId, clock.nowMs(), Math.floor(clock.nowMs() / DAY_MS) - 1)
      .run();
    await service.sweep();
    const kept = await selectRows(
      "SELECT 1 FROM idempotency_keys WHERE organization_id = ?1",
      organizationId,
    );
    expect(kept).toHaveLength(10);
  });

  // The second case: another isolate revoked the key, and this one still has it in its cache.
  test.for(["through the API", "in another isolate"])(
    "returns nothing to a key that was revoked %s",
    async (how) => {
      const admin = await createOrganization();
      const caller = await createKey(admin, { scopes: ["write"] });
      const id = await seedConversation(admin);
      const parts = appendOf(id, [say("secret plan")], key("k"));
      await caller.call(contracts.appendMessages, parts);
      if (how === "through the API")
        await admin.call(contracts.revokeKey, { params: { key_id: caller.keyId } });
      else
        await env.DB.prepare("UPDATE api_keys SET revoked_at_ms = 1 WHERE id = ?1").bind(caller.keyId).run();
      expect(await caller.fail(contracts.appendMessages, parts)).toMatchObject({ code: "unauthenticated" });
    },
  );

  test("of a replacement returns the deleted and stored ids again, and stores no content", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller, ["one", "two", "three"]);
    const body = { expected_last_sequence: 3, from_sequence: 2, messages: [say("swordfish")] };
    const parts = { params: { conversation_id: id }, body, headers: key("k") };
    const first = await caller.call(contracts.replaceMessages, parts);
    expect(first).toMatchObject({ deleted_ids: [expect.any(String), expect.any(String)], first_sequence: 4 });
    const { bodies, replayed } = await race(3, () => caller.fetch(contracts.replaceMessages, parts));
    expect([[...bodies].map((text) => JSON.parse(text) as unknown), replayed]).toEqual([
      [first],
      ["true", "true", "true"],
    ]);
    expect(await contentsOf(id)).toHaveLength(2);
    const kept = await selectRows(
      "SELECT * FROM idempotency_keys WHERE organization_id = ?1",
      caller.organizationId,
    );
    expect(JSON.stringify(kept)).not.toContain("swordfish");
  });

  test("of a request that returns a secret gets 409 on a repeat, and neither the secret nor its hash is stored", async () => {
    const organization = { body: { name: "once" }, headers: key(crypto.randomUUID()) };
    const { key: first } = await operator.call(contracts.createOrganization, organization);
    expect(await operator.fail(contracts.createOrganization, organization)).toMatchObject({
      code: "secret_already_shown",
    });
    const caller = await createOrganization();
    const creation = { body: { name: "k", scopes: ["read"] }, headers: key("k") };
    const created = await caller.call(contracts.createKey, creation);
    const rotation = { params: { key_id: created.id }, body: {}, headers: key("k") };
    const rotated = await caller.call(contracts.rotateKey, rotation);
    expect(await caller.fail(contracts.createKey, creation)).toMatchObject({
      status: 409,
      code: "secret_already_shown",
      detail: expect.stringContaining(created.id),
    });
    expect(await caller.fail(contracts.rotateKey, rotation)).toMatchObject({
      status: 409,
      code: "secret_already_shown",
      detail: expect.stringContaining(rotated.id),
    });
    expect((await caller.call(contracts.listKeys)).items).toHaveLength(3);
    const kept = JSON.stringify(await selectRows("SELECT * FROM idempotency_keys"));
    const hashes = await selectRows<{ secret_hash: string }>("SELECT secret_hash FROM api_keys");
    for (const text of [
      first.secret,
      created.secret,
      rotated.secret,
      ...hashes.map((row) => row.secret_hash),
    ]) {
      expect(kept).not.toContain(text);
    }
    expect(kept).not.toContain("engram_sk");
  });
});

describe("an external id of a message", () => {
  test("stores a message once, within a request and across requests, and reports it as existing", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller);
    const message = say("one", { external_id: "m-1", metadata: { a: 1, b: [2] } });
    const reordered = { metadata: { b: [2], a: 1 }, external_id: "m-1", content: "one", role: "user" };
    const first = await caller.call(contracts.appendMessages, appendOf(id, [message, say("two"), reordered]));
    expect(first.message_ids[0]).toBe(first.message_ids[2]);
    expect(first).toMatchObject({ existing_ids: [], first_sequence: 1, last_sequence: 2 });
    const again = await caller.call(contracts.appendMessages, appendOf(id, [say("three"), reordered]));
    expect(again).toMatchObject({
      existing_ids: [first.message_ids[0]],
      first_sequence: 3,
      last_sequence: 3,
    });
    expect(again.message_ids[1]).toBe(first.message_ids[0]);
    const nothing = await caller.call(contracts.appendMessages, appendOf(id, [message]));
    expect(nothing).toMatchObject({
      first_sequence: null,
      last_sequence: null,
      existing_ids: first.message_ids.slice(0, 1),
    });
    expect(await contentsOf(id)).toHaveLength(3);
  });

  test("with different content is rejected, and nothing of the request is stored", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller, [say("one", { external_id: "m-1" })]);
    for (const messages of [
      [say("new"), say("other", { external_id: "m-1" })],
      [say("new"), say("one", { external_id: "m-1", name: "Maria" })],
      [say("a", { external_id: "m-2" }), say("b", { external_id: "m-2" })],
    ]) {
      const problem = await caller.fail(contracts.appendMessages, appendOf(id, messages));
      expect(problem).toMatchObject({ status: 409, code: "external_id_conflict" });
    }
    expect(await contentsOf(id)).toHaveLength(1);
    expect(await caller.call(contracts.getConversation, { params: { conversation_id: id } })).toMatchObject({
      message_count: 1,
    });
  });

  test("appended concurrently becomes one message, and sequences have no gap", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        caller.call(
          contracts.appendMessages,
          appendOf(id, [say("same", { external_id: "m-1" }), say(`own ${i}`)]),
        ),
      ),
    );
    expect(new Set(answers.map(({ message_ids }) => message_ids[0])).size).toBe(1);
    expect(answers.filter(({ existing_ids }) => existing_ids.length === 0)).toHaveLength(1);
    const rows = await contentsOf(id);
    expect(rows.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 21 }, (_, i) => i + 1));
    expect(rows.filter(({ external_id }) => external_id === "m-1")).toHaveLength(1);
  });
});

describe("an external id of a conversation", () => {
  test("creates one conversation for twenty concurrent requests, and can be reused after its deletion", async () => {
    const caller = await createOrganization();
    const create = () => caller.fetch(contracts.createConversation, { body: { external_id: "thread-1" } });
    const responses = await Promise.all(Array.from({ length: 20 }, create));
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
    const bodies = (await Promise.all(responses.map((response) => response.json()))) as { id: string }[];
    expect(new Set(bodies.map(({ id }) => id)).size).toBe(1);
    const organization = { params: { organization_id: caller.organizationId } };
    expect(await caller.call(contracts.getOrganization, organization)).toMatchObject({
      conversation_count: 1,
    });
    await caller.call(contracts.deleteConversation, { params: { conversation_id: bodies[0]?.id ?? "" } });
    expect((await create()).status).toBe(201);
  });
});

describe("concurrent appends of several writers", () => {
  const WRITERS = scale(20, 6);

  test("get the sequences 1, 2, 3… without gap or repeat, in the order of each writer", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller);
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let i = 0; i < WRITERS; i++)
          await caller.call(contracts.appendMessages, appendOf(id, [say(`${writer} ${i}`)]));
      }),
    );
    const rows = await contentsOf(id);
    expect(rows.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: WRITERS ** 2 }, (_, i) => i + 1),
    );
    for (let writer = 0; writer < WRITERS; writer++) {
      const own = rows.map(({ content }) => content.split(" ").map(Number)).filter(([by]) => by === writer);
      expect(own.map(([, i]) => i)).toEqual(Array.from({ length: WRITERS }, (_, i) => i));
    }
    const counted = await selectRow(
      "SELECT message_count, last_sequence FROM conversations WHERE id = ?1",
      id,
    );
    expect(counted).toEqual({ message_count: WRITERS ** 2, last_sequence: WRITERS ** 2 });
  });
});

test("an append writes its idempotency key together with its response, and the conversation once", async () => {
  const { secret } = await createOrganization();
  const database = new RowsRead();
  const service = new Service({ DB: database.db }, new Clock());
  const caller = service.callerOf(secret);
  const id = await seedConversation(caller);
  await holdIndexing(id);
  const writtenBy = async (headers: Record<string, string>) => {
    await service.settle();
    database.reset();
    await caller.call(contracts.appendMessages, appendOf(id, [say("one more")], headers));
    await service.settle();
    return database.statements.filter(({ written }) => written > 0);
  };
  const plain = await writtenBy({});
  expect(plain.filter(({ sql }) => sql.includes("UPDATE conversations"))).toHaveLength(1);
  const rowsOf = (statements: { written: number }[]) =>
    statements.reduce((sum, { written }) => sum + written, 0);
  expect(rowsOf(await writtenBy(key("k")))).toBe(rowsOf(plain) + 1);
});
