import type { SearchAnswer } from "@engram/spec";
import * as contracts from "@engram/spec";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { Env } from "../../src/invocation.ts";
import { countModelTokens } from "../../src/text/model-tokens.ts";
import { type Caller, createKey, createOrganization, seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import { Service } from "../support/invocations.ts";
import { connect } from "../support/mcp.ts";

const contract = contracts.search;
let caller: Caller;
beforeAll(async () => {
  caller = await createOrganization();
});

const search = (body: object, by: Caller = caller) => by.call(contract, { body });
/** Contents of the messages that matched, best first. */
const found = async (body: object, by: Caller = caller): Promise<string[]> => {
  const { results } = await search({ neighbors: { before: 0, after: 0 }, limit: 50, ...body }, by);
  return results.flatMap(({ messages }) => messages.map(({ content }) => content));
};

describe("search results", () => {
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
    ["inflected words", "deployments", "wrangler"],
    ["a code", "ERR_CONN_RESET", "wrangler"],
    ["Japanese", "猫は好きですか？", "猫"],
    ["a Japanese place", "東京", "東京"],
    ["Chinese", "北京大学", "北京"],
    ["missing accents", "cafe opera", "café"],
    ["a possessive", "marias sister", "Maria"],
    ["another kind of apostrophe", "doesn’t", "nuts"],
  ] as const)("by words: %s", async ([, query, expected]) => {
    expect((await found({ query, mode: "keyword", limit: 1 }, own))[0]).toContain(expected);
  });

  test("of a repeated query need a new embedding only for another organization", async () => {
    const embedded: unknown[] = [];
    const AI: Env["AI"] = {
      run: (model, input) => {
        embedded.push(...("text" in input ? input.text : []));
        return env.AI.run(model, input);
      },
    };
    const service = new Service({ AI });
    const owner = service.callerOf(own.secret);
    const other = service.callerOf((await createOrganization()).secret);
    const query = "payment returned";
    const answers = [];
    for (const by of [owner, owner, other, other])
      answers.push(await search({ query, mode: "semantic" }, by));
    expect(embedded.filter((text) => text === query)).toHaveLength(2);
    expect(answers[0]?.results).toEqual(answers[1]?.results);
    expect(answers[0]?.results).not.toEqual([]);
    expect(answers[3]?.results).toEqual([]);
  });

  test("by meaning include messages without a word of the query", async () => {
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
  ])("for %j treat it literally", async (query) => {
    for (const mode of ["hybrid", "keyword"]) await search({ query, mode }, own);
  });

  test("for a query of only stop words are not empty", async () => {
    expect(await found({ query: "it us on", mode: "keyword" }, own)).toContain(
      "Your refund left us on Tuesday.",
    );
  });

  test("include, by its words, a message stored just before", async () => {
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
        [
          { ...say("a1", "2024-01-01T10:00:00Z"), name: "Ada" },
          say("a2", "2024-01-01T20:00:00Z", "assistant"),
        ],
      ],
      [
        "b",
        { agent_id: "bot", user_id: "juan", tags: ["y"], metadata: { ticket: "T-1", open: false } },
        [say("b1", "2024-02-01T00:00:00Z", "tool")],
      ],
      [
        "c",
        { agent_id: "other", metadata: { ticket: "T-1", open: true } },
        [say("c1", "2024-03-01T00:00:00Z", "assistant")],
      ],
    ];
    for (const [name, conversation, messages] of conversations) {
      ids[name] = await seedConversation(own, messages as Record<string, unknown>[], conversation);
    }
    // Better matches that none of the filters below allows.
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
    [{ names: ["Ada", "Nobody"] }, ["a1"]],
    [{ names: ["ada"] }, []],
    [{ metadata: { ticket: "T-1", open: true } }, ["c1"]],
    [{ metadata: { ticket: "T-1", open: 1 } }, []],
    [{ metadata: { ticket: "T-1" }, roles: ["tool"] }, ["b1"]],
    [{ agent_id: "bot", user_id: "nobody" }, []],
    [{ conversation_id: "conv_00000000000000000000" }, []],
  ] as [object, string[]][])("%o returns %o", async ([filter, expected]) => {
    for (const mode of ["hybrid", "keyword", "semantic"]) {
      const contents = await found({ query: "apple", mode, ...filter }, own);
      expect(contents.map((content) => content.split(" ")[1]).sort(), mode).toEqual(expected);
    }
  });

  test("a conversation id limits the results to that conversation", async () => {
    expect(await found({ query: "apple", conversation_id: ids.b }, own)).toEqual(["apple b1"]);
  });

  test("a key bound to an agent finds only that agent's messages, whatever the body says", async () => {
    const bot = await createKey(own, { scopes: ["search"], agent_id: "bot" });
    expect(await found({ query: "apple", agent_id: "other" }, bot)).toEqual([]);
    expect((await found({ query: "apple" }, bot)).sort()).toEqual(["apple a1", "apple a2", "apple b1"]);
  });
});

