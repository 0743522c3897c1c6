import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import {
  appendText,
  type Caller,
  createKey,
  createOrganization,
  readPages,
  seedConversation,
} from "../support/client.ts";
import { databaseWith } from "../support/deletions.ts";
import { env } from "../support/env.ts";
import { exportOnce } from "../support/exports.ts";
import { send } from "../support/imports.ts";
import { Clock, Service, selectRows, sweepUntilIdle } from "../support/invocations.ts";

const ALL: contracts.Scope[] = ["read", "write", "search", "delete"];
const SAID = ["I moved to Lisbon.", "Please refund my card 🎉, never store credit.", "Thanks!"];

interface Said {
  caller: Caller & { organizationId: string };
  conversation_id: string;
  ids: string[];
}

/** A conversation of three messages. */
async function say(conversation: object = {}, caller?: Said["caller"]): Promise<Said> {
  const own = caller ?? (await createOrganization());
  const conversation_id = await seedConversation(own, SAID, { ...conversation });
  const { items } = await own.call(contracts.listMessages, { params: { conversation_id } });
  return { caller: own, conversation_id, ids: items.map(({ id }) => id) };
}

const capture = (caller: Caller, sources: unknown, more: object = {}) =>
  caller.call(contracts.createMemory, { body: { content: "Wants refunds on the card.", sources, ...more } });
const refuse = async (caller: Caller, sources: unknown, more: object = {}) => {
  const body = { content: "Wants refunds on the card.", sources, ...more };
  const { status, code, errors } = await caller.fail(contracts.createMemory, { body });
  return { status, code, path: errors?.[0]?.path };
};
const read = async (caller: Caller, memory_id: string) =>
  (await caller.call(contracts.getMemory, { params: { memory_id } })).sources;
const settle = (caller: Caller, on_source_deleted: string) =>
  caller.call(contracts.updateOrganization, {
    params: { organization_id: "current" },
    body: { on_source_deleted },
  });
const eventsOf = async (caller: Caller, memory_id: string) => {
  const { items } = await caller.call(contracts.listEvents, { query: { limit: 500 } });
  return items.filter((event) => event.memory_id === memory_id).map(({ type }) => type);
};
const etagOf = async (caller: Caller, memory_id: string) =>
  (await caller.fetch(contracts.getMemory, { params: { memory_id } })).headers.get("etag");

