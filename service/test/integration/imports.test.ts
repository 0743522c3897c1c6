import * as contracts from "@engram/spec";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { sample } from "../../../proof/support/scale.ts";
import { type Caller, callerOf, createKey, createOrganization, seedConversation } from "../support/client.ts";
import { expectEveryStatusRead, readProblem } from "../support/contract.ts";
import { Ledger, largestRowBytes } from "../support/counting.ts";
import { databaseWith } from "../support/deletions.ts";
import { env } from "../support/env.ts";
import { exportOnce, readAll, seedRich, type Told } from "../support/exports.ts";
import { conversation, message, nothing, rowsOf, send, toBody } from "../support/imports.ts";
import {
  Clock,
  open,
  Service,
  selectPostings,
  selectRow,
  selectRows,
  sweepUntilIdle,
} from "../support/invocations.ts";
import { captureLog } from "../support/log.ts";
import { expectKeyRefusals } from "../support/refusals.ts";

const operation = contracts.importConversations;
afterAll(() => expectEveryStatusRead(operation));
afterEach(() => env.CONTROL.clearFaults());

describe("an import of an export", () => {
  let from: Caller & { organizationId: string };
  let to: Caller & { organizationId: string };
  let lines: Told[];
  const clock = new Clock();
  const service = new Service({}, clock);
  beforeAll(async () => {
    [from, to] = await Promise.all([createOrganization(), createOrganization()]);
    await seedRich(from);
    await seedConversation(from, [
      "The zeppelin lands at noon.",
      { role: "user", content: "é".repeat(500_000) },
    ]);
    await sweepUntilIdle(service, clock, from.organizationId);
    const told = await exportOnce(from);
    lines = told.lines;
    const answer = await send(service.callerOf(to.secret), [...lines, told.end]);
    expect(answer).toEqual({
      conversations: { created: 6, existing: 0 },
      messages: { created: 6, existing: 0 },
      memories: nothing,
      problems: [],
    });
  });

  test("into an empty organization gives an equal one, by every operation and by another export", async () => {
    expect(await readAll(to)).toEqual(await readAll(from));
    expect((await exportOnce(to)).lines).toEqual(lines);
  });

  test("makes the same counters, the same words and the same traits", async () => {
    const counters = (organizationId: string) =>
      selectRow(
        "SELECT conversation_count, message_count, token_count FROM organization_counters WHERE organization_id = ?1",
        organizationId,
      );
    const rows = (organizationId: string) =>
      selectRows(
        `SELECT m.id, m.content, m.content_encoding, m.content_bytes, m.metadata, m.parts, m.token_count, m.traits,
                substr(m.name_words, instr(m.name_words, '~')) AS name_words, m.external_digest, c.token_count AS tokens
           FROM messages AS m JOIN conversations AS c ON c.organization_id = m.organization_id AND c.id = m.conversation_id
          WHERE m.organization_id = ?1 ORDER BY m.id`,
        organizationId,
      );
    const words = async (organizationId: string) =>
      (await selectPostings(organizationId)).map(({ term }) => term.replace(/^\d+/, "")).sort();
    expect(await counters(to.organizationId)).toEqual(await counters(from.organizationId));
    expect(await rows(to.organizationId)).toEqual(await rows(from.organizationId));
    expect(await words(to.organizationId)).toEqual(await words(from.organizationId));
  });

  test("is found by its words at once, and by its meaning once it is indexed", async () => {
    const found = async (mode: string) => {
      const { results } = await to.call(contracts.search, {
        body: { query: "when does the zeppelin land", mode },
      });
      return results[0]?.messages[0]?.content;
    };
    expect(await found("keyword")).toBe("The zeppelin lands at noon.");
    await sweepUntilIdle(service, clock, to.organizationId);
    expect(await found("semantic")).toBe("The zeppelin lands at noon.");
    expect(await to.call(contracts.getIndexStatus)).toMatchObject({ pending: 0, failed: 0, messages: 6 });
  });

  test("twice changes nothing, whatever parts it comes in", async () => {
    const before = await rowsOf(to.organizationId);
    const again = await send(to, lines);
    expect(again).toEqual({
      conversations: { created: 0, existing: 6 },
      messages: { created: 0, existing: 6 },
      memories: nothing,
      problems: [],
    });
    for (const line of lines) expect(await send(to, [line])).toMatchObject({ problems: [] });
    expect(await rowsOf(to.organizationId)).toEqual(before);
  });

  test("knows what is appended again under an external id, and gives the next numbers after the last", async () => {
    const source = lines.find((line) => line.type === "conversation" && line.external_id === "ticket-1");
    const params = { conversation_id: source?.id ?? "" };
    const again = {
      role: "tool",
      content: " \u0000\r\n👩‍👩‍👧 ".repeat(40),
      name: "Maria",
      tool_call_id: "call_1",
      tool_name: "lookup",
      metadata: { a: "\u0000", b: [1, null, { c: 0.1 }] },
      parts: [{ type: "text", text: "“—”" }],
      external_id: "m-1",
      created_at: "2019-01-02T03:04:05.678+01:00",
    };
    const append = (messages: object[]) => ({ params, body: { messages } });
    const appended = await to.call(
      contracts.appendMessages,
      append([again, { role: "user", content: "five" }]),
    );
    expect(appended).toMatchObject({ first_sequence: 5, last_sequence: 5 });
    expect(appended.existing_ids).toHaveLength(1);
    const other = append([{ ...again, content: "other" }]);
    expect(await to.fail(contracts.appendMessages, other)).toMatchObject({ code: "external_id_conflict" });
  });

  test("leaves the organization that it comes from alone, also when the copy is deleted", async () => {
    const before = await rowsOf(from.organizationId);
    for (const { id } of lines.filter(({ type }) => type === "conversation"))
      await to.call(contracts.deleteConversation, { params: { conversation_id: id } });
    await sweepUntilIdle(service, clock, to.organizationId);
    expect(await readAll(to)).toEqual([]);
    expect((await exportOnce(from)).lines).toEqual(lines);
    expect(await rowsOf(from.organizationId)).toEqual(before);
    const body = { query: "when does the zeppelin land", mode: "semantic" };
    const { results } = await from.call(contracts.search, { body });
    expect(results[0]?.messages[0]?.content).toBe("The zeppelin lands at noon.");
    // Gone is gone: it can come back as new.
    expect(await send(to, lines)).toMatchObject({ conversations: { created: 6 }, messages: { created: 6 } });
    expect((await exportOnce(to)).lines).toEqual(lines);
  });
});

