import * as contracts from "@engram/spec";
import { beforeAll, describe, expect, test } from "vitest";
import {
  appendText,
  type Caller,
  createKey,
  createOrganization,
  readPages,
  seedConversation,
} from "../support/client.ts";

let caller: Caller;
beforeAll(async () => {
  caller = await createOrganization();
});

const create = (body: object = {}) => caller.call(contracts.createConversation, { body });
const get = (id: string, query: Record<string, number | string> = {}) =>
  caller.call(contracts.getConversation, { params: { conversation_id: id }, query });

describe("create conversation", () => {
  const contract = contracts.createConversation;

  test("stores every field unchanged", async () => {
    const body = {
      external_id: "ticket-1",
      title: "  Refund\u0000 😀 ",
      agent_id: "bot",
      user_id: "maria",
      tags: ["b", "a", "b"],
      metadata: { z: [1, { deep: null }], a: "x" },
    };
    const created = await create(body);
    expect(created).toMatchObject({ ...body, message_count: 0, last_sequence: 0 });
    expect(await get(created.id)).toMatchObject(body);
  });

  test("returns the existing conversation with the external id, unchanged", async () => {
    const first = await create({ external_id: "twice", title: "first" });
    const again = await caller.fetch(contract, { body: { external_id: "twice", title: "second" } });
    expect(again.status).toBe(200);
    expect(await again.json()).toEqual(first);
    expect(await caller.call(contract, { body: { external_id: "twice" } })).toEqual(first);
  });

  test("returns only a conversation of exactly the same agent and user by its external id", async () => {
    const external_id = "case-7";
    const owners: Record<string, string>[] = [
      {},
      { user_id: "bob" },
      { agent_id: "bot" },
      { user_id: "bob", agent_id: "bot" },
    ];
    const created = [];
    for (const owner of owners) created.push(await create({ external_id, ...owner }));
    expect(new Set(created.map(({ id }) => id)).size).toBe(owners.length);
    for (const [i, owner] of owners.entries()) {
      expect(await create({ external_id, ...owner })).toEqual(created[i]);
      const query = { external_id, ...owner, exact_owner: true };
      expect((await caller.call(contracts.listConversations, { query })).items).toEqual([created[i]]);
    }
    const { items } = await caller.call(contracts.listConversations, { query: { external_id } });
    expect(items).toHaveLength(owners.length);
  });

  test("neither finds nor takes an external id of another user or agent with a bound key", async () => {
    const scopes: contracts.Scope[] = ["read", "write"];
    const bob = { external_id: "case-8", user_id: "bob", agent_id: "bot" };
    for (const binding of [{ user_id: "alice" }, { agent_id: "mine" }]) {
      const bound = await createKey(caller, { scopes, ...binding });
      const body = { external_id: bob.external_id };
      // The same before and after the other's conversation exists.
      const first = await bound.call(contract, { body });
      const others = await create(bob);
      const again = await bound.call(contract, { body });
      expect(first).toMatchObject(binding);
      expect(again).toEqual(first);
      expect(others).toMatchObject(bob);
      for (const exact_owner of [true, false]) {
        const query = { ...body, exact_owner };
        expect((await bound.call(contracts.listConversations, { query })).items).toEqual([first]);
      }
    }
  });
});

