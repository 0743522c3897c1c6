import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { decodedBytes } from "../../src/messages/write-bytes.ts";
import { type Caller, createOrganization, seedConversation } from "../support/client.ts";
import { databaseWith } from "../support/deletions.ts";
import { env } from "../support/env.ts";
import { exportOnce } from "../support/exports.ts";
import { conversation, memory, message, nothing, send, toBody } from "../support/imports.ts";
import { Service, selectRow } from "../support/invocations.ts";

const operation = contracts.importConversations;
const LIMIT = 2_097_152;

/** A service with a given size of import batches, in bytes, and a hook that runs before each transaction. */
function open(secret: string, before: (batch: number) => Promise<void>, importBatchBytes = 2_000): Caller {
  let batches = 0;
  const DB = databaseWith("INSERT INTO messages", () => before(++batches));
  return new Service({ DB }, undefined, { importBatchBytes }).callerOf(secret);
}

const storedLines = async (caller: Caller) => (await exportOnce(caller)).lines.length;

/** Seven lines and a blank one, in four batches: of lines 1 to 3, 4 to 5, 6 to 8 and 9. */
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
/** Lines of the file up to one that are not blank. */
const linesTo = (end: number) => FILE.slice(0, end).filter((line) => line !== "").length;

describe("an import", () => {
  test("stores 2,097,152 bytes in one transaction, and a byte more in two", async () => {
    const { secret } = await createOrganization();
    let batches = 0;
    const caller = open(secret, async () => void batches++, undefined);
    const others = (of: string) => [
      conversation(of),
      ...[1, 2, 3, 4].map((sequence) => message(of, sequence, { parts: ["é".repeat(240_000)] })),
    ];
    const linesOf = (of: string, bytes: number) => {
      const last = message(of, 5, { content: "" });
      const room = bytes - [...others(of), last].reduce((sum, line) => sum + decodedBytes(line), 0);
      return [...others(of), { ...last, content: "x".repeat(room) }];
    };
    const limited = new Service({ DB: databaseWith("INSERT INTO messages", async () => void batches++) });
    const whole = limited.callerOf(secret);
    expect(await send(whole, linesOf("a", LIMIT))).toMatchObject({ messages: { created: 5 }, problems: [] });
    expect(batches).toBe(1);
    expect(await send(whole, linesOf("b", LIMIT + 1))).toMatchObject({ messages: { created: 5 } });
    expect(batches).toBe(3);
    expect(await storedLines(caller)).toBe(12);
  });

  test("in batches leaves the same rows as one transaction does, and answers for every line", async () => {
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
    expect(
      await send(
        open(many.secret, async () => void batches++, 1),
        lines,
      ),
    ).toEqual(answer);
    expect(batches).toBeGreaterThan(5);
    const told = async (caller: Caller) => (await exportOnce(caller)).lines;
    expect(await told(many)).toEqual(await told(one));
    const countersOf = async (organizationId: string) => {
      const { vectors_taken: _, ...row } = await selectRow<{ vectors_taken: string }>(
        "SELECT * FROM organization_counters WHERE organization_id = ?1",
        organizationId,
      );
      return { ...row, organization_id: "", number: 0 };
    };
    expect(await countersOf(many.organizationId)).toEqual(await countersOf(one.organizationId));
  });

  test.for([1, 2, 3, 4])(
    "that fails in batch %i leaves those before it, and a repeat stores the rest once",
    async (broken) => {
      const caller = await createOrganization();
      const failing = open(caller.secret, async (batch) => {
        if (batch === broken) throw new Error("D1_ERROR: Network connection lost.");
      });
      expect((await failing.fail(operation, { rawBody: toBody(FILE) })).status).toBeGreaterThanOrEqual(500);
      const stored = linesTo(ENDS[broken - 2] ?? 0);
      expect(await storedLines(caller)).toBe(stored);
      const again = await send(caller, FILE);
      const count = (what: "created" | "existing") => again.conversations[what] + again.messages[what];
      expect([count("existing"), count("created"), again.problems]).toEqual([stored, 8 - stored, []]);
      expect(await storedLines(caller)).toBe(8);
      expect(await send(caller, FILE)).toMatchObject({
        conversations: { created: 0, existing: 2 },
        messages: { created: 0, existing: 6 },
      });
      const { items } = await caller.call(contracts.listConversations);
      expect(items.map(({ message_count }) => message_count).sort()).toEqual([1, 5]);
    },
  );

  test("that others disturb says how many lines are done", async () => {
    const caller = await createOrganization();
    const disturbed = open(caller.secret, async (batch) => {
      if (batch === 1) return;
      await env.DB.prepare("INSERT INTO assertions (import_raced) SELECT TRUE").run();
    });
    const problem = await disturbed.fail(operation, { rawBody: toBody(FILE) });
    expect(problem).toMatchObject({ code: "unavailable" });
    expect(problem.detail).toContain("The first 3 lines are done");
    expect(await storedLines(caller)).toBe(3);
  });
});

