import * as contracts from "@engram/spec";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { ServiceLimits } from "../../src/limits.ts";
import { type Caller, createKey, createOrganization, seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import {
  asRead,
  behind,
  exportOnce,
  idOf,
  readAll,
  seedMemories,
  seedRich,
  type Told,
} from "../support/exports.ts";
import { Clock, Service, selectRows } from "../support/invocations.ts";
import { captureLog } from "../support/log.ts";
import { someTurns } from "../support/runtime.ts";

const operation = contracts.exportData;

/** Conversations without a message, numbered from 1. */
const insertEmpty = (organizationId: string, count: number) =>
  env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
     INSERT INTO conversations (organization_id, id, created_at_ms, updated_at_ms)
     SELECT ?1, 'conv_' || printf('%020d', i), 0, 0 FROM n`,
  )
    .bind(organizationId, count)
    .run();

/** A database that calls `onPage` before it reads a page of an export. */
const databaseWithPages = (onPage: () => void) =>
  ({
    prepare: (sql: string) => {
      if (sql.includes("WITH found")) onPage();
      return env.DB.prepare(sql);
    },
    batch: (statements: D1PreparedStatement[]) => env.DB.batch(statements),
  }) as unknown as D1Database;

describe("an export", () => {
  let caller: Caller & { organizationId: string };
  let lines: Told[];
  let deleted: string[];
  beforeAll(async () => {
    const other = await createOrganization();
    await seedConversation(other, ["theirs"]);
    const clock = new Clock();
    const service = new Service({ ENRICHMENT_MODEL: "" }, clock);
    caller = await createOrganization();
    const conversations = await seedRich(caller);
    const memory = await seedMemories(service, clock, caller.secret);
    deleted = [conversations[3] ?? "", memory];
    const told = await exportOnce(caller);
    lines = told.lines;
    expect(told.end).toEqual({
      type: "end",
      complete: true,
      conversations: 5,
      messages: 4,
      memories: 6,
      memory_versions: 2,
      recalls: 0,
    });
  });

  test("contains what every other operation returns: conversations by id with their messages in order, then memories by id, then their earlier versions, newest first", async () => {
    expect(asRead(lines)).toEqual(await readAll(caller));
    for (const id of deleted) expect(JSON.stringify(lines)).not.toContain(id);
    expect(JSON.stringify(lines)).not.toMatch(/never exported|theirs/);
  });

  test("states which tags and summaries the caller gave, and which model wrote the others", () => {
    const memories = lines.flatMap((line) => (line.type === "memory" ? [line] : []));
    expect(memories.map(({ given, enriched_by }) => [given.tags, given.summary, enriched_by])).toEqual([
      [false, false, null],
      [true, false, null],
      [false, true, null],
      [true, true, null],
      [true, true, null],
      [true, false, "engram/extractive-1"],
    ]);
  });

  test("can continue after any of its lines without gaps or repeats", async () => {
    for (const [i, line] of lines.entries()) {
      const rest = await exportOnce(caller, behind(line));
      expect(rest.lines, `after line ${i + 1}`).toEqual(lines.slice(i + 1));
    }
    const versions = lines.filter(({ type }) => type === "memory_version");
    expect((await exportOnce(caller, { after: deleted[1] ?? "" })).lines).toEqual(versions);
  });

  test("of an empty organization has only the end line", async () => {
    const { lines, end } = await exportOnce(await createOrganization());
    expect(lines).toEqual([]);
    expect(end).toEqual({
      type: "end",
      complete: true,
      conversations: 0,
      messages: 0,
      memories: 0,
      memory_versions: 0,
      recalls: 0,
    });
  });

  test("can continue after an item that was deleted meanwhile", async () => {
    const caller = await createOrganization();
    const ids = [await seedConversation(caller, ["one"]), await seedConversation(caller, ["two"])];
    const { lines } = await exportOnce(caller);
    await caller.call(contracts.deleteConversation, { params: { conversation_id: ids[0] ?? "" } });
    expect((await exportOnce(caller, behind(lines[0]))).lines).toEqual(lines.slice(2));
  });

  test("can continue after another organization's id, and reveals nothing about it", async () => {
    const [caller, other] = [await createOrganization(), await createOrganization()];
    const earlier = await seedConversation(caller, ["ours, before"]);
    const theirs = await seedConversation(other, ["theirs"]);
    await seedConversation(caller, ["ours, after"]);
    const { lines } = await exportOnce(caller);
    const { lines: rest } = await exportOnce(caller, { after: theirs });
    expect(lines.map(idOf)).toContain(earlier);
    expect(rest).toEqual(lines.slice(2));
  });

  test("ends with `complete: false` after 200 pages, and another request continues it", async () => {
    const { secret, organizationId } = await createOrganization();
    const caller = new Service({}, undefined, { exportStepRows: 2 }).callerOf(secret);
    await insertEmpty(organizationId, 401);
    const first = await exportOnce(caller);
    expect(first.end).toEqual({
      type: "end",
      complete: false,
      conversations: 400,
      messages: 0,
      memories: 0,
      memory_versions: 0,
      recalls: 0,
    });
    const second = await exportOnce(caller, behind(first.lines.at(-1)));
    expect(second.end).toEqual({
      type: "end",
      complete: true,
      conversations: 1,
      messages: 0,
      memories: 0,
      memory_versions: 0,
      recalls: 0,
    });
    const ids = [...first.lines, ...second.lines].map(idOf);
    expect(ids).toEqual(ids.map((_, i) => `conv_${String(i + 1).padStart(20, "0")}`));
  });

  test("is cut off if its key is revoked while it is read", async () => {
    const caller = await createOrganization();
    await insertEmpty(caller.organizationId, 5_000);
    const reader = await createKey(caller, { scopes: ["admin"] });
    const service = new Service();
    const response = await service.fetch(reader.secret, operation);
    const stream = response.body?.getReader();
    await stream?.read();
    await caller.call(contracts.revokeKey, { params: { key_id: reader.keyId } });
    let lines = 0;
    const rest = async () => {
      for (;;) {
        const { done, value } = (await stream?.read()) ?? { done: true, value: undefined };
        if (done) return;
        lines += new TextDecoder().decode(value).split("\n").length - 1;
      }
    };
    await expect(rest()).rejects.toThrow(/unauthenticated/);
    // Lines that were sent before.
    expect(lines).toBeLessThan(2_500);
    await service.settle();
  });

  test("writes an audit event", async () => {
    const caller = await createOrganization();
    await exportOnce(caller);
    const { items } = await caller.call(contracts.listAuditEvents, { query: { action: "data.exported" } });
    expect(items).toEqual([
      expect.objectContaining({ target_id: caller.organizationId, key_id: expect.stringMatching(/^key_/) }),
    ]);
  });

  test("rejects an invalid position", async () => {
    const caller = await createOrganization();
    for (const query of [
      { after_sequence: 1 },
      { after: "conv_1", after_sequence: -1 },
      { after: "mem_1", after_sequence: 1 },
      { limit: 1 },
    ] as Record<string, string | number>[])
      expect(await caller.fail(operation, { query })).toMatchObject({ code: "validation_failed" });
  });
});

describe("the rows that an export reads", () => {
  /** The lines of an export and its cost per page, with a separate service. */
  async function counted(
    caller: Caller,
    query: Record<string, string | number> = {},
    limits: Partial<ServiceLimits> = {},
  ) {
    const service = new Service({}, undefined, limits);
    const lines = captureLog();
    const told = await exportOnce(service.callerOf(caller.secret), query);
    await service.settle();
    const [request, rest] = ["request", "export"].map((name) => lines.find(({ event }) => event === name));
    return {
      told: told.lines.length,
      pages: 1 + Number(rest?.d1_calls),
      rowsRead: Number(request?.rows_read) + Number(rest?.rows_read),
    };
  }

  test("are the same per item at any position, in pages of 500 messages from several conversations", async () => {
    const caller = await createOrganization();
    for (let i = 0; i < 40; i++) await seedConversation(caller, ["alone"]);
    const long = await seedConversation(
      caller,
      Array.from({ length: 600 }, (_, i) => `message ${i}`),
    );
    for (let i = 0; i < 40; i++) await seedConversation(caller);
    const whole = await counted(caller);
    expect(whole).toMatchObject({ told: 40 + 40 + 1 + 600 + 40, pages: 2 });
    const late = await counted(caller, { after: long, after_sequence: 590 });
    expect(late).toMatchObject({ told: 10 + 40, pages: 1 });
    // Keys and tables are read once, and the rows of a page several times.
    expect(whole.rowsRead).toBeLessThan(12 * whole.told);
    expect(late.rowsRead).toBeLessThan(12 * late.told);
  });

  test("are limited by the bytes of a page, which has at least one message", async () => {
    const caller = await createOrganization();
    const digits = Array.from({ length: 10_000 }, (_, i) => (i * 7919) % 10).join("");
    for (let i = 0; i < 3; i++)
      await seedConversation(caller, [{ role: "user", content: digits, parts: [digits.slice(0, 4_000)] }]);
    const pagesBy = async (exportStepBytes: number) => {
      const { told, pages } = await counted(caller, {}, { exportStepBytes });
      expect(told).toBe(6);
      return pages;
    };
    expect([await pagesBy(5_000), await pagesBy(30_000), await pagesBy(500_000)]).toEqual([3, 2, 1]);
  });

  test("are read page by page as the client reads, until it disconnects", async () => {
    const caller = await createOrganization();
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
       INSERT INTO conversations (organization_id, id, metadata, created_at_ms, updated_at_ms)
       SELECT ?1, 'conv_' || printf('%020d', i), json_object('text', printf('%02000d', i)), 0, 0 FROM n`,
    )
      .bind(caller.organizationId)
      .run();
    let pages = 0;
    const DB = databaseWithPages(() => {
      pages += 1;
    });
    const service = new Service({ DB });
    const response = await service.fetch(caller.secret, operation);
    const reader = response.body?.getReader();
    for (const read of [1, 2, 3]) {
      await reader?.read();
      await vi.waitFor(() => expect(pages).toBeGreaterThanOrEqual(read), { timeout: 60_000 });
      await someTurns();
      expect(pages).toBe(read);
    }
    await reader?.cancel();
    await service.settle();
    expect(pages).toBe(3);
  });

  test("are passed on by proxies as they come", async () => {
    const caller = await createOrganization();
    const response = await caller.fetch(operation);
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    expect(response.headers.get("cache-control")).toBe("no-cache, no-transform");
    await response.body?.cancel();
  });

  test("are none for a HEAD request", async () => {
    const caller = await createOrganization();
    await seedConversation(caller, ["one"]);
    const service = new Service();
    const response = await service.fetch(caller.secret, { ...operation, method: "head" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
    await service.settle();
  });

  test("come from index searches, without sorting or scanning a table", async () => {
    const caller = await createOrganization();
    await seedConversation(caller, ["one"]);
    const asked: string[] = [];
    const DB = {
      prepare: (sql: string) => {
        asked.push(sql);
        return env.DB.prepare(sql);
      },
      batch: (statements: D1PreparedStatement[]) => env.DB.batch(statements),
    } as unknown as D1Database;
    const service = new Service({ DB });
    await exportOnce(service.callerOf(caller.secret));
    const sql = asked.find((text) => text.includes("WITH found")) ?? "";
    // A plan does not depend on the values.
    const binds = [...new Set(sql.match(/\?\d+/g))].map(() => 1);
    const explained = await selectRows<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...binds);
    const plan = explained.map(({ detail }) => detail);
    const found = plan.slice(
      plan.indexOf("MATERIALIZE found"),
      plan.findIndex((text) => /^(MATERIALIZE|CO-ROUTINE) page/.test(text)),
    );
    expect(plan.filter((text) => text.startsWith("SEARCH") || /SCAN (c|m)\b/.test(text))).toEqual([
      "SEARCH c USING INDEX sqlite_autoindex_conversations_1 (organization_id=? AND id>?)",
      "SEARCH m USING INDEX sqlite_autoindex_messages_2 (organization_id=? AND conversation_id=? AND sequence>?) LEFT-JOIN",
      "SEARCH c USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
      "SEARCH m USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
      "SEARCH of_memory USING PRIMARY KEY (organization_id=? AND memory_id=?)",
    ]);
    expect(found.filter((text) => text.includes("TEMP B-TREE"))).toEqual([]);
  });
});

