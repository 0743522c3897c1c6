import * as contracts from "@engram/spec";
import { beforeAll, describe, expect, test } from "vitest";
import { sample, scale } from "../../../proof/support/scale.ts";
import { type Caller, createKey, createOrganization, seedConversation } from "../support/client.ts";
import { Ledger, largestRowBytes } from "../support/counting.ts";
import { databaseWith } from "../support/deletions.ts";
import { env } from "../support/env.ts";
import { asRead, behind, exportOnce, readAll, type Told } from "../support/exports.ts";
import { conversation, memory, message, nothing, rowsOf, send } from "../support/imports.ts";
import {
  Clock,
  Service,
  selectPostings,
  selectRow,
  selectRows,
  sweepUntilIdle,
} from "../support/invocations.ts";
import { captureLog } from "../support/log.ts";

/** Memories of every kind, after a conversation, and one that is deleted. */
async function seed(service: Service, clock: Clock, secret: string): Promise<string> {
  const caller = service.callerOf(secret);
  // This one has a text model.
  const describing = new Service({}, clock);
  await seedConversation(caller, ["The zeppelin lands at noon.", "Bring an umbrella."]);
  const bound = await createKey(caller, { scopes: ["write"], agent_id: "bot" });
  const capture = (by: Caller, body: object) => {
    // Ids of one millisecond are in no order.
    clock.advance(1);
    return by.call(contracts.createMemory, { body });
  };
  await capture(caller, { content: "The ferry leaves at dusk." });
  await capture(service.callerOf(bound.secret), { content: "The ferry leaves at dusk.", tags: [] });
  await capture(caller, { content: "é".repeat(scale(500_000, 50_000)), summary: "" });
  await capture(caller, {
    content: "  # Ünïcødé\r\n\u0000 👩‍👩‍👧\n ".repeat(20),
    kind: "summary",
    source: "slack",
    tags: ["b", "a"],
    summary: "“—”",
    metadata: { b: [1, null, { c: 0.1 }], a: "\u0000", "": null },
    created_at: "2019-01-02T03:04:05.678+01:00",
  });
  const changed = await capture(caller, { content: "before", tags: [], summary: "Before." });
  const params = { memory_id: changed.id };
  await caller.call(contracts.updateMemory, { params, body: { content: "after", summary: null } });
  await capture(describing.callerOf(secret), {
    content: "Refunds go to the card. Maria asked for that.",
    tags: ["mine"],
  });
  await describing.settle();
  const gone = await capture(caller, { content: "never exported" });
  await caller.call(contracts.deleteMemory, { params: { memory_id: gone.id } });
  return gone.id;
}

