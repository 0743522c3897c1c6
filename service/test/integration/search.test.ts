import * as contracts from "@engram/spec";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Caller, createKey, createOrganization, seedConversation } from "../support/client.ts";
import { expectEveryStatusRead } from "../support/contract.ts";
import { expectBodyRefusals, expectKeyRefusals } from "../support/refusals.ts";

const contract = contracts.search;
let caller: Caller;
let reader: Caller;
beforeAll(async () => {
  caller = await createOrganization();
  reader = await createKey(caller, { scopes: ["read"] });
});
afterAll(() => expectEveryStatusRead(contract));

const search = (body: object, by: Caller = caller) => by.call(contract, { body });
/** Contents of the messages that matched, best first. */
const found = async (body: object, by: Caller = caller): Promise<string[]> => {
  const { results } = await search({ context: { before: 0, after: 0 }, limit: 50, ...body }, by);
  return results.flatMap(({ messages }) => messages.map(({ content }) => content));
};

describe("what is found", () => {
  let own: Caller;
  beforeAll(async () => {
    own = await createOrganization();
    await seedConversation(own, [
      "The kettle leaks, I sent it back.",
      "Your refund left us on Tuesday.",
      "We deploy with wrangler; the last deployment broke ERR_CONN_RESET handling.",
      "東京都に住んでいます。猫が好きです。",
      "我昨天在北京大学见到了王教授。",
      "Le café était délicieux à l'Opéra.",
      "Maria's sister doesn't eat nuts.",
    ]);
  });

  test.for([
    ["a question with punctuation", "Who's deploying, and with what?!", "wrangler"],
    ["words of another form", "deployments", "wrangler"],
    ["a code", "ERR_CONN_RESET", "wrangler"],
    ["Japanese", "猫は好きですか？", "猫"],
    ["a Japanese place", "東京", "東京"],
    ["Chinese", "北京大学", "北京"],
    ["accents left out", "cafe opera", "café"],
    ["a possessive", "marias sister", "Maria"],
    ["an apostrophe of the other kind", "doesn’t", "nuts"],
  ] as const)("words: %s", async ([, query, expected]) => {
    expect((await found({ query, mode: "keyword", limit: 1 }, own))[0]).toContain(expected);
  });

  test("meaning finds what shares no word with the query", async () => {
    expect((await found({ query: "payment returned", mode: "semantic" }, own)).slice(0, 2).join()).toContain(
      "refund",
    );
    expect(await found({ query: "payment returned", mode: "keyword" }, own)).toEqual([]);
  });

  test.for([
    "AND",
    '"',
    "NEAR(a b)",
    "col:x",
    "*",
    "^a",
    "a OR",
    "(",
    "'; DROP TABLE messages; --",
    "~",
    "1~deploy",
    "\u0000",
  ])("takes %j literally", async (query) => {
    for (const mode of ["hybrid", "keyword"]) await search({ query, mode }, own);
  });

  test("a query that is nothing but small words is still looked for", async () => {
    expect(await found({ query: "it us on", mode: "keyword" }, own)).toContain(
      "Your refund left us on Tuesday.",
    );
  });

  test("what was stored a moment ago is found by its words in the next request", async () => {
    const { id } = await own.call(contracts.createConversation, { body: {} });
    const body = { messages: [{ role: "user", content: "a quokka smiles" }] };
    await own.call(contracts.appendMessages, { params: { conversation_id: id }, body });
    expect((await found({ query: "quokka", mode: "keyword" }, own))[0]).toBe("a quokka smiles");
  });
});

describe("filters apply before ranking", () => {
  let own: Caller;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    own = await createOrganization();
    const say = (who: string, at: string, role = "user") => ({
      role,
      content: `apple ${who}`,
      created_at: at,
    });
    const conversations: [string, Record<string, unknown>, Record<string, unknown>[]][] = [
      [
        "a",
        { agent_id: "bot", user_id: "maria", tags: ["x", "y"] },
        [say("a1", "2024-01-01T10:00:00Z"), say("a2", "2024-01-01T20:00:00Z", "assistant")],
      ],
      ["b", { agent_id: "bot", user_id: "juan", tags: ["y"] }, [say("b1", "2024-02-01T00:00:00Z", "tool")]],
      ["c", { agent_id: "other" }, [say("c1", "2024-03-01T00:00:00Z", "assistant")]],
    ];
    for (const [name, conversation, messages] of conversations) {
      ids[name] = await seedConversation(own, messages as Record<string, unknown>[], conversation);
    }
    // Louder matches that no filter below allows.
    await seedConversation(
      own,
      Array.from({ length: 150 }, (_, i) => `apple apple apple ${i}`),
      { agent_id: "loud", tags: ["z"] },
    );
  });

  test.for([
    [{ agent_id: "bot" }, ["a1", "a2", "b1"]],
    [{ user_id: "maria" }, ["a1", "a2"]],
    [{ tags_any: ["x", "nothing"] }, ["a1", "a2"]],
    [{ tags_all: ["y"] }, ["a1", "a2", "b1"]],
    [{ tags_all: ["x", "y"], roles: ["assistant"] }, ["a2"]],
    [{ tags_any: ["x", "y"], roles: ["tool", "user"] }, ["a1", "b1"]],
    [{ created_after: "2024-01-01T12:00:00Z", created_before: "2024-02-01T00:00:00Z" }, ["a2"]],
    [{ created_before: "2024-01-01T10:00:00.001Z" }, ["a1"]],
    [{ agent_id: "bot", user_id: "nobody" }, []],
    [{ conversation_id: "conv_00000000000000000000" }, []],
  ] as [object, string[]][])("%o keeps %o", async ([filter, expected]) => {
    for (const mode of ["hybrid", "keyword", "semantic"]) {
      const contents = await found({ query: "apple", mode, ...filter }, own);
      expect(contents.map((content) => content.split(" ")[1]).sort(), mode).toEqual(expected);
    }
  });

  test("a conversation id narrows to that conversation", async () => {
    expect(await found({ query: "apple", conversation_id: ids.b }, own)).toEqual(["apple b1"]);
  });

  test("a key of one agent finds that agent's messages only, whatever it asks for", async () => {
    const bot = await createKey(own, { scopes: ["search"], agent_id: "bot" });
    expect(await found({ query: "apple", agent_id: "other" }, bot)).toEqual([]);
    expect((await found({ query: "apple" }, bot)).sort()).toEqual(["apple a1", "apple a2", "apple b1"]);
  });
});

