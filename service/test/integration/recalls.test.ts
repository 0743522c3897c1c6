import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { type Caller, createKey, createOrganization, seedConversation } from "../support/client.ts";
import { databaseWith } from "../support/deletions.ts";
import { env } from "../support/env.ts";
import { exportOnce } from "../support/exports.ts";
import { send } from "../support/imports.ts";
import { open, Service, selectRow, selectRows } from "../support/invocations.ts";
import { ABSENT } from "../support/requests.ts";

type Kept = "id" | "sequence" | "conversation_id" | "score";
const DAY_MS = 24 * 3_600_000;
const BOUND: contracts.Scope[] = ["read", "write", "search", "delete"];
const NEVER_ENRICHED = { tags: [], summary: "" };

const capture = async (caller: Caller, content: string, more: object = {}): Promise<string> =>
  (await caller.call(contracts.createMemory, { body: { content, ...NEVER_ENRICHED, ...more } })).id;

const ask = async (caller: Caller, query: string, more: object = {}) =>
  (await caller.call(contracts.search, {
    body: { query, mode: "keyword", in: ["conversations", "memories"], record: true, ...more },
  })) as contracts.SearchAnswer;

/** Records a search, and resolves to the id of its receipt. */
async function recordedId(caller: Caller, query: string, more: object = {}): Promise<string> {
  const { recall_id } = await ask(caller, query, more);
  if (typeof recall_id !== "string") throw new Error("nothing was recorded");
  return recall_id;
}

const get = (caller: Caller, recall_id: string) =>
  caller.call(contracts.getRecall, { params: { recall_id } });
const fails = (caller: Caller, recall_id: string) =>
  caller.fail(contracts.getRecall, { params: { recall_id } });
const listed = async (caller: Caller, query: Record<string, string> = {}) =>
  (await caller.call(contracts.listRecalls, { query })).items.map(({ id }) => id);
const rowsOf = (organizationId: string) =>
  selectRows<Record<string, unknown>>("SELECT * FROM recalls WHERE organization_id = ?1", organizationId);