// What the first version exported: a backup of it must stay good.
test("takes lines as the first version gave them", async () => {
  const caller = await createOrganization();
  const lines = [
    '{"type":"conversation","id":"conv_1m8065tjy793709ces30","external_id":"t-1","title":"Order 1029","agent_id":"bot","user_id":"maria","tags":["a"],"metadata":{"b":1,"a":[]},"message_count":1,"last_sequence":3,"created_at":"2026-11-21T23:13:32.254Z","updated_at":"2026-11-21T23:14:32.254Z"}',
    '{"type":"message","id":"msg_1m8065tjy793709ces31","conversation_id":"conv_1m8065tjy793709ces30","sequence":2,"role":"assistant","content":"It was sent.","name":null,"tool_call_id":null,"tool_name":null,"metadata":{},"parts":[{"type":"text"}],"external_id":"m-1","created_at":"2026-11-21T23:13:32.300Z","stored_at":"2026-11-21T23:13:32.301Z","updated_at":null,"external_digest":"4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945"}',
    '{"type":"end","complete":true,"conversations":1,"messages":1}',
  ];
  expect(await send(caller, lines)).toMatchObject({ messages: { created: 1 }, problems: [] });
  const response = await caller.fetch(contracts.exportConversations);
  const told = await response.text();
  expect(told).toBe(`${lines.join("\n").replace(/\}$/, ',"memories":0}')}\n`);
});