describe("relevance", () => {
  let own: Caller;
  beforeAll(async () => {
    own = await createOrganization();
    await seedConversation(own, [
      "The walrus eats herring at noon.",
      ...Array(6).fill("Fine, see you."),
      "Walrus!",
    ]);
  });

  test("is high if the message contains the whole query, low for a small part, and lowest for none", async () => {
    for (const mode of ["hybrid", "keyword"]) {
      const { results } = await search(
        { query: "walrus herring noon", mode, neighbors: { before: 0, after: 0 } },
        own,
      );
      const relevances = new Map(results.map(({ messages, relevance }) => [messages[0]?.content, relevance]));
      expect(relevances.get("The walrus eats herring at noon."), mode).toBeGreaterThan(0.6);
      expect(relevances.get("Walrus!"), mode).toBeLessThan(0.4);
      const { results: none } = await search({ query: "Byzantine walrus coronation liturgy", mode }, own);
      for (const { relevance } of none) expect(relevance, mode).toBeLessThan(0.25);
    }
  });

  test("of a message is the same whatever the limit, the filters, the budget and the interface", async () => {
    const by = await createOrganization();
    const words = ["walrus", "herring", "kettle", "refund", "Lisbon", "garden", "noon", "piano"];
    const tags = ["red", "green", "blue"];
    for (const [i, tag] of tags.entries()) {
      const messages = Array.from({ length: 9 }, (_, at) => ({
        role: at % 2 === 0 ? "user" : "assistant",
        content: `The ${words[(at + i) % 8]} and the ${words[(at * i + 3) % 8]}, part ${at} of ${tag}.`,
      }));
      await seedConversation(by, messages, { user_id: "maria", tags: [tag, "all"] });
      for (const word of words.slice(i, i + 3)) {
        const body = { content: `A memory of ${tag}: ${word}.`, user_id: "maria", tags: [tag, "all"] };
        await by.call(contracts.createMemory, { body: { ...body, wait: "indexed" } });
      }
    }
    const { call } = await connect(by.secret, undefined, undefined, "/mcp?tools=conversations,memories");
    const alone = { before: 0, after: 0 };
    const inBoth = { in: ["conversations", "memories"] };
    const keyOf = (result: contracts.SearchResult) =>
      result.type === "memory"
        ? result.memory.id
        : result.matches.toSorted((a, b) => b.score - a.score)[0]?.message_id;
    const relevances = new Map<string, Map<string | undefined, number>>();
    const some = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("walrus at noon", "Who plays the piano in Lisbon?", "refund", "Where is my money?"),
        fc.constantFrom("hybrid", "semantic", "keyword"),
        fc.record({
          limit: fc.integer({ min: 1, max: 50 }),
          tags_any: some(fc.subarray([...tags, "all"], { minLength: 1 })),
          user_id: some(fc.constant("maria")),
          roles: some(fc.constantFrom(["user"], ["user", "assistant"])),
          max_tokens: some(fc.integer({ min: 20, max: 2_000 })),
          min_relevance: some(fc.constantFrom(0, 0.01, 0.3)),
          neighbors: fc.record({ before: fc.nat(3), after: fc.nat(3) }),
        }),
        fc.record({ explain: fc.boolean(), keep_best: fc.nat(10) }),
        async (query, mode, body, options) => {
          const key = `${query} ${mode}`;
          if (!relevances.has(key)) {
            const { results } = await search({ query, mode, limit: 50, neighbors: alone, ...inBoth }, by);
            relevances.set(key, new Map(results.map((result) => [keyOf(result), result.relevance])));
          }
          const expected = relevances.get(key);
          const { results } = await search({ query, mode, ...inBoth, ...body, ...options }, by);
          const relevanceOf = (result: contracts.SearchResult) => expected?.get(keyOf(result));
          expect(results.map(({ relevance }) => relevance)).toEqual(results.map(relevanceOf));
          const asked = { ...body, max_tokens: 20_000, min_relevance: 0 };
          const { body: said } = await call<{ results: { relevance: number }[] }>("search", {
            ...{ query, mode, ...asked },
          });
          const { results: same } = await search({ query, mode, ...inBoth, ...asked }, by);
          expect(said.results.map(({ relevance }) => relevance)).toEqual(
            same.map((result) => Math.round((relevanceOf(result) ?? 0) * 1_000) / 1_000),
          );
        },
      ),
      { numRuns: 15 },
    );
    const memories = { query: "refund of the kettle", user_id: "maria" };
    const { results } = await by.call(contracts.searchMemories, { body: { ...memories, limit: 20 } });
    const { body: recalled } = await call<{ results: { relevance: number }[] }>("recall_memory", {
      ...memories,
      top_k: 2,
    });
    expect(recalled.results.map(({ relevance }) => relevance)).toEqual(
      results.slice(0, 2).map(({ relevance }) => relevance),
    );
  });

  test("below the requested minimum excludes a result, and all others are returned", async () => {
    const { results } = await search({ query: "walrus herring noon", min_relevance: 0.6 }, own);
    expect(results).toHaveLength(1);
    expect(results[0]?.matches.map(({ sequence }) => sequence)).toContain(1);
    expect(results[0]?.relevance).toBeGreaterThanOrEqual(0.6);
    expect(await search({ query: "Byzantine liturgy", min_relevance: 0.25 }, own)).toMatchObject({
      results: [],
      omitted: 0,
      below_min_relevance: expect.any(Number),
      degraded: [],
    });
    const neighbors = { before: 0, after: 0 };
    const all = await search({ query: "walrus", min_relevance: 0, limit: 50, neighbors }, own);
    expect(all.results).toHaveLength(8);
  });
});