describe("a receipt of recall", () => {
  test("has the request, the key, every item with its version and hash, the scores and the layout", async () => {
    const caller = await createOrganization();
    const conversation_id = await seedConversation(caller, [
      "The walrus sang.",
      "At noon.",
      "Bring oysters.",
    ]);
    const memory_id = await capture(caller, "The walrus likes oysters.");
    await caller.call(contracts.updateMemory, {
      params: { memory_id },
      body: { content: "The walrus likes clams." },
    });
    const { items } = await caller.call(contracts.listMessages, { params: { conversation_id } });
    const edited = { conversation_id, message_id: items[1]?.id ?? "" };
    const { updated_at } = await caller.call(contracts.updateMessage, {
      params: edited,
      body: { content: "At dusk." },
    });
    const record = { run_id: "run_29", metadata: { step: 3 } };
    const { recall_id, ...answer } = await ask(caller, "walrus", { record, limit: 5, tags_any: undefined });
    const recall = await get(caller, recall_id ?? "");
    const { items: versions } = await caller.call(contracts.listMemoryVersions, { params: { memory_id } });
    expect(recall).toMatchObject({
      id: recall_id,
      operation: "search",
      request: { query: "walrus", mode: "keyword", limit: 5, neighbors: { before: 2, after: 2 } },
      agent_id: null,
      user_id: null,
      key: { id: expect.stringMatching(/^key_/), agent_id: null, user_id: null },
      run_id: "run_29",
      metadata: { step: 3 },
      layout: [{ part: "results", items: 4, tokens: answer.tokens, omitted: 0, below_min_relevance: 0 }],
      tokens: answer.tokens,
      degraded: [],
      models: { embedding: env.EMBEDDING_MODEL, reranking: null },
      rules: expect.any(Number),
      used: null,
      outcome: null,
      noted_at: null,
    });
    expect(recall.request).not.toHaveProperty("record");
    const expected = answer.results.flatMap((result): Pick<contracts.RecalledItem, Kept>[] =>
      result.type === "memory"
        ? [{ id: result.memory.id, score: result.score, sequence: null, conversation_id: null }]
        : result.messages.map(({ id, sequence }) => ({
            ...{ id, sequence, conversation_id },
            score: result.matches.find(({ message_id }) => message_id === id)?.score ?? null,
          })),
    );
    expect(recall.items.map(({ id, sequence, conversation_id: of }) => ({ id, sequence, of }))).toEqual(
      expected.map(({ id, sequence, conversation_id: of }) => ({ id, sequence, of })),
    );
    for (const [i, { score }] of recall.items.entries()) {
      const exact = expected[i]?.score ?? null;
      if (exact === null) expect(score).toBeNull();
      else expect(score).toBeCloseTo(exact, 4);
    }
    const of = (id: string) => recall.items.find((item) => item.id === id);
    expect(of(memory_id)).toMatchObject({ type: "memory", version: versions[0]?.version, updated_at: null });
    expect(of(edited.message_id)).toMatchObject({ type: "message", version: null, updated_at });
    expect(Date.parse(recall.expires_at) - Date.parse(recall.created_at)).toBe(30 * DAY_MS);
  });

  test("of a context has what each part cost and what was left out of it", async () => {
    const caller = await createOrganization();
    const conversation_id = await seedConversation(
      caller,
      Array.from({ length: 40 }, (_, i) => `The walrus sang song ${i} on the beach of the harbor.`),
    );
    await seedConversation(caller, ["The walrus was seen elsewhere."]);
    const memory_id = await capture(caller, "The walrus likes oysters.", { agent_id: "bot" });
    const { recall_id, ...context } = await caller.call(contracts.getContext, {
      body: { query: "walrus", conversation_id, agent_id: "bot", max_tokens: 400, record: true },
    });
    const recall = await get(caller, recall_id ?? "");
    expect(recall).toMatchObject({ operation: "getContext", tokens: context.tokens, agent_id: "bot" });
    expect(recall.layout).toEqual(
      (["memories", "results", "messages"] as const).map((part) => ({
        part,
        items: recall.items.filter((item) => item.part === part).length,
        tokens: context[part].tokens,
        omitted: context[part].omitted,
        below_min_relevance: part === "results" ? context.results.below_min_relevance : 0,
      })),
    );
    expect(recall.items.map(({ id }) => id)).toEqual([
      ...context.memories.items.map(({ id }) => id),
      ...context.results.items.flatMap(({ messages }) => messages.map(({ id }) => id)),
      ...context.messages.items.map(({ id }) => id),
    ]);
    expect(recall.items.some(({ id }) => id === memory_id)).toBe(true);
    expect(context.messages.omitted).toBeGreaterThan(0);
  });

  test("is stored only if the request wants it, and before the response", async () => {
    const caller = await createOrganization();
    const { organizationId, secret } = caller;
    await seedConversation(caller, ["The walrus sang."]);
    for (const record of [false, undefined])
      expect(await ask(caller, "walrus", { record })).not.toHaveProperty("recall_id");
    expect(await rowsOf(organizationId)).toEqual([]);
    const failing = databaseWith("INSERT INTO recalls", () => Promise.reject(new Error("overloaded")));
    const response = await new Service({ DB: failing }).callerOf(secret).fetch(contracts.search, {
      body: { query: "walrus", mode: "keyword", record: true },
    });
    expect(response.status).toBe(503);
    const id = await recordedId(caller, "walrus");
    expect((await rowsOf(organizationId)).map((row) => row.id)).toEqual([id]);
  });

  test("has no content, and hashes that differ between organizations and items of the same words", async () => {
    const hashes = new Set<string>();
    for (let i = 0; i < 2; i++) {
      const caller = await createOrganization();
      await seedConversation(caller, ["a zeppelin lands", "a zeppelin lands"], { title: "airport" });
      await capture(caller, "a zeppelin lands");
      const id = await recordedId(caller, "zeppelin");
      const [row] = await rowsOf(caller.organizationId);
      expect(JSON.stringify({ ...row, request: null })).not.toMatch(/zeppelin|lands|airport/);
      for (const { hash } of (await get(caller, id)).items) hashes.add(hash);
    }
    expect(hashes.size).toBe(6);
  });

  test("keeps id and hash of an item that is deleted, and its text is in no table", async () => {
    const { caller, organizationId, idle } = await open();
    const memory_id = await capture(caller, "The zeppelin is blue.");
    const conversation_id = await seedConversation(caller, ["The zeppelin landed."]);
    const id = await recordedId(caller, "zeppelin");
    const before = await get(caller, id);
    await caller.call(contracts.deleteMemory, { params: { memory_id } });
    await caller.call(contracts.deleteConversation, { params: { conversation_id } });
    await idle();
    const after = await get(caller, id);
    expect(after).toEqual(before);
    expect(after.items.map((item) => item.type).sort()).toEqual(["memory", "message"]);
    const rows = JSON.stringify(await rowsOf(organizationId));
    expect(rows).not.toMatch(/blue|landed/);
  });

  test("has the part of a cut item that was returned, and the hash of that part", async () => {
    const caller = await createOrganization();
    const long = `${"Nothing about it. ".repeat(200)}The walrus sang.${" Nothing again.".repeat(200)}`;
    await capture(caller, long);
    const whole = await get(caller, await recordedId(caller, "walrus"));
    const cut = await get(caller, await recordedId(caller, "walrus", { max_tokens: 100 }));
    expect(whole.items[0]).not.toHaveProperty("content_start");
    expect(cut.items[0]?.content_start).toBeGreaterThan(0);
    expect(cut.items[0]?.hash).not.toBe(whole.items[0]?.hash);
  });

  test("states the version that a memory had as of a moment of the past", async () => {
    const { caller, clock } = await open();
    const memory_id = await capture(caller, "The walrus sang.");
    const as_of = new Date(clock.nowMs()).toISOString();
    clock.advance(1_000);
    await caller.call(contracts.updateMemory, { params: { memory_id }, body: { tags: ["loud"] } });
    const { items } = await caller.call(contracts.listMemoryVersions, { params: { memory_id } });
    const then = await get(caller, await recordedId(caller, "walrus", { as_of }));
    const now = await get(caller, await recordedId(caller, "walrus"));
    expect([now.items[0]?.version, then.items[0]?.version]).toEqual(items.map(({ version }) => version));
  });

  test("expires after 30 days, first for its readers and then in the database", async () => {
    const { caller, clock, organizationId, sweep } = await openSwept();
    const id = await recordedId(caller, "walrus");
    clock.advance(30 * DAY_MS - 1_000);
    await sweep();
    expect(await listed(caller)).toEqual([id]);
    const kept = await recordedId(caller, "walrus");
    clock.advance(2_000);
    expect(await listed(caller)).toEqual([kept]);
    expect(await fails(caller, id)).toMatchObject({ status: 404 });
    expect(await caller.fail(contracts.replayRecall, { params: { recall_id: id } })).toMatchObject({
      status: 404,
    });
    expect(await rowsOf(organizationId)).toHaveLength(2);
    await sweep();
    expect((await rowsOf(organizationId)).map((row) => row.id)).toEqual([kept]);
  });

  test("costs one row, and another one if it has a user", async () => {
    const caller = await createOrganization();
    await seedConversation(caller, ["The walrus sang."]);
    await recordedId(caller, "walrus");
    const written = async (more: object) => {
      const rows = { written: 0, batches: 0 };
      const DB = {
        prepare: (sql: string) => env.DB.prepare(sql),
        batch: async (statements: D1PreparedStatement[]) => {
          const results = await env.DB.batch(statements);
          rows.batches += 1;
          for (const { meta } of results) rows.written += meta.rows_written;
          return results;
        },
      } as unknown as D1Database;
      await ask(new Service({ DB }).callerOf(caller.secret), "walrus", more);
      return rows;
    };
    const plain = await written({ record: false });
    const some = await written({});
    expect(some.written - plain.written).toBe(1);
    expect(some.batches - plain.batches).toBe(1);
    expect((await written({ user_id: "maria" })).written - plain.written).toBe(2);
  });
});