describe("a part of an import", () => {
  const begin = async () => {
    const caller = await createOrganization();
    const { id } = await caller.call(contracts.beginImport, { body: {} });
    const look = () => caller.call(contracts.getOperation, { params: { operation_id: id } });
    return { caller, id, look };
  };

  test.for([1, 2, 3, 4])(
    "that fails in batch %i has counted the lines that are stored, and no other",
    async (broken) => {
      const { caller, id, look } = await begin();
      const query = { operation_id: id, last: "true" };
      const failing = open(caller.secret, async (batch) => {
        if (batch === broken) throw new Error("D1_ERROR: Network connection lost.");
      });
      await failing.fail(operation, { rawBody: toBody(FILE), query });
      const done = ENDS[broken - 2] ?? 0;
      expect(await look()).toMatchObject({ status: "running", progress: { done, total: null } });
      expect(await storedLines(caller)).toBe(linesTo(done));
      // Goes on after the last line that was counted, and finds nothing stored there yet.
      const rest = await send(
        open(caller.secret, async () => {}),
        FILE.slice(done),
        {
          ...query,
          after_line: `${done}`,
        },
      );
      expect([rest.conversations.existing, rest.messages.existing, rest.problems]).toEqual([0, 0, []]);
      expect(await look()).toMatchObject({ status: "succeeded", progress: { done: 9, total: 9 } });
      expect(await storedLines(caller)).toBe(8);
    },
  );

  test("sent again after a failure finds what was stored, and counts each line once", async () => {
    const { caller, id, look } = await begin();
    const query = { operation_id: id, last: "true" };
    const failing = open(caller.secret, async (batch) => {
      if (batch === 3) throw new Error("D1_ERROR: Network connection lost.");
    });
    await failing.fail(operation, { rawBody: toBody(FILE), query });
    const again = await send(
      open(caller.secret, async () => {}),
      FILE,
      query,
    );
    expect(again.messages).toEqual({ created: 3, existing: 3 });
    expect(await look()).toMatchObject({ status: "succeeded", progress: { done: 9, total: 9 } });
  });

  test("that is canceled between two batches keeps the first, and stores nothing after", async () => {
    const { caller, id, look } = await begin();
    const canceling = open(caller.secret, async (batch) => {
      if (batch === 2) await caller.call(contracts.cancelOperation, { params: { operation_id: id } });
    });
    const problem = await canceling.fail(operation, { rawBody: toBody(FILE), query: { operation_id: id } });
    expect(problem).toMatchObject({ code: "operation_ended" });
    expect(await look()).toMatchObject({ status: "canceled", progress: { done: 3 } });
    expect(await storedLines(caller)).toBe(3);
  });
});

describe("an import request", () => {
  const wide = (sequence: number, values: number) =>
    message("a", sequence, { parts: Array.from({ length: values }, () => 0) });
  const OWN_FIELDS = Object.keys(message("a", 1)).length;
  const CONVERSATION_FIELDS = Object.keys(conversation("a")).length;

  test("holds 100,000 fields and items and not one more", async () => {
    const caller = await createOrganization();
    const room = 100_000 - CONVERSATION_FIELDS - 2 * OWN_FIELDS;
    const lines = (values: number) => [conversation("a"), wide(1, 40_000), wide(2, values - 40_000)];
    const problem = await caller.fail(operation, { rawBody: toBody(lines(room + 1)) });
    expect(problem).toMatchObject({ code: "payload_too_large", status: 413 });
    expect(await storedLines(caller)).toBe(0);
    expect(await send(caller, lines(room))).toMatchObject({ messages: { created: 2 }, problems: [] });
  });

  test("takes the message with the most fields and items that an append takes", async () => {
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

  test("names a line of too many fields and items, and stores the others", async () => {
    const caller = await createOrganization();
    const answer = await send(caller, [conversation("a"), wide(1, 100_001), message("a", 2)]);
    expect(answer).toMatchObject({
      conversations: { created: 1, existing: 0 },
      messages: { created: 1, existing: 0 },
      memories: nothing,
      problems: [{ line: 2, code: "validation_failed" }],
    });
  });
});