describe("a line that cannot be taken", () => {
  const other = (more: object) => message("a", 1, more);
  test.for<[string, contracts.ImportProblem["code"], unknown]>([
    ["no JSON", "invalid_json", '{"type":'],
    ["a key twice", "invalid_json", '{"type":"end","type":"end"}'],
    [
      "half of a surrogate pair",
      "invalid_json",
      JSON.stringify(message("a", 9)).replace("message 9", "\\ud800"),
    ],
    [
      "a number that cannot be kept",
      "invalid_json",
      JSON.stringify(message("a", 9)).replace("{}", '{"n":1e400}'),
    ],
    ["no line of an export", "validation_failed", [1]],
    ["an unknown type", "validation_failed", { ...message("a", 9), type: "thought" }],
    ["an unknown field", "validation_failed", { ...message("a", 9), color: "red" }],
    ["a missing field", "validation_failed", { ...message("a", 9), name: undefined }],
    ["an id that we never give", "validation_failed", message("a", 9, { id: "msg_1" })],
    ["a sequence number out of range", "validation_failed", message("a", 9, { sequence: 0 })],
    ["an external id without its digest", "validation_failed", message("a", 9, { external_id: "x" })],
    ["a conversation that never came", "not_found", message("zz", 1)],
    ["a conversation that was broken", "not_found", message("brake", 1)],
    ["a conversation's external id taken", "import_conflict", conversation("new", { external_id: "taken" })],
    ["another message of the same id", "import_conflict", other({ content: "Message 1" })],
    ["another role", "import_conflict", other({ role: "assistant" })],
    ["other metadata", "import_conflict", other({ metadata: { a: 1 } })],
    ["other parts", "import_conflict", other({ parts: [] })],
    ["another time", "import_conflict", other({ stored_at: "2026-11-02T09:30:01.001Z" })],
    ["another sequence number", "import_conflict", other({ sequence: 7 })],
    ["another conversation", "import_conflict", other({ conversation_id: conversation("b").id })],
    ["a sequence number taken", "import_conflict", message("a", 1, { id: message("c", 1).id })],
    [
      "an external id taken",
      "import_conflict",
      message("a", 9, { external_id: "m", external_digest: "0".repeat(64) }),
    ],
  ])("is named and keeps no other from being stored: %s", async ([, code, line]) => {
    const caller = await createOrganization();
    const stored = [
      conversation("a", { external_id: "taken", last_sequence: 2 }),
      message("a", 1),
      message("a", 2, { external_id: "m", external_digest: "1".repeat(64) }),
      conversation("b"),
    ];
    for (const apart of [true, false]) {
      // What stands in the way came in an earlier request, then in the same one.
      const to = apart ? caller : await createOrganization();
      const before = apart ? stored : [];
      await send(to, before);
      const broken = { ...conversation("brake"), title: 7 };
      const answer = await send(to, [...(apart ? [] : stored), broken, "", line, "  ", message("b", 1)]);
      const at = (apart ? 0 : 4) + 3;
      expect(answer.problems.filter((problem) => problem.line !== at - 2)).toEqual([
        { line: at, code, detail: expect.stringMatching(/./) },
      ]);
      expect(answer.messages.created).toBe(apart ? 1 : 3);
      const { items } = await to.call(contracts.listMessages, {
        params: { conversation_id: conversation("b").id },
      });
      expect(items.map(({ content }) => content)).toEqual(["message 1"]);
    }
  });

  test("may be no UTF-8, and is one line then", async () => {
    const caller = await createOrganization();
    const [first = "", last = ""] = [conversation("a"), message("a", 1)].map((line) => JSON.stringify(line));
    const bytes = new TextEncoder().encode(`${first}\r\n"~"\r\n${last}\r\n`);
    bytes[bytes.indexOf(0x7e)] = 0xff;
    expect(await caller.call(operation, { rawBody: bytes })).toEqual({
      conversations: { created: 1, existing: 0 },
      messages: { created: 1, existing: 0 },
      memories: nothing,
      problems: [{ line: 2, code: "invalid_json", detail: expect.stringContaining("UTF-8") }],
    });
  });

  test("belongs to a conversation that is being deleted, until that is gone", async () => {
    const { caller, idle } = await open();
    const lines = [conversation("a"), message("a", 1)];
    await send(caller, lines);
    await caller.call(contracts.deleteConversation, { params: { conversation_id: conversation("a").id } });
    const { problems } = await send(caller, lines);
    expect(problems.map(({ line, code }) => [line, code])).toEqual([
      [1, "import_conflict"],
      [2, "import_conflict"],
    ]);
    await idle();
    expect(await send(caller, lines)).toMatchObject({ messages: { created: 1 }, problems: [] });
  });

  test("that comes twice in one request is taken once", async () => {
    const caller = await createOrganization();
    const lines = [conversation("a"), message("a", 1)];
    expect(await send(caller, [...lines, ...lines])).toEqual({
      conversations: { created: 1, existing: 1 },
      messages: { created: 1, existing: 1 },
      memories: nothing,
      problems: [],
    });
  });
});