describe("a memory", () => {
  test("cites a message by its id or by its place, whole, by quotation or by range", async () => {
    const { caller, conversation_id, ids } = await say();
    const { id, sources } = await capture(caller, [
      { message_id: ids[1], quote: "refund my card 🎉" },
      { conversation_id, sequence: 2, start: 14, end: 21 },
      { message_id: ids[0] },
    ]);
    const place = (sequence: number) => ({ conversation_id, message_id: ids[sequence - 1], sequence });
    expect(sources).toEqual([
      { ...place(2), quote: "refund my card 🎉", start: 7, end: 24, state: "intact" },
      { ...place(2), quote: "my card", start: 14, end: 21, state: "intact" },
      { ...place(1), quote: null, start: null, end: null, state: "intact" },
    ]);
    expect(await read(caller, id)).toEqual(sources);
    const { items } = await caller.call(contracts.listMemories);
    expect(items[0]?.sources).toEqual(sources);
    const { results } = await caller.call(contracts.searchMemories, {
      body: { query: "refunds card", mode: "keyword" },
    });
    expect(results[0]?.memory.sources).toEqual(sources);
  });

  test("captured, put or updated with sources has those of the request, and keeps them otherwise", async () => {
    const { caller, ids } = await say();
    const first = [{ message_id: ids[0] }];
    const { id: memory_id } = await capture(caller, first);
    // The same content again changes nothing but the time.
    expect((await capture(caller, [{ message_id: ids[1] }])).sources[0]?.message_id).toBe(ids[0]);
    const update = async (body: object) =>
      (await caller.call(contracts.updateMemory, { params: { memory_id }, body })).sources.map(
        ({ message_id }) => message_id,
      );
    expect(await update({ tags: ["a"] })).toEqual([ids[0]]);
    expect(await update({ sources: [{ message_id: ids[2] }, { message_id: ids[1] }] })).toEqual([
      ids[2],
      ids[1],
    ]);
    expect(await update({ sources: [] })).toEqual([]);
    const put = async (sources?: unknown) => {
      const body = { external_id: "refunds", content: "On the card.", ...(sources ? { sources } : {}) };
      return (await caller.call(contracts.putMemory, { body })).sources.map(({ message_id }) => message_id);
    };
    expect(await put(first)).toEqual([ids[0]]);
    expect(await put([{ message_id: ids[1] }])).toEqual([ids[1]]);
    expect(await put()).toEqual([]);
  });

  test("of a bulk capture has its own sources, and one bad source stores none of them", async () => {
    const { caller, ids } = await say();
    const memories = [
      { content: "one", sources: [{ message_id: ids[0], quote: "Lisbon" }] },
      { content: "two" },
      { content: "three", sources: [{ message_id: ids[1] }, { message_id: ids[0] }] },
    ];
    const bad = [
      ...memories,
      { content: "four", sources: [{ message_id: ids[0] }, { message_id: "msg_x" }] },
    ];
    const problem = await caller.fail(contracts.createMemories, { body: { memories: bad } });
    expect(problem).toMatchObject({ status: 400, errors: [{ path: "memories.3.sources.1" }] });
    expect((await caller.call(contracts.listMemories)).items).toEqual([]);
    const { items } = await caller.call(contracts.createMemories, { body: { memories } });
    const cited = await Promise.all(items.map(({ id }) => read(caller, id ?? "")));
    expect(cited.map((sources) => sources.map(({ message_id }) => message_id))).toEqual([
      [ids[0]],
      [],
      [ids[1], ids[0]],
    ]);
  });

  test("is refused with the place of a source that is not as it says, and nothing is stored", async () => {
    const { caller, conversation_id, ids } = await say();
    const invalid = { status: 400, code: "validation_failed" };
    const good = { message_id: ids[0] };
    for (const [source, path] of [
      [{ message_id: ids[1], quote: "refund my Card" }, "sources.1.quote"],
      [{ message_id: ids[1], start: 0, end: 99 }, "sources.1.end"],
      // Half of a character.
      [{ message_id: ids[1], start: 0, end: 23 }, "sources.1"],
      [{ message_id: "msg_00000000000000000000" }, "sources.1"],
      [{ conversation_id, sequence: 4 }, "sources.1"],
      [{ conversation_id }, "sources.1"],
      [{}, "sources.1"],
      [{ message_id: ids[1], conversation_id, sequence: 2 }, "sources.1"],
      [{ message_id: ids[1], quote: "card", start: 1, end: 2 }, "sources.1"],
      [{ message_id: ids[1], start: 5, end: 5 }, "sources.1"],
      [{ message_id: ids[1], quote: "x".repeat(2_001) }, "sources.1.quote"],
    ] as const) {
      expect([source, await refuse(caller, [good, source])]).toEqual([source, { ...invalid, path }]);
    }
    expect(
      await refuse(
        caller,
        Array.from({ length: 33 }, () => good),
      ),
    ).toEqual({ ...invalid, path: "sources" });
    expect((await caller.call(contracts.listMemories)).items).toEqual([]);
    expect(
      await selectRows("SELECT 1 FROM memory_sources WHERE organization_id = ?1", caller.organizationId),
    ).toEqual([]);
    const { id: memory_id } = await capture(caller, [good]);
    const request = { params: { memory_id }, body: { tags: ["a"], sources: [{ message_id: "msg_x" }] } };
    expect(await caller.fail(contracts.updateMemory, request)).toMatchObject(invalid);
    const memory = await caller.call(contracts.getMemory, { params: { memory_id } });
    expect(memory).toMatchObject({ tags: [], sources: [good] });
  });

  test("is captured again by a repeated request after its message was deleted", async () => {
    const { caller, ids, conversation_id } = await say();
    const headers = { "idempotency-key": "once" };
    const request = { body: { content: "Lives in Lisbon.", sources: [{ message_id: ids[0] }] }, headers };
    const { id } = await caller.call(contracts.createMemory, request);
    await caller.call(contracts.deleteMessage, { params: { conversation_id, message_id: ids[0] ?? "" } });
    expect((await caller.call(contracts.createMemory, request)).id).toBe(id);
    const other = { ...request, headers: { "idempotency-key": "twice" } };
    expect(await caller.fail(contracts.createMemory, other)).toMatchObject({ status: 400 });
  });

  test("is found by the conversations and messages that it cites, also once they are deleted", async () => {
    const { caller, conversation_id, ids } = await say();
    const other = await say({}, caller);
    const found = async (query: Record<string, string>) => {
      const pages = await readPages(caller, contracts.listMemories, {
        query: { limit: "1", order: "asc", ...query },
      });
      return pages.flatMap(({ items }) => items.map(({ content }) => content));
    };
    await capture(caller, [{ message_id: ids[0] }], { content: "one" });
    await capture(caller, [{ message_id: ids[0] }, { message_id: ids[1] }], { content: "two" });
    await capture(caller, [{ message_id: other.ids[0] }, { message_id: ids[1] }], { content: "three" });
    await capture(caller, [], { content: "four" });
    const query = { source_conversation_id: conversation_id };
    const expectAll = async () => {
      expect(await found(query)).toEqual(["one", "two", "three"]);
      expect(await found({ source_conversation_id: other.conversation_id })).toEqual(["three"]);
      expect(await found({ source_message_id: ids[0] ?? "" })).toEqual(["one", "two"]);
      expect(await found({ source_message_id: ids[1] ?? "", ...query })).toEqual(["two", "three"]);
      expect(await found({ source_message_id: ids[2] ?? "" })).toEqual([]);
    };
    await expectAll();
    await caller.call(contracts.deleteConversation, { params: { conversation_id } });
    await expectAll();
    const counted = { query: { ...query, include_total: true } };
    expect(await caller.call(contracts.listMemories, counted)).toMatchObject({ total: 3 });
  });
});

