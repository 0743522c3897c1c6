import * as contracts from "@engram/spec";
import { afterAll, describe, expect, test, vi } from "vitest";
import type { ServiceLimits } from "../../src/limits.ts";
import { type Caller, createKey, createOrganization, seedConversation } from "../support/client.ts";
import { expectEveryStatusRead } from "../support/contract.ts";
import { env } from "../support/env.ts";
import { asRead, behind, exportOnce, readAll, seedRich } from "../support/exports.ts";
import { Service, selectRows } from "../support/invocations.ts";
import { captureLog } from "../support/log.ts";
import { expectKeyRefusals } from "../support/refusals.ts";
import { someTurns } from "../support/runtime.ts";

const operation = contracts.exportConversations;
afterAll(() => expectEveryStatusRead(operation));

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
  test("exports what every other operation returns, conversations by id, each with its messages in order", async () => {
    const [caller, other] = [await createOrganization(), await createOrganization()];
    await seedConversation(other, ["theirs"]);
    const ids = await seedRich(caller);
    const { lines, end } = await exportOnce(caller);
    expect(asRead(lines)).toEqual(await readAll(caller));
    expect(end).toEqual({ type: "end", complete: true, conversations: 5, messages: 4, memories: 0 });
    expect(JSON.stringify(lines)).not.toContain(ids[3]);
    expect(JSON.stringify(lines)).not.toMatch(/never exported|theirs/);
  });

  test("of nothing is its last line alone", async () => {
    const { lines, end } = await exportOnce(await createOrganization());
    expect(lines).toEqual([]);
    expect(end).toEqual({ type: "end", complete: true, conversations: 0, messages: 0, memories: 0 });
  });

  test("continues after any of its lines without skipping or repeating one", async () => {
    const caller = await createOrganization();
    await seedRich(caller);
    const { lines } = await exportOnce(caller);
    for (const [i, line] of lines.entries()) {
      const rest = await exportOnce(caller, behind(line));
      expect(rest.lines, `after line ${i + 1}`).toEqual(lines.slice(i + 1));
    }
  });

  test("continues after an item that was deleted meanwhile", async () => {
    const caller = await createOrganization();
    const ids = [await seedConversation(caller, ["one"]), await seedConversation(caller, ["two"])];
    const { lines } = await exportOnce(caller);
    await caller.call(contracts.deleteConversation, { params: { conversation_id: ids[0] ?? "" } });
    expect((await exportOnce(caller, behind(lines[0]))).lines).toEqual(lines.slice(2));
  });

  test("begins with everything after another organization's id, and discloses nothing of it", async () => {
    const [caller, other] = [await createOrganization(), await createOrganization()];
    const earlier = await seedConversation(caller, ["ours, before"]);
    const theirs = await seedConversation(other, ["theirs"]);
    await seedConversation(caller, ["ours, after"]);
    const { lines } = await exportOnce(caller);
    const { lines: rest } = await exportOnce(caller, { after_conversation_id: theirs });
    expect(lines.map(({ id }) => id)).toContain(earlier);
    expect(rest).toEqual(lines.slice(2));
  });

  test("ends unfinished after 100 pages, and the next continues", async () => {
    const { secret, organizationId } = await createOrganization();
    const caller = new Service({}, undefined, { exportStepRows: 2 }).callerOf(secret);
    await insertEmpty(organizationId, 201);
    const first = await exportOnce(caller);
    expect(first.end).toEqual({ type: "end", complete: false, conversations: 200, messages: 0, memories: 0 });
    const second = await exportOnce(caller, behind(first.lines.at(-1)));
    expect(second.end).toEqual({ type: "end", complete: true, conversations: 1, messages: 0, memories: 0 });
    const ids = [...first.lines, ...second.lines].map(({ id }) => id);
    expect(ids).toEqual(ids.map((_, i) => `conv_${String(i + 1).padStart(20, "0")}`));
  });

  test("breaks off when its key is revoked while it is read", async () => {
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
    // What was on its way already.
    expect(lines).toBeLessThan(2_500);
    await service.settle();
  });

  test("leaves an audit event", async () => {
    const caller = await createOrganization();
    await exportOnce(caller);
    const { items } = await caller.call(contracts.listAuditEvents, { query: { action: "data.exported" } });
    expect(items).toEqual([
      expect.objectContaining({ target_id: caller.organizationId, key_id: expect.stringMatching(/^key_/) }),
    ]);
  });

  test("is for admins, and refuses a place without a conversation", async () => {
    const caller = await createOrganization();
    const weak = await createKey(caller, { scopes: ["read", "write", "search", "delete"] });
    await expectKeyRefusals(operation, weak);
    for (const query of [
      { after_sequence: 1 },
      { after_conversation_id: "conv_1", after_sequence: -1 },
      { limit: 1 },
    ] as Record<string, string | number>[])
      expect(await caller.fail(operation, { query })).toMatchObject({ code: "validation_failed" });
  });
});

describe("what an export takes", () => {
  /** An export's lines and what it took, page by page, of a service of the test's own. */
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

  test("reads pages of 500 messages, in any conversation, and costs the same wherever it begins", async () => {
    const caller = await createOrganization();
    for (let i = 0; i < 40; i++) await seedConversation(caller, ["alone"]);
    const long = await seedConversation(
      caller,
      Array.from({ length: 600 }, (_, i) => `message ${i}`),
    );
    for (let i = 0; i < 40; i++) await seedConversation(caller);
    const whole = await counted(caller);
    expect(whole).toMatchObject({ told: 40 + 40 + 1 + 600 + 40, pages: 2 });
    const late = await counted(caller, { after_conversation_id: long, after_sequence: 590 });
    expect(late).toMatchObject({ told: 10 + 40, pages: 1 });
    // Keys and tables once, the page's own numbers some times more.
    expect(whole.rowsRead).toBeLessThan(12 * whole.told);
    expect(late.rowsRead).toBeLessThan(12 * late.told);
  });

  test("is a page of as many bytes as the limit says, and of one message at least", async () => {
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

  test("reads a page only when its reader asks for it, and ends when the reader goes", async () => {
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

  test("of which the headers alone are asked for waits for no reader", async () => {
    const caller = await createOrganization();
    await seedConversation(caller, ["one"]);
    const service = new Service();
    const response = await service.fetch(caller.secret, { ...operation, method: "head" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
    await service.settle();
  });

  test("is found by two keys, without sorting or scanning what is stored", async () => {
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
    ]);
    expect(found.filter((text) => text.includes("TEMP B-TREE"))).toEqual([]);
  });
});

describe("an export that fails", () => {
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

  test("at once is a problem like any other", async () => {
    const { secret } = await seed();
    const failing = new Service({ DB: failingAt(1) }).callerOf(secret);
    expect(await failing.fail(operation)).toMatchObject({ code: "unavailable" });
  });

  test("amid is broken off, without its last line, and logged", async () => {
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
    expect(text.split("\n")).toHaveLength(1 + 500 + 1);
    expect(text).not.toContain('"end"');
    expect(lines.map(({ event }) => event)).toEqual(["request", "export failed", "export"]);
  });
});
