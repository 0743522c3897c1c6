import * as contracts from "@engram/spec";
import { beforeAll, describe, expect, test } from "vitest";
import { type Caller, createOrganization, seedConversation } from "../support/client.ts";

const search = (body: object, by: Caller) => by.call(contracts.search, { body });
/** Contents of the messages that matched, best first. */
const found = async (body: object, by: Caller): Promise<string[]> => {
  const { results } = await search({ context: { before: 0, after: 0 }, limit: 50, ...body }, by);
  return results.flatMap(({ messages }) => messages.map(({ content }) => content));
};

describe("code is found as people look for it", () => {
  let own: Caller;
  const texts = {
    camel: "It throws in fetchUserById(42).",
    capitals: "It says ERR_CONN_RESET again.",
    other: "ERR_CONN_REFUSED means that nobody listens; reset it.",
    path: "Look into src/services/search-index.ts, line 12.",
    uuid: "Request 550e8400-e29b-41d4-a716-446655440000 was slow.",
    nearUuid: "Request 550e8400-e29b-41d4-a716-446655449999 was fast.",
    version: "Since v2.10.3 it is mended.",
    nearVersion: "In 3.2.10 it broke.",
    address: "The box answers at 10.0.12.7 now.",
    package: "We took @hono/zod-openapi for it.",
  };
  beforeAll(async () => {
    own = await createOrganization();
    await seedConversation(own, Object.values(texts));
  });

  test.for([
    ["fetchUserById", "camel"],
    ["fetchuserbyid", "camel"],
    ["fetch_user_by_id", "camel"],
    ["FetchUserByID", "camel"],
    ["fetch user", "camel"],
    ["ERR_CONN_RESET", "capitals"],
    ["errConnReset", "capitals"],
    ["src/services/search-index.ts", "path"],
    ["search-index.ts", "path"],
    ["services", "path"],
    ["550e8400-e29b-41d4-a716-446655440000", "uuid"],
    ["550e8400-e29b-41d4-a716-446655449999", "nearUuid"],
    ["2.10.3", "version"],
    ["v2.10.3", "version"],
    ["3.2.10", "nearVersion"],
    ["10.0.12.7", "address"],
    ["@hono/zod-openapi", "package"],
    ["zodOpenapi", "package"],
  ] as [string, keyof typeof texts][])("%s", async ([query, name]) => {
    for (const mode of ["keyword", "hybrid"]) {
      expect((await found({ query, mode }, own))[0], mode).toBe(texts[name]);
    }
  });
});

