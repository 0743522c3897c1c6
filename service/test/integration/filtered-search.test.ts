import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { SERVICE_LIMITS } from "../../src/limits.ts";
import { wholeOrganization } from "../../src/platform/batch.ts";
import { loadCandidates } from "../../src/search/candidates-queries.ts";
import { selectLengths } from "../../src/search/postings-queries.ts";
import { topConversations } from "../../src/search/ranking/top-conversations.ts";
import { createOrganization, seedConversation } from "../support/client.ts";
import { Ledger, RowsRead } from "../support/counting.ts";
import { env } from "../support/env.ts";
import { open } from "../support/invocations.ts";

describe("a search with a filter", () => {
  test("compares metadata once per conversation, however many of its messages match", async () => {
    const rows = new RowsRead();
    const { caller } = await open({ DB: rows.db });
    const metadata = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`key${i}`, i]));
    const messages = Array.from({ length: 60 }, (_, i) => `walrus ${i}`);
    await seedConversation(caller, messages, { metadata });
    const rowsOf = async (filter: object) => {
      rows.reset();
      const body = { query: "walrus", mode: "keyword", limit: 50, ...filter };
      const { results } = await caller.call(contracts.search, { body });
      expect(results).not.toEqual([]);
      return rows.total;
    };
    const unfiltered = await rowsOf({ created_after: "2000-01-01T00:00:00Z" });
    // Once for the lengths of the messages, and once for the messages.
    expect(await rowsOf({ metadata: { key499: 499 } })).toBeLessThan(unfiltered + 3 * 500);
  });

  test("compares a limited number of conversations, those with the rarest words first, and reports this", async () => {
    const { caller } = await open({}, { filteredConversations: 3 });
    const best = await seedConversation(caller, ["The walrus eats kelp."], { tags: ["x"] });
    for (let i = 0; i < 8; i++) await seedConversation(caller, [`The walrus, day ${i}.`], { tags: ["x"] });
    const search = async (body: object) => {
      const { results, degraded } = await caller.call(contracts.search, {
        body: { mode: "keyword", limit: 50, tags_any: ["x"], ...body },
      });
      return {
        ids: results.map((result) => "conversation_id" in result && result.conversation_id),
        degraded,
      };
    };
    const found = await search({ query: "walrus kelp" });
    expect([found.ids[0], found.ids.length, found.degraded]).toEqual([best, 3, ["keyword_partial"]]);
    expect(await search({ query: "kelp" })).toEqual({ ids: [best], degraded: [] });
  });

  test("finds all messages of a user with few conversations, however many others contain the words", async () => {
    const { caller } = await open({}, { filteredConversations: 3, scannedConversations: 3 });
    const mine = { user_id: "me", tags: ["x"] };
    const ids = [
      await seedConversation(caller, ["A walrus."], mine),
      await seedConversation(caller, ["Another walrus."], mine),
    ];
    for (let i = 0; i < 6; i++)
      await seedConversation(caller, ["walrus walrus"], { ...mine, user_id: "you" });
    for (const filter of [
      { user_id: "me" },
      { user_id: "me", tags_any: ["x"] },
      { conversation_id: ids[0] },
    ]) {
      const body = { query: "walrus", mode: "keyword", limit: 50, ...filter };
      const { results, degraded } = await caller.call(contracts.search, { body });
      const found = results.map((result) => "conversation_id" in result && result.conversation_id);
      const expected = "conversation_id" in filter ? ids.slice(0, 1) : ids;
      expect([found.sort(), degraded], JSON.stringify(filter)).toEqual([expected.toSorted(), []]);
    }
  });

  test("leaves a conversation out, by its id or its external id, and neither memories nor namesakes of others", async () => {
    const caller = await createOrganization();
    const [maria, jon] = [{ user_id: "maria" }, { user_id: "jon" }];
    const thread = await seedConversation(caller, ["The walrus sang."], { ...maria, external_id: "chat-1" });
    const other = await seedConversation(caller, ["The walrus slept."], { ...maria, external_id: "chat-2" });
    const namesake = await seedConversation(caller, ["A walrus."], { ...jon, external_id: "chat-1" });
    const sources = [{ conversation_id: thread, sequence: 1 }];
    const body = { content: "Likes the walrus.", ...maria, sources, external_id: "chat-1", wait: "indexed" };
    const { id } = await caller.call(contracts.createMemory, { body });
    for (const mode of ["keyword", "semantic", "hybrid"]) {
      const found = async (more: object) => {
        const asked = { query: "walrus", mode, in: ["conversations", "memories"], ...more };
        const answer: contracts.SearchAnswer = await caller.call(contracts.search, { body: asked });
        return answer.results
          .map((result) => (result.type === "memory" ? result.memory.id : result.conversation_id))
          .sort();
      };
      for (const exclude_conversation of [thread, "chat-1"])
        expect(await found({ ...maria, exclude_conversation })).toEqual([other, id].sort());
      expect(await found({ exclude_conversation: thread })).toEqual([other, namesake, id].sort());
      expect(await found({ exclude_conversation: "chat-1" })).toEqual([other, id].sort());
      expect(await found({ ...maria, exclude_conversation: "chat-9" })).toEqual([thread, other, id].sort());
      expect(await found({ conversation_id: thread, exclude_conversation: thread })).toEqual([]);
    }
  });

  test("finds by meaning what is said elsewhere, however much more of the excluded conversation matches", async () => {
    const caller = await createOrganization();
    const said = Array.from({ length: 700 }, (_, i) => `The walrus sang, and the walrus sang song ${i}.`);
    const thread = await seedConversation(caller, said, { external_id: "chat-1" });
    const other = await seedConversation(caller, ["We saw a walrus and some gulls at the pier."]);
    for (const exclude_conversation of [undefined, thread, "chat-1"]) {
      const body = { query: "The walrus sang", mode: "semantic", limit: 50, exclude_conversation };
      const { results } = await caller.call(contracts.search, { body });
      const found = new Set(results.map((result) => "conversation_id" in result && result.conversation_id));
      expect([exclude_conversation, ...found]).toEqual([
        exclude_conversation,
        exclude_conversation === undefined ? thread : other,
      ]);
    }
  });

  test("and by meaning reads a limited number of conversations, and reports this", async () => {
    const { caller, idle } = await open({}, { filteredConversations: 3 });
    const old = await seedConversation(caller, ["The walrus eats kelp."], { metadata: { place: "old" } });
    for (let i = 0; i < 4; i++) await seedConversation(caller, [`Day ${i}.`], { metadata: { place: "new" } });
    await idle();
    const search = (place: string) =>
      caller.call(contracts.search, {
        body: { query: "What does the walrus eat?", mode: "semantic", metadata: { place } },
      });
    const { results, degraded } = await search("old");
    expect(results.map((result) => "conversation_id" in result && result.conversation_id)).toEqual([old]);
    expect(degraded).toEqual(["semantic_partial"]);
  });
});