describe("a source of another owner", () => {
  test("is refused like one that does not exist: of another organization, agent or user, or of a memory", async () => {
    const { caller, ids } = await say();
    const stranger = await createOrganization();
    const { id } = await capture(caller, []);
    const absent = await caller.fail(contracts.createMemory, {
      body: { content: "x", sources: [{ message_id: "msg_x" }] },
    });
    const [row] = await selectRows<{ id: string }>("SELECT id FROM messages WHERE conversation_id = ?1", id);
    const bound = async (body: object) => createKey(caller, { scopes: ALL, ...body });
    const ofBot = await say({ agent_id: "bot" }, caller);
    const ofMaria = await say({ user_id: "maria" }, caller);
    const cases: [Caller, string | undefined, object][] = [
      [stranger, ids[0], {}],
      [caller, row?.id, {}],
      [await bound({ agent_id: "other" }), ofBot.ids[0], {}],
      [await bound({ agent_id: "other" }), ids[0], {}],
      [await bound({ user_id: "jon" }), ofMaria.ids[0], {}],
      [await bound({ user_id: "jon" }), ids[0], {}],
      // A memory of no user, and one of another user.
      [caller, ofMaria.ids[0], {}],
      [caller, ofMaria.ids[0], { user_id: "jon" }],
    ];
    for (const [one, message_id, more] of cases) {
      const body = { content: "x", sources: [{ message_id, quote: "Lisbon" }], ...more };
      const { request_id: _, ...problem } = await one.fail(contracts.createMemory, { body });
      const { request_id: __, ...same } = absent;
      expect(problem).toEqual(same);
    }
    for (const [one, message_id, more] of [
      [await bound({ agent_id: "bot" }), ofBot.ids[0], {}],
      [await bound({ user_id: "maria" }), ofMaria.ids[0], {}],
      [caller, ofMaria.ids[0], { user_id: "maria", content: "y" }],
      [caller, ids[0], { user_id: "maria", content: "z" }],
    ] as const)
      expect(await capture(one, [{ message_id }], more)).toMatchObject({ sources: [{ message_id }] });
  });

  test("cannot be added to a memory of no user by an update, unless the memory gets that user", async () => {
    const { caller, ids } = await say({ user_id: "maria" });
    const { id: memory_id } = await capture(caller, []);
    const sources = [{ message_id: ids[0] }];
    const update = { params: { memory_id }, body: { sources } };
    expect(await caller.fail(contracts.updateMemory, update)).toMatchObject({ status: 400 });
    const given = { params: { memory_id }, body: { sources, user_id: "maria" } };
    expect(await caller.call(contracts.updateMemory, given)).toMatchObject({ sources });
    const absent = { params: { memory_id: "mem_x" }, body: { sources } };
    expect(await caller.fail(contracts.updateMemory, absent)).toMatchObject({ status: 404 });
  });

  test("lists no memory of others by a message or a conversation", async () => {
    const { caller, ids, conversation_id } = await say({ agent_id: "bot" });
    await capture(caller, [{ message_id: ids[0] }], { agent_id: "bot" });
    const other = await createKey(caller, { scopes: ALL, agent_id: "other" });
    const queries: Record<string, string>[] = [
      { source_message_id: ids[0] ?? "" },
      { source_conversation_id: conversation_id },
    ];
    for (const query of queries) {
      for (const one of [other, await createOrganization()])
        expect((await one.call(contracts.listMemories, { query })).items).toEqual([]);
      expect((await caller.call(contracts.listMemories, { query })).items).toHaveLength(1);
    }
  });
});