test("every match has the offsets of its words, and none if only its speaker's name matches", async () => {
  const own = await createOrganization();
  await seedConversation(own, [
    { role: "user", name: "Ada", content: "🎉 The kettle leaks, the Kettles all leak." },
    { role: "assistant", content: "Send it back." },
  ]);
  const { results } = await search({ query: "kettle, or what Ada said", mode: "keyword" }, own);
  const [result] = results;
  expect(result?.matches.map(({ highlights }) => highlights)).toEqual([
    [
      { start: 7, end: 13 },
      { start: 25, end: 32 },
    ],
  ]);
  const byName = await search({ query: "ada", mode: "keyword" }, own);
  expect(byName.results[0]?.matches[0]?.highlights).toEqual([]);
});

describe("a query with a speaker's name", () => {
  test("finds that speaker's messages, also with other words, but not by words of replaced content", async () => {
    const own = await createOrganization();
    const id = await seedConversation(own, [
      { role: "user", name: "Zoë Walrus", content: "The kettle leaks." },
      { role: "assistant", content: "Send it back." },
    ]);
    expect(await found({ query: "walrus", mode: "keyword" }, own)).toEqual(["The kettle leaks."]);
    const { items } = await own.call(contracts.listMessages, { params: { conversation_id: id } });
    const params = { conversation_id: id, message_id: items[0]?.id ?? "" };
    await own.call(contracts.updateMessage, { params, body: { content: "It works." } });
    expect(await found({ query: "Zoe", mode: "keyword" }, own)).toEqual(["It works."]);
    expect(await found({ query: "kettle", mode: "keyword" }, own)).toEqual([]);
    await own.call(contracts.repairIndex, { body: {} });
    await new Service({}).sweep();
    expect(await found({ query: "zoe works", mode: "keyword" }, own)).toEqual(["It works."]);
  });
});

describe("hidden context, as chat imports store it,", () => {
  const query = "How does Maria like her answers about the garden?";
  const content = "Maria likes her answers short. Answers about the garden: how much water, how much sun.";
  const hidden = { role: "system", content, metadata: { hidden: true } };
  const question = { role: "user", content: "How much water does the garden need, thinks Maria?" };

  test("ranks after all other matches in every mode, however well it matches", async () => {
    const own = await createOrganization();
    // More than are read at first, in separate conversations.
    for (let i = 0; i < 30; i++) await seedConversation(own, [hidden]);
    await seedConversation(own, [question]);
    for (const mode of ["hybrid", "keyword", "semantic"]) {
      const { results } = await search({ query, mode, limit: 3, neighbors: { before: 0, after: 0 } }, own);
      expect(
        results.map(({ messages: [message] }) => message?.role),
        mode,
      ).toEqual(["user", "system", "system"]);
    }
    const { results } = await search({ query, limit: 3, priors: [] }, own);
    expect(results[0]?.messages[0]?.role).toBe("system");
  });

  test("is recognized only by role and metadata together", async () => {
    const own = await createOrganization();
    const others = [
      { ...hidden, role: "assistant" },
      { ...hidden, metadata: { hidden: "true" } },
      { ...hidden, metadata: { hidden: 1 } },
      { ...hidden, metadata: {} },
    ];
    for (const message of others) await seedConversation(own, [message]);
    const { results } = await search({ query, explain: true }, own);
    const parts = results.flatMap(({ matches }) => matches.map(({ explanation }) => explanation?.hidden));
    expect(parts).toEqual([0, 0, 0, 0]);
  });
});

