import * as contracts from "@engram/spec";
import { beforeAll, describe, expect, test } from "vitest";
import { type Caller, createKey, createOrganization, seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import { open, selectRow, texts } from "../support/invocations.ts";

const search = (body: object, by: Caller) => by.call(contracts.search, { body });
/** Contents of the messages that matched, best first. */
const found = async (body: object, by: Caller): Promise<string[]> => {
  const { results } = await search({ neighbors: { before: 0, after: 0 }, limit: 50, ...body }, by);
  return results.flatMap(({ messages }) => messages.map(({ content }) => content));
};

describe("code is found by the words that people search for", () => {
  let own: Caller;
  const said = {
    camel: "It throws in fetchUserById(42).",
    capitals: "It says ERR_CONN_RESET again.",
    other: "ERR_CONN_REFUSED means that nothing listens; reset it.",
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
    await seedConversation(own, Object.values(said));
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
  ] as [string, keyof typeof said][])("%s", async ([query, name]) => {
    for (const mode of ["keyword", "hybrid"]) {
      expect((await found({ query, mode }, own))[0], mode).toBe(said[name]);
    }
  });
});

describe("words with more occurrences than one search reads", () => {
  const append = (own: Caller, conversation_id: string, contents: string[]) =>
    own.call(contracts.appendMessages, {
      params: { conversation_id },
      body: { messages: contents.map((content) => ({ role: "user", content })) },
    });
  const ask = async (own: Caller, query: string, more: object = {}) => {
    const body = { query, mode: "keyword", limit: 50, neighbors: { before: 0, after: 0 }, ...more };
    const { results, degraded } = await search(body, own);
    return { texts: results.flatMap(({ messages }) => messages.map(({ content }) => content)), degraded };
  };

  test("are found in the newest messages, and rare words in all", async () => {
    const { caller } = await open({}, { searchPostings: 20 });
    const id = await seedConversation(caller, ["walrus and zebra"]);
    await append(
      caller,
      id,
      texts(1, 30).map((text) => `walrus ${text}`),
    );
    const { texts: found, degraded } = await ask(caller, "the zebra and the walrus");
    expect(degraded).toEqual(["keyword_partial"]);
    expect(found[0]).toBe("walrus and zebra");
    // The rare word uses little of its share, so the frequent one can use the rest.
    expect(found.slice(1).sort()).toEqual(
      texts(12, 30)
        .map((text) => `walrus ${text}`)
        .sort(),
    );
    expect(await ask(caller, "the zebra")).toEqual({ texts: ["walrus and zebra"], degraded: [] });
  });

  test("are counted completely if their occurrences fit, and at most 32 per message", async () => {
    const { caller } = await open({}, { searchPostings: 20 });
    await seedConversation(caller, ["walrus", "walrus ".repeat(19), "zebra ".repeat(40)]);
    const { texts: found, degraded } = await ask(caller, "the walrus");
    expect([found.length, degraded]).toEqual([2, []]);
    expect((await ask(caller, "the zebra")).texts).toHaveLength(1);
  });

  test("are counted, for a key bound to an agent, up to the same limit, and only its agent's messages are returned", async () => {
    const { caller, service } = await open({}, { searchPostings: 10 });
    const of = (agent_id: string, contents: string[]) => seedConversation(caller, contents, { agent_id });
    await of("mine", ["walrus at first"]);
    await of(
      "other",
      texts(1, 12).map((text) => `walrus ${text}`),
    );
    await of("mine", ["walrus at last"]);
    const { secret } = await createKey(caller, { agent_id: "mine", scopes: ["search"] });
    const { texts: found, degraded } = await ask(service.callerOf(secret), "walrus");
    expect([found, degraded]).toEqual([["walrus at last"], ["keyword_partial"]]);
  });

  test("are not searched as a phrase, and as an excluded phrase leave out every message that may contain it", async () => {
    const limits = { phraseWork: 20 };
    const { caller } = await open({}, limits);
    await seedConversation(caller, [...texts(1, 11), "number message panda", "panda", "rare message number"]);
    expect(await ask(caller, '"message number"')).toEqual({ texts: [], degraded: ["keyword_partial"] });
    expect(await ask(caller, '"rare message number"')).toEqual({
      texts: ["rare message number"],
      degraded: [],
    });
    expect(await ask(caller, "panda", { exclude: ["message number"] })).toEqual({
      texts: ["panda"],
      degraded: ["keyword_partial"],
    });
    const hybrid = await ask(caller, 'panda "message number"', { mode: "hybrid" });
    expect(hybrid.degraded).toEqual(["keyword_partial"]);
    expect(hybrid.texts).toContain("panda");
  });

  test("leave out older messages if they are excluded, because only the newest are checked", async () => {
    const { caller } = await open({}, { phraseMessages: 5 });
    await seedConversation(caller, [
      "panda one",
      "panda two walrus",
      ...texts(1, 6).map((t) => `walrus ${t}`),
      "panda three",
    ]);
    expect(await ask(caller, "panda", { exclude: ["walrus"] })).toEqual({
      texts: ["panda three"],
      degraded: ["keyword_partial"],
    });
    const { texts: found } = await ask(caller, '"walrus"');
    expect(found.sort()).toEqual(
      texts(2, 6)
        .map((t) => `walrus ${t}`)
        .sort(),
    );
  });
});

