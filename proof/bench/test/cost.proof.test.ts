import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UsageError } from "../src/command/options.ts";
import { readArgs } from "../src/cost/args.ts";
import {
  billMonth,
  dollarsOf,
  dollarsPerMillionKept,
  freePlan,
  quantities,
  type Rates,
} from "../src/cost/bill.ts";
import { type Captured, captureMemories } from "../src/cost/captures.ts";
import { type Bindings, meterBindings, noUsage, type Usage } from "../src/cost/meter.ts";
import { growOrganization } from "../src/cost/organization.ts";
import { PRICES } from "../src/cost/prices.ts";
import { formatReport } from "../src/cost/report.ts";
import { type MeteredService, startMeteredService } from "../src/cost/service.ts";
import { addUp, KEY_ROWS_READ, toUnits, toUnitsBesideSweeps } from "../src/cost/units.ts";
import { generatedWorkload, locomoWorkload, type Said, type Workload } from "../src/cost/workload.ts";
import { toDialogue } from "../src/recall/locomo.ts";
import { openOrganization } from "../src/recall/memory.ts";
import { dialogue } from "./support/dialogue.ts";

const START_TIMEOUT_MS = 60_000;

describe("the cost of the real Worker", { timeout: START_TIMEOUT_MS }, () => {
  let service: MeteredService;
  beforeAll(async () => {
    service = await startMeteredService();
  }, START_TIMEOUT_MS);
  afterAll(() => service?.stop());

  const conversation: Said[] = Array.from({ length: 7 }, (_, i) => ({
    role: i % 2 === 0 ? "user" : "assistant",
    content: `Message ${i}.`,
  }));
  const workload: Workload = {
    name: "two conversations of seven messages",
    conversations: () => [conversation, conversation],
    queries: ["Which message was it?"],
  };

  test("of messages stored in one request is a row and two index rows each, and a vector per window", async () => {
    const organization = await growOrganization(service, workload, { batch: 50, gapSeconds: 5 });
    const load = await organization.grow(14);
    const { usage } = load.taken;

    expect(load).toMatchObject({ conversations: 2, messages: 14, contentBytes: 140 });
    // Two creations and two appends.
    expect(usage.requests).toBe(4);
    expect(usage.writtenTo).toMatchObject({ messages: 42, message_words: 14 + usage.sweeps });
    // The row of each request, and its deletion, with the organization's own.
    expect(usage.writtenTo.idempotency_keys).toBe(4 + 5);
    // Of each conversation, the creation, the append and the end of the indexing: a row for each, and one when it is
    // deleted. The newest event stays, in place of the one that created the key.
    expect(usage.writtenTo.events).toBe(2 * 6);
    // At least a row for the length of each message.
    expect(usage.ftsRowsWritten).toBeGreaterThanOrEqual(14);
    // Messages 1–5 and 4–7 of each: "[assistant]: Message 1." has seven words and marks.
    // The complete window of each after the response, and the incomplete one when no message follows.
    expect(usage).toMatchObject({ texts: 4, vectorsWritten: 4, aiCalls: 4, vectorsDeleted: 0 });
    expect(load.vectors).toBe(4);
    expect(usage.tokens).toBeCloseTo(4 * 2 + 1.02 * 18 * 7);
    expect(usage.databaseBytes).toBeGreaterThan(0);
  });

  test("of messages stored one by one is one embedding per window, and no deleted vector", async () => {
    const organization = await growOrganization(service, workload, { batch: 1, gapSeconds: 5 });
    const { taken, vectors } = await organization.grow(14);

    expect(taken.usage.requests).toBe(2 + 14);
    expect(taken.usage.writtenTo).toMatchObject({ messages: 42 });
    // The first window is indexed when it is complete, and the second when no message follows.
    expect(taken.usage.writtenTo.events).toBe(2 * (2 + 14 + 4));
    expect(vectors).toBe(4);
    expect(taken.usage).toMatchObject({ texts: 4, vectorsWritten: 4, vectorsDeleted: 0 });
  });

  test("of messages stored a minute apart is one embedding of the window for each, which replaces its vector", async () => {
    const organization = await growOrganization(service, workload, { batch: 1, gapSeconds: 60 });
    const { taken, vectors } = await organization.grow(14);

    expect(vectors).toBe(4);
    // The first window with each of messages 1 to 5, and the second with 6 and 7, which the first does not contain.
    expect(taken.usage).toMatchObject({ texts: 2 * 7, vectorsWritten: 2 * 7, vectorsDeleted: 0 });
  });

  test("of a search is one text, one vector query, no written row, and the same number of rows read each time", async () => {
    const organization = await growOrganization(service, workload, { batch: 50, gapSeconds: 5 });
    await organization.grow(14);
    // The first search of an isolate also embeds the texts that relevance is measured by.
    await organization.search();
    const [first] = await organization.search();
    const [again] = await organization.search();

    expect(first?.usage).toMatchObject({ requests: 1, rowsWritten: 0, texts: 1, vectorsQueried: 1 });
    expect(first?.usage.rowsRead).toBeGreaterThan(14);
    expect(again?.usage.rowsRead).toBe(first?.usage.rowsRead);
  });

  test("of a memory with two sources is that of one without, and three rows written for each source", async () => {
    const perSweep = toUnits(await service.count(() => service.sweep()), 1);
    const capture = (sources: number) =>
      captureMemories(service, workload, { sources, memories: 8, perSweep });
    const [plain, cited] = [await capture(0), await capture(2)];
    expect(cited.perMemory.rowsWritten - plain.perMemory.rowsWritten).toBeCloseTo(2 * 3);
    expect(plain.writtenTo.memory_sources).toBeUndefined();
    expect(cited.writtenTo.memory_sources).toBe(2 * 3);
    expect(cited.listedRowsRead - plain.listedRowsRead).toBeLessThan(4 * 2);
    expect(cited.gotRowsRead - plain.gotRowsRead).toBeLessThan(4 * 2);
  });

  test("of looking up a key is the number of rows that each request is charged for", async () => {
    const client = await openOrganization(service, "a forgotten key");
    const { usage } = await service.count(() => client.index.status());
    expect(usage).toMatchObject({ keyLookups: 1, keyRowsRead: KEY_ROWS_READ });
  });

  test("of a sweep without work is measured, and the lines that it logs", async () => {
    const { usage } = await service.count(() => service.sweep());
    expect(usage).toMatchObject({ requests: 0, sweeps: 1, aiCalls: 0, vectorsQueried: 0, logLines: 1 });
    expect(usage.logBytes).toBeGreaterThan(0);
  });
});