describe("priors", () => {
  const said = (content: string, more: object = {}) => ({ role: "user", content, ...more });
  /** Of two messages with equal words, the one that a prior favors, and the order without the prior. */
  const pairs: [prior: contracts.SearchPrior, query: string, messages: object[], preferred: string][] = [
    [
      "answer",
      "colour of the bicycle",
      [
        said("Green.", { role: "assistant" }),
        said("Which colour has the bicycle?"),
        said("Red.", { role: "assistant" }),
      ],
      "Red.",
    ],
    [
      "question",
      "bicycle in the garage",
      [said("bicycle, garage?"), said("bicycle, garage.")],
      "bicycle, garage.",
    ],
    [
      "time",
      "when did the bicycle go",
      [said("The bicycle went away."), said("The bicycle went yesterday.")],
      "The bicycle went yesterday.",
    ],
    [
      "number",
      "how many bicycles",
      [said("There are some bicycles."), said("There are twelve bicycles.")],
      "There are twelve bicycles.",
    ],
    [
      "date",
      "bicycle on 7 May 2023",
      [
        said("bicycle one", { created_at: "2023-03-01T10:00:00Z" }),
        said("bicycle two", { created_at: "2023-05-07T10:00:00Z" }),
      ],
      "bicycle two",
    ],
    [
      "speaker",
      "what does Ada say of the bicycle",
      [said("Ada, the bicycle is here.", { name: "Bob" }), said("The bicycle, here it is.", { name: "Ada" })],
      "The bicycle, here it is.",
    ],
    [
      "hidden",
      "bicycle in the garage",
      [
        said("bicycle in the garage", { role: "system", metadata: { hidden: true } }),
        said("Where the bicycle is, in the cellar or in the garage, she did not say."),
      ],
      "Where the bicycle is, in the cellar or in the garage, she did not say.",
    ],
  ];

  test.for(pairs)(
    "%s ranks matching messages higher, and can be switched off",
    async ([prior, query, messages, preferred]) => {
      const own = await createOrganization();
      await seedConversation(own, messages as Record<string, unknown>[]);
      const scores = async (priors: contracts.SearchPrior[]) => {
        const { results } = await search(
          { query, priors, explain: true, neighbors: { before: 0, after: 0 } },
          own,
        );
        return new Map(
          results.map(({ messages: [message], score, matches: [match] }) => [
            message?.content,
            { score, part: match?.explanation?.[prior] ?? 0 },
          ]),
        );
      };
      const [off, on] = [await scores([]), await scores([prior])];
      const others = [...on.keys()].filter((content) => content !== preferred);
      for (const { part } of off.values()) expect(part).toBe(0);
      for (const other of others) expect(on.get(preferred)?.part).toBeGreaterThan(on.get(other)?.part ?? 0);
      for (const [content, { score, part }] of on)
        expect(score).toBeCloseTo((off.get(content)?.score ?? 0) + part, 10);
      // In the case of the answer prior, the question itself stays first.
      expect([...on.keys()].slice(0, prior === "answer" ? 2 : 1)).toContain(preferred);
    },
  );

  test('count "last week" from `created_before`', async () => {
    const own = await createOrganization();
    await seedConversation(own, [
      { role: "user", content: "the bicycle broke", created_at: "2024-03-05T10:00:00Z" },
      { role: "user", content: "the bicycle works", created_at: "2024-03-12T10:00:00Z" },
    ]);
    const body = { query: "the bicycle last week", priors: ["date"], explain: true };
    const parts = async (filter: object) => {
      const { results } = await search({ ...body, ...filter, neighbors: { before: 0, after: 0 } }, own);
      return Object.fromEntries(
        results.map(({ messages: [message], matches: [match] }) => [
          message?.content,
          match?.explanation?.date,
        ]),
      );
    };
    // A Wednesday: March 5 is in the week before, and March 12 soon after it.
    const then = await parts({ created_before: "2024-03-13T00:00:00Z" });
    expect(then["the bicycle broke"]).toBeGreaterThan(then["the bicycle works"] ?? 0);
    expect(Object.values(await parts({}))).toEqual([0, 0]);
  });

  test("treat a word as a name only if a speaker has that name", async () => {
    const own = await createOrganization();
    await seedConversation(own, [
      said("The mark is on the door.", { name: "Ada" }),
      said("A mark.", { name: "Bob" }),
    ]);
    const { results } = await search({ query: "mark", explain: true }, own);
    for (const { matches } of results)
      for (const { explanation } of matches) expect(explanation?.speaker).toBe(0);
  });

  test("rank messages of other speakers lower for a query with a name, but not those without a speaker", async () => {
    const own = await createOrganization();
    await seedConversation(own, [
      said("The mark is here.", { name: "Ada" }),
      said("A mark.", { name: "Bob" }),
      said("mark: 7", { role: "tool" }),
    ]);
    const { results } = await search(
      { query: "Ada's mark", explain: true, neighbors: { before: 0, after: 0 } },
      own,
    );
    const parts = results.map(({ messages: [message], matches: [match] }) => [
      message?.name,
      match?.explanation?.speaker,
    ]);
    expect(Object.fromEntries(parts)).toEqual({ Ada: 0, Bob: -1.3, null: 0 });
  });

  test("do not rank the speakers of a meeting, but those of two people, also beside a meeting", async () => {
    const own = await createOrganization();
    const names = ["Ada", "Bob", "Eve"];
    const meeting = await seedConversation(
      own,
      names.map((name) => said("The mark is here.", { name })),
    );
    const pair = await seedConversation(
      own,
      names.slice(0, 2).map((name) => said("The mark is here.", { name })),
    );
    const { results } = await search(
      { query: "Ada's mark", explain: true, neighbors: { before: 0, after: 0 } },
      own,
    );
    const speakerOf = (id: string) =>
      Object.fromEntries(
        results
          .filter(({ conversation_id }) => conversation_id === id)
          .map(({ messages: [message], matches: [match] }) => [message?.name, match?.explanation?.speaker]),
      );
    expect(speakerOf(meeting)).toEqual({ Ada: 0, Bob: 0, Eve: 0 });
    expect(speakerOf(pair)).toEqual({ Ada: 0, Bob: -1.3 });
  });

  test("return as many results as exist when they rank a whole conversation higher", async () => {
    const own = await createOrganization();
    await seedConversation(
      own,
      Array.from({ length: 80 }, (_, i) => said(`bicycle ${i}`, { name: "Ada" })),
    );
    for (let i = 0; i < 12; i++) await seedConversation(own, [said("bicycle bicycle", { name: "Bob" })]);
    const { results } = await search({ query: "Ada's bicycle", limit: 10 }, own);
    expect(results).toHaveLength(10);
    expect(new Set(results.map(({ conversation_id }) => conversation_id)).size).toBe(10);
  });

  test("apply in hybrid mode only", async () => {
    const own = await createOrganization();
    await seedConversation(own, ["The bicycle went yesterday.", "When did the bicycle go?"]);
    for (const mode of ["semantic", "keyword"]) {
      const { results } = await search({ query: "when did the bicycle go", mode, explain: true }, own);
      for (const { matches } of results) {
        for (const { explanation } of matches)
          expect(explanation).toMatchObject({ time: 0, question: 0, answer: 0 });
      }
    }
  });

  test("add up with the other parts of the explanation to the score, for any query", async () => {
    const own = await createOrganization();
    await seedConversation(own, [
      said("Who has the bicycle?", { name: "Ada", created_at: "2023-05-07T10:00:00Z" }),
      said("Bob has had two since last week.", { name: "Bob", created_at: "2023-05-08T10:00:00Z" }),
      said("In the garage they stand, 3 of them."),
    ]);
    for (const query of ["When did Ada see two bicycles on 7 May 2023?", "garage", "how many has Bob"]) {
      const { results } = await search({ query, explain: true }, own);
      const matches = results.flatMap(({ matches }) => matches);
      expect(matches.length).toBeGreaterThan(1);
      for (const { score, explanation } of matches) {
        const sum = Object.values(explanation ?? {}).reduce((total, part) => total + part, 0);
        expect(sum).toBeCloseTo(score, 10);
      }
    }
    const { results } = await search({ query: "garage" }, own);
    for (const { matches } of results)
      for (const match of matches) expect(match).not.toHaveProperty("explanation");
  });
});