describe("phrases and exclusions", () => {
  let own: Caller;
  beforeAll(async () => {
    own = await createOrganization();
    await createOrganization().then((other) => seedConversation(other, ["the red panda sleeps"]));
    await seedConversation(own, [
      "The red panda eats bamboo.",
      "A panda, red with anger, ran off.",
      "That panda is red.",
      "Red Pandas climb.",
      "東京都に住んでいます。",
      "都に東京は無い。",
      { role: "user", name: "Panda", content: "My jacket is red" },
      "Look at getRed now",
    ]);
  });

  test("a phrase must stand so in what words find, in any form of its words", async () => {
    expect(await found({ query: '"red panda"', mode: "keyword" }, own)).toEqual(
      expect.arrayContaining(["The red panda eats bamboo.", "Red Pandas climb."]),
    );
    expect(await found({ query: '"red panda"', mode: "keyword" }, own)).toHaveLength(2);
    expect(await found({ query: '"red panda" "eats bamboo"', mode: "keyword" }, own)).toEqual([
      "The red panda eats bamboo.",
    ]);
    expect(await found({ query: '"is red"', mode: "keyword" }, own)).toHaveLength(2);
    expect(await found({ query: '"東京都"', mode: "keyword" }, own)).toEqual(["東京都に住んでいます。"]);
    expect(await found({ query: '"panda red panda"', mode: "keyword" }, own)).toEqual([]);
  });

  test("reaches neither from a text into its speaker's name nor into what identifiers are found by", async () => {
    expect(await found({ query: '"jacket is red"', mode: "keyword" }, own)).toEqual(["My jacket is red"]);
    expect(await found({ query: '"is red panda"', mode: "keyword" }, own)).toEqual([]);
    expect(await found({ query: '"now get"', mode: "keyword" }, own)).toEqual([]);
    expect(await found({ query: '"getRed now"', mode: "keyword" }, own)).toEqual(["Look at getRed now"]);
  });

  test("a phrase lifts what holds it, and loses nothing, where meaning is searched too", async () => {
    const all = await found({ query: '"panda is red"' }, own);
    expect(all[0]).toBe("That panda is red.");
    expect(all).toHaveLength(8);
    const { results } = await search({ query: '"panda is red"', explain: true }, own);
    const parts = results.flatMap(({ matches }) => matches.map(({ explanation }) => explanation?.phrase));
    expect(parts.filter((part) => part === 1)).toHaveLength(1);
    expect(parts.filter((part) => part === 0).length).toBeGreaterThan(2);
  });

  test("leaves out what an exclusion says, in hybrid and keyword mode, in any form of its words", async () => {
    for (const mode of ["hybrid", "keyword"]) {
      const contents = await found({ query: "panda -climbing", mode }, own);
      expect(contents, mode).toContain("That panda is red.");
      expect(contents, mode).not.toContain("Red Pandas climb.");
      const phrase = await found({ query: 'panda -"red panda" -anger', mode }, own);
      expect(phrase, mode).toContain("That panda is red.");
      for (const gone of [
        "The red panda eats bamboo.",
        "Red Pandas climb.",
        "A panda, red with anger, ran off.",
      ])
        expect(phrase, mode).not.toContain(gone);
    }
    expect(await found({ query: "panda -climbing", mode: "semantic" }, own)).toContain("Red Pandas climb.");
  });

  test("as many come back as there are, though most of what ranks high is left out", async () => {
    const many = await createOrganization();
    const texts = Array.from(
      { length: 60 },
      (_, i) => `walrus ${i % 3 === 0 ? "herring" : "walrus walrus"} ${i}`,
    );
    await seedConversation(many, texts);
    for (const query of ['walrus "walrus herring"', "walrus -herring -nothing"]) {
      const wanted = texts.filter((text) => text.includes("herring") === query.includes('"'));
      expect((await found({ query, mode: "keyword" }, many)).sort()).toEqual(wanted.sort());
    }
  });

  test("a phrase of more than 32 words counts as plain words, which `degraded` says, and is refused in keyword mode", async () => {
    for (const sign of ["", "-"]) {
      const query = `${sign}"${"red ".repeat(33)}" panda`;
      const { results, degraded } = await search({ query, context: { before: 0, after: 0 } }, own);
      expect(degraded).toEqual(["phrase_too_long"]);
      expect(results.length).toBeGreaterThan(2);
      const problem = await own.fail(contracts.search, { body: { query, mode: "keyword" } });
      expect(problem).toMatchObject({ code: "validation_failed", errors: [{ path: "query" }] });
      expect((await search({ query, mode: "semantic" }, own)).degraded).toEqual([]);
    }
    const { degraded } = await search({ query: `"${"red ".repeat(32)}"`, mode: "keyword" }, own);
    expect(degraded).toEqual([]);
  });

  test.for([
    '"',
    '""',
    '" "',
    "-",
    "--",
    '-"',
    '-""',
    '"-red"',
    '-"red" -panda',
    '"red\u0000panda" -x\u0000y',
    '"a" '.repeat(2_000),
    "-ab ".repeat(2_000),
    "“red” -“panda",
  ])("is never an error: %j", async (query) => {
    for (const mode of ["hybrid", "semantic", "keyword"]) await search({ query, mode }, own);
  });
});