describe("a failing export", () => {
  /** A database whose page number `nth` cannot be read. */
  function failingAt(nth: number): D1Database {
    let pages = 0;
    return databaseWithPages(() => {
      if (++pages === nth) throw new Error("D1_ERROR: D1 DB is overloaded.");
    });
  }
  const seed = async () => {
    const caller = await createOrganization();
    await seedConversation(
      caller,
      Array.from({ length: 600 }, (_, i) => `message ${i}`),
    );
    return caller;
  };

  test("returns a problem if its first page fails", async () => {
    const { secret } = await seed();
    const failing = new Service({ DB: failingAt(1) }).callerOf(secret);
    expect(await failing.fail(operation)).toMatchObject({ code: "unavailable" });
  });

  test("is cut off without its end line and logged if a later page fails", async () => {
    const { secret } = await seed();
    const service = new Service({ DB: failingAt(2) });
    const lines = captureLog();
    const response = await service.fetch(secret, operation);
    const decoder = new TextDecoder();
    let text = "";
    const reading = async () => {
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
        text += decoder.decode(chunk);
    };
    await expect(reading()).rejects.toThrow("overloaded");
    await service.settle();
    const received = text.split("\n");
    expect(received.length).toBeGreaterThan(1);
    expect(received.at(-1)).toBe("");
    expect(text).not.toContain('"end"');
    expect(lines.map(({ event }) => event)).toEqual(["request", "export failed", "export"]);
  });
});