const DELETED = { quote: null, start: null, end: null, state: "deleted" };

/** Every deletion of the second message, and whether the response counts the memories that cite it. */
const DELETIONS: [
  string,
  (said: Said) => Promise<{ memories_flagged?: number; memories_deleted?: number }>,
][] = [
  [
    "one message",
    async ({ caller, conversation_id, ids }) =>
      caller.call(contracts.deleteMessage, { params: { conversation_id, message_id: ids[1] ?? "" } }),
  ],
  [
    "a suffix",
    async ({ caller, conversation_id }) => {
      const body = { expected_last_sequence: 3, from_sequence: 2, messages: [] };
      await caller.call(contracts.replaceMessages, { params: { conversation_id }, body });
      return {};
    },
  ],
  [
    "the conversation",
    async ({ caller, conversation_id }) =>
      caller.call(contracts.deleteConversation, { params: { conversation_id } }),
  ],
  [
    "conversations by a filter",
    async ({ caller }) =>
      caller.call(contracts.deleteConversations, { body: { filter: { tags_any: ["old"] } } }),
  ],
  ["the user", async ({ caller }) => caller.call(contracts.deleteUser, { params: { user_id: "maria" } })],
];

describe.for(DELETIONS)("after the deletion of %s", ([name, remove]) => {
  const open = async () => {
    const said = await say({ user_id: "maria", tags: ["old"] });
    const { caller, ids } = said;
    // Of another agent, and of the user only where the user is not deleted.
    const more = { user_id: "maria", agent_id: "bot", content: "cites" };
    const citing = await capture(
      caller,
      [{ message_id: ids[1], quote: "never store credit" }, { message_id: ids[1] }],
      more,
    );
    const free = await capture(caller, [], { content: "cites nothing", user_id: "maria" });
    return { ...said, citing, free };
  };

  test("a source is deleted without its text, and the memory gets a new version and an event", async () => {
    const said = await open();
    const { caller, citing, free } = said;
    const before = await etagOf(caller, citing.id);
    const freeBefore = await etagOf(caller, free.id);
    const receipt = await remove(said);
    const rows = await selectRows(
      "SELECT quote, text_start, text_end, state FROM memory_sources WHERE memory_id = ?1 ORDER BY ordinal",
      citing.id,
    );
    const stored = { quote: null, text_start: null, text_end: null, state: "deleted" };
    expect(rows).toEqual([stored, stored]);
    if (name !== "the user") {
      expect(await read(caller, citing.id)).toMatchObject([
        { message_id: said.ids[1], sequence: 2, ...DELETED },
        DELETED,
      ]);
      expect(await etagOf(caller, citing.id)).not.toBe(before);
      expect(await etagOf(caller, free.id)).toBe(freeBefore);
      expect(await eventsOf(caller, citing.id)).toEqual(["memory.created", "memory.updated"]);
    }
    if (name !== "a suffix") expect(receipt).toMatchObject({ memories_flagged: 1, memories_deleted: 0 });
  });

  test("with `keep`, only the state of the source changes", async () => {
    const said = await open();
    const { caller, citing } = said;
    expect(await settle(caller, "keep")).toMatchObject({ on_source_deleted: "keep" });
    const before = await etagOf(caller, citing.id);
    const receipt = await remove(said);
    if (name !== "the user") {
      expect(await read(caller, citing.id)).toMatchObject([DELETED, DELETED]);
      expect(await etagOf(caller, citing.id)).toBe(before);
      expect(await eventsOf(caller, citing.id)).toEqual(["memory.created"]);
    }
    if (name !== "a suffix") expect(receipt).toMatchObject({ memories_flagged: 0, memories_deleted: 0 });
  });

  test("with `delete`, the memory is deleted in the same transaction, once, and is purged", async () => {
    const said = await open();
    const { caller, citing, free } = said;
    await settle(caller, "delete");
    const receipt = await remove(said);
    expect(await caller.fail(contracts.getMemory, { params: { memory_id: citing.id } })).toMatchObject({
      status: 404,
    });
    expect(await eventsOf(caller, citing.id)).toEqual(["memory.created", "memory.deleted"]);
    if (name !== "a suffix") expect(receipt).toMatchObject({ memories_flagged: 0, memories_deleted: 1 });
    const counted = { query: { include_total: true } };
    const total = name === "the user" ? 0 : 1;
    expect(await caller.call(contracts.listMemories, counted)).toMatchObject({ total });
    if (total === 1) await read(caller, free.id);
    const clock = new Clock();
    const service = new Service({}, clock);
    await sweepUntilIdle(service, clock, caller.organizationId);
    for (const table of ["conversations", "memory_sources"]) {
      const column = table === "conversations" ? "id" : "memory_id";
      expect(await selectRows(`SELECT 1 FROM ${table} WHERE ${column} = ?1`, citing.id)).toEqual([]);
    }
  });
});