describe("what an import restores", () => {
  test("is a message that was deleted, in its place, and no number is given twice", async () => {
    const { caller, idle } = await open();
    const conversation_id = await seedConversation(caller, ["one", "two", "three"]);
    const { lines } = await exportOnce(caller);
    const id = lines.at(-1)?.id ?? "";
    await caller.call(contracts.deleteMessage, { params: { conversation_id, message_id: id } });
    const params = { conversation_id };
    const body = { messages: [{ role: "user", content: "four" }] };
    expect(await caller.call(contracts.appendMessages, { params, body })).toMatchObject({
      first_sequence: 4,
    });
    expect(await send(caller, lines)).toMatchObject({ messages: { created: 1, existing: 2 }, problems: [] });
    const { items } = await caller.call(contracts.listMessages, { params });
    expect(items.map(({ content, sequence }) => [sequence, content])).toEqual([
      [1, "one"],
      [2, "two"],
      [3, "three"],
      [4, "four"],
    ]);
    await idle();
    const { results } = await caller.call(contracts.search, { body: { query: "three", mode: "semantic" } });
    expect(results[0]?.messages.map(({ content }) => content)).toContain("three");
  });

  test("is the highest number, which messages raise and nothing lowers", async () => {
    const caller = await createOrganization();
    const last = async () => {
      const params = { conversation_id: conversation("a").id };
      return (await caller.call(contracts.getConversation, { params })).last_sequence;
    };
    await send(caller, [conversation("a", { last_sequence: 5 }), message("a", 3)]);
    expect(await last()).toBe(5);
    await send(caller, [conversation("a", { last_sequence: 1 }), message("a", 9)]);
    expect(await last()).toBe(9);
    await send(caller, [message("a", 7)]);
    expect(await last()).toBe(9);
  });

  test("leaves times as they were, but changes the version that a condition names", async () => {
    const caller = await createOrganization();
    await send(caller, [conversation("a")]);
    const params = { conversation_id: conversation("a").id };
    const before = await caller.fetch(contracts.getConversation, { params });
    await send(caller, [message("a", 1)]);
    const after = await caller.fetch(contracts.getConversation, { params });
    expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
    expect(await after.json()).toMatchObject({ message_count: 1, updated_at: conversation("a").updated_at });
  });
});

