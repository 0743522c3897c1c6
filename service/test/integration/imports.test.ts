import * as contracts from "@engram/spec";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { scale } from "../../../proof/support/scale.ts";
import { decodedBytes } from "../../src/platform/write-bytes.ts";
import { type Caller, createKey, createOrganization, seedConversation } from "../support/client.ts";
import { readProblem } from "../support/contract.ts";
import { databaseWith } from "../support/deletions.ts";
import { sampleFields } from "../support/document.ts";
import { env } from "../support/env.ts";
import {
  exportOnce,
  FULL_MESSAGE,
  idOf,
  readAll,
  seedMemories,
  seedRich,
  type Told,
} from "../support/exports.ts";
import {
  conversation,
  createImport,
  memory,
  message,
  nothing,
  rowsOf,
  send,
  toBody,
} from "../support/imports.ts";
import {
  Clock,
  open,
  Service,
  selectPostings,
  selectRow,
  selectRows,
  sweepUntilIdle,
} from "../support/invocations.ts";

const operation = contracts.importLines;
afterEach(() => env.CONTROL.clearFaults());

const DAY_MS = 24 * 3_600_000;
/** Bytes that an import stores per transaction. */
const BATCH_BYTES = 2_097_152;

const exportedLines = async (caller: Caller) => (await exportOnce(caller)).lines;

/** The caller's service, with `before` called before each transaction with a statement that has `fragment`. */
function disturbed(
  { secret }: Caller,
  fragment: string,
  before: (batch: number) => Promise<unknown>,
  importBatchBytes?: number,
): Caller {
  let batches = 0;
  const DB = databaseWith(fragment, async () => void (await before(++batches)));
  const limits = importBatchBytes === undefined ? {} : { importBatchBytes };
  return new Service({ DB }, undefined, limits).callerOf(secret);
}