describe("after an edit of the content of a message,", () => {
  const edit = (said: Said, body: object) =>
    said.caller.call(contracts.updateMessage, {
      params: { conversation_id: said.conversation_id, message_id: said.ids[1] ?? "" },
      body,
    });

  test("a source is edited: a quotation stays as long as the message has it, without its place", async () => {
    const said = await say();
    const { caller, ids } = said;
    const { id } = await capture(caller, [
      { message_id: ids[1], quote: "never store credit" },
      { message_id: ids[1], quote: "refund my card" },
      { message_id: ids[1] },
      { message_id: ids[0], quote: "Lisbon" },
    ]);
    const before = await read(caller, id);
    // Neither metadata nor the same content is an edit.
    await edit(said, { metadata: { a: 1 } });
    await edit(said, { content: SAID[1] });
    expect(await read(caller, id)).toEqual(before);
    expect(await eventsOf(caller, id)).toEqual(["memory.created"]);
    // Long enough to be compressed.
    await edit(said, { content: `${"Oh dear. ".repeat(200)}But never store credit.` });
    const edited = { start: null, end: null, state: "edited" };
    expect(await read(caller, id)).toEqual([
      { ...before[0], ...edited },
      { ...before[1], ...edited, quote: null },
      { ...before[2], ...edited },
      before[3],
    ]);
    expect(await eventsOf(caller, id)).toEqual(["memory.created", "memory.updated"]);
    // A text that comes back is not cited again.
    await edit(said, { content: SAID[1] });
    expect((await read(caller, id)).map(({ quote }) => quote)).toEqual([
      "never store credit",
      null,
      null,
      "Lisbon",
    ]);
  });

  test("`delete` deletes a memory whose text is gone, and flags one whose text is still there", async () => {
    const said = await say();
    const { caller, ids } = said;
    await settle(caller, "delete");
    const [stays, gone, whole] = await Promise.all(
      ["never store credit", "my card", null].map((quote) =>
        capture(caller, [{ message_id: ids[1], quote }], { content: `cites ${quote}` }),
      ),
    );
    await edit(said, { content: "Refund it, but never store credit." });
    expect(await eventsOf(caller, stays?.id ?? "")).toEqual(["memory.created", "memory.updated"]);
    for (const one of [gone, whole])
      expect(await eventsOf(caller, one?.id ?? "")).toEqual(["memory.created", "memory.deleted"]);
    expect((await caller.call(contracts.listMemories)).items.map(({ id }) => id)).toEqual([stays?.id]);
  });
});