/** An organization of a service with its own clock, and a sweep of it. */
async function openSwept() {
  const opened = await open();
  await seedConversation(opened.caller, ["The walrus sang."]);
  return { ...opened, sweep: () => opened.service.sweep() };
}

describe("a list of receipts", () => {
  test("is newest first, in pages, and filtered by time, user, run and item", async () => {
    const { caller, clock } = await open();
    const conversation_id = await seedConversation(caller, ["The walrus sang."], { user_id: "maria" });
    const memory_id = await capture(caller, "The otter swims.", { user_id: "jon" });
    const [{ id: message_id } = { id: "" }] = (
      await caller.call(contracts.listMessages, { params: { conversation_id } })
    ).items;
    const ids: string[] = [];
    const times: string[] = [];
    const say = async (query: string, more: object) => {
      clock.advance(1_000);
      times.push(new Date(clock.nowMs()).toISOString());
      ids.unshift(await recordedId(caller, query, more));
    };
    await say("walrus", {});
    await say("otter", { user_id: "jon", record: { run_id: "run_1" } });
    await say("walrus", { conversation_id, record: { run_id: "run_2" } });
    const [third = "", second = "", first = ""] = ids;
    expect(await listed(caller)).toEqual(ids);
    expect(await listed(caller, { user_id: "jon" })).toEqual([second]);
    // The user of the conversation that the search was limited to.
    expect(await listed(caller, { user_id: "maria" })).toEqual([third]);
    expect(await listed(caller, { run_id: "run_1" })).toEqual([second]);
    expect(await listed(caller, { item_id: message_id })).toEqual([third, first]);
    expect(await listed(caller, { item_id: memory_id })).toEqual([second]);
    expect(await listed(caller, { item_id: ABSENT.message_id })).toEqual([]);
    expect(await listed(caller, { conversation_id })).toEqual([third, first]);
    expect(await listed(caller, { conversation_id: ABSENT.conversation_id })).toEqual([]);
    expect(await listed(caller, { created_after: times[1] ?? "" })).toEqual([third, second]);
    expect(await listed(caller, { created_before: times[1] ?? "" })).toEqual([first]);
    const { items, next_cursor } = await caller.call(contracts.listRecalls, { query: { limit: 2 } });
    const rest = await caller.call(contracts.listRecalls, {
      query: { limit: 2, cursor: next_cursor ?? "" },
    });
    expect([...items, ...rest.items].map(({ id }) => id)).toEqual(ids);
    expect(rest.next_cursor).toBeNull();
    await caller.call(contracts.deleteMemory, { params: { memory_id } });
    expect(await listed(caller, { item_id: memory_id })).toEqual([second]);
  });
});