describe("the metering of a database", () => {
  const meta = { rows_read: 3, rows_written: 2, changes: 1, duration: 1, size_after: 4096 };
  const statement = { bind: () => statement, all: async () => ({ results: [{ id: "a" }], meta }) };
  const metered = () => {
    const usage = noUsage();
    const bindings = {
      DB: {
        prepare: () => statement,
        batch: async (all: unknown[]) => all.map(() => ({ results: [], meta })),
      },
    } as unknown as Bindings;
    return { usage, db: meterBindings(bindings, usage).DB };
  };

  test("adds up single statements and batches by table, and keeps the largest number of one invocation", async () => {
    const { usage, db } = metered();
    await db.prepare("SELECT id FROM messages").bind().all();
    await db.batch([
      db.prepare("INSERT OR IGNORE INTO messages SELECT 1").bind(),
      db.prepare("UPDATE conversations SET title = ?1"),
    ]);
    expect(usage).toMatchObject({
      statements: 3,
      statementsMost: 3,
      rowsRead: 9,
      rowsWritten: 6,
    });
    expect(usage.writtenTo).toEqual({ "?": 2, messages: 2, conversations: 2 });
  });

  test("returns a first row as D1 does, and counts it", async () => {
    const { usage, db } = metered();
    const first = db.prepare("SELECT 1") as unknown as { first(column?: string): Promise<unknown> };
    expect([await first.first(), await first.first("id")]).toEqual([{ id: "a" }, "a"]);
    expect(usage.rowsRead).toBe(6);
  });

  test("rejects a statement that it cannot count", async () => {
    const { db } = metered();
    await expect(db.batch([statement])).rejects.toThrow(TypeError);
  });
});