describe("while a message is cited,", () => {
  /** A service in which `before` runs once before the first batch that stores the sources. */
  const interrupted = (secret: string, before: () => Promise<unknown>) => {
    let left = 1;
    const DB = databaseWith("INSERT INTO memory_sources", async () => {
      if (left-- > 0) await before();
    });
    return new Service({ DB }, new Clock()).callerOf(secret);
  };

  test("its deletion wins whole: the memory is refused, and nothing is stored", async () => {
    const { caller, conversation_id, ids } = await say();
    const racing = interrupted(caller.secret, () =>
      caller.call(contracts.deleteMessage, { params: { conversation_id, message_id: ids[1] ?? "" } }),
    );
    expect(await refuse(racing, [{ message_id: ids[1], quote: "my card" }])).toMatchObject({ status: 400 });
    expect((await caller.call(contracts.listMemories)).items).toEqual([]);
  });

  test("its edit is seen: the quotation is of the new content, or refused", async () => {
    const { caller, conversation_id, ids } = await say();
    const racing = (content: string) =>
      interrupted(caller.secret, () =>
        caller.call(contracts.updateMessage, {
          params: { conversation_id, message_id: ids[1] ?? "" },
          body: { content },
        }),
      );
    const sources = [{ message_id: ids[1], quote: "my card" }];
    expect(await capture(racing("Now: my card."), sources)).toMatchObject({
      sources: [{ quote: "my card", start: 5, end: 12, state: "intact" }],
    });
    expect(await refuse(racing("No card."), sources, { content: "other" })).toMatchObject({ status: 400 });
  });
});

test("a source of a deleted message stays as it is when the conversation is deleted too", async () => {
  const { caller, ids, conversation_id } = await say();
  const { id } = await capture(caller, [{ message_id: ids[1], quote: "my card" }]);
  await caller.call(contracts.deleteMessage, { params: { conversation_id, message_id: ids[1] ?? "" } });
  const before = await read(caller, id);
  await caller.call(contracts.deleteConversation, { params: { conversation_id } });
  expect(await read(caller, id)).toEqual(before);
  expect(await eventsOf(caller, id)).toEqual(["memory.created", "memory.updated"]);
});

test("a fork leaves the sources where they are", async () => {
  const { caller, conversation_id, ids } = await say();
  const { id } = await capture(caller, [{ message_id: ids[1], quote: "my card" }]);
  const before = await read(caller, id);
  await caller.call(contracts.forkConversation, { params: { conversation_id }, body: {} });
  expect(await read(caller, id)).toEqual(before);
});