describe("a note on a receipt", () => {
  test("states which of its items were used and what came of it, and changes nothing else", async () => {
    const caller = await createOrganization();
    const memory_id = await capture(caller, "The walrus sang.");
    const id = await recordedId(caller, "walrus");
    const before = await get(caller, id);
    const note = (body: object) => caller.call(contracts.updateRecall, { params: { recall_id: id }, body });
    const noted = await note({ used: [memory_id], outcome: "answered" });
    expect(noted).toEqual({
      ...before,
      ...{ used: [memory_id], outcome: "answered", noted_at: expect.any(String) },
    });
    expect(await get(caller, id)).toEqual(noted);
    expect(await note({ outcome: null })).toMatchObject({ used: [memory_id], outcome: null });
    expect(await note({ used: [] })).toMatchObject({ used: [], outcome: null });
    const other = await caller.fail(contracts.updateRecall, {
      params: { recall_id: id },
      body: { used: [memory_id, ABSENT.memory_id] },
    });
    expect(other).toMatchObject({ code: "validation_failed", errors: [{ path: "used.1" }] });
    expect(await get(caller, id)).toMatchObject({ used: [] });
  });
});

describe("who may read a receipt", () => {
  test("is who has the same binding: a bound key sees only its own", async () => {
    const caller = await createOrganization();
    const conversation_id = await seedConversation(caller, ["The walrus sang."], { user_id: "maria" });
    await capture(caller, "The walrus likes oysters.", { user_id: "maria", agent_id: "bot" });
    const key = (more: object) => createKey(caller, { scopes: BOUND, ...more });
    const [maria, jon, bot, both] = [
      await key({ user_id: "maria" }),
      await key({ user_id: "jon" }),
      await key({ agent_id: "bot" }),
      await key({ user_id: "maria", agent_id: "bot" }),
    ];
    const byAll = await recordedId(caller, "walrus", { user_id: "maria" });
    const inConversation = await recordedId(caller, "walrus", { conversation_id });
    const byMaria = await recordedId(maria, "walrus");
    const byBot = await recordedId(bot, "walrus", { user_id: "maria" });
    const byBoth = await recordedId(both, "walrus");
    expect(await listed(caller)).toEqual([byBoth, byBot, byMaria, inConversation, byAll]);
    expect(await listed(maria)).toEqual([byBoth, byMaria]);
    expect(await listed(bot)).toEqual([byBoth, byBot]);
    expect(await listed(both)).toEqual([byBoth]);
    expect(await listed(jon)).toEqual([]);
    const params = { recall_id: byAll };
    for (const other of [maria, jon, bot, both, await createOrganization()]) {
      expect(await fails(other, byAll)).toMatchObject({ status: 404, code: "not_found" });
      expect(await other.fail(contracts.replayRecall, { params })).toMatchObject({ status: 404 });
      const body = { outcome: "seen" };
      expect(await other.fail(contracts.updateRecall, { params, body })).toMatchObject({ status: 404 });
    }
    expect(await get(caller, byMaria)).toMatchObject({ user_id: "maria", key: { user_id: "maria" } });
    // A replay by a key without a binding has that of the recorded one.
    const replay = await caller.call(contracts.replayRecall, { params: { recall_id: byBoth } });
    expect(replay).toMatchObject({ same: true, differences: [] });
  });

  test("is nobody once the key is revoked, which records nothing", async () => {
    const caller = await createOrganization();
    const key = await createKey(caller, { scopes: ["search"] });
    await caller.call(contracts.revokeKey, { params: { key_id: key.keyId } });
    const body = { query: "walrus", record: true };
    expect(await key.fail(contracts.search, { body })).toMatchObject({ status: 401 });
    expect(await rowsOf(caller.organizationId)).toEqual([]);
  });
});