describe("units of cost", () => {
  const taken = (over: Partial<Usage>, cpuMs = 10) => ({ usage: { ...noUsage(), ...over }, cpuMs });

  test("are added up: sums, the largest invocation, the last database size", () => {
    const sum = addUp([
      taken({ rowsRead: 1, statementsMost: 7, databaseBytes: 4096, writtenTo: { messages: 3 } }),
      taken({ rowsRead: 2, statementsMost: 5, databaseBytes: 0, writtenTo: { messages: 3, chunks: 1 } }),
    ]);
    expect(sum.cpuMs).toBe(20);
    expect(sum.usage).toMatchObject({ rowsRead: 3, statementsMost: 7, databaseBytes: 4096 });
    expect(sum.usage.writtenTo).toEqual({ messages: 6, chunks: 1 });
  });

  test("include the key lookup of each request, but no scheduled sweeps in the cost of messages", () => {
    const perSweep = toUnits(taken({ sweeps: 1, rowsRead: 9, rowsWritten: 1 }), 1);
    const load = taken({ requests: 10, sweeps: 2, rowsRead: 118, rowsWritten: 22 }, 120);
    expect(toUnitsBesideSweeps(load, perSweep, 10)).toMatchObject({
      invocations: 1,
      cpuMs: 10,
      rowsRead: 10 + KEY_ROWS_READ,
      rowsWritten: 2,
    });
  });
});