describe("what comes back", () => {
  let own: Caller;
  let id: string;
  beforeAll(async () => {
    own = await createOrganization();
    const contents = Array.from({ length: 12 }, (_, i) =>
      [4, 6, 11].includes(i + 1) ? `zebra ${i + 1}` : `other ${i + 1}`,
    );
    id = await seedConversation(own, contents, { title: "Zoo", tags: ["t"], external_id: "zoo" });
  });

  test("matches with their neighbours, overlapping windows merged, nothing twice", async () => {
    const { results } = await search(
      { query: "zebra", mode: "keyword", context: { before: 1, after: 1 } },
      own,
    );
    const ranges = results.map(({ start_sequence, end_sequence }) => [start_sequence, end_sequence]);
    expect(ranges).toContainEqual([10, 12]);
    const all = results.flatMap(({ messages }) => messages.map(({ sequence }) => sequence));
    expect(new Set(all).size).toBe(all.length);
    expect(results[0]).toMatchObject({
      type: "messages",
      conversation_id: id,
      conversation: { title: "Zoo", tags: ["t"], external_id: "zoo" },
    });
    for (const { messages, start_sequence, matches } of results) {
      expect(messages[0]?.sequence).toBe(start_sequence);
      const sequences = messages.map(({ sequence }) => sequence);
      expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
      expect(matches.every((match) => sequences.includes(match.sequence))).toBe(true);
    }
  });

  test("as many results as asked for, best first", async () => {
    const { results } = await search(
      { query: "zebra", mode: "keyword", limit: 2, context: { before: 0, after: 0 } },
      own,
    );
    expect(results.map(({ messages }) => messages[0]?.content)).toEqual([
      expect.stringContaining("zebra"),
      expect.stringContaining("zebra"),
    ]);
    const scores = results.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  test("k results when there are k, though windows merge", async () => {
    const many = await createOrganization();
    const contents = Array.from({ length: 400 }, (_, i) => (i % 12 < 2 ? `zebra ${i}` : `filler ${i}`));
    await seedConversation(many, contents);
    for (const mode of ["hybrid", "keyword"]) {
      const { results } = await search({ query: "zebra", mode, limit: 30 }, many);
      expect(results.length, mode).toBe(30);
    }
  });

  test("says so when meaning fell short of what a filter on messages allows", async () => {
    const many = await createOrganization();
    const say = (role: string, i: number) => ({
      role,
      content: `${role === "user" ? "a red apple" : "a grey stone"} ${i}`,
    });
    await seedConversation(
      many,
      Array.from({ length: 700 }, (_, i) => say("user", i)),
    );
    await seedConversation(
      many,
      Array.from({ length: 20 }, (_, i) => say("tool", i)),
    );
    const answer = await search({ query: "apple", mode: "semantic", roles: ["tool"], limit: 10 }, many);
    expect([answer.results.length, answer.degraded]).toEqual([0, ["semantic_partial"]]);
  });

  test("no more tokens than allowed; what does not fit is counted", async () => {
    const all = await search({ query: "zebra", mode: "keyword", limit: 3 }, own);
    for (let max_tokens = 1; max_tokens <= all.tokens; max_tokens += 3) {
      const answer = await search({ query: "zebra", mode: "keyword", limit: 3, max_tokens }, own);
      expect(answer.tokens).toBeLessThanOrEqual(max_tokens);
      expect(answer.results.length + answer.omitted).toBe(all.results.length);
    }
  });

  test("an empty organization answers nothing, and nothing is degraded", async () => {
    const answer = await search({ query: "anything" }, await createOrganization());
    expect(answer).toEqual({ results: [], degraded: [], pending: 0, tokens: 0, omitted: 0 });
  });

  test("one organization's scores do not depend on another's texts", async () => {
    const [one, two] = [await createOrganization(), await createOrganization()];
    const texts = ["zebra stripes", "a horse", "zebra crossing ahead", "a quiet street"];
    const scores = async () =>
      (await search({ query: "zebra street" }, one)).results.map(({ score, messages }) => [
        score,
        messages.length,
      ]);
    await seedConversation(one, texts);
    const alone = await scores();
    for (let i = 0; i < 5; i++) await seedConversation(two, ["zebra zebra zebra", "zebra street", ...texts]);
    expect(await scores()).toEqual(alone);
  });
});

test("refuses what is not for it", async () => {
  await expectKeyRefusals(contract, reader, { body: { query: "x" } });
  await expectBodyRefusals(contract, caller);
  for (const body of [
    { query: "" },
    { query: "x", limit: 51 },
    { query: "x", roles: [] },
    { query: "x", mode: "fuzzy" },
  ]) {
    expect((await caller.fail(contract, { body })).code).toBe("validation_failed");
  }
});