describe("imports at the same time", () => {
  test("of the same lines store each once", async () => {
    const caller = await createOrganization();
    const lines = [conversation("a"), ...Array.from({ length: 200 }, (_, i) => message("a", i + 1))];
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(caller, lines)));
    const created = answers.map(({ messages }) => messages.created).sort((a, b) => a - b);
    expect(created).toEqual([0, 0, 0, 0, 200]);
    expect(answers.flatMap(({ problems }) => problems)).toEqual([]);
    expect((await exportOnce(caller)).lines.slice(1)).toEqual(lines.slice(1));
  });

  test.for<[string, (caller: Caller) => Promise<unknown>, object]>([
    [
      "a message that takes the place",
      (caller) =>
        caller.call(contracts.appendMessages, {
          params: { conversation_id: conversation("a").id },
          body: { messages: [{ role: "user", content: "first" }] },
        }),
      { messages: { created: 1, existing: 0 }, problems: [{ line: 1, code: "import_conflict" }] },
    ],
    [
      "the same import",
      (caller) => send(caller, [message("a", 1), message("a", 2)]),
      { messages: { created: 0, existing: 2 }, problems: [] },
    ],
    [
      "the conversation's deletion",
      (caller) =>
        caller.call(contracts.deleteConversation, { params: { conversation_id: conversation("a").id } }),
      { messages: nothing, problems: [{ code: "import_conflict" }, { code: "import_conflict" }] },
    ],
  ])("as %s, between reading and writing, are checked again", async ([, meanwhile, expected]) => {
    const caller = await createOrganization();
    await send(caller, [conversation("a")]);
    let times = 0;
    const DB = databaseWith("INSERT INTO messages", async () => {
      if (times++ === 0) await meanwhile(caller);
    });
    const late = new Service({ DB }).callerOf(caller.secret);
    expect(await send(late, [message("a", 1), message("a", 2)])).toMatchObject(expected);
    const { message_count } = await selectRow<{ message_count: number }>(
      "SELECT message_count FROM organization_counters WHERE organization_id = ?1",
      caller.organizationId,
    );
    const { lines } = await exportOnce(caller);
    expect(message_count).toBe(lines.filter(({ type }) => type === "message").length);
  });

  test("as a conversation that takes the external id is checked again", async () => {
    const caller = await createOrganization();
    let times = 0;
    const DB = databaseWith("INSERT INTO conversations", async () => {
      if (times++ === 0) await seedConversation(caller, [], { external_id: "x" });
    });
    const late = new Service({ DB }).callerOf(caller.secret);
    const answer = await send(late, [conversation("a", { external_id: "x" }), conversation("b")]);
    expect(answer).toMatchObject({
      conversations: { created: 1 },
      problems: [{ line: 1, code: "import_conflict" }],
    });
  });

  test("that never end make it unavailable for a while, with nothing stored", async () => {
    const caller = await createOrganization();
    let times = 0;
    const DB = databaseWith("INSERT INTO conversations", async () => {
      times += 1;
      await send(caller, [conversation(`${times}`)]);
    });
    const late = new Service({ DB }).callerOf(caller.secret);
    const lines = Array.from({ length: 9 }, (_, i) => conversation(`${i + 1}`));
    expect(await late.fail(operation, { rawBody: toBody(lines) })).toMatchObject({ code: "unavailable" });
    expect((await exportOnce(caller)).lines).toHaveLength(times);
  });
});

describe("what an import takes", () => {
  const LARGE: [string, () => unknown[]][] = [
    [
      "500 conversations with a message each and long external ids",
      () =>
        Array.from({ length: 500 }, (_, i) => [
          conversation(`${i}a`, {
            external_id: `${"漢".repeat(250)}${i}`,
            metadata: { text: "x".repeat(3_000) },
          }),
          message(`${i}a`, 1, { external_id: `${"漢".repeat(250)}${i}`, external_digest: "0".repeat(64) }),
        ]).flat(),
    ],
    [
      "1,000 messages of 2 KB",
      () => [
        conversation("a"),
        ...Array.from({ length: 999 }, (_, i) =>
          message("a", i + 1, { content: `${i} ${"All work and no play. ".repeat(90)}` }),
        ),
      ],
    ],
    [
      "1,000 messages with parts of 7 KB, in several batches",
      () => [
        conversation("a"),
        ...Array.from({ length: 999 }, (_, i) => message("a", i + 1, { parts: ["x".repeat(7_000)] })),
      ],
    ],
    [
      "a message of a million control characters with the largest parts",
      () => [
        conversation("a"),
        message("a", 1, { content: "\u0001".repeat(1_000_000), parts: ['"'.repeat(249_998)] }),
      ],
    ],
  ];
  test.for(sample(LARGE, 1))("keeps within the limits of D1, once and again: %s", async ([, make]) => {
    const { secret, organizationId } = await createOrganization();
    const ledger = new Ledger();
    const service = new Service({ ...ledger.bindings, AI: ledger.sameVectors });
    const caller = service.callerOf(secret);
    const lines = make() as Told[];
    const count = lines.filter(({ type }) => type === "message").length;
    expect(await send(caller, lines)).toMatchObject({ messages: { created: count }, problems: [] });
    await service.settle();
    expect(ledger.violations).toEqual([]);
    expect(ledger.statements).toBeLessThan(900);
    expect(await largestRowBytes()).toBeLessThan(2_000_000);
    ledger.reset();
    expect(await send(caller, lines)).toMatchObject({ messages: { existing: count }, problems: [] });
    expect(ledger.violations).toEqual([]);
    const told = (await exportOnce(callerOf(secret))).lines.filter(({ type }) => type === "message");
    expect(told).toEqual(
      lines.filter(({ type }) => type === "message").sort((a, b) => (a.id < b.id ? -1 : 1)),
    );
    await env.DB.prepare("DELETE FROM index_jobs WHERE organization_id = ?1").bind(organizationId).run();
  });

  test("does not grow with what is stored besides", async () => {
    const caller = await createOrganization();
    const rows = async (of: string) => {
      const service = new Service();
      const lines = captureLog();
      const many = Array.from({ length: 50 }, (_, i) => message(of, i + 1));
      await send(service.callerOf(caller.secret), [conversation(of), ...many]);
      const request = lines.find(({ event }) => event === "request");
      await service.settle();
      return Number(request?.rows_read);
    };
    const alone = await rows("a");
    const others = Array.from({ length: 1_000 }, (_, i) => conversation(`${i}b`));
    await send(caller, others);
    const many = Array.from({ length: 900 }, (_, i) => message("0b", i + 1));
    await send(caller, many);
    expect(await rows("c")).toBeLessThan(1.2 * alone);
  });
});