describe("an export that is imported into an empty organization", () => {
  let from: Caller & { organizationId: string };
  let to: Caller & { organizationId: string };
  let lines: Told[];
  const clock = new Clock();
  const service = new Service({ ENRICHMENT_MODEL: "" }, clock);
  const counts = (what: "created" | "existing") => ({ ...nothing, [what]: 6 });
  const answer = (what: "created" | "existing") => ({
    ...{ conversations: counts(what), messages: counts(what), memories: counts(what) },
    memory_versions: { ...nothing, [what]: 2 },
    recalls: nothing,
    problems: [],
    skipped: [],
  });
  beforeAll(async () => {
    const create = async () => {
      const { secret, organizationId } = await createOrganization();
      return { ...service.callerOf(secret), organizationId };
    };
    [from, to] = [await create(), await create()];
    await seedRich(from);
    const long = { role: "user", content: "é".repeat(scale(500_000, 20_000)) };
    await seedConversation(from, ["The zeppelin lands at noon.", long]);
    await seedMemories(service, clock, from.secret);
    await sweepUntilIdle(service, clock, from.organizationId);
    const told = await exportOnce(from);
    lines = told.lines;
    expect(await send(to, [...lines, told.end])).toEqual(answer("created"));
  });

  test("makes an organization that looks the same to every operation and in a new export", async () => {
    expect(await readAll(to)).toEqual(await readAll(from));
    expect(await exportedLines(to)).toEqual(lines);
  });

  test("makes the same counters, index terms and features of messages", async () => {
    const counters = (organizationId: string) =>
      selectRow(
        `SELECT conversation_count, message_count, term_count, memory_count, memory_term_count
           FROM organization_counters WHERE organization_id = ?1`,
        organizationId,
      );
    const rows = (organizationId: string) =>
      selectRows(
        `SELECT m.id, m.sequence, m.role, m.content, m.content_encoding, m.content_bytes, m.metadata, m.parts,
                m.term_count, m.model_tokens, m.features, m.created_at_ms, m.external_digest,
                substr(m.name_terms, instr(m.name_terms, '~')) AS name_terms,
                c.authored, c.term_count AS tokens, c.message_count, c.last_sequence
           FROM messages AS m JOIN conversations AS c ON c.organization_id = m.organization_id AND c.id = m.conversation_id
          WHERE m.organization_id = ?1 ORDER BY m.id`,
        organizationId,
      );
    const words = async (organizationId: string) =>
      (await selectPostings(organizationId)).map(({ term }) => term.replace(/^\d+/, "")).sort();
    for (const what of [counters, rows, words])
      expect(await what(to.organizationId)).toEqual(await what(from.organizationId));
    expect(await counters(to.organizationId)).toMatchObject({ message_count: 6, memory_count: 6 });
  });

  test("is found by words at once and by meaning once indexed, and an agent's memory only by keys for that agent", async () => {
    const found = async (by: Caller, mode: string) => {
      const body = { query: "when does the ferry leave", mode };
      const { results } = await by.call(contracts.searchMemories, { body });
      return results.filter(({ memory: { content } }) => content.startsWith("The ferry")).length;
    };
    const foundMessage = async (mode: string) => {
      const body = { query: "when does the zeppelin land", mode };
      return (await to.call(contracts.search, { body })).results[0]?.messages[0]?.content;
    };
    const { secret } = await createKey(to, { scopes: ["search"], agent_id: "bot" });
    const bound = service.callerOf(secret);
    expect([await found(to, "keyword"), await found(bound, "keyword")]).toEqual([2, 1]);
    expect(await foundMessage("keyword")).toBe("The zeppelin lands at noon.");
    // After the response of the import, not in the sweep.
    await service.settle();
    expect([await found(to, "semantic"), await found(bound, "semantic")]).toEqual([2, 1]);
    expect(await foundMessage("semantic")).toBe("The zeppelin lands at noon.");
    expect(await to.call(contracts.getIndexStatus)).toMatchObject({ pending: 0, failed: 0, messages: 12 });
  });

  test("changes nothing if it is imported again, whole or line by line", async () => {
    const before = await rowsOf(to.organizationId);
    expect(await send(to, lines)).toEqual(answer("existing"));
    for (const line of lines) expect(await send(to, [line])).toMatchObject({ problems: [] });
    expect(await rowsOf(to.organizationId)).toEqual(before);
  });

  test("keeps external ids of messages, so that an append recognizes them and continues the sequence", async () => {
    const source = lines.find((line) => line.type === "conversation" && line.external_id === "ticket-1");
    const params = { conversation_id: source === undefined ? "" : idOf(source) };
    const append = (messages: object[]) => ({ params, body: { messages } });
    const appended = await to.call(
      contracts.appendMessages,
      append([FULL_MESSAGE, { role: "user", content: "five" }]),
    );
    expect(appended).toMatchObject({ first_sequence: 5, last_sequence: 5 });
    expect(appended.existing_ids).toHaveLength(1);
    const other = append([{ ...FULL_MESSAGE, content: "other" }]);
    expect(await to.fail(contracts.appendMessages, other)).toMatchObject({ code: "external_id_conflict" });
  });

  test("does not overwrite later changes if it is imported again", async () => {
    const line = lines.findLast(({ type }) => type === "memory") as contracts.MemoryLine;
    const params = { memory_id: line.id };
    await to.call(contracts.updateMemory, { params, body: { tags: ["other"] } });
    expect(await send(to, [line])).toMatchObject({ memories: { created: 0, existing: 1 }, problems: [] });
    expect((await to.call(contracts.getMemory, { params })).tags).toEqual(["other"]);
  });

  test("can be deleted and imported again, and the exported organization stays unchanged", async () => {
    const before = await rowsOf(from.organizationId);
    for (const line of lines) {
      if (line.type === "conversation")
        await to.call(contracts.deleteConversation, { params: { conversation_id: line.id } });
      if (line.type === "memory") await to.call(contracts.deleteMemory, { params: { memory_id: line.id } });
    }
    const { problems, skipped: _, ...created } = await send(to, lines);
    expect(created).toEqual({
      ...{ conversations: nothing, messages: nothing },
      ...{ memories: nothing, memory_versions: nothing, recalls: nothing },
    });
    expect(problems.map(({ code }) => code)).toEqual(lines.map(() => "import_conflict"));
    await sweepUntilIdle(service, clock, to.organizationId);
    expect(await readAll(to)).toEqual([]);
    expect(await exportedLines(from)).toEqual(lines);
    expect(await rowsOf(from.organizationId)).toEqual(before);
    const body = { query: "when does the zeppelin land", mode: "semantic" };
    const { results } = await from.call(contracts.search, { body });
    expect(results[0]?.messages[0]?.content).toBe("The zeppelin lands at noon.");
    expect(await send(to, lines)).toEqual(answer("created"));
    expect(await exportedLines(to)).toEqual(lines);
  });
});

// A backup of the first version must stay importable.
test("an import accepts lines of the first export format", async () => {
  const caller = await createOrganization();
  const lines = [
    '{"type":"conversation","id":"conv_1m8065tjy793709ces30","external_id":"t-1","title":"Order 1029","agent_id":"bot","user_id":"maria","tags":["a"],"metadata":{"b":1,"a":[]},"message_count":1,"last_sequence":3,"created_at":"2026-11-21T23:13:32.254Z","updated_at":"2026-11-21T23:14:32.254Z"}',
    '{"type":"message","id":"msg_1m8065tjy793709ces31","conversation_id":"conv_1m8065tjy793709ces30","sequence":2,"role":"assistant","content":"It was sent.","name":null,"tool_call_id":null,"tool_name":null,"metadata":{},"parts":[{"type":"text"}],"external_id":"m-1","created_at":"2026-11-21T23:13:32.300Z","stored_at":"2026-11-21T23:13:32.301Z","updated_at":null,"external_digest":"4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945"}',
    '{"type":"end","complete":true,"conversations":1,"messages":1}',
  ];
  expect(await send(caller, lines)).toMatchObject({ messages: { created: 1 }, problems: [] });
  const response = await caller.fetch(contracts.exportData);
  const told = (await response.text()).trimEnd().split("\n");
  // A field that a later version has added is null.
  expect(told.map((line) => JSON.parse(line))).toMatchObject(lines.map((line) => JSON.parse(line)));
});