describe("a search response", () => {
  let own: Caller;
  let id: string;
  beforeAll(async () => {
    own = await createOrganization();
    const contents = Array.from({ length: 12 }, (_, i) =>
      [4, 6, 11].includes(i + 1) ? `zebra ${i + 1}` : `other ${i + 1}`,
    );
    id = await seedConversation(own, contents, { title: "Zoo", tags: ["t"], external_id: "zoo" });
  });

  test("has matches with their neighbors, merges overlapping windows, and repeats no message", async () => {
    const { results } = await search(
      { query: "zebra", mode: "keyword", neighbors: { before: 1, after: 1 } },
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

  test("has k results if there are k, although windows merge", async () => {
    const many = await createOrganization();
    const contents = Array.from({ length: 400 }, (_, i) => (i % 12 < 2 ? `zebra ${i}` : `filler ${i}`));
    await seedConversation(many, contents);
    for (const mode of ["hybrid", "keyword"]) {
      const { results } = await search({ query: "zebra", mode, limit: 30 }, many);
      expect(results.length, mode).toBe(30);
    }
  });

  test("has k results if there are k, although a thousand better matches merge into two", async () => {
    const many = await createOrganization();
    for (const _ of [1, 2]) await seedConversation(many, Array(600).fill("zebra zebra"));
    for (let i = 0; i < 12; i++) await seedConversation(many, [`a zebra that is ${"very ".repeat(i)}far`]);
    const { results } = await search({ query: "zebra", mode: "keyword", limit: 14 }, many);
    expect(results.map(({ matches }) => matches.length > 1)).toEqual([true, true, ...Array(12).fill(false)]);
    expect(new Set(results.map(({ conversation_id }) => conversation_id)).size).toBe(14);
  });

  test("reports if a filter on messages left too few results by meaning", async () => {
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
    const body = { query: "apple", mode: "semantic", roles: ["tool"], limit: 10 };
    const answer = await search(body, many);
    expect([answer.results.length, answer.degraded]).toEqual([0, ["semantic_partial"]]);
  });

  test("has at most the requested tokens, and counts what does not fit", async () => {
    const all = await search({ query: "zebra", mode: "keyword", limit: 3 }, own);
    for (let max_tokens = 1; max_tokens <= all.tokens; max_tokens += 3) {
      const answer = await search({ query: "zebra", mode: "keyword", limit: 3, max_tokens }, own);
      expect(answer.tokens).toBeLessThanOrEqual(max_tokens);
      expect(answer.results.length + answer.omitted).toBe(all.results.length);
    }
  });

  test("counts the tokens of what it returns, whatever wrote it", async () => {
    const writer = await createOrganization();
    const texts = ["quokka", "quokka, the happiest animal of Rottnest Island".repeat(9), "短尾矮袋鼠 quokka"];
    const conversation_id = await seedConversation(writer, texts);
    await writer.call(contracts.forkConversation, { params: { conversation_id }, body: {} });
    const { items } = await writer.call(contracts.listMessages, { params: { conversation_id } });
    const params = { conversation_id, message_id: items[1]?.id ?? "" };
    await writer.call(contracts.updateMessage, {
      params,
      body: { content: "One quokka was counted again." },
    });
    const memory = { content: "A note about the quokka." };
    const { id: memory_id } = await writer.call(contracts.createMemory, { body: memory });
    await writer.call(contracts.createMemory, { body: { content: "A second quokka." } });
    const content = "The quokka of this note has another, much longer text now.";
    await writer.call(contracts.updateMemory, { params: { memory_id }, body: { content } });
    const body = { query: "quokka", mode: "keyword", in: ["conversations", "memories"], limit: 50 };
    const { results, tokens } = (await search(body, writer)) as SearchAnswer;
    const contents = results.flatMap((result) =>
      result.type === "memory" ? [result.memory.content] : result.messages.map(({ content }) => content),
    );
    expect(contents).toHaveLength(8);
    expect(contents).toContain(content);
    expect(tokens).toBe(contents.reduce((sum, text) => sum + countModelTokens(text), 0));
  });

  test("of an empty organization has no results, and is not degraded", async () => {
    const answer = await search({ query: "anything" }, await createOrganization());
    expect(answer).toEqual({
      ...{ results: [], degraded: [], pending: 0 },
      ...{ tokens: 0, omitted: 0, below_min_relevance: 0 },
    });
  });
});
