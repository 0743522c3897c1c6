import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { interceptCalls } from "../../src/platform/database-calls.ts";
import { type Caller, createKey, createOrganization, seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import { conversation, message, send } from "../support/imports.ts";
import { Clock, Service, selectRow } from "../support/invocations.ts";
import { captureLog } from "../support/log.ts";

const LIMITS = { wordsAtOnceCharacters: 400 };
const OVERDUE_MS = 61_000;
const INSERTS_WORDS = /INSERT(?: OR REPLACE)? INTO message_(?:words|phrases)/;
/** Its word `again` is repeated too often to be indexed each time, so that its text has phrase rows too. */
const LONG = `${"again and ".repeat(40)} the zeppelin lands at noon`;
const MESSAGES = ["one", "two", "three"].map((word) => ({
  role: "user" as const,
  content: `${word} ${LONG}`,
}));

async function open() {
  const owner = await createOrganization();
  const database = {
    failsAt: null as RegExp | null,
    characters: [] as number[],
    beforeWords: async () => {},
  };
  const DB = interceptCalls(env.DB as never, async ({ statements }, execute) => {
    if (statements.some(({ sql }) => database.failsAt?.test(sql))) throw new Error("D1_ERROR: storage reset");
    if (statements.some(({ sql }) => INSERTS_WORDS.test(sql))) await database.beforeWords();
    const inserts = statements.filter(({ sql }) => INSERTS_WORDS.test(sql));
    const characters = inserts.flatMap(({ values }) => values).map((value) => String(value).length);
    if (inserts.length > 0) database.characters.push(characters.reduce((sum, length) => sum + length, 0));
    return execute();
  }) as unknown as D1Database;
  const clock = new Clock();
  const service = new Service({ DB }, clock, LIMITS);
  return { owner, database, clock, service, caller: service.callerOf(owner.secret) };
}

const find = (caller: Caller, query: string) =>
  caller.call(contracts.search, {
    body: { query, mode: "keyword" as const, limit: 50, neighbors: { before: 0, after: 0 } },
  });

const countFound = async (caller: Caller, query: string): Promise<number> => {
  const { results } = await find(caller, query);
  return results.flatMap(({ messages }) => messages).length;
};

const countLate = async (): Promise<number> =>
  (await selectRow<{ count: number }>("SELECT count(*) AS count FROM late_words")).count;

describe("the index terms of a large write", () => {
  test.for([
    [
      "an append",
      (caller: Caller, id: string) =>
        caller.call(contracts.appendMessages, {
          params: { conversation_id: id },
          body: { messages: MESSAGES },
        }),
    ],
    [
      "a replacement",
      (caller: Caller, id: string) =>
        caller.call(contracts.replaceMessages, {
          params: { conversation_id: id },
          body: { expected_last_sequence: 1, from_sequence: 1, messages: MESSAGES },
        }),
    ],
    [
      "an import",
      (caller: Caller) =>
        send(caller, [
          conversation("7"),
          ...MESSAGES.map(({ content }, i) => ({ ...message("7", i + 1), content })),
        ]),
    ],
  ] as const)("are inserted in several transactions, all before the response: %s", async ([, write]) => {
    const { owner, database, caller } = await open();
    const id = await seedConversation(owner, ["first"]);
    await write(caller, id);
    expect(database.characters.length).toBeGreaterThan(MESSAGES.length);
    expect(Math.max(...database.characters)).toBeLessThan(2 * LONG.length);
    expect(await countFound(caller, "zeppelin")).toBe(MESSAGES.length);
    expect(await countFound(caller, '"again the zeppelin"')).toBe(0);
    expect(await countFound(caller, '"again and the zeppelin lands"')).toBe(MESSAGES.length);
    expect(await countLate()).toBe(0);
  });

  test("of a fork or of memories are inserted before the response too", async () => {
    const { owner, caller } = await open();
    const id = await seedConversation(
      owner,
      MESSAGES.map(({ content }) => content),
    );
    await caller.call(contracts.forkConversation, { params: { conversation_id: id }, body: {} });
    expect(await countFound(caller, "zeppelin")).toBe(2 * MESSAGES.length);
    const memories = MESSAGES.map(({ content }) => ({ content }));
    await caller.call(contracts.createMemories, { body: { memories } });
    const found = await caller.call(contracts.searchMemories, {
      body: { query: "zeppelin", mode: "keyword" },
    });
    expect(found.results).toHaveLength(MESSAGES.length);
    expect(await countLate()).toBe(0);
  });
});

test.for([
  [
    "an append",
    (caller: Caller, id: string) =>
      caller.fetch(contracts.appendMessages, {
        params: { conversation_id: id },
        body: { messages: MESSAGES },
      }),
  ],
  [
    "a bulk capture",
    (caller: Caller) =>
      caller.fetch(contracts.createMemories, {
        body: { memories: MESSAGES.map(({ content }) => ({ content })) },
      }),
  ],
] as const)(
  "a write succeeds if its key is revoked while its index terms are inserted: %s",
  async ([, write]) => {
    const { owner, database, service } = await open();
    const key = await createKey(owner, { scopes: ["write"] });
    const id = await seedConversation(owner, ["first"]);
    database.beforeWords = async () => {
      await owner.call(contracts.revokeKey, { params: { key_id: key.keyId } });
    };
    expect((await write(service.callerOf(key.secret), id)).ok).toBe(true);
    expect(await countLate()).toBe(0);
  },
);

test("a fork that is stored is not answered with 401 if its key is revoked and the database fails afterwards", async () => {
  const { owner, database, service, clock } = await open();
  const key = await createKey(owner, { scopes: ["read", "write"] });
  const conversation_id = await seedConversation(
    owner,
    MESSAGES.map(({ content }) => content),
  );
  database.beforeWords = async () => {
    await owner.call(contracts.revokeKey, { params: { key_id: key.keyId } });
    throw new Error("D1_ERROR: storage reset");
  };
  const { status } = await service.fetch(key.secret, contracts.forkConversation, {
    params: { conversation_id },
    body: {},
    headers: { "Idempotency-Key": "once" },
  });
  expect(status).toBeGreaterThanOrEqual(500);
  database.beforeWords = async () => {};
  clock.advance(OVERDUE_MS);
  await service.sweep();
  expect(await countLate()).toBe(0);
});

describe("a write that failed before its index terms were inserted", () => {
  async function fail() {
    const opened = await open();
    const id = await seedConversation(opened.owner, ["first"]);
    const append = (): Promise<Response> =>
      opened.service.fetch(opened.owner.secret, contracts.appendMessages, {
        params: { conversation_id: id },
        body: { messages: MESSAGES },
        headers: { "Idempotency-Key": "once" },
      });
    opened.database.failsAt = INSERTS_WORDS;
    expect((await append()).ok).toBe(false);
    opened.database.failsAt = null;
    expect(await find(opened.caller, "zeppelin")).toMatchObject({
      results: [],
      degraded: ["keyword_partial"],
    });
    expect(await countLate()).toBe(MESSAGES.length);
    return { ...opened, id, append };
  }

  test("is completed by its repeat", async () => {
    const { append, caller } = await fail();
    expect((await append()).status).toBe(201);
    expect(await countFound(caller, "zeppelin")).toBe(MESSAGES.length);
    expect(await countFound(caller, '"again and the zeppelin lands"')).toBe(MESSAGES.length);
  });

  test("is completed by importing the same lines again, although they are stored already", async () => {
    const { database, caller } = await open();
    const lines = [
      conversation("8"),
      ...MESSAGES.map(({ content }, i) => ({ ...message("8", i + 1), content })),
    ];
    database.failsAt = INSERTS_WORDS;
    await expect(send(caller, lines)).rejects.toThrow();
    database.failsAt = null;
    expect(await send(caller, lines)).toMatchObject({ messages: { created: 0, existing: MESSAGES.length } });
    expect(await countFound(caller, "zeppelin")).toBe(MESSAGES.length);
  });

  test("is completed by the sweep a minute later", async () => {
    const { caller, clock, service } = await fail();
    await service.sweep();
    expect(await countFound(caller, "zeppelin")).toBe(0);
    clock.advance(OVERDUE_MS);
    await service.sweep();
    expect(await countFound(caller, "zeppelin")).toBe(MESSAGES.length);
    expect(await countFound(caller, '"again and the zeppelin lands"')).toBe(MESSAGES.length);
    expect(await countLate()).toBe(0);
  });

  test("is completed even if one of its messages cannot be decompressed", async () => {
    const { owner, clock, service, caller } = await fail();
    await env.DB.prepare(
      "UPDATE messages SET content = 'x', content_encoding = 'gzip+base64' WHERE organization_id = ?1 AND sequence = 2",
    )
      .bind(owner.organizationId)
      .run();
    clock.advance(OVERDUE_MS);
    const lines = captureLog();
    await service.sweep();
    expect(lines.filter(({ event }) => event === "late words failed")).toHaveLength(1);
    expect(await countLate()).toBe(1);
    expect(await countFound(caller, "three")).toBe(1);
    await env.DB.prepare("DELETE FROM late_words").run();
  });

  test("leaves no terms of a message that was deleted or changed since", async () => {
    const { caller, clock, service, id } = await fail();
    const { items } = await caller.call(contracts.listMessages, { params: { conversation_id: id } });
    const [, changed = "", deleted = ""] = items.map((item) => item.id);
    const paramsOf = (message_id: string) => ({ conversation_id: id, message_id });
    await caller.call(contracts.updateMessage, { params: paramsOf(changed), body: { content: "a balloon" } });
    expect(await countLate()).toBe(MESSAGES.length - 1);
    await caller.call(contracts.deleteMessage, { params: paramsOf(deleted) });
    clock.advance(OVERDUE_MS);
    await service.sweep();
    expect(await countFound(caller, "zeppelin")).toBe(MESSAGES.length - 2);
    expect(await find(caller, "balloon")).toMatchObject({ results: [{}], degraded: [] });
    expect(await countLate()).toBe(0);
  });
});