describe("memories of an export", () => {
  let from: Caller & { organizationId: string };
  let to: Caller & { organizationId: string };
  let lines: Told[];
  let gone: string;
  const clock = new Clock();
  const service = new Service({ ENRICHMENT_MODEL: "" }, clock);
  beforeAll(async () => {
    const open = async () => {
      const { secret, organizationId } = await createOrganization();
      return { ...service.callerOf(secret), organizationId };
    };
    [from, to] = [await open(), await open()];
    gone = await seed(service, clock, from.secret);
    await sweepUntilIdle(service, clock, from.organizationId);
    const told = await exportOnce(from);
    lines = told.lines;
    expect(told.end).toEqual({ type: "end", complete: true, conversations: 1, messages: 2, memories: 6 });
    expect(await send(to, [...lines, told.end])).toEqual({
      conversations: { created: 1, existing: 0 },
      messages: { created: 2, existing: 0 },
      memories: { created: 6, existing: 0 },
      problems: [],
    });
  });

  test("are exported whole after all conversations, in order of their ids, and none that is deleted", async () => {
    expect(asRead(lines)).toEqual(await readAll(from));
    expect(lines.map(({ type }) => type)).toEqual([
      "conversation",
      "message",
      "message",
      ...Array(6).fill("memory"),
    ]);
    expect(JSON.stringify(lines)).not.toContain(gone);
  });

  test("say what of them a person gave, and which model wrote the rest", () => {
    const told = lines.flatMap((line) => (line.type === "memory" ? [line] : []));
    expect(told.map(({ given, enriched_by }) => [given.tags, given.summary, enriched_by])).toEqual([
      [false, false, null],
      [true, false, null],
      [false, true, null],
      [true, true, null],
      [true, true, null],
      [true, false, "engram/extractive-1"],
    ]);
  });

  test("continue after any line without skipping or repeating one", async () => {
    for (const [i, line] of lines.entries()) {
      const rest = await exportOnce(from, behind(line));
      expect(rest.lines, `after line ${i + 1}`).toEqual(lines.slice(i + 1));
    }
    expect((await exportOnce(from, { after_memory_id: gone })).lines).toEqual([]);
    const both = { after_conversation_id: "conv_1", after_memory_id: "mem_1" };
    expect(await from.fail(contracts.exportConversations, { query: both })).toMatchObject({
      code: "validation_failed",
    });
  });

  test("make equal ones in an empty organization, by every operation and by another export", async () => {
    expect(await readAll(to)).toEqual(await readAll(from));
    expect((await exportOnce(to)).lines).toEqual(lines);
  });

  test("make the same counters, the same words and the same traits", async () => {
    const counters = (organizationId: string) =>
      selectRow(
        `SELECT conversation_count, message_count, token_count, memory_count, memory_token_count
           FROM organization_counters WHERE organization_id = ?1`,
        organizationId,
      );
    const rows = (organizationId: string) =>
      selectRows(
        `SELECT m.id, m.sequence, m.role, m.content, m.content_encoding, m.content_bytes, m.token_count, m.traits,
                m.created_at_ms, c.authored, c.token_count AS tokens, c.message_count, c.last_sequence
           FROM messages AS m JOIN conversations AS c ON c.organization_id = m.organization_id AND c.id = m.conversation_id
          WHERE m.organization_id = ?1 ORDER BY m.id`,
        organizationId,
      );
    const words = async (organizationId: string) =>
      (await selectPostings(organizationId)).map(({ term }) => term.replace(/^\d+/, "")).sort();
    for (const what of [counters, rows, words]) {
      expect(await what(to.organizationId)).toEqual(await what(from.organizationId));
    }
    expect(await counters(to.organizationId)).toMatchObject({ memory_count: 6 });
  });

  test("are found by their words at once, by their meaning once indexed, and by their agent alone", async () => {
    const found = async (by: Caller, mode: string) => {
      const body = { query: "when does the ferry leave", mode };
      const { results } = await by.call(contracts.searchMemories, { body });
      return results.filter(({ memory: { content } }) => content.startsWith("The ferry")).length;
    };
    const { secret } = await createKey(to, { scopes: ["search"], agent_id: "bot" });
    const bound = service.callerOf(secret);
    expect([await found(to, "keyword"), await found(bound, "keyword")]).toEqual([2, 1]);
    // After the response of the import, not by the sweep.
    await service.settle();
    expect([await found(to, "semantic"), await found(bound, "semantic")]).toEqual([2, 1]);
  });

  test("change nothing a second time, whatever parts they come in", async () => {
    const before = await rowsOf(to.organizationId);
    expect(await send(to, lines)).toEqual({
      conversations: { created: 0, existing: 1 },
      messages: { created: 0, existing: 2 },
      memories: { created: 0, existing: 6 },
      problems: [],
    });
    for (const line of lines) expect(await send(to, [line])).toMatchObject({ problems: [] });
    expect(await rowsOf(to.organizationId)).toEqual(before);
  });

  test("stay as they are there, and come back as they were once they are deleted", async () => {
    const told = lines.at(-1) as contracts.MemoryLine;
    const params = { memory_id: told.id };
    await to.call(contracts.updateMemory, { params, body: { tags: ["other"] } });
    expect(await send(to, [told])).toMatchObject({ memories: { created: 0, existing: 1 }, problems: [] });
    expect((await to.call(contracts.getMemory, { params })).tags).toEqual(["other"]);
    await to.call(contracts.deleteMemory, { params });
    expect(await send(to, [told])).toMatchObject({
      memories: nothing,
      problems: [{ code: "import_conflict" }],
    });
    await sweepUntilIdle(service, clock, to.organizationId);
    expect(await send(to, [told])).toMatchObject({ memories: { created: 1 }, problems: [] });
    expect((await exportOnce(to)).lines).toEqual(lines);
  });
});