/** The message id that has the same number as the memory id. */
const idsOf = (id: string) => ({ id: `msg_${id.padStart(20, "0")}` });

describe("a line of an import", () => {
  test("has an external id that is unique only for its agent and user", async () => {
    const caller = await createOrganization();
    const lines = [
      conversation("a", { external_id: "case-7" }),
      conversation("b", { external_id: "case-7", user_id: "maria" }),
    ];
    const more = [
      conversation("c", { external_id: "case-7", agent_id: "bot" }),
      conversation("d", { external_id: "case-7", user_id: "maria" }),
    ];
    expect((await send(caller, lines)).conversations).toEqual({ created: 2, existing: 0 });
    expect(await send(caller, more)).toMatchObject({
      conversations: { created: 1, existing: 0 },
      problems: [{ line: 2, code: "import_conflict" }],
    });
  });

  test("with the id of a message exists if every field is the same, and is a conflict with another value of any", async () => {
    const caller = await createOrganization();
    const { id, ...fields } = sampleFields("MessageLine");
    const valuesOf = (place: 0 | 1) =>
      Object.fromEntries(Object.entries(fields).map(([name, pair]) => [name, pair[place]]));
    const line = message("a", 1, { ...valuesOf(0), conversation_id: conversation("a").id });
    const others = { ...valuesOf(1), conversation_id: conversation("b").id };
    await send(caller, [conversation("a"), conversation("b"), line]);
    expect(await send(caller, [line])).toMatchObject({ messages: { created: 0, existing: 1 }, problems: [] });
    for (const [name, value] of Object.entries(others)) {
      const { problems } = await send(caller, [{ ...line, [name]: value }]);
      expect(problems, name).toMatchObject([
        { code: "import_conflict", detail: "A different message has this id." },
      ]);
    }
  });

  const other = (more: object) => message("a", 1, more);
  const stored = async () => [
    conversation("a", { external_id: "taken", last_sequence: 2 }),
    message("a", 1),
    message("a", 2, { external_id: "m", external_digest: "1".repeat(64) }),
    conversation("b"),
    await memory("1", "one"),
    await memory("2", "one", { agent_id: "a" }),
  ];
  /** By the code of their problem: the line, and what the detail names. */
  const refused = async (): Promise<Record<string, [name: string, line: unknown, detail?: RegExp][]>> => ({
    validation_failed: [
      ["a conversation that is broken", { ...conversation("brake"), title: 7 }, /title/],
      ["no line of an export", [1]],
      ["an unknown type", { ...message("a", 9), type: "thought" }],
      ["an unknown field", { ...message("a", 9), color: "red" }],
      ["a missing field", { ...message("a", 9), name: undefined }],
      ["an id that we never give", message("a", 9, { id: "msg_1" })],
      ["a sequence number out of range", message("a", 9, { sequence: 0 })],
      ["an external id without its digest", message("a", 9, { external_id: "x" })],
      ["a memory without content", await memory("9", ""), /content/],
      ["a hash of another content", await memory("9", "x", { content: "y" }), /content_hash.*SHA-256/],
      ["a memory with an unknown field", await memory("9", "x", { color: "red" }), /color/],
      [
        "a memory that does not say who wrote its tags",
        await memory("9", "x", { given: undefined }),
        /given/,
      ],
      ["a memory of an unknown kind", await memory("9", "x", { kind: "conversation" }), /kind/],
      ["a memory with an id of another form", await memory("9", "x", { id: "mem_1" }), /id/],
      [
        "a memory with too long a name of a model",
        await memory("9", "x", { enriched_by: "m".repeat(257) }),
        /enriched_by/,
      ],
    ],
    invalid_json: [
      ["no JSON", '{"type":'],
      ["a key twice", '{"type":"end","type":"end"}'],
      ["half of a surrogate pair", JSON.stringify(message("a", 9)).replace("message 9", "\\ud800")],
      ["a number that cannot be kept", JSON.stringify(message("a", 9)).replace("{}", '{"n":1e400}')],
    ],
    not_found: [
      ["a conversation that never came", message("zz", 1)],
      ["the conversation that was broken", message("brake", 1)],
    ],
    import_conflict: [
      ["a conversation's external id taken", conversation("new", { external_id: "taken" })],
      ["another message of the same id", other({ content: "Message 1" })],
      ["a sequence number taken", message("a", 1, { id: message("c", 1).id })],
      ["an external id taken", message("a", 9, { external_id: "m", external_digest: "0".repeat(64) })],
      ["other content under the id of a memory", await memory("1", "other"), /other content/],
      [
        "another agent under the id of a memory",
        await memory("1", "one", { agent_id: "bot" }),
        /another agent/,
      ],
      ["content of another memory", await memory("9", "one"), /as mem_0+1\./],
      ["content of another memory of the agent", await memory("9", "one", { agent_id: "a" }), /as mem_0+2\./],
      ["a memory with the id of a message", await memory("a1", "x"), /message/],
      ["a message with the id of a memory", message("a", 8, idsOf("1"))],
    ],
  });

  test.for([
    ["in an earlier request", true],
    ["earlier in the same request", false],
  ] as const)(
    "that cannot be stored is reported by number, and the others are stored, if the conflicting item came %s",
    async ([, isEarlier]) => {
      const caller = await createOrganization();
      const lines = [...(await stored()), "", "  "];
      if (isEarlier) await send(caller, lines);
      const cases = Object.entries(await refused()).flatMap(([code, of]) =>
        of.map(([name, line, detail = /./]) => ({ name, code, line, detail })),
      );
      const good = [message("b", 1), await memory("3", "three")];
      const before = isEarlier ? [] : lines;
      const {
        problems,
        skipped: _,
        ...created
      } = await send(caller, [...before, ...cases.map((one) => one.line), ...good]);
      expect(problems.map(({ line, code }) => [cases[line - before.length - 1]?.name, code])).toEqual(
        cases.map(({ name, code }) => [name, code]),
      );
      for (const [i, { name, detail }] of cases.entries()) expect(problems[i]?.detail, name).toMatch(detail);
      expect(created).toEqual({
        conversations: { created: isEarlier ? 0 : 2, existing: 0 },
        messages: { created: isEarlier ? 1 : 3, existing: 0 },
        memories: { created: isEarlier ? 1 : 3, existing: 0 },
        memory_versions: nothing,
        recalls: nothing,
      });
      const all = [...(await stored()), ...good].map((line) => line.id);
      expect((await exportedLines(caller)).map(idOf).toSorted()).toEqual(all.toSorted());
    },
  );

  test("that is not UTF-8 is reported as one line", async () => {
    const caller = await createOrganization();
    const [first = "", last = ""] = [conversation("a"), message("a", 1)].map((line) => JSON.stringify(line));
    const bytes = new TextEncoder().encode(`${first}\r\n"~"\r\n${last}\r\n`);
    bytes[bytes.indexOf(0x7e)] = 0xff;
    expect(await caller.call(operation, { rawBody: bytes })).toEqual({
      conversations: { created: 1, existing: 0 },
      messages: { created: 1, existing: 0 },
      memories: nothing,
      memory_versions: nothing,
      recalls: nothing,
      problems: [{ line: 2, code: "invalid_json", detail: expect.stringContaining("UTF-8") }],
      skipped: [],
    });
  });

  test("that is repeated in a request is stored once", async () => {
    const lines = [conversation("a"), message("a", 1), await memory("1", "one")];
    const twice = { created: 1, existing: 1 };
    expect(await send(await createOrganization(), [...lines, ...lines])).toEqual({
      ...{
        conversations: twice,
        messages: twice,
        memories: twice,
        memory_versions: nothing,
        recalls: nothing,
      },
      problems: [],
      skipped: [],
    });
  });

  test("with the content and ids of another organization's item is stored", async () => {
    const lines = [conversation("a"), message("a", 1), await memory("1", "one")];
    for (const caller of [await createOrganization(), await createOrganization()])
      expect(await send(caller, lines)).toMatchObject({
        messages: { created: 1 },
        memories: { created: 1 },
        problems: [],
        skipped: [],
      });
  });
});

