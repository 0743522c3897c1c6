import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { type Caller, createKey, createOrganization, seedConversation } from "../support/client.ts";
import { open, selectRows } from "../support/invocations.ts";
import { ABSENT } from "../support/requests.ts";

const BOUND: contracts.Scope[] = ["read", "write", "search", "delete"];
const NEVER_ENRICHED = { tags: [], summary: "" };

const capture = async (caller: Caller, content: string, more: object = {}): Promise<string> =>
  (await caller.call(contracts.createMemory, { body: { content, ...NEVER_ENRICHED, ...more } })).id;

const create = (caller: Caller, body: object) => caller.call(contracts.createEvaluation, { body });
const run = (caller: Caller, evaluation_id: string) =>
  caller.call(contracts.runEvaluation, { params: { evaluation_id } });
const listed = async (caller: Caller) =>
  (await caller.call(contracts.listEvaluations)).items.map(({ id }) => id);
const keyword = (query: string, more: object = {}) => ({ query, mode: "keyword", in: ["memories"], ...more });
const rowsOf = (organizationId: string) =>
  selectRows("SELECT * FROM evaluations WHERE organization_id = ?1", organizationId);

describe("an evaluation", () => {
  test("keeps a search with what it should find, and its run tells ranks, any@k, nDCG and what moved", async () => {
    const caller = await createOrganization();
    const expected = [await capture(caller, "The walrus sang."), await capture(caller, "An otter swims.")];
    const created = await create(caller, { request: keyword("walrus"), expected });
    expect(created).toMatchObject({
      ...{ operation: "search", request: { query: "walrus", limit: 10 }, expected, depth: 10 },
      ...{ agent_id: null, user_id: null, from_recall: null, last_run: null },
    });
    const first = await run(caller, created.id);
    const ranks = [
      { id: expected[0], rank: 1 },
      { id: expected[1], rank: null },
    ];
    expect(first).toMatchObject({ previous: null, moved: [] });
    expect(first.evaluation.last_run).toMatchObject({ ranks, any: true, ndcg: 0.613147, degraded: [] });
    await caller.call(contracts.deleteMemory, { params: { memory_id: expected[0] ?? "" } });
    await caller.call(contracts.updateMemory, {
      params: { memory_id: expected[1] ?? "" },
      body: { content: "A walrus swims." },
    });
    const second = await run(caller, created.id);
    expect(second.previous).toEqual(first.evaluation.last_run);
    expect(second.moved).toEqual([
      { id: expected[0], before: 1, now: null },
      { id: expected[1], before: null, now: 1 },
    ]);
    const { items } = await caller.call(contracts.listEvaluations);
    expect(items).toEqual([second.evaluation]);
    const params = { evaluation_id: created.id };
    expect(await caller.call(contracts.deleteEvaluation, { params })).toEqual(second.evaluation);
    expect(await listed(caller)).toEqual([]);
    expect(await caller.fail(contracts.runEvaluation, { params })).toMatchObject({ status: 404 });
  });

  test("is made from a receipt with what it notes as used, and from none of a context", async () => {
    const caller = await createOrganization();
    const memory_id = await capture(caller, "The walrus sang.", { user_id: "maria" });
    const { recall_id } = await caller.call(contracts.searchMemories, {
      body: { query: "walrus", mode: "keyword", user_id: "maria", record: true },
    });
    const from_recall = recall_id ?? "";
    const fail = (body: object) => caller.fail(contracts.createEvaluation, { body });
    expect(await fail({ from_recall })).toMatchObject({ errors: [{ path: "expected" }] });
    await caller.call(contracts.updateRecall, {
      params: { recall_id: from_recall },
      body: { used: [memory_id] },
    });
    const created = await create(caller, { from_recall, depth: 1 });
    expect(created).toMatchObject({
      ...{ operation: "searchMemories", request: { query: "walrus" }, expected: [memory_id] },
      ...{ user_id: "maria", from_recall, depth: 1 },
    });
    expect((await run(caller, created.id)).evaluation.last_run).toMatchObject({ any: true, ndcg: 1 });
    const context = await caller.call(contracts.getContext, { body: { query: "walrus", record: true } });
    const ofContext = { from_recall: context.recall_id, expected: [memory_id] };
    expect(await fail(ofContext)).toMatchObject({ errors: [{ path: "from_recall" }] });
    expect(await fail({ from_recall: ABSENT.recall_id, expected: [memory_id] })).toMatchObject({
      status: 404,
    });
    const request = keyword("walrus");
    expect(await fail({ request })).toMatchObject({ errors: [{ path: "expected" }] });
    expect(await fail({ request, from_recall, expected: [memory_id] })).toMatchObject({
      errors: [{ path: "request" }],
    });
    expect(await fail({ expected: [memory_id] })).toMatchObject({ status: 400 });
  });

  test("is seen and run only with the binding of the key that created it", async () => {
    const caller = await createOrganization();
    const expected = [await capture(caller, "The walrus sang.", { user_id: "maria" })];
    const key = (more: object) => createKey(caller, { scopes: BOUND, ...more });
    const [maria, bot] = [await key({ user_id: "maria" }), await key({ agent_id: "bot" })];
    const byAll = await create(caller, { request: keyword("walrus", { user_id: "maria" }), expected });
    const byMaria = await create(maria, { request: keyword("walrus"), expected });
    expect(byMaria.user_id).toBe("maria");
    expect(await listed(caller)).toEqual([byMaria.id, byAll.id]);
    expect(await listed(maria)).toEqual([byMaria.id]);
    expect(await listed(bot)).toEqual([]);
    for (const other of [maria, bot, await createOrganization()]) {
      const params = { evaluation_id: byAll.id };
      expect(await other.fail(contracts.runEvaluation, { params })).toMatchObject({ status: 404 });
      expect(await other.fail(contracts.deleteEvaluation, { params })).toMatchObject({ status: 404 });
    }
    expect((await run(caller, byMaria.id)).evaluation.last_run).toMatchObject({ any: true });
  });

  test("from a receipt of a bound key searches only what that key could, and is deleted with its user", async () => {
    const caller = await createOrganization();
    const own = { user_id: "maria", agent_id: "bot" };
    const expected = [await capture(caller, "The walrus of Maria sang.", own)];
    const others = [{}, { user_id: "jon", agent_id: "bot" }, { user_id: "maria", agent_id: "other" }];
    for (const other of others) await capture(caller, "The walrus sang.", other);
    const bound = await createKey(caller, { scopes: BOUND, ...own });
    const { recall_id } = await bound.call(contracts.searchMemories, {
      body: { query: "walrus", mode: "keyword", record: true },
    });
    const created = await create(caller, { from_recall: recall_id, expected });
    expect(created).toMatchObject({ ...own, request: { query: "walrus", ...own } });
    expect((await run(caller, created.id)).evaluation.last_run?.ranks).toEqual([
      { id: expected[0], rank: 1 },
    ]);
    await caller.call(contracts.deleteUser, { params: { user_id: "maria" } });
    expect(await rowsOf(caller.organizationId)).toEqual([]);
  });

  test("takes each used item of a receipt once, and not more than 50", async () => {
    const caller = await createOrganization();
    for (let i = 0; i < 2; i++) await seedConversation(caller, Array(40).fill("A walrus sang."));
    const { recall_id, results } = await caller.call(contracts.search, {
      body: { query: "walrus", mode: "keyword", limit: 50, record: true },
    });
    const ids = [
      ...new Set(results.flatMap((one) => ("messages" in one ? one.messages : [])).map(({ id }) => id)),
    ];
    expect(ids.length).toBeGreaterThan(50);
    const use = (used: string[]) =>
      caller.call(contracts.updateRecall, { params: { recall_id: recall_id ?? "" }, body: { used } });
    await use(ids);
    const body = { from_recall: recall_id ?? "" };
    expect(await caller.fail(contracts.createEvaluation, { body })).toMatchObject({
      errors: [{ path: "expected" }],
    });
    await use([...ids.slice(0, 50), ...ids.slice(0, 50)]);
    expect((await create(caller, body)).expected).toEqual(ids.slice(0, 50));
  });

  test("of a request that a search refuses is not created", async () => {
    const caller = await createOrganization();
    const long = Array.from({ length: 100 }, (_, i) => `walrus${i}`).join(" ");
    for (const [path, more] of [
      ["request.query", { query: `"${long}"` }],
      ["request.exclude.0", { exclude: ["!"] }],
      ["request.in", { in: ["summaries"], as_of: "2026-01-01T00:00:00Z" }],
      ["request.as_of", { as_of: `${ABSENT.conversation_id}:1` }],
    ] as const) {
      const body = { request: keyword("walrus", more), expected: [ABSENT.memory_id] };
      expect(await caller.fail(contracts.createEvaluation, { body })).toMatchObject({
        code: "validation_failed",
        errors: [{ path }],
      });
    }
  });

  test("finds nothing once the conversation or the moment of its search is deleted", async () => {
    const caller = await createOrganization();
    const conversation_id = await seedConversation(caller, ["The walrus sang."]);
    const request = { query: "walrus", mode: "keyword" };
    const expected = [ABSENT.message_id];
    const ids = [
      (await create(caller, { request: { ...request, conversation_id }, expected })).id,
      (await create(caller, { request: { ...request, as_of: `${conversation_id}:1` }, expected })).id,
    ];
    await caller.call(contracts.deleteConversation, { params: { conversation_id } });
    for (const id of ids)
      expect((await run(caller, id)).evaluation.last_run).toMatchObject({ any: false, ndcg: 0 });
  });

  test("is not created in a conversation that is still to be deleted with its user", async () => {
    const { caller, organizationId } = await open();
    const conversation_id = await seedConversation(caller, ["The walrus sang."], { user_id: "maria" });
    // As between two steps of the deletion of a user with much data.
    await selectRows(
      `INSERT INTO operations (organization_id, id, type, target_id, filter, created_at_ms)
       VALUES (?1, 'op_1', 'delete_user', 'maria', '{}', 1)`,
      organizationId,
    );
    const body = { request: { query: "walrus", conversation_id }, expected: [ABSENT.memory_id] };
    expect(await caller.fail(contracts.createEvaluation, { body })).toMatchObject({ status: 404 });
    expect(await rowsOf(organizationId)).toEqual([]);
  });

  test("is deleted with its user, for whom none is created any more", async () => {
    const caller = await createOrganization();
    const conversation_id = await seedConversation(caller, ["The walrus sang."], { user_id: "maria" });
    const expected = [ABSENT.memory_id];
    await create(caller, { request: keyword("walrus", { user_id: "maria" }), expected });
    const inConversation = { query: "walrus", mode: "keyword", conversation_id };
    expect((await create(caller, { request: inConversation, expected })).user_id).toBe("maria");
    const kept = await create(caller, { request: keyword("otter"), expected });
    await caller.call(contracts.deleteUser, { params: { user_id: "maria" } });
    expect(await listed(caller)).toEqual([kept.id]);
    expect(JSON.stringify(await rowsOf(caller.organizationId))).not.toContain("maria");
    const again = { request: keyword("walrus", { user_id: "maria" }), expected };
    expect(await caller.fail(contracts.createEvaluation, { body: again })).toMatchObject({
      code: "forgotten",
    });
    const gone = { request: inConversation, expected };
    expect(await caller.fail(contracts.createEvaluation, { body: gone })).toMatchObject({ status: 404 });
  });

  test("is deleted with its organization", async () => {
    const { caller, organizationId, idle } = await open();
    await create(caller, { request: keyword("walrus"), expected: [ABSENT.memory_id] });
    await caller.call(contracts.deleteOrganization, { params: { organization_id: organizationId } });
    await idle();
    expect(await rowsOf(organizationId)).toEqual([]);
  });

  test("beyond 1,000 of the organization is not created", async () => {
    const caller = await createOrganization();
    await selectRows(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
       INSERT INTO evaluations (organization_id, id, operation, request, expected, depth)
       SELECT ?1, 'eval_' || printf('%020d', i), 'search', '{}', '[]', 10 FROM n`,
      caller.organizationId,
    );
    const body = { request: keyword("walrus"), expected: [ABSENT.memory_id] };
    expect(await caller.fail(contracts.createEvaluation, { body })).toMatchObject({
      code: "too_many_evaluations",
    });
  });
});
