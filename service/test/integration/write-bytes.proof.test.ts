import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { type Caller, createOrganization, seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import { Service, selectRow } from "../support/invocations.ts";
import { captureLog } from "../support/log.ts";

const LIMIT = 2_097_152;
const bytesOf = (text: string) => new TextEncoder().encode(text).byteLength;
const sizeOf = ({ content, ...rest }: { content: string }) =>
  bytesOf(content) + bytesOf(JSON.stringify(rest));

const MESSAGE = {
  role: "tool",
  name: "Zoë",
  tool_call_id: "call_1",
  tool_name: "lookup",
  metadata: { ticket: "T-1" },
  parts: [{ type: "text", text: "é".repeat(240_000) }],
};
const MEMORY = { kind: "note", tags: ["a", "b"], summary: "Zoë", metadata: { ticket: "T-1" } };

/** Items with this total number of bytes. The last one's content fills the rest. */
function fill<Item extends { content: string }>(bytes: number, others: Item[], rest: object) {
  const room = bytes - others.reduce((sum, item) => sum + sizeOf(item), sizeOf({ content: "", ...rest }));
  return [...others, { content: "x".repeat(room), ...rest }];
}
const messagesOf = (bytes: number) =>
  fill(
    bytes,
    Array.from({ length: 4 }, (_, i) => ({ content: `${i} é`, ...MESSAGE })),
    { role: "user" },
  );
const memoriesOf = (bytes: number) =>
  fill(
    bytes,
    Array.from({ length: 4 }, (_, i) => ({ content: `${i}${"é".repeat(240_000)}`, ...MEMORY })),
    MEMORY,
  );

const rowsOf = (organizationId: string) =>
  selectRow<{ messages: number }>(
    "SELECT count(*) AS messages FROM messages WHERE organization_id = ?1",
    organizationId,
  );

/** An operation accepts a request of exactly the limit, and neither stores nor remembers one with a byte more. */
async function expectLimit(
  caller: Caller & { organizationId: string },
  contract: (typeof contracts.contracts)[number],
  partsOf: (bytes: number) => { params?: Record<string, string>; body: object },
): Promise<void> {
  const headers = { "idempotency-key": "k" };
  for (let attempt = 1; attempt <= 2; attempt++) {
    const problem = await caller.fail(contract, { ...partsOf(LIMIT + 1), headers });
    expect(problem).toMatchObject({ code: "payload_too_large", status: 413 });
    expect(problem.detail).toContain("2,097,152 bytes");
    expect(problem.detail).toContain("send several requests");
  }
  expect((await rowsOf(caller.organizationId)).messages).toBe(0);
  await caller.call(contract, { ...partsOf(LIMIT), headers });
  expect((await rowsOf(caller.organizationId)).messages).toBe(5);
}

describe("one write may have 2,097,152 bytes and no more", () => {
  test("as an append", async () => {
    const caller = await createOrganization();
    const conversation_id = await seedConversation(caller);
    await expectLimit(caller, contracts.appendMessages, (bytes) => ({
      params: { conversation_id },
      body: { messages: messagesOf(bytes) },
    }));
  });

  test("as a replacement", async () => {
    const caller = await createOrganization();
    const conversation_id = await seedConversation(caller);
    await expectLimit(caller, contracts.replaceMessages, (bytes) => ({
      params: { conversation_id },
      body: { expected_last_sequence: 0, from_sequence: 1, messages: messagesOf(bytes) },
    }));
  });

  test("as a bulk capture", async () => {
    const caller = await createOrganization();
    await expectLimit(caller, contracts.createMemories, (bytes) => ({
      body: { memories: memoriesOf(bytes) },
    }));
  });
});

test("the size of a write counts characters, not their JSON escapes", async () => {
  const caller = await createOrganization();
  const params = { conversation_id: await seedConversation(caller) };
  const rawBody = JSON.stringify({ messages: [{ role: "user", content: "\u0001".repeat(1_000_000) }] });
  expect(rawBody.length).toBeGreaterThan(6_000_000);
  const { message_ids } = await caller.call(contracts.appendMessages, { params, rawBody });
  expect(message_ids).toHaveLength(1);
});

describe("the size limit of a fork", () => {
  const contract = contracts.forkConversation;
  const forkOf = (conversation_id: string, body: object = {}) => ({ params: { conversation_id }, body });

  /** A conversation of five messages with columns of a given size in bytes. */
  async function seed(caller: Caller, bytes: number): Promise<string> {
    const { role: _, parts, metadata, ...names } = MESSAGE;
    const large = [JSON.stringify(parts), JSON.stringify(metadata), ...Object.values(names), "e-1"];
    const room = bytes - 4 * bytesOf(large.join(""));
    const id = await seedConversation(caller, []);
    const params = { conversation_id: id };
    const others = [1, 2, 3, 4].map((i) => ({ ...MESSAGE, external_id: `e-${i}`, content: "" }));
    const last = { role: "user", content: "x".repeat(room) };
    await caller.call(contracts.appendMessages, { params, body: { messages: others } });
    await caller.call(contracts.appendMessages, { params, body: { messages: [last] } });
    return id;
  }

  test("allows 2,097,152 bytes", async () => {
    const caller = await createOrganization();
    const id = await seed(caller, LIMIT);
    expect((await caller.call(contract, forkOf(id))).message_count).toBe(5);
  });

  test("rejects one byte more, and says which sequence still fits", async () => {
    const caller = await createOrganization();
    const id = await seed(caller, LIMIT + 1);
    const problem = await caller.fail(contract, forkOf(id));
    expect(problem).toMatchObject({ code: "payload_too_large", status: 413 });
    expect(problem.detail).toContain("a `sequence` of at most 4");
    expect((await caller.call(contracts.listConversations)).items).toHaveLength(1);
    expect((await caller.call(contract, forkOf(id, { sequence: 4 }))).message_count).toBe(4);
  });

  test("includes the largest possible metadata of every message", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller, []);
    const messages = Array.from({ length: 127 }, () => ({
      role: "user",
      content: "",
      metadata: { values: Array.from({ length: 8_000 }, () => 0) },
    }));
    const params = { conversation_id: id };
    for (let from = 0; from < messages.length; from += 5) {
      const body = { messages: messages.slice(from, from + 5) };
      await caller.call(contracts.appendMessages, { params, body });
    }
    // 16,013 bytes each.
    expect((await caller.call(contract, forkOf(id))).message_count).toBe(127);
    for (let i = 0; i < 4; i++)
      await caller.call(contracts.appendMessages, { params, body: { messages: messages.slice(0, 1) } });
    expect((await caller.fail(contract, forkOf(id))).detail).toContain("a `sequence` of at most 130");
  });

  test("is checked without reading the rest of a conversation that is too large", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller, [{ role: "user", content: "", parts: ["x".repeat(480_000)] }]);
    // 200 copies of it: 96 MB that a fork must not read.
    await env.DB.prepare(
      `WITH RECURSIVE n (sequence) AS (SELECT 2 UNION ALL SELECT sequence + 1 FROM n WHERE sequence < 200)
       INSERT INTO messages (row_key, organization_id, conversation_id, id, sequence, role, content, parts,
                             content_bytes, term_count, model_tokens, created_at_ms, stored_at_ms)
       SELECT m.row_key - 1 + n.sequence, m.organization_id, m.conversation_id, m.id || n.sequence, n.sequence, m.role,
              '', m.parts, 0, 0, 0, 1, 1
         FROM n CROSS JOIN messages AS m ON m.organization_id = ?1 AND m.conversation_id = ?2 AND m.sequence = 1`,
    )
      .bind(caller.organizationId, id)
      .run();
    await env.DB.prepare("UPDATE conversations SET last_sequence = 200 WHERE organization_id = ?1")
      .bind(caller.organizationId)
      .run();
    const lines = captureLog();
    const problem = await new Service().callerOf(caller.secret).fail(contract, forkOf(id));
    expect(problem.detail).toContain("a `sequence` of at most 4");
    const request = lines.find(({ event }) => event === "request");
    expect(Number(request?.rows_read)).toBeLessThan(60);
  });
});