describe("row keys in the parameters of a search's statements", () => {
  const scope = {
    owner: wholeOrganization("org_none"),
    termPrefixes: [],
    filter: {},
    messages: {},
    moment: null,
  };
  const many = Array.from({ length: 250_000 }, (_, i) => 2 ** 29 - i);

  test("are sent to D1 in strings under 1.5 MB, however many conversations and messages there are", async () => {
    const ledger = new Ledger();
    const messages = many.slice(0, 100_000).map((number) => number * 2 ** 24 + 2 ** 23);
    await selectLengths(ledger.bindings.DB, scope, { messages, conversations: many });
    expect(ledger.violations).toEqual([]);
    expect(ledger.longestStringBytes).toBeLessThan(1_500_000);
  });

  test("are sent in such strings also for the maximum number of candidates", async () => {
    const ledger = new Ledger();
    const candidates = many.slice(0, 30_000).map((number, i) => ({
      rowKey: number * 2 ** 24 + 2 ** 23,
      score: -1 / (i + 3e-7),
      holdsPhrase: true,
    }));
    const weights = {
      question: 0,
      time: 0,
      number: 0,
      date: 0,
      speaker: 0,
      hidden: 0,
      phrase: 0,
      validity: 0,
    };
    const features = { weights, terms: [], dates: [], validAtMs: 0 };
    const shape = { keep: 1, results: 1, runs: 1, before: 0, after: 0, explain: false, chunks: null };
    const input = { ...shape, candidates, features };
    await loadCandidates(ledger.bindings.DB, scope, input, SERVICE_LIMITS);
    expect(ledger.longestStringBytes).toBeLessThan(1_500_000);
    expect(ledger.longestStringBytes).toBeGreaterThan(1_000_000);
  });
});