test("an export and an import keep all sources: those that are intact, edited and deleted", async () => {
  const { caller, conversation_id, ids } = await say();
  const quotes = ["Lisbon", "my card", "Thanks"];
  await capture(
    caller,
    quotes.map((quote, i) => ({ message_id: ids[i], quote })),
  );
  const message = (i: number) => ({ params: { conversation_id, message_id: ids[i] ?? "" } });
  await caller.call(contracts.updateMessage, { ...message(1), body: { content: "Only my card." } });
  await caller.call(contracts.deleteMessage, message(2));
  const { lines } = await exportOnce(caller);
  const other = await createOrganization();
  expect(await send(other, lines)).toMatchObject({ memories: { created: 1 }, problems: [] });
  const [memory] = (await caller.call(contracts.listMemories)).items;
  expect((await other.call(contracts.listMemories)).items).toEqual([memory]);
  expect(memory?.sources.map(({ quote, state }) => [quote, state])).toEqual([
    ["Lisbon", "intact"],
    ["my card", "edited"],
    [null, "deleted"],
  ]);
  expect((await exportOnce(other)).lines).toEqual(lines);
  // Exports from versions without sources lack the field.
  const { sources: _, ...old } = lines.find(({ type }) => type === "memory") as contracts.MemoryLine;
  const third = await createOrganization();
  await send(third, [old]);
  expect((await third.call(contracts.listMemories)).items[0]?.sources).toEqual([]);
});

test("the purge of a memory removes its sources, and leaves those of others", async () => {
  const { caller, ids } = await say();
  const cited = async (content: string) => (await capture(caller, [{ message_id: ids[0] }], { content })).id;
  const [gone, kept] = [await cited("gone"), await cited("kept")];
  await caller.call(contracts.deleteMemory, { params: { memory_id: gone } });
  const clock = new Clock();
  await sweepUntilIdle(new Service({}, clock), clock, caller.organizationId);
  const rows = await selectRows(
    "SELECT memory_id FROM memory_sources WHERE organization_id = ?1",
    caller.organizationId,
  );
  expect(rows).toEqual([{ memory_id: kept }]);
});

test("a change of the setting is an audit event, and needs the scope `admin`", async () => {
  const caller = await createOrganization();
  await settle(caller, "keep");
  const { items } = await caller.call(contracts.listAuditEvents, {
    query: { action: "organization.updated" },
  });
  expect(items).toMatchObject([{ target_id: caller.organizationId }]);
  const params = { organization_id: caller.organizationId };
  expect(await caller.call(contracts.getOrganization, { params })).toMatchObject({
    on_source_deleted: "keep",
  });
  const key = await createKey(caller, { scopes: ALL });
  const request = { params, body: { on_source_deleted: "delete" } };
  expect(await key.fail(contracts.updateOrganization, request)).toMatchObject({ status: 403 });
});

test("no statement reads or writes sources for a memory without any", async () => {
  const statements: string[] = [];
  const DB = {
    prepare: (sql: string) => {
      statements.push(sql);
      return env.DB.prepare(sql);
    },
    batch: (list: D1PreparedStatement[]) => env.DB.batch(list),
  } as unknown as D1Database;
  const { secret } = await createOrganization();
  const caller = new Service({ DB }, new Clock()).callerOf(secret);
  await capture(caller, undefined);
  const written = statements.filter((sql) => /(INTO|UPDATE|FROM) memory_sources/.test(sql));
  // Those that read a memory read its sources only if it has some.
  expect(written.every((sql) => sql.includes("CASE WHEN c.source_bytes > 0"))).toBe(true);
});

// The last one, because later sweeps would have to index its messages.
test("a memory cannot quote more content than one write may have", async () => {
  const { caller, conversation_id } = await say();
  for (const letter of ["a", "b", "c"]) await appendText(caller, conversation_id, letter.repeat(1_000_000));
  const quoted = (sequences: number[]) =>
    sequences.map((sequence) => ({ conversation_id, sequence, start: 999_000, end: 1_000_000 }));
  expect(await refuse(caller, quoted([4, 5, 6]))).toMatchObject({ status: 413, code: "payload_too_large" });
  expect((await capture(caller, quoted([4, 5]))).sources.map(({ quote }) => quote?.slice(-2))).toEqual([
    "aa",
    "bb",
  ]);
});