describe("the computed bill", () => {
  const none = toUnits({ usage: noUsage(), cpuMs: 0 }, 1);
  const rates = (over: Partial<Rates>): Rates => ({
    perMessage: none,
    perSearch: none,
    perSweep: none,
    bytesPerMessage: 0,
    vectorsPerMessage: 0,
    ...over,
  });

  test("charges stored vectors once a month, as in the example on Vectorize's price page", () => {
    // "Large": 768 dimensions, 250,000 vectors, 500,000 queries: $5.86 before the included amounts.
    const searched = rates({ perSearch: { ...none, vectorsQueried: 1 }, vectorsPerMessage: 0.5 });
    const month = { messages: 0, searches: 500_000, kept: 500_000 };
    const { queriedDimensions, storedDimensions } = quantities(month, searched);
    expect([queriedDimensions, storedDimensions]).toEqual([576e6, 192e6]);
    expect(queriedDimensions * 1e-8 + storedDimensions * 5e-10).toBeCloseTo(5.86);
    expect(billMonth(month, searched)).toBeCloseTo(5 + (576 - 50) * 0.01 + ((192 - 10) * 0.05) / 100);
  });

  test("is the plan's price while all usage, sweeps included, is within the plan", () => {
    const idle = rates({ perSweep: { ...none, invocations: 1, rowsRead: 9, rowsWritten: 1 } });
    expect(quantities({ messages: 0, searches: 0, kept: 0 }, idle)).toMatchObject({
      requests: 43_200,
      rowsRead: 9 * 43_200,
      rowsWritten: 43_200,
    });
    expect(billMonth({ messages: 0, searches: 0, kept: 0 }, idle)).toBe(5);
  });

  test("charges usage beyond the plan, and nothing that was not measured", () => {
    const written = rates({ perMessage: { ...none, rowsWritten: 30, cpuMs: Number.NaN } });
    expect(billMonth({ messages: 2e6, searches: 0, kept: 0 }, written)).toBe(5 + 10);
    expect(dollarsOf("storedBytes", 10e9)).toBe(3.75);
  });

  test("gives the cost of storing a million more messages", () => {
    const kept = rates({ bytesPerMessage: 1_000, vectorsPerMessage: 0.5 });
    // 1 GB, and 384 million dimensions that are stored and queried once.
    expect(dollarsPerMillionKept(kept)).toBeCloseTo(0.75 + 3.84 * 0.05 + 384 * 0.01);
  });

  test("gives the usage that the free plan allows in addition to the sweeps", () => {
    const small = rates({
      perMessage: { ...none, rowsWritten: 10 },
      perSweep: { ...none, rowsWritten: 1 },
      bytesPerMessage: 1_000,
    });
    const allowed = freePlan(small);
    expect(allowed.messagesADay["rows written"]).toBe((100_000 - 1_440) / 10);
    expect(allowed.messagesKept["database size"]).toBe(500_000);
    expect(allowed.messagesADay["rows read"]).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("workloads of bench:cost", () => {
  const take = (workload: Workload, count: number) => {
    const conversations: Said[][] = [];
    for (const conversation of workload.conversations()) {
      conversations.push(conversation);
      if (conversations.length === count) break;
    }
    return conversations;
  };

  test("that are generated are the same in every run: 20 to 200 messages, the user's shorter than the assistant's", () => {
    const conversations = take(generatedWorkload(), 50);
    expect(take(generatedWorkload(), 50)).toEqual(conversations);
    expect(take(generatedWorkload(2), 1)).not.toEqual(conversations.slice(0, 1));
    for (const { length } of conversations) expect(length).toBeGreaterThanOrEqual(20);
    for (const { length } of conversations) expect(length).toBeLessThanOrEqual(200);
    const all = conversations.flat();
    const wordsOf = (role: string) => {
      const said = all.filter((message) => message.role === role);
      return said.reduce((sum, { content }) => sum + content.split(" ").length, 0) / said.length;
    };
    expect(wordsOf("assistant") / wordsOf("user")).toBeGreaterThan(2);
    expect(all.every(({ content }) => content.length > 0)).toBe(true);
  });

  test("of LoCoMo have a conversation per session, and its questions", () => {
    const workload = locomoWorkload([toDialogue("1", dialogue())]);
    expect(take(workload, 9).map((conversation) => conversation.length)).toEqual([3, 1, 1]);
    expect(workload.queries).toHaveLength(3);
  });
});

describe("arguments of bench:cost", () => {
  test("are optional, and paths are relative to the current directory", () => {
    expect(readArgs([], "/home/ada")).toEqual({
      messages: 16_000,
      dataDirectory: undefined,
      jsonFile: undefined,
    });
    expect(readArgs(["--messages", "64000", "--data", "locomo", "--json", "/c.json"], "/home/ada")).toEqual({
      messages: 64_000,
      dataDirectory: "/home/ada/locomo",
      jsonFile: "/c.json",
    });
  });

  test.for([["--messages", "many"], ["--messages", "0"], ["--messages"], ["--price", "1"], ["locomo"]])(
    "are rejected: %s",
    (argv) => {
      expect(() => readArgs(argv, "/")).toThrow(UsageError);
    },
  );
});

test("the cost report names every price, and each column adds up to the bill", () => {
  const none = toUnits({ usage: noUsage(), cpuMs: 0 }, 1);
  const captured: Captured = {
    ...{ sources: 2, memories: 1_000, perMemory: { ...none, rowsRead: 90, rowsWritten: 23 } },
    ...{ writtenTo: { memory_sources: 6 }, listedRowsRead: 17, gotRowsRead: 11 },
  };
  const measurement = {
    workload: "three messages",
    appended: [
      {
        batch: 50,
        gapSeconds: 5,
        messages: 3,
        contentBytesPerMessage: 100,
        perMessage: { ...none, rowsWritten: 60 },
        writtenTo: { messages: 3 },
        statementsMost: 31,
        vectorsPerMessage: 0,
      },
    ],
    searched: [
      {
        messages: 3,
        perSearch: { ...none, rowsRead: 30_000 },
        perRecorded: { ...none, rowsRead: 30_000, rowsWritten: 1 },
        rowsReadP95: 30_000,
      },
    ],
    perSweep: none,
    weight: {
      messages: 3,
      bytes: { messages: 1_200, sqlite_autoindex_messages_1: 300, message_words_data: 300 },
    },
  };
  const archived = {
    messages: 10,
    parts: 2,
    perMessage: none,
    statementsMost: 30,
    storedBytesPerMessage: 40,
  };
  const report = formatReport(measurement, [captured], archived);
  expect(report).toContain("| per message of an archive | 10 messages in 2 parts |");
  expect(report).toContain("| bytes stored in R2 | 40 |");
  for (const { name } of Object.values(PRICES)) expect(report).toContain(`| ${name} |`);
  expect(report).toContain("| D1 rows written | 50 M | 60 M: $10.00 |");
  expect(report).toContain("| D1 rows read | 25 G | 30 G: $5.00 |");
  expect(report).toContain("| together |  | $20.00 |");
  expect(report).toContain("| messages and their indexes | 500 |");
  expect(report).toContain("| keyword index | 100 |");
  expect(report).toContain("| rows written to memory_sources | 6 |");
  expect(report).toContain("| dollars of rows for a million memories, no allowance | $23.09 |");
});