describe("a memory that cannot be taken", () => {
  test.for<[string, contracts.ImportProblem["code"], RegExp, () => Promise<object>]>([
    ["no content", "validation_failed", /content/, () => memory("9", "")],
    [
      "a hash of another content",
      "validation_failed",
      /content_hash.*SHA-256/,
      () => memory("9", "x", { content: "y" }),
    ],
    ["an unknown field", "validation_failed", /color/, () => memory("9", "x", { color: "red" })],
    ["no author of its tags", "validation_failed", /given/, () => memory("9", "x", { given: undefined })],
    ["a kind of its own", "validation_failed", /kind/, () => memory("9", "x", { kind: "conversation" })],
    ["an id that we never give", "validation_failed", /id/, () => memory("9", "x", { id: "mem_1" })],
    [
      "a model whose name never ends",
      "validation_failed",
      /enriched_by/,
      () => memory("9", "x", { enriched_by: "m".repeat(257) }),
    ],
    ["other content under its id", "import_conflict", /other content/, () => memory("1", "other")],
    [
      "another agent under its id",
      "import_conflict",
      /another agent/,
      () => memory("1", "one", { agent_id: "bot" }),
    ],
    ["content that is there", "import_conflict", /as mem_0+1\./, () => memory("9", "one")],
    [
      "content that its agent has",
      "import_conflict",
      /as mem_0+2\./,
      () => memory("9", "one", { agent_id: "a" }),
    ],
    ["the id of a message", "import_conflict", /message/, () => memory("a5", "x")],
  ])("is named and keeps no other from being stored: %s", async ([, code, detail, make]) => {
    const caller = await createOrganization();
    const stored = [
      conversation("a"),
      message("a", 5),
      await memory("1", "one"),
      await memory("2", "one", { agent_id: "a" }),
    ];
    const line = await make();
    for (const apart of [true, false]) {
      // What stands in the way came in an earlier request, then in the same one.
      const to = apart ? caller : await createOrganization();
      await send(to, apart ? stored : []);
      const answer = await send(to, [...(apart ? [] : stored), line, await memory("3", "three")]);
      expect(answer.problems).toEqual([{ line: apart ? 1 : 5, code, detail: expect.stringMatching(detail) }]);
      expect(answer.memories).toEqual({ created: apart ? 1 : 3, existing: 0 });
      const { items } = await to.call(contracts.listMemories);
      expect(items.map(({ id }) => id.slice(-1)).sort()).toEqual(["1", "2", "3"]);
    }
  });

  test("nor is a message that has a memory's id, nor twice what comes twice", async () => {
    for (const apart of [true, false]) {
      const to = await createOrganization();
      const stored = [await memory("a5", "one"), conversation("a")];
      if (apart) await send(to, stored);
      const answer = await send(to, [...stored, ...stored, message("a", 5)]);
      expect(answer.problems).toMatchObject([{ line: 5, code: "import_conflict" }]);
      expect(answer.memories).toEqual({ created: apart ? 0 : 1, existing: apart ? 2 : 1 });
      expect(answer.messages).toEqual(nothing);
    }
  });

  test("is one thing in one organization: another has its content, its id and its hash as well", async () => {
    const [caller, other] = [await createOrganization(), await createOrganization()];
    const line = await memory("1", "one");
    expect(await send(other, [line])).toMatchObject({ memories: { created: 1 } });
    expect(await send(caller, [line])).toMatchObject({ memories: { created: 1 }, problems: [] });
  });
});