describe("list conversations", () => {
  const contract = contracts.listConversations;
  let own: Caller;
  const ids: string[] = [];
  const list = async (query: Record<string, string | number | boolean | string[]>) => {
    const { items } = await own.call(contract, { query });
    return items.map(({ id }) => ids.indexOf(id));
  };
  beforeAll(async () => {
    own = await createOrganization();
    const bodies = [
      { agent_id: "bot", user_id: "maria", tags: ["a", "b"], metadata: { n: 1, s: "x", t: true } },
      { agent_id: "bot", user_id: "juan", tags: ["b"], metadata: { n: 1.5, s: "1" } },
      { agent_id: "other", tags: [], metadata: { n: "1" }, external_id: "e" },
      { tags: ["c", "b", "a"], metadata: { n: 1, s: "y" } },
    ];
    for (const body of bodies) ids.push(await seedConversation(own, [], body));
    for (const index of [2, 2, 0]) {
      const params = { conversation_id: ids[index] ?? "" };
      await appendText(own, params.conversation_id, "x");
    }
  });
  test.for([
    [{ agent_id: "bot" }, [0, 1]],
    [{ user_id: "maria" }, [0]],
    [{ external_id: "e" }, [2]],
    [{ tags_any: ["a", "zzz"] }, [0, 3]],
    [{ tags_any: "b" }, [0, 1, 3]],
    [{ tags_all: ["a", "b"] }, [0, 3]],
    [{ tags_all: ["a", "b", "c"], tags_any: ["a"] }, [3]],
    [{ metadata: '{"n":1}' }, [0, 3]],
    [{ metadata: '{"n":"1"}' }, [2]],
    [{ metadata: '{"n":1,"s":"y"}' }, [3]],
    [{ metadata: '{"t":true}' }, [0]],
    [{ metadata: '{"t":1}' }, []],
    [{ metadata: '{"$.n":1}' }, []],
    [{ created_after: "2999-01-01T00:00:00Z" }, []],
    [{ created_before: "2999-01-01T00:00:00Z", created_after: "2020-01-01T00:00:00Z" }, [0, 1, 2, 3]],
  ] as [Record<string, string | string[]>, number[]][])("with %o returns %o", async ([query, expected]) => {
    expect((await list(query)).sort()).toEqual(expected);
  });

  test("returns the one that contains a message, and none of another organization", async () => {
    const query = async (conversation_id: string) => {
      const { items } = await own.call(contracts.listMessages, { params: { conversation_id } });
      return { message_id: items[0]?.id ?? "", include_total: true };
    };
    expect(await list(await query(ids[2] ?? ""))).toEqual([2]);
    expect(await list({ ...(await query(ids[2] ?? "")), user_id: "maria" })).toEqual([]);
    const { total } = await own.call(contract, { query: await query(ids[0] ?? "") });
    expect(total).toBe(1);
    const other = await createOrganization();
    expect((await other.call(contract, { query: await query(ids[2] ?? "") })).items).toEqual([]);
  });

  test("sorts by each sort field, ascending and descending", async () => {
    expect(await list({ sort: "created_at", order: "asc" })).toEqual([0, 1, 2, 3]);
    expect(await list({ sort: "created_at" })).toEqual([3, 2, 1, 0]);
    expect((await list({ sort: "last_message_at" })).slice(0, 2)).toEqual([0, 2]);
    expect((await list({})).slice(0, 2)).toEqual([0, 2]);
  });

  test.for(["[1]", "{"])("rejects the metadata %s", async (metadata) => {
    expect((await own.fail(contract, { query: { metadata } })).code).toBe("validation_failed");
  });

  test("pages without gaps or repeats, and returns the total", async () => {
    for (const sort of ["created_at", "updated_at", "last_message_at"]) {
      const pages = await readPages(own, contract, { query: { sort, limit: 1, include_total: true } });
      expect(pages.map(({ total }) => total)).toEqual([4, 4, 4, 4]);
      expect(pages.flatMap(({ items }) => items.map(({ id }) => id)).sort()).toEqual([...ids].sort());
    }
  });
});