test("a search reads rows of the best runs of matches, as many as it returns results, and lists the other matches", async () => {
  const caller = await createOrganization();
  const { organizationId } = caller;
  for (let i = 0; i < 3; i++) await seedConversation(caller, Array(9).fill("The walrus eats kelp."));
  const { results } = await env.DB.prepare(
    "SELECT row_key FROM messages WHERE organization_id = ? ORDER BY 1",
  )
    .bind(organizationId)
    .all<{ row_key: number }>();
  const [best = 0, , , , , sameRun = 0, , , , second = 0, ...others] = results.map(({ row_key }) => row_key);
  const third = others[8] ?? 0;
  // Of equal runs, the one with the lower row keys comes first, as in the order of matches.
  const scores = [
    [best, 2],
    [sameRun, 1],
    [second, 3],
    [third, 2],
  ] as const;
  const candidates = scores.map(([rowKey, score]) => ({ rowKey, score, holdsPhrase: false }));
  const weights = { question: 0, time: 0, number: 0, date: 0, speaker: 0, hidden: 0, phrase: 0, validity: 0 };
  const shape = { keep: 4, results: 3, before: 2, after: 3, explain: false, chunks: null };
  const features = { weights, terms: [], dates: [], validAtMs: 0 };
  const scope = {
    owner: wholeOrganization(organizationId),
    termPrefixes: [],
    filter: {},
    messages: {},
    moment: null,
  };
  const read = async (runs: number) => {
    const input = { ...shape, runs, candidates, features };
    const { rows, unread, matched } = await loadCandidates(env.DB, scope, input, SERVICE_LIMITS);
    return { rows: rows.map(({ rowKey }) => rowKey), unread: unread.map(({ rowKey }) => rowKey), matched };
  };
  const [first, last] = [range(best, best + 8), range(third, third + 3)];
  expect(await read(1)).toEqual({
    ...{ rows: range(second, second + 3), matched: 4 },
    unread: expect.toSatisfy((list: number[]) => list.length === 3 && !list.includes(second)),
  });
  expect(await read(2)).toEqual({
    rows: [...first, ...range(second, second + 3)],
    unread: [third],
    matched: 4,
  });
  expect((await read(3)).rows).toEqual([...first, ...range(second, second + 3), ...last]);
});

test.for([
  { name: "that have no features that count", speaker: 0, readsMax: 4 },
  { name: "whose speakers count", speaker: -1, readsMax: 6 },
])(
  "candidates $name are each read at most $readsMax times, whether or not they have chunks",
  async ({ speaker, readsMax }) => {
    const caller = await createOrganization();
    const { organizationId } = caller;
    await seedConversation(caller, Array(300).fill("The walrus eats kelp."));
    const { results } = await env.DB.prepare("SELECT row_key FROM messages WHERE organization_id = ?")
      .bind(organizationId)
      .all<{ row_key: number }>();
    const candidates = results.map(({ row_key }, i) => ({
      rowKey: row_key,
      score: 3 - i,
      holdsPhrase: false,
    }));
    const weights = { question: 0, time: 0, number: 0, date: 0, speaker, hidden: 0, phrase: 0, validity: 0 };
    const shape = { keep: 4, results: 3, runs: 2, before: 1, after: 1, explain: false };
    const chunks = candidates.map(({ rowKey }): [number, string] => [rowKey, "chk_any"]);
    const features = { weights, terms: ["walrus"], dates: [], validAtMs: 0 };
    const filter = { corpora: ["conversations", "memories"] as const };
    const scope = {
      owner: wholeOrganization(organizationId),
      termPrefixes: [],
      filter,
      messages: {},
      moment: null,
    };
    const reads = new RowsRead();
    await loadCandidates(reads.db, scope, { ...shape, candidates, chunks, features }, SERVICE_LIMITS);
    expect(reads.total).toBeLessThan(readsMax * candidates.length);
  },
);

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe("topConversations", () => {
  const at = (...conversations: number[]) =>
    Float64Array.from(conversations.map((number) => number * 2 ** 24 + 1));

  test("selects the conversations with the rarest words, and the newest of equals", () => {
    const terms = [at(1, 2, 3, 4, 5, 5), at(2), at(2, 3)];
    expect(topConversations({ messages: 100, terms }, 3)).toEqual(new Set([2, 3, 5]));
  });

  test("selects no conversations if there are few enough to search all", () => {
    expect(topConversations({ messages: 100, terms: [at(1, 2, 2, 2), at(2, 3)] }, 3)).toBeNull();
  });
});