describe("the deletion of a user", () => {
  test("hides the receipts at once, removes and counts them, and nothing more is recorded for the user", async () => {
    const { caller, organizationId, service } = await open();
    const conversation_id = await seedConversation(caller, ["The walrus sang."], { user_id: "maria" });
    const ids = [
      await recordedId(caller, "walrus", { user_id: "maria" }),
      await recordedId(caller, "walrus", { conversation_id }),
    ];
    const kept = await recordedId(caller, "walrus", { user_id: "jon" });
    const { id: operation_id, ...opened } = await caller.call(contracts.deleteUser, {
      params: { user_id: "maria" },
    });
    expect(opened).toMatchObject({ type: "delete_user", recalls_deleted: 0 });
    expect(await listed(caller)).toEqual([kept]);
    for (const id of ids) {
      expect(await fails(caller, id)).toMatchObject({ status: 404 });
      const note = { params: { recall_id: id }, body: { outcome: "late" } };
      expect(await caller.fail(contracts.updateRecall, note)).toMatchObject({ status: 404 });
    }
    expect((await ask(caller, "walrus", { user_id: "maria" })).recall_id).toBeNull();
    expect((await ask(caller, "walrus", { conversation_id })).recall_id).toBeNull();
    await service.settle();
    for (let i = 0; i < 2; i++) await service.sweep();
    expect((await rowsOf(organizationId)).map((row) => row.id)).toEqual([kept]);
    const operation = await caller.call(contracts.getOperation, { params: { operation_id } });
    expect(operation).toMatchObject({ recalls_deleted: 2, rows_deleted_at: expect.any(String) });
    expect(JSON.stringify(await rowsOf(organizationId))).not.toContain("maria");
  });

  test("is not complete before the last receipt is removed, however many there are", async () => {
    const { secret, organizationId } = await createOrganization();
    const service = new Service({}, undefined, { recallRoundRows: 2, recallSweepRounds: 1 });
    const caller = service.callerOf(secret);
    for (let i = 0; i < 5; i++) await recordedId(caller, "walrus", { user_id: "maria" });
    const { id: operation_id } = await caller.call(contracts.deleteUser, { params: { user_id: "maria" } });
    for (const left of [3, 1, 0]) {
      await service.sweep();
      expect(await rowsOf(organizationId)).toHaveLength(left);
      const operation = await caller.call(contracts.getOperation, { params: { operation_id } });
      const rows_deleted_at = left === 0 ? expect.any(String) : null;
      expect(operation).toMatchObject({ recalls_deleted: 5 - left, rows_deleted_at });
    }
  });

  test("by a key that is bound to an agent deletes only receipts of the agent", async () => {
    const { caller, service } = await open();
    const bot = await createKey(caller, { scopes: BOUND, agent_id: "bot" });
    const ofBot = await recordedId(caller, "walrus", { user_id: "maria", agent_id: "bot" });
    const other = await recordedId(caller, "walrus", { user_id: "maria" });
    await service.callerOf(bot.secret).call(contracts.deleteUser, { params: { user_id: "maria" } });
    expect(await listed(caller)).toEqual([other]);
    await service.sweep();
    expect(await fails(caller, ofBot)).toMatchObject({ status: 404 });
    expect(await listed(caller)).toEqual([other]);
  });
});