describe("imports of memories at the same time", () => {
  test.for<[string, (caller: Caller) => Promise<unknown>, object]>([
    [
      "a capture of the content",
      (caller) => caller.call(contracts.createMemory, { body: { content: "one" } }),
      { memories: { created: 1, existing: 0 }, problems: [{ line: 1, code: "import_conflict" }] },
    ],
    [
      "the same import",
      async (caller) => send(caller, [await memory("1", "one"), await memory("2", "two")]),
      { memories: { created: 0, existing: 2 }, problems: [] },
    ],
    [
      "a message of the id",
      (caller) => send(caller, [conversation("a"), message("a", 2, { id: "msg_00000000000000000002" })]),
      { memories: { created: 1, existing: 0 }, problems: [{ line: 2, code: "import_conflict" }] },
    ],
  ])("as %s, between reading and writing, are checked again", async ([, meanwhile, expected]) => {
    const caller = await createOrganization();
    let times = 0;
    const DB = databaseWith("INSERT INTO conversations", async () => {
      if (times++ === 0) await meanwhile(caller);
    });
    const late = new Service({ DB }).callerOf(caller.secret);
    expect(await send(late, [await memory("1", "one"), await memory("2", "two")])).toMatchObject(expected);
    const { memory_count } = await selectRow<{ memory_count: number }>(
      "SELECT memory_count FROM organization_counters WHERE organization_id = ?1",
      caller.organizationId,
    );
    const { items } = await caller.call(contracts.listMemories);
    expect(memory_count).toBe(items.length);
  });
});

describe("what memories take", () => {
  const MANY = scale(1_000, 300);
  const LARGE: [string, () => Promise<contracts.MemoryLine[]>][] = [
    [
      `${MANY} of 2 KB with long texts of metadata`,
      () =>
        Promise.all(
          Array.from({ length: MANY }, (_, i) =>
            memory(`${i}`, `${i} ${"All work and no play. ".repeat(90)}`, {
              metadata: { text: "x".repeat(3_000) },
            }),
          ),
        ),
    ],
    ["one of a million control characters", async () => [await memory("1", "\u0001".repeat(1_000_000))]],
  ];
  test.for(sample(LARGE, 1))("keeps within the limits of D1, once and again: %s", async ([, make]) => {
    const caller = await createOrganization();
    const ledger = new Ledger();
    const service = new Service({ ...ledger.bindings, AI: ledger.sameVectors });
    const counted = service.callerOf(caller.secret);
    const lines = await make();
    expect(await send(counted, lines)).toMatchObject({ memories: { created: lines.length }, problems: [] });
    await service.settle();
    expect(ledger.violations).toEqual([]);
    expect(ledger.statements).toBeLessThan(900);
    expect(await largestRowBytes()).toBeLessThan(2_000_000);
    ledger.reset();
    expect(await send(counted, lines)).toMatchObject({
      memories: { existing: lines.length },
      problems: [],
    });
    expect(ledger.violations).toEqual([]);
    expect((await exportOnce(caller)).lines).toEqual(lines.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
    await env.DB.prepare("DELETE FROM index_jobs WHERE organization_id = ?1")
      .bind(caller.organizationId)
      .run();
  });

  test("does not grow with what is stored besides", async () => {
    const caller = await createOrganization();
    const many = (of: string, length: number) =>
      Promise.all(Array.from({ length }, (_, i) => memory(`${i}${of}`, `${i} of ${of}`)));
    const rows = async (of: string) => {
      const service = new Service();
      const lines = captureLog();
      await send(service.callerOf(caller.secret), await many(of, 50));
      const request = lines.find(({ event }) => event === "request");
      await service.settle();
      return Number(request?.rows_read);
    };
    const alone = await rows("a");
    await send(caller, await many("b", 1_000));
    expect(await rows("c")).toBeLessThan(1.2 * alone);
    await caller.call(contracts.deleteMemories, { body: { all: true } });
  });
});