describe("the last message", () => {
  const append = (id: string, message: object) =>
    caller.call(contracts.appendMessages, {
      params: { conversation_id: id },
      body: { messages: [{ role: "user", content: "x", ...message }] },
    });
  const list = async (query: object = {}) => {
    const { items } = await caller.call(contracts.listConversations, {
      query: { user_id: "last", sort: "last_message_at", ...query },
    });
    return items;
  };
  const HELD = "2021-05-04T03:02:01.000Z";

  test("gives a conversation its time, which is that of the caller, also after an edit, a deletion, a fork and an import", async () => {
    const { id } = await create({ user_id: "last" });
    expect(await get(id)).toMatchObject({ last_message_at: null });
    await append(id, { created_at: HELD });
    expect(await get(id)).toMatchObject({ last_message_at: HELD });
    const EARLIER = "1970-01-01T00:00:00.000Z";
    const { message_ids } = await append(id, { created_at: EARLIER });
    expect(await get(id)).toMatchObject({ last_message_at: EARLIER });
    const fork = await caller.call(contracts.forkConversation, {
      params: { conversation_id: id },
      body: { sequence: 1 },
    });
    expect(fork).toMatchObject({ last_message_at: HELD });
    const params = { conversation_id: id, message_id: message_ids[0] ?? "" };
    await caller.call(contracts.deleteMessage, { params });
    expect(await get(id)).toMatchObject({ last_message_at: HELD, last_sequence: 2 });
    const lines = await caller.call(contracts.exportData, { query: { user_id: "last" } });
    const other = await createOrganization();
    const rawBody = lines.map((line) => JSON.stringify(line)).join("\n");
    await other.call(contracts.importLines, { rawBody });
    const query = { sort: "last_message_at", order: "asc" };
    const copies = (await other.call(contracts.listConversations, { query })).items;
    expect(copies.map(({ last_message_at }) => last_message_at)).toEqual([HELD, HELD]);
    await caller.call(contracts.replaceMessages, {
      params: { conversation_id: id },
      body: { expected_last_sequence: 1, from_sequence: 1, messages: [] },
    });
    expect(await get(id)).toMatchObject({ last_message_at: null });
  });

  test("of a conversation without messages has the place of its creation in the list, however it came to have none", async () => {
    const user_id = "empty";
    const { id: held } = await create({ user_id });
    await append(held, { created_at: HELD });
    const { id: fresh } = await create({ user_id });
    const { id: emptied } = await create({ user_id });
    await append(emptied, { created_at: HELD });
    await caller.call(contracts.replaceMessages, {
      params: { conversation_id: emptied },
      body: { expected_last_sequence: 1, from_sequence: 1, messages: [] },
    });
    const shown = (await list({ user_id })).map(({ id, last_message_at }) => [id, last_message_at]);
    expect(shown.slice(0, 2)).toEqual(
      expect.arrayContaining([
        [fresh, null],
        [emptied, null],
      ]),
    );
    expect(shown.slice(2)).toEqual([[held, HELD]]);
    const lines = await caller.call(contracts.exportData, { query: { user_id } });
    const other = await createOrganization();
    await other.call(contracts.importLines, {
      rawBody: lines.map((line) => JSON.stringify(line)).join("\n"),
    });
    const copies = await other.call(contracts.listConversations, { query: { sort: "last_message_at" } });
    expect(copies.items.map(({ id, last_message_at }) => [id, last_message_at])).toEqual(shown);
  });

  test("is in a list that asks for it: the start of its content, whatever its length, script and compression", async () => {
    const texts = [
      "short",
      "né 😀 ".repeat(400),
      "木".repeat(300_000),
      crypto.randomUUID().repeat(60),
      `${"a".repeat(199)}😀`,
    ];
    for (const [i, content] of texts.entries()) {
      const { id } = await create({ user_id: "lists" });
      await append(id, { content: "before" });
      await append(id, { content, name: "Ada", created_at: `2021-05-04T03:02:0${i}.000Z` });
    }
    await create({ user_id: "lists" });
    const items = await list({ user_id: "lists", include_last_message: true, order: "asc" });
    expect(items.at(-1)).toMatchObject({ last_message: null, last_message_at: null });
    for (const [i, content] of texts.entries()) {
      const { excerpt, ...message } = items[i]?.last_message ?? { excerpt: "" };
      expect(message).toMatchObject({ sequence: 2, role: "user", name: "Ada" });
      expect(excerpt).toBe(content.slice(0, 200).replace(/[\ud800-\udbff]$/, ""));
    }
    const [without] = await list({ user_id: "lists" });
    expect(without).not.toHaveProperty("last_message");
  });
});