describe("an export", () => {
  const linesOf = async (caller: Caller, query: Record<string, string> = {}) =>
    (await exportOnce(caller, query)).lines.flatMap((line) => (line.type === "recall" ? [line] : []));

  test("ends with the receipts, and its import gives the same ones again, with their notes", async () => {
    const caller = await createOrganization();
    await seedConversation(caller, ["The walrus sang.", "And slept."], { user_id: "maria" });
    const memory_id = await capture(caller, "The walrus likes oysters.", { user_id: "maria" });
    const record = { run_id: "run_29", metadata: { step: 3 } };
    const ids = [
      await recordedId(caller, "walrus", { user_id: "maria", record, max_tokens: 100 }),
      await recordedId(caller, "otter"),
    ];
    const body = { used: [memory_id], outcome: "answered" };
    await caller.call(contracts.updateRecall, { params: { recall_id: ids[0] ?? "" }, body });
    const { lines, end } = await exportOnce(caller);
    expect(lines.slice(-2).map(({ type }) => type)).toEqual(["recall", "recall"]);
    expect(end).toMatchObject({ recalls: 2, complete: true });
    const [first] = await linesOf(caller);
    expect(await linesOf(caller, { after: first?.id ?? "" })).toEqual((await linesOf(caller)).slice(1));
    expect((await linesOf(caller, { user_id: "maria" })).map(({ id }) => id)).toEqual([ids[0]]);
    const copy = await createOrganization();
    const imported = await send(copy, lines);
    expect(imported).toMatchObject({ recalls: { created: 2, existing: 0 }, problems: [], skipped: [] });
    expect((await exportOnce(copy)).lines).toEqual(lines);
    for (const id of ids) expect(await get(copy, id)).toEqual(await get(caller, id));
    expect(await send(copy, lines)).toMatchObject({ recalls: { created: 0, existing: 2 } });
  });

  test("of another program is imported without receipts whose request could not be sent again", async () => {
    const caller = await createOrganization();
    await recordedId(caller, "walrus");
    const [line] = await linesOf(caller);
    const copy = await createOrganization();
    const requests = [{}, { query: 5 }, { query: "walrus", near: 1 }, { query: "walrus", limit: 0 }];
    const imported = await send(
      copy,
      requests.map((request, i) => ({ ...line, id: `rcl_${String(i).repeat(20)}`, request })),
    );
    expect(imported).toMatchObject({ recalls: { created: 0 } });
    expect(imported.problems.map(({ code, detail }) => [code, detail.split(":")[0]])).toEqual([
      ["validation_failed", "`request.query`"],
      ["validation_failed", "`request.query`"],
      ["validation_failed", "`request`"],
      ["validation_failed", "`request.limit`"],
    ]);
  });

  test("as of a moment has the receipts recorded by then, and none that expired or of a deleted user", async () => {
    const { caller, clock } = await open();
    const expired = await recordedId(caller, "walrus");
    clock.advance(30 * DAY_MS);
    const first = await recordedId(caller, "walrus");
    const as_of = new Date(clock.nowMs()).toISOString();
    clock.advance(1_000);
    const second = await recordedId(caller, "walrus", { user_id: "maria" });
    expect((await linesOf(caller)).map(({ id }) => id)).toEqual([first, second]);
    expect((await linesOf(caller, { as_of })).map(({ id }) => id)).toEqual([first]);
    const line = (await linesOf(caller)).find(({ id }) => id === second);
    await caller.call(contracts.deleteUser, { params: { user_id: "maria" } });
    expect((await linesOf(caller)).map(({ id }) => id)).toEqual([first]);
    expect(expired < first).toBe(true);
    // The user is refused by an import, too.
    const again = await send(caller, [{ ...line, id: `rcl_${"1".repeat(20)}` }]);
    expect(again).toMatchObject({ recalls: { created: 0 }, skipped: [{ line: 1, skipped: "forgotten" }] });
  });
});

test("the deletion of an organization removes its receipts", async () => {
  const { caller, organizationId, idle } = await open();
  await recordedId(caller, "walrus", { user_id: "maria" });
  await recordedId(caller, "walrus");
  await caller.call(contracts.deleteOrganization, { params: { organization_id: organizationId } });
  await idle();
  expect(await rowsOf(organizationId)).toEqual([]);
  const { count } = await selectRow<{ count: number }>(
    "SELECT count(*) AS count FROM organizations WHERE id = ?1",
    organizationId,
  );
  expect(count).toBe(0);
});