describe("an import restores", () => {
  test("a deleted message in its place, and no sequence is used twice", async () => {
    const { caller, idle } = await open();
    const conversation_id = await seedConversation(caller, ["one", "two", "three"]);
    const { lines } = await exportOnce(caller);
    const id = lines.map(idOf).at(-1) ?? "";
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

  test("the last sequence, which is raised but never lowered", async () => {
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

  test("all times unchanged, and gives new ETags", async () => {
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

describe("an import during concurrent writes", () => {
  test("of the same lines stores each once", async () => {
    const caller = await createOrganization();
    const lines = [conversation("a"), ...Array.from({ length: 200 }, (_, i) => message("a", i + 1))];
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(caller, lines)));
    const created = answers.map(({ messages }) => messages.created).sort((a, b) => a - b);
    expect(created).toEqual([0, 0, 0, 0, 200]);
    expect(answers.flatMap(({ problems }) => problems)).toEqual([]);
    expect((await exportOnce(caller)).lines.slice(1)).toEqual(lines.slice(1));
  });

  const a = { conversation_id: conversation("a").id };
  const conflict = (line: number) => ({ line, code: "import_conflict" });
  test.for<
    [
      what: string,
      meanwhile: (caller: Caller) => Promise<unknown>,
      lines: () => Promise<unknown[]>,
      expected: object,
    ]
  >([
    [
      "a message takes the place of a line",
      (caller) =>
        caller.call(contracts.appendMessages, {
          params: a,
          body: { messages: [{ role: "user", content: "first" }] },
        }),
      async () => [message("a", 1), message("a", 2)],
      { messages: { created: 1, existing: 0 }, problems: [conflict(1)] },
    ],
    [
      "the same import stores its lines",
      async (caller) => send(caller, [message("a", 1), await memory("1", "one")]),
      async () => [message("a", 1), await memory("1", "one")],
      { messages: { created: 0, existing: 1 }, memories: { created: 0, existing: 1 }, problems: [] },
    ],
    [
      "the conversation is deleted",
      (caller) => caller.call(contracts.deleteConversation, { params: a }),
      async () => [message("a", 1), message("a", 2)],
      { messages: nothing, problems: [conflict(1), conflict(2)] },
    ],
    [
      "a conversation takes the external id",
      (caller) => seedConversation(caller, [], { external_id: "x" }),
      async () => [conversation("c", { external_id: "x" }), conversation("b")],
      { conversations: { created: 1 }, problems: [conflict(1)] },
    ],
    [
      "a capture stores the content of a memory",
      (caller) => caller.call(contracts.createMemory, { body: { content: "one" } }),
      async () => [await memory("1", "one"), await memory("2", "two")],
      { memories: { created: 1, existing: 0 }, problems: [conflict(1)] },
    ],
    [
      "a message takes the id of a memory",
      (caller) => send(caller, [message("a", 2, idsOf("2"))]),
      async () => [await memory("1", "one"), await memory("2", "two")],
      { memories: { created: 1, existing: 0 }, problems: [conflict(2)] },
    ],
  ])("checks its lines again if %s after it has read", async ([, meanwhile, lines, expected]) => {
    const caller = await createOrganization();
    await send(caller, [conversation("a")]);
    const late = disturbed(caller, "import_raced", async (batch) => {
      if (batch === 1) await meanwhile(caller);
    });
    expect(await send(late, await lines())).toMatchObject(expected);
    const counters = await selectRow(
      "SELECT message_count, memory_count FROM organization_counters WHERE organization_id = ?1",
      caller.organizationId,
    );
    const types = (await exportedLines(caller)).map(({ type }) => type);
    const count = (type: string) => types.filter((each) => each === type).length;
    expect(counters).toEqual({ message_count: count("message"), memory_count: count("memory") });
  });

  test("without end fails with 503, and stores nothing", async () => {
    const caller = await createOrganization();
    let times = 0;
    const late = disturbed(caller, "INSERT INTO conversations", async (batch) => {
      times = batch;
      await send(caller, [conversation(`${batch}`)]);
    });
    const lines = Array.from({ length: 9 }, (_, i) => conversation(`${i + 1}`));
    expect(await late.fail(operation, { rawBody: toBody(lines) })).toMatchObject({ code: "unavailable" });
    expect(await exportedLines(caller)).toHaveLength(times);
  });
});

describe("the batches of an import", () => {
  /** Seven lines and a blank one, in four batches: lines 1 to 3, 4 to 5, 6 to 8 and 9. */
  const FILE = [
    conversation("a"),
    message("a", 1),
    message("a", 2),
    "",
    message("a", 3, { content: "é".repeat(900) }),
    message("a", 4, { content: "x".repeat(900) }),
    message("a", 5),
    conversation("b"),
    message("b", 1, { content: "y".repeat(1_000) }),
  ];
  const ENDS = [3, 5, 8, 9];
  /** The limit of a batch that splits the file in this way. */
  const SMALL = 2_000;
  const failAt = (broken: number) => async (batch: number) => {
    if (batch === broken) throw new Error("D1_ERROR: Network connection lost.");
  };
  /** The number of lines up to this one that are not blank. */
  const linesTo = (end: number) => FILE.slice(0, end).filter((line) => line !== "").length;

  test("have at most 2,097,152 bytes each", async () => {
    const caller = await createOrganization();
    let batches = 0;
    const others = (of: string) => [
      conversation(of),
      ...[1, 2, 3, 4].map((sequence) => message(of, sequence, { parts: ["é".repeat(240_000)] })),
    ];
    const linesOf = (of: string, bytes: number) => {
      const last = message(of, 5, { content: "" });
      const room = bytes - [...others(of), last].reduce((sum, line) => sum + decodedBytes(line), 0);
      return [...others(of), { ...last, content: "x".repeat(room) }];
    };
    const whole = disturbed(caller, "INSERT INTO messages", async (batch) => {
      batches = batch;
    });
    expect(await send(whole, linesOf("a", BATCH_BYTES))).toMatchObject({
      messages: { created: 5 },
      problems: [],
    });
    expect(batches).toBe(1);
    expect(await send(whole, linesOf("b", BATCH_BYTES + 1))).toMatchObject({ messages: { created: 5 } });
    expect(batches).toBe(3);
    expect(await exportedLines(caller)).toHaveLength(12);
  });

  test("store the same rows as one transaction, and the response covers every line", async () => {
    const [one, many] = [await createOrganization(), await createOrganization()];
    const lines = [
      ...FILE,
      await memory("1", "A note."),
      message("a", 2),
      message("c", 1),
      await memory("1", "A note."),
      "{",
    ];
    const answer = await send(one, lines);
    expect(answer).toMatchObject({
      conversations: { created: 2, existing: 0 },
      messages: { created: 6, existing: 1 },
      memories: { created: 1, existing: 1 },
      problems: [
        { line: 12, code: "not_found" },
        { line: 14, code: "invalid_json" },
      ],
    });
    let batches = 0;
    const small = disturbed(many, "INSERT INTO messages", async (batch) => (batches = batch), 1);
    expect(await send(small, lines)).toEqual(answer);
    expect(batches).toBeGreaterThan(5);
    expect(await exportedLines(many)).toEqual(await exportedLines(one));
    const countersOf = async (organizationId: string) => {
      const { recent_upserts: _, ...row } = await selectRow<{ recent_upserts: string }>(
        "SELECT * FROM organization_counters WHERE organization_id = ?1",
        organizationId,
      );
      return { ...row, organization_id: "", number: 0 };
    };
    expect(await countersOf(many.organizationId)).toEqual(await countersOf(one.organizationId));
  });

  test.for([1, 2, 3, 4])(
    "before number %i stay if it fails: they are counted, the rest can follow, and a repeat stores nothing twice",
    async (broken) => {
      const done = ENDS[broken - 2] ?? 0;
      for (const isRepeat of [false, true]) {
        const caller = await createOrganization();
        const { id, get } = await createImport(caller);
        const query = { operation_id: id, last: "true" };
        const failing = disturbed(caller, "INSERT INTO messages", failAt(broken), SMALL);
        const problem = await failing.fail(operation, { rawBody: toBody(FILE), query });
        expect(problem.status).toBeGreaterThanOrEqual(500);
        expect(await get()).toMatchObject({ status: "running", progress: { done, total: null } });
        expect(await exportedLines(caller)).toHaveLength(linesTo(done));
        const again = isRepeat
          ? await send(caller, FILE, query)
          : await send(caller, FILE.slice(done), { ...query, after_line: `${done}` });
        const count = (what: "created" | "existing") => again.conversations[what] + again.messages[what];
        expect([count("existing"), count("created")]).toEqual([
          isRepeat ? linesTo(done) : 0,
          linesTo(9) - linesTo(done),
        ]);
        expect(again.problems).toEqual([]);
        expect(await get()).toMatchObject({ status: "succeeded", progress: { done: 9, total: 9 } });
        const { items } = await caller.call(contracts.listConversations);
        expect(items.map(({ message_count }) => message_count).sort()).toEqual([1, 5]);
      }
    },
  );

  test("fail with 503 after too many concurrent changes, and the problem says how many lines are stored", async () => {
    const caller = await createOrganization();
    const racing = disturbed(
      caller,
      "INSERT INTO messages",
      async (batch) => {
        if (batch > 1) await env.DB.prepare("INSERT INTO assertions (import_raced) SELECT TRUE").run();
      },
      SMALL,
    );
    const problem = await racing.fail(operation, { rawBody: toBody(FILE) });
    expect(problem).toMatchObject({ code: "unavailable" });
    expect(problem.detail).toContain("The first 3 lines are done");
    expect(await exportedLines(caller)).toHaveLength(3);
  });

  test("end when the import is canceled: the first stay, and no others are stored", async () => {
    const caller = await createOrganization();
    const { id, get, cancel } = await createImport(caller);
    const canceling = disturbed(
      caller,
      "INSERT INTO messages",
      async (batch) => (batch === 2 ? cancel() : undefined),
      SMALL,
    );
    const problem = await canceling.fail(operation, { rawBody: toBody(FILE), query: { operation_id: id } });
    expect(problem).toMatchObject({ code: "operation_ended" });
    expect(await get()).toMatchObject({ status: "canceled", progress: { done: 3 } });
    expect(await exportedLines(caller)).toHaveLength(3);
  });
});

describe("an import request", () => {
  test("is rejected with another content type, or if it is too large", async () => {
    const caller = await createOrganization();
    const rawBody = JSON.stringify(conversation("a"));
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

  test("that breaks off stores nothing", async () => {
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

  test("without lines, or with blank lines, stores nothing", async () => {
    const caller = await createOrganization();
    const answer = {
      ...{
        conversations: nothing,
        messages: nothing,
        memories: nothing,
        memory_versions: nothing,
        recalls: nothing,
      },
      problems: [],
      skipped: [],
    };
    for (const rawBody of [" ", "\r\n\r\n", '{"type":"end","complete":true,"conversations":1,"messages":1}'])
      expect(await caller.call(operation, { rawBody })).toEqual(answer);
  });

  test("can have 1,000 lines and a final line break", async () => {
    const caller = await createOrganization();
    const lines = Array.from({ length: 1_000 }, (_, i) => conversation(`${i}`));
    const { conversations } = await caller.call(operation, { rawBody: `${toBody(lines)}\n` });
    expect(conversations.created).toBe(1_000);
  });

  const wide = (sequence: number, values: number) =>
    message("a", sequence, { parts: Array.from({ length: values }, () => 0) });
  const OWN_FIELDS = Object.keys(message("a", 1)).length;
  const CONVERSATION_FIELDS = Object.keys(conversation("a")).length;

  test("can have at most 100,000 fields and items", async () => {
    const caller = await createOrganization();
    const room = 100_000 - CONVERSATION_FIELDS - 2 * OWN_FIELDS;
    const lines = (values: number) => [conversation("a"), wide(1, 40_000), wide(2, values - 40_000)];
    const problem = await caller.fail(operation, { rawBody: toBody(lines(room + 1)) });
    expect(problem).toMatchObject({ code: "payload_too_large", status: 413 });
    expect(await exportedLines(caller)).toEqual([]);
    expect(await send(caller, lines(room))).toMatchObject({ messages: { created: 2 }, problems: [] });
  });

  test("can have a message with as many fields and items as an append allows", async () => {
    const [from, to] = [await createOrganization(), await createOrganization()];
    const id = await seedConversation(from, []);
    const parts = Array.from({ length: 49_995 }, () => 0);
    const append = (parts: number[]) => ({
      params: { conversation_id: id },
      body: { messages: [{ role: "user", content: "x", parts }] },
    });
    expect((await from.fail(contracts.appendMessages, append([...parts, 0]))).code).toBe("payload_too_large");
    await from.call(contracts.appendMessages, append(parts));
    const { lines } = await exportOnce(from);
    expect(await send(to, lines)).toMatchObject({ messages: { created: 1 }, problems: [] });
    expect((await exportOnce(to)).lines[1]).toEqual(lines[1]);
  });

  test("reports a line with too many fields and items, and stores the others", async () => {
    const caller = await createOrganization();
    const answer = await send(caller, [conversation("a"), wide(1, 100_001), message("a", 2)]);
    expect(answer).toMatchObject({
      conversations: { created: 1, existing: 0 },
      messages: { created: 1, existing: 0 },
      memories: nothing,
      memory_versions: nothing,
      recalls: nothing,
      problems: [{ line: 2, code: "validation_failed" }],
    });
  });
});

describe("begin import", () => {
  const contract = contracts.createImport;

  test("creates an operation, with the number of lines if it is given", async () => {
    const caller = await createOrganization();
    const unknown = await caller.call(contract, { body: {} });
    expect(unknown).toMatchObject({
      type: "import",
      status: "running",
      target_id: caller.organizationId,
      progress: { done: 0, total: null },
      completed_at: null,
    });
    const known = await caller.call(contract, { body: { lines: 12 } });
    expect(known.progress).toEqual({ done: 0, total: 12 });
    const { items } = await caller.call(contracts.listOperations, { query: { type: "import" } });
    expect(items).toEqual([known, unknown]);
  });
});

describe("an import of many requests", () => {
  const first = [conversation("1"), message("1", 1)];
  const second = [message("1", 2), conversation("2")];

  test("counts its lines, and succeeds with the last", async () => {
    const caller = await createOrganization();
    const { get, send } = await createImport(caller, { lines: 4 });
    await send(0, first);
    expect(await get()).toMatchObject({
      status: "running",
      progress: { done: 2, total: 4 },
      lines_processed: 2,
    });
    expect(await send(2, second, { last: "true" })).toMatchObject({ messages: { created: 1, existing: 0 } });
    expect(await get()).toMatchObject({
      status: "succeeded",
      progress: { done: 4, total: 4 },
      lines_processed: 4,
      completed_at: expect.any(String),
    });
    expect(
      await caller.call(contracts.getOrganization, { params: { organization_id: caller.organizationId } }),
    ).toMatchObject({ conversation_count: 2, message_count: 2 });
  });

  test("counts blank and rejected lines too, so that line numbers are those of the file", async () => {
    const { get, send } = await createImport(await createOrganization());
    const { problems } = await send(0, ["", conversation("1"), "{", message("1", 1), "", ""]);
    expect(problems.map(({ line, code }) => [line, code])).toEqual([[3, "invalid_json"]]);
    // The last element is no line, but ends the line before.
    expect(await get()).toMatchObject({ progress: { done: 5, total: null } });
    await send(5, [], { last: "true" });
    expect(await get()).toMatchObject({ status: "succeeded", progress: { done: 5, total: 5 } });
  });

  test("accepts lines that are stored already, also when it is complete, and changes nothing", async () => {
    const caller = await createOrganization();
    const { get, send } = await createImport(caller);
    await send(0, first);
    await send(2, second, { last: "true" });
    const before = [await get(), await exportOnce(caller)];
    expect(await send(0, first)).toMatchObject({ messages: { created: 0, existing: 1 } });
    expect(await send(2, second, { last: "true" })).toMatchObject({ messages: { created: 0, existing: 1 } });
    expect([await get(), await exportOnce(caller)]).toEqual(before);
  });

  test("with more lines than announced reports their number", async () => {
    const { get, send } = await createImport(await createOrganization(), { lines: 1 });
    await send(0, first);
    expect(await get()).toMatchObject({ status: "running", progress: { done: 2, total: 2 } });
  });

  test("rejects lines after a gap, and stores none of them", async () => {
    const caller = await createOrganization();
    const { get, send, refuse } = await createImport(caller);
    await send(0, first);
    const before = await exportOnce(caller);
    expect(await refuse(3, second)).toBe("lines_missing");
    expect(await refuse(3, second, { last: "true" })).toBe("lines_missing");
    expect(await get()).toMatchObject({ status: "running", progress: { done: 2 } });
    expect(await exportOnce(caller)).toEqual(before);
  });

  test("does not reject lines whose conversation a concurrent request stores", async () => {
    const caller = await createOrganization();
    const { id, get, send: sendPart } = await createImport(caller);
    let isSent = false;
    const DB = databaseWith("lines_missing", async () => {
      if (isSent) return;
      isSent = true;
      await sendPart(0, first);
    });
    const racing = new Service({ DB: Object.assign(Object.create(env.DB), DB) }).callerOf(caller.secret);
    const query = { operation_id: id, after_line: "2", last: "true" };
    expect(await send(racing, second, query)).toMatchObject({ messages: { created: 1 }, problems: [] });
    expect(await get()).toMatchObject({ status: "succeeded", progress: { done: 4 } });
    expect((await exportOnce(caller)).lines).toHaveLength(4);
  });

  test("rejects lines after the last request", async () => {
    const caller = await createOrganization();
    const { send, refuse } = await createImport(caller);
    await send(0, first, { last: "true" });
    const before = await exportOnce(caller);
    expect(await refuse(2, second)).toBe("operation_ended");
    expect(await refuse(1, second)).toBe("operation_ended");
    expect(await exportOnce(caller)).toEqual(before);
  });

  test("that is canceled keeps what is stored, and accepts no more lines", async () => {
    const { caller, service } = await open();
    const { get, cancel, send, refuse } = await createImport(caller);
    await send(0, first);
    expect(await cancel()).toMatchObject({ status: "canceled", progress: { done: 2, total: null } });
    const before = await exportOnce(caller);
    expect(await refuse(2, second)).toBe("operation_ended");
    // Not even lines that it has stored, because some may have been deleted meanwhile.
    expect(await refuse(0, first)).toBe("operation_ended");
    expect(await exportOnce(caller)).toEqual(before);
    await service.sweep();
    expect(await get()).toMatchObject({ status: "canceled", completed_at: expect.any(String) });
    expect(await cancel()).toMatchObject({ status: "canceled", progress: { done: 2 } });
  });

  test("that has succeeded cannot be canceled", async () => {
    const caller = await createOrganization();
    const { id, send } = await createImport(caller);
    await send(0, first, { last: "true" });
    const { code } = await caller.fail(contracts.cancelOperation, { params: { operation_id: id } });
    expect(code).toBe("not_cancelable");
  });

  test("that stays incomplete is canceled after 7 days", async () => {
    const { caller, service, clock } = await open();
    const { get, send, refuse } = await createImport(caller);
    await send(0, first);
    clock.advance(contracts.IMPORT_DAYS_MAX * DAY_MS - 1);
    await service.sweep();
    expect(await get()).toMatchObject({ status: "running" });
    clock.advance(1);
    await service.sweep();
    expect(await get()).toMatchObject({ status: "canceled", progress: { done: 2 } });
    expect(await refuse(2, second)).toBe("operation_ended");
  });

  test("rejects the id of another organization's operation, or of an operation of another type", async () => {
    const caller = await createOrganization();
    const other = await createOrganization();
    const { id } = await createImport(caller);
    const rawBody = JSON.stringify(conversation("1"));
    const code = async (asking: Caller, operation_id: string) =>
      (await asking.fail(contracts.importLines, { rawBody, query: { operation_id } })).code;
    expect(await code(other, id)).toBe("not_found");
    expect(await code(caller, "op_00000000000000000000")).toBe("not_found");
    const repair = await caller.call(contracts.repairIndex, { body: {} });
    expect(await code(caller, repair.id)).toBe("not_found");
    expect(await caller.call(contracts.listConversations, {})).toMatchObject({ items: [] });
  });

  test("rejects `after_line` and `last` without an operation", async () => {
    const caller = await createOrganization();
    for (const [name, value] of [
      ["after_line", 1],
      ["last", "true"],
    ] as const) {
      const { code, errors } = await caller.fail(contracts.importLines, {
        rawBody: "",
        query: { [name]: value },
      });
      expect([code, errors?.[0]?.path]).toEqual(["validation_failed", name]);
    }
  });
});