describe("get conversation", () => {
  test("returns the first messages, and the cursor with which `listMessages` reads on", async () => {
    const id = await seedConversation(caller, ["1", "2", "3"]);
    const first = await get(id, { message_limit: 2 });
    expect(first.messages.items.map(({ content }) => content)).toEqual(["1", "2"]);
    const rest = await caller.call(contracts.listMessages, {
      params: { conversation_id: id },
      query: { cursor: first.messages.next_cursor ?? "" },
    });
    const later = await get(id, { message_limit: 2, from_sequence: 3 });
    expect(later.messages.items.map(({ sequence }) => sequence)[0]).toBe(3);
    expect(rest).toMatchObject({ items: [{ content: "3" }], next_cursor: null });
    expect((await get(id, { message_limit: 0 })).messages.items).toEqual([]);
    expect(first).toMatchObject({ message_count: 3, last_sequence: 3 });
  });
});

describe("update conversation", () => {
  const contract = contracts.updateConversation;

  test("changes only the given fields", async () => {
    const { id } = await create({ title: "a", tags: ["t"], metadata: { m: 1 } });
    const update = (body: object) => caller.call(contract, { params: { conversation_id: id }, body });
    expect(await update({ title: "b" })).toMatchObject({ title: "b", tags: ["t"], metadata: { m: 1 } });
    expect(await update({ title: null, tags: [] })).toMatchObject({
      title: null,
      tags: [],
      metadata: { m: 1 },
    });
    expect(await update({ metadata: {} })).toMatchObject({ metadata: {} });
  });

  test("applies only to the version in `If-Match`", async () => {
    const { id } = await create();
    const params = { conversation_id: id };
    const etag = (await caller.fetch(contracts.getConversation, { params })).headers.get("etag") ?? "";
    const update = { params, body: { title: "new" }, headers: { "if-match": etag } };
    expect((await caller.fetch(contract, update)).status).toBe(200);
    expect(await caller.fail(contract, update)).toMatchObject({ code: "precondition_failed" });
  });

  // A proxy that compresses responses makes their ETags weak.
  test.for([
    ["one of a list", (etag: string) => `"77", ${etag} ,"78"`],
    ["any", () => " * "],
    ["a weak ETag", (etag: string) => `W/${etag}`],
    ["one of a list of weak ETags", (etag: string) => `W/"77",W/${etag}`],
  ] as const)("applies to the version in `If-Match`: %s", async ([, toHeader]) => {
    const { id } = await create();
    const params = { conversation_id: id };
    const etag = (await caller.fetch(contracts.getConversation, { params })).headers.get("etag") ?? "";
    const update = { params, body: { title: "new" }, headers: { "if-match": toHeader(etag) } };
    expect((await caller.fetch(contract, update)).status).toBe(200);
  });

  test("any change of the conversation's messages changes its ETag", async () => {
    const id = await seedConversation(caller, ["1"]);
    const params = { conversation_id: id };
    const etag = async () => (await caller.fetch(contracts.getConversation, { params })).headers.get("etag");
    const before = await etag();
    await appendText(caller, params.conversation_id, "2");
    expect(await etag()).not.toBe(before);
  });
});

describe("delete conversation", () => {
  const contract = contracts.deleteConversation;

  test("applies only to the version in `If-Match`", async () => {
    const params = { conversation_id: (await create()).id };
    for (const other of ['"99"', 'W/"99"', '"98", "99"', "1", "W/1", 'w/"1"', '"1" "1"', '"*"', ","]) {
      const stale = await caller.fail(contract, { params, headers: { "if-match": other } });
      expect(stale.code).toBe("precondition_failed");
    }
    expect((await caller.fetch(contract, { params, headers: { "if-match": 'W/"1"' } })).status).toBe(202);
  });
});