describe("a request", () => {
  test("is refused without the scope, of another type, or too large", async () => {
    const caller = await createOrganization();
    const weak = await createKey(caller, { scopes: ["read", "write", "search", "delete"] });
    const rawBody = JSON.stringify(conversation("a"));
    await expectKeyRefusals(operation, weak, { rawBody });
    for (const headers of [
      { "content-type": "application/json" },
      { "content-type": "text/plain" },
      { "content-encoding": "gzip" },
    ] as Record<string, string>[])
      expect(await caller.fail(operation, { rawBody, headers })).toMatchObject({
        code: "unsupported_media_type",
      });
    for (const large of [" ".repeat(8_388_609), "\n".repeat(1_001), `${rawBody}\n`.repeat(1_001)])
      expect(await caller.fail(operation, { rawBody: large })).toMatchObject({ code: "payload_too_large" });
    expect((await exportOnce(caller)).lines).toEqual([]);
  });

  test("that does not arrive whole stores nothing", async () => {
    const caller = await createOrganization();
    const broken = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(`${JSON.stringify(conversation("a"))}\n`));
        controller.error(new Error("Network connection lost"));
      },
    });
    const response = await new Service().fetch(caller.secret, operation, { rawBody: broken });
    expect(await readProblem(operation, response)).toMatchObject({ code: "invalid_json" });
    expect((await exportOnce(caller)).lines).toEqual([]);
  });

  test("refuses what is a part of no import, or not the next of one", async () => {
    const caller = await createOrganization();
    const { id } = await caller.call(contracts.beginImport, { body: {} });
    const code = async (query: Record<string, string>) =>
      (await caller.fail(operation, { rawBody: toBody([conversation("a")]), query })).code;
    expect(await code({ operation_id: "op_00000000000000000000" })).toBe("not_found");
    expect(await code({ operation_id: id, after_line: "1" })).toBe("lines_missing");
    expect((await exportOnce(caller)).lines).toEqual([]);
  });

  test("of nothing, or of blank lines, stores nothing", async () => {
    const caller = await createOrganization();
    const answer = { conversations: nothing, messages: nothing, memories: nothing, problems: [] };
    for (const rawBody of [" ", "\r\n\r\n", '{"type":"end","complete":true,"conversations":1,"messages":1}'])
      expect(await caller.call(operation, { rawBody })).toEqual(answer);
  });

  test("takes 1,000 lines and a line end", async () => {
    const caller = await createOrganization();
    const lines = Array.from({ length: 1_000 }, (_, i) => conversation(`${i}`));
    const { conversations } = await caller.call(operation, { rawBody: `${toBody(lines)}\n` });
    expect(conversations.created).toBe(1_000);
  });
});