describe("a message that repeats words more than 32 times", () => {
  /** Phrase rows of this organization's messages. */
  const piecesOf = async (organizationId: string, word: string): Promise<number> => {
    const found = await selectRow<{ count: number }>(
      `SELECT count(*) AS count FROM message_phrases WHERE message_phrases MATCH
         (SELECT '"' || number || '~' || ?2 || '" OR "' || number || 'm~' || ?2 || '"' FROM organizations WHERE id = ?1)`,
      organizationId,
      word,
    );
    return found.count;
  };
  const repeated = `${"walrus zebra panda ".repeat(40)}zebra walrus panda`;
  const phrase = '"zebra walrus panda"';

  test("is found by a phrase at the end of a million bytes, and not by a phrase that it does not contain", async () => {
    const own = await createOrganization();
    const words = Array.from({ length: 500 }, (_, i) => `word${i}`).join(" ");
    const content = `${`${words} `.repeat(Math.floor(990_000 / words.length))}word499 word7 word3`;
    await seedConversation(own, [content, "word499 word3 word7"]);
    const ask = async (query: string, exclude: string[] = []) =>
      (await found({ query, exclude, mode: "keyword" }, own)).map(({ length }) => length);
    expect(await ask('"word499 word7 word3"')).toEqual([content.length]);
    expect(await ask('"word499 word499 word7"', ["word3 word7"])).toEqual([content.length]);
    expect(await ask('"word3 word7"')).toEqual([19]);
    expect(await ask("word3", ["word7 word3"])).toEqual([19]);
    expect(await ask('"word7 word3" "word498 word499"')).toEqual([content.length]);
  });

  test("ranks higher with its phrase in semantic and hybrid search too", async () => {
    const own = await createOrganization();
    await seedConversation(own, ["walrus zebra panda", repeated, "panda walrus zebra"]);
    const { results } = await search({ query: phrase, explain: true }, own);
    const matches = results.flatMap((result) => result.matches);
    expect(matches.map(({ sequence, explanation }) => [sequence, explanation?.phrase]).sort()).toEqual([
      [1, 0],
      [2, 1],
      [3, 0],
    ]);
  });

  test("loses its phrase rows when it is changed or deleted, and gets them again by a repair and a fork", async () => {
    const { caller, organizationId, idle } = await open();
    const pieces = () => piecesOf(organizationId, "panda");
    const ask = async () => {
      const body = { query: phrase, mode: "keyword", in: ["conversations", "memories"], limit: 50 };
      return (await search(body, caller)).results.length;
    };
    const conversation_id = await seedConversation(caller, [repeated, "nothing of it"]);
    const { items } = await caller.call(contracts.listMessages, { params: { conversation_id } });
    const params = { conversation_id, message_id: items[0]?.id ?? "" };
    expect([await pieces(), await ask()]).toEqual([1, 1]);
    await caller.call(contracts.updateMessage, { params, body: { content: "panda" } });
    expect([await pieces(), await ask()]).toEqual([0, 0]);
    await caller.call(contracts.updateMessage, { params, body: { content: repeated } });
    expect([await pieces(), await ask()]).toEqual([1, 1]);
    await env.DB.prepare(
      "DELETE FROM message_phrases WHERE rowid IN (SELECT rowid FROM message_phrases)",
    ).run();
    expect(await pieces()).toBe(0);
    await caller.call(contracts.repairIndex, { body: { conversation_id } });
    await idle();
    expect([await pieces(), await ask()]).toEqual([1, 1]);
    const fork = await caller.call(contracts.forkConversation, { params: { conversation_id }, body: {} });
    expect([await pieces(), await ask()]).toEqual([2, 2]);
    const { id: memory_id } = await caller.call(contracts.createMemory, { body: { content: repeated } });
    expect([await pieces(), await ask()]).toEqual([3, 3]);
    await caller.call(contracts.deleteMessage, { params });
    expect([await pieces(), await ask()]).toEqual([2, 2]);
    await caller.call(contracts.deleteMemory, { params: { memory_id } });
    await caller.call(contracts.deleteConversation, { params: { conversation_id: fork.id } });
    await idle();
    expect([await pieces(), await ask()]).toEqual([0, 0]);
    const left =
      "SELECT count(*) AS count FROM message_phrases_data WHERE instr(block, CAST('panda' AS BLOB)) > 0";
    expect(await selectRow(left)).toEqual({ count: 0 });
  });

  test("is checked in a limited number of phrase rows, and left out if another row may contain an excluded phrase", async () => {
    const { caller } = await open({}, { phrasePieceWork: 3 });
    await seedConversation(caller, [repeated, repeated, "panda alone"]);
    const ask = async (query: string, exclude: string[] = []) => {
      const body = { query, exclude, mode: "keyword", neighbors: { before: 0, after: 0 } };
      const { results, degraded } = await search(body, caller);
      return {
        lengths: results.flatMap(({ messages }) => messages.map(({ content }) => content.length)),
        degraded,
      };
    };
    expect(await ask(phrase)).toEqual({ lengths: [], degraded: ["keyword_partial"] });
    // By its rarest word.
    expect(await ask("panda", ["zebra walrus panda"])).toEqual({
      lengths: [11],
      degraded: ["keyword_partial"],
    });
    expect(await ask("panda", ["zebra walrus"])).toEqual({ lengths: [11], degraded: ["keyword_partial"] });
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

  test("require words in the given order in keyword search, in any inflected form", async () => {
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

  test("do not match across a text and its speaker's name, or the extra terms of identifiers", async () => {
    expect(await found({ query: '"jacket is red"', mode: "keyword" }, own)).toEqual(["My jacket is red"]);
    expect(await found({ query: '"is red panda"', mode: "keyword" }, own)).toEqual([]);
    expect(await found({ query: '"now get"', mode: "keyword" }, own)).toEqual([]);
    expect(await found({ query: '"getRed now"', mode: "keyword" }, own)).toEqual(["Look at getRed now"]);
  });

  test("rank messages with the phrase higher in semantic and hybrid search, and leave none out", async () => {
    const all = await found({ query: '"panda is red"' }, own);
    expect(all[0]).toBe("That panda is red.");
    expect(all).toHaveLength(8);
    const { results } = await search({ query: '"panda is red"', explain: true }, own);
    const parts = results.flatMap(({ matches }) => matches.map(({ explanation }) => explanation?.phrase));
    expect(parts.filter((part) => part === 1)).toHaveLength(1);
    expect(parts.filter((part) => part === 0).length).toBeGreaterThan(2);
  });

  test("leave out excluded messages in every mode, in any inflected form", async () => {
    for (const mode of ["hybrid", "keyword", "semantic"]) {
      const contents = await found({ query: "panda", exclude: ["climbing"], mode }, own);
      expect(contents, mode).toContain("That panda is red.");
      expect(contents, mode).not.toContain("Red Pandas climb.");
      const phrase = await found({ query: "panda", exclude: ["red panda", '"anger"'], mode }, own);
      expect(phrase, mode).toContain("That panda is red.");
      for (const gone of [
        "The red panda eats bamboo.",
        "Red Pandas climb.",
        "A panda, red with anger, ran off.",
      ])
        expect(phrase, mode).not.toContain(gone);
    }
    // Without a word to search for, only vectors are searched, and the exclusion still applies.
    expect(await found({ query: "…", exclude: ["climbing"] }, own)).not.toContain("Red Pandas climb.");
  });

  test("return as many results as exist, even if most of the highest-ranked are excluded", async () => {
    const many = await createOrganization();
    const all = Array.from(
      { length: 60 },
      (_, i) => `walrus ${i % 3 === 0 ? "herring" : "walrus walrus"} ${i}`,
    );
    await seedConversation(many, all);
    for (const body of [
      { query: 'walrus "walrus herring"' },
      { query: "walrus", exclude: ["herring", "nothing"] },
    ]) {
      const wanted = all.filter((text) => text.includes("herring") === body.query.includes('"'));
      expect((await found({ ...body, mode: "keyword" }, many)).sort()).toEqual(wanted.sort());
    }
  });

  test("of more than 32 words count as plain words, which `degraded` reports, and are rejected in keyword mode", async () => {
    const query = `"${"red ".repeat(33)}" panda`;
    const { results, degraded } = await search({ query, neighbors: { before: 0, after: 0 } }, own);
    expect(degraded).toEqual(["phrase_too_long"]);
    expect(results.length).toBeGreaterThan(2);
    const problem = await own.fail(contracts.search, { body: { query, mode: "keyword" } });
    expect(problem).toMatchObject({ code: "validation_failed", errors: [{ path: "query" }] });
    expect((await search({ query, mode: "semantic" }, own)).degraded).toEqual([]);
    const whole = await search({ query: `"${"red ".repeat(32)}"`, mode: "keyword" }, own);
    expect(whole.degraded).toEqual([]);
  });

  test.for([
    ["17 items", Array<string>(17).fill("panda"), "exclude"],
    ["a text of 33 words", ["x", "a ".repeat(33)], "exclude.1"],
    ["a text without a word", ["…"], "exclude.0"],
    ["an empty text", [""], "exclude.0"],
  ] as [string, string[], string][])("reject exclusions with %s", async ([, exclude, path]) => {
    const problem = await own.fail(contracts.search, { body: { query: "panda", exclude } });
    expect(problem).toMatchObject({ code: "validation_failed", errors: [{ path }] });
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
  ])("never cause an error: %j", async (query) => {
    for (const mode of ["hybrid", "semantic", "keyword"]) await search({ query, mode }, own);
  });
});

describe("a command is found exactly as it was written, in every mode", () => {
  let own: Caller;
  const said = {
    clean: "To clean the build, run rm -rf dist before deploying.",
    unpack: "Then unpack it with tar -xzf app.tgz and start the server.",
    port: "If it is slow, forward the port with ssh -NL 8080:localhost:80 box.",
    cold: "In January it was -12 degrees in the server room.",
  };
  beforeAll(async () => {
    own = await createOrganization();
    // Each in a separate conversation, so that each has its own vector.
    for (const text of Object.values(said)) await seedConversation(own, [text]);
    await seedConversation(own, ["We talked about the garden and its roses for hours."]);
  });

  test.for([
    ["rm -rf dist", "clean"],
    ["What was it with rm -rf dist?", "clean"],
    ["-rf", "clean"],
    ["tar -xzf app.tgz", "unpack"],
    ["ssh -NL 8080:localhost:80 box", "port"],
    ["was it -12 degrees?", "cold"],
    ['run "rm -rf dist"', "clean"],
    ["rm \u2013rf dist", "clean"],
  ] as [string, keyof typeof said][])("%s", async ([query, name]) => {
    for (const mode of ["keyword", "hybrid", "semantic"]) {
      const body = { query, mode, limit: 10, neighbors: { before: 0, after: 0 } };
      const { results, degraded } = await search(body, own);
      const [first] = results.flatMap(({ messages }) => messages.map(({ content }) => content));
      expect([first, degraded], mode).toEqual([said[name], []]);
    }
  });
});
