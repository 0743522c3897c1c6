import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { type Caller, createKey, createOrganization } from "../support/client.ts";
import { RowsRead } from "../support/counting.ts";
import { env } from "../support/env.ts";
import { open, Service } from "../support/invocations.ts";

const EMAIL = "ana@host.example";

type Query = Record<string, string | number>;

const list = (caller: Caller, query: Query = {}) => caller.call(contracts.listEntities, { query });
const mentionsOf = (caller: Caller, entity_id: string, query: Query = {}) =>
  caller.call(contracts.listMentions, { params: { entity_id }, query });

async function pages<Item>(fetch: (query: Query) => Promise<{ items: Item[]; next_cursor: string | null }>) {
  const items: Item[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await fetch({ limit: 1, ...(cursor && { cursor }) });
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
}

/** Conversations of two agents and two users. All mention the same address, and each mentions a URL of its own. */
async function openOwned() {
  const world = await open();
  const owners = [
    { agent_id: "a", user_id: "u" },
    { agent_id: "a", user_id: "v" },
    { agent_id: "b", user_id: "u" },
    {},
  ];
  const ids: string[] = [];
  for (const [i, owner] of owners.entries()) {
    const { id } = await world.caller.call(contracts.createConversation, { body: owner });
    await world.append(id, [
      `Mail ${EMAIL} first`,
      `or see https://host.example/${i}`,
      `so mail ANA@host.example`,
    ]);
    ids.push(id);
  }
  await world.idle();
  const keyOf = async (owner: object) =>
    world.service.callerOf((await createKey(world.caller, { scopes: ["read"], ...owner })).secret);
  return { ...world, ids, keyOf };
}

describe("list entities", () => {
  test("returns each with its counts and times, ordered by kind and value", async () => {
    const { caller, append, idle } = await open();
    const { id } = await caller.call(contracts.createConversation, { body: {} });
    const said = (content: string, created_at: string) => ({ role: "user", content, created_at });
    await append(id, [], {
      messages: [
        said("See https://host.example/b", "2026-03-04T00:00:00.000Z"),
        said(`Mail ${EMAIL} and ${EMAIL}`, "2026-03-02T00:00:00.000Z"),
        said("Mail Ana@host.example", "2026-03-01T00:00:00.000Z"),
      ],
    });
    await idle();
    const { items, next_cursor } = await list(caller);
    expect(next_cursor).toBeNull();
    expect(items).toEqual([
      {
        id: expect.stringMatching(/^ent_[0-9a-f]{32}$/),
        kind: "email",
        value: EMAIL,
        mention_count: 3,
        conversation_count: 1,
        first_seen_at: "2026-03-01T00:00:00.000Z",
        last_seen_at: "2026-03-02T00:00:00.000Z",
      },
      expect.objectContaining({ kind: "url", value: "https://host.example/b", mention_count: 1 }),
    ]);
  });

  test("returns each once over several pages, whatever characters its value has", async () => {
    const { caller, append, idle } = await open();
    const { id } = await caller.call(contracts.createConversation, { body: {} });
    const urls = ["a", "x".repeat(900)].map((path) => `https://host.example/${path}`);
    const values = [...urls, "docs/Überblick.md", "docs/Żółw.md", "b@host.example"];
    await append(
      id,
      values.map((value) => `See ${value}`),
    );
    await idle();
    const { items } = await list(caller);
    expect(items.map(({ value }) => value).sort()).toEqual([...values].sort());
    expect(await pages((query) => list(caller, query))).toEqual(items);
    expect(await pages((query) => list(caller, { kind: "url", prefix: "HTTPS://host", ...query }))).toEqual(
      items.slice(-2),
    );
  });

  describe("sorted by mentions", () => {
    const ranked = async (caller: Caller, query: Query = {}) =>
      (await list(caller, { sort: "mentions", ...query })).items.map(({ value, mention_count }) => [
        value.toLowerCase(),
        mention_count,
      ]);
    const [a, b, c] = ["a@host.example", "b@host.example", "c@host.example"];
    /** Conversations of two users with 3, 2 and 2 mentions of addresses, and one of a file. */
    async function openRanked() {
      const world = await open();
      const store = async (user_id: string, texts: string[]) => {
        const { id } = await world.caller.call(contracts.createConversation, { body: { user_id } });
        const { message_ids } = await world.append(id, texts);
        return { params: { conversation_id: id }, message_id: message_ids[0] ?? "" };
      };
      const first = await store("u", [`Mail ${c}, ${c} and ${b}`, "Open docs/plan.md"]);
      world.clock.advance(1_000);
      const second = await store("v", [`Mail ${a}, ${b}`, `and ${a}`, `or ${a}`]);
      await world.idle();
      return { ...world, first, second };
    }
    const FILE = ["docs/plan.md", 1];

    test("returns the most mentioned first, each once over several pages, by every filter", async () => {
      const { caller, first, second, service } = await openRanked();
      const all = [[a, 3], [b, 2], [c, 2], FILE];
      expect(await ranked(caller)).toEqual(all);
      const read = await pages((query) => list(caller, { sort: "mentions", ...query }));
      expect(read.map(({ value, mention_count }) => [value, mention_count])).toEqual(all);
      expect(await ranked(caller, { kind: "file" })).toEqual([FILE]);
      expect(await ranked(caller, { prefix: "B@" })).toEqual([[b, 2]]);
      const ofFirst = [[c, 2], [b, 1], FILE];
      expect(await ranked(caller, { user_id: "u" })).toEqual(ofFirst);
      expect(await ranked(caller, { ...first.params })).toEqual(ofFirst);
      expect(
        await pages((query) => list(caller, { sort: "mentions", ...first.params, ...query })),
      ).toHaveLength(3);
      expect(await ranked(caller, { ...second.params })).toEqual([
        [a, 3],
        [b, 1],
      ]);
      const { secret } = await createKey(caller, { scopes: ["read"], user_id: "u" });
      expect(await ranked(service.callerOf(secret))).toEqual(ofFirst);
      expect(await ranked(service.callerOf(secret), { user_id: "v" })).toEqual([]);
    });

    test("counts no mention in a message that was edited, or a conversation that was deleted", async () => {
      const { caller, first, second, idle } = await openRanked();
      await caller.call(contracts.updateMessage, {
        params: { ...first.params, message_id: first.message_id },
        body: { content: "Mail me" },
      });
      await idle();
      expect(await ranked(caller)).toEqual([[a, 3], [b, 1], FILE]);
      await caller.call(contracts.deleteConversation, { params: second.params });
      expect(await ranked(caller)).toEqual([FILE]);
    });

    test("counts the newest 10,000 mentions of a conversation, and those of the 1,000 conversations that changed last", async () => {
      const { caller, append, idle, clock, organizationId } = await open();
      const { id } = await caller.call(contracts.createConversation, { body: { user_id: "u" } });
      const { message_ids } = await append(id, [`Mail ${a}`, `Mail ${b}`]);
      await idle();
      /** Gives a message as many mentions of its entity. */
      const repeat = (messageId: string | undefined, count: number) =>
        env.DB.prepare(
          `UPDATE message_entities
              SET mentions = '[' || (mentions -> '$[0]') || replace(?2, '0', ',' || (mentions -> '$[0]')) || ']'
            WHERE row_key = (SELECT row_key FROM messages WHERE id = ?1)`,
        )
          .bind(messageId ?? "", "0".repeat(count - 1))
          .run();
      const values = async (query: Query = {}) => (await ranked(caller, query)).map(([value]) => value);
      expect(await values({ conversation_id: id })).toEqual([a, b]);
      await repeat(message_ids[1], 9_999);
      expect(await values({ conversation_id: id })).toEqual([b, a]);
      await repeat(message_ids[1], 10_000);
      expect(await values({ conversation_id: id })).toEqual([b]);
      const store = (from: number, count: number) =>
        env.DB.prepare(
          `INSERT INTO conversations (organization_id, id, created_at_ms, updated_at_ms)
           SELECT ?1, 'conv_' || (?2 + key), ?3, ?3 FROM json_each(?4)`,
        )
          .bind(organizationId, from, clock.nowMs() + 1, JSON.stringify(Array(count).fill(0)))
          .run();
      await store(0, 999);
      expect(await values()).toEqual([b, a]);
      await store(999, 1);
      expect(await values()).toEqual([]);
      expect(await values({ user_id: "u" })).toEqual([b, a]);
      const database = new RowsRead();
      const counting = new Service({ DB: database.db }, clock).callerOf(caller.secret);
      await list(counting, { sort: "mentions" });
      await store(1_000, 1_000);
      await list(counting, { sort: "mentions" });
      const [few, many] = database.statements
        .filter(({ sql }) => sql.includes("json_each(stored.mentions)"))
        .map(({ read }) => read);
      expect(many).toBe(few);
    });
  });

  test("filters by kind and prefix", async () => {
    const { caller } = await openOwned();
    const valuesOf = async (query: Query) => (await list(caller, query)).items.map(({ value }) => value);
    expect(await valuesOf({ kind: "email" })).toEqual(["ANA@host.example"]);
    expect(await valuesOf({ kind: "email", prefix: "anA@" })).toEqual(["ANA@host.example"]);
    expect(await valuesOf({ kind: "email", prefix: "anb" })).toEqual([]);
    expect(await valuesOf({ kind: "url", prefix: "https://host.example/2" })).toEqual([
      "https://host.example/2",
    ]);
    expect(await valuesOf({ kind: "file" })).toEqual([]);
    expect(await valuesOf({ prefix: "a" })).toEqual(["ANA@host.example"]);
    expect(await valuesOf({ prefix: "https://host.example/2" })).toEqual(["https://host.example/2"]);
    expect(await pages((query) => list(caller, { prefix: "h", ...query }))).toHaveLength(4);
  });

  test("filters by conversation, agent and user, and counts only their mentions", async () => {
    const { caller, ids } = await openOwned();
    const shown = async (query: Query) =>
      (await list(caller, query)).items.map(({ value, mention_count, conversation_count }) => [
        value.toLowerCase(),
        mention_count,
        conversation_count,
      ]);
    const url = (i: number) => [`https://host.example/${i}`, 1, 1];
    expect(await shown({})).toEqual([[EMAIL, 8, 4], url(0), url(1), url(2), url(3)]);
    expect(await shown({ agent_id: "a" })).toEqual([[EMAIL, 4, 2], url(0), url(1)]);
    expect(await shown({ user_id: "u" })).toEqual([[EMAIL, 4, 2], url(0), url(2)]);
    expect(await shown({ agent_id: "b", user_id: "u" })).toEqual([[EMAIL, 2, 1], url(2)]);
    expect(await shown({ agent_id: "b", user_id: "v" })).toEqual([]);
    expect(await shown({ conversation_id: ids[3] ?? "" })).toEqual([[EMAIL, 2, 1], url(3)]);
    expect(await shown({ conversation_id: ids[0] ?? "", agent_id: "a" })).toEqual([[EMAIL, 2, 1], url(0)]);
    expect(await shown({ conversation_id: ids[0] ?? "", agent_id: "b" })).toEqual([]);
    expect(await caller.fail(contracts.listEntities, { query: { conversation_id: "conv_x" } })).toMatchObject(
      {
        code: "not_found",
      },
    );
  });

  test("leaves out mentions in a deleted conversation from the next request on", async () => {
    const { caller, ids } = await openOwned();
    const { items } = await list(caller);
    await caller.call(contracts.deleteConversation, { params: { conversation_id: ids[0] ?? "" } });
    const left = (await list(caller)).items;
    expect(left.map(({ value }) => value)).not.toContain("https://host.example/0");
    expect(left[0]).toMatchObject({ mention_count: 6, conversation_count: 3 });
    const [, url] = items;
    expect(await caller.fail(contracts.listMentions, { params: { entity_id: url?.id ?? "" } })).toMatchObject(
      {
        code: "not_found",
      },
    );
  });
});

describe("list mentions", () => {
  test("returns them in the order of conversations and messages, with their exact text", async () => {
    const { caller, append, idle } = await open();
    const { id } = await caller.call(contracts.createConversation, { body: {} });
    const contents = [`🎈 ${EMAIL}, ${EMAIL}`, "Nothing", "Ask Ana@host.example"];
    const { message_ids } = await append(id, contents);
    await idle();
    const [entity] = (await list(caller)).items;
    const { items, next_cursor } = await mentionsOf(caller, entity?.id ?? "");
    expect(next_cursor).toBeNull();
    expect(items.map(({ sequence, start, text }) => [sequence, start, text])).toEqual([
      [1, 3, EMAIL],
      [1, 21, EMAIL],
      [3, 4, "Ana@host.example"],
    ]);
    for (const { conversation_id, message_id, sequence, start, end, text } of items) {
      expect([conversation_id, message_id]).toEqual([id, message_ids[sequence - 1]]);
      expect(contents[sequence - 1]?.slice(start, end)).toBe(text);
    }
    expect(await pages((query) => mentionsOf(caller, entity?.id ?? "", query))).toEqual(items);
  });

  test("filters by conversation, agent and user", async () => {
    const { caller, ids } = await openOwned();
    const [email] = (await list(caller)).items;
    const id = email?.id ?? "";
    const found = async (query: Query) =>
      (await mentionsOf(caller, id, query)).items.map(({ conversation_id, sequence }) => [
        ids.indexOf(conversation_id),
        sequence,
      ]);
    const both = (...places: number[]) =>
      places.flatMap((i) => [
        [i, 1],
        [i, 3],
      ]);
    expect(await found({})).toEqual(both(0, 1, 2, 3));
    expect(await found({ agent_id: "a" })).toEqual(both(0, 1));
    expect(await found({ user_id: "u" })).toEqual(both(0, 2));
    expect(await found({ agent_id: "a", user_id: "v" })).toEqual(both(1));
    expect(await found({ conversation_id: ids[2] ?? "" })).toEqual(both(2));
    expect(await found({ conversation_id: ids[2] ?? "", agent_id: "a" })).toEqual([]);
    expect(await pages((query) => mentionsOf(caller, id, query))).toHaveLength(8);
    expect(await pages((query) => mentionsOf(caller, id, { ...query, user_id: "u" }))).toHaveLength(4);
  });

  test("rejects a cursor at a conversation that was purged", async () => {
    const { caller, ids, idle } = await openOwned();
    const [email] = (await list(caller)).items;
    const { next_cursor } = await mentionsOf(caller, email?.id ?? "", { limit: 1 });
    await caller.call(contracts.deleteConversation, { params: { conversation_id: ids[0] ?? "" } });
    await idle();
    const params = { entity_id: email?.id ?? "" };
    expect(
      await caller.fail(contracts.listMentions, { params, query: { limit: 1, cursor: next_cursor ?? "" } }),
    ).toMatchObject({ code: "invalid_cursor" });
  });
});

describe("a search by entity", () => {
  const search = async (caller: Caller, ids: string[], body: object) => {
    const { results } = await caller.call(contracts.search, {
      body: { query: "mail or see", neighbors: { before: 0, after: 0 }, limit: 50, ...body },
    });
    return results
      .flatMap(({ conversation_id, messages }) =>
        messages.map(({ sequence }) => `${ids.indexOf(conversation_id ?? "")}.${sequence}`),
      )
      .sort();
  };
  const email = { kind: "email", value: "Ana@HOST.example" };
  const url = (i: number) => ({ kind: "url", value: `https://host.example/${i}` });

  test.for(["hybrid", "keyword", "semantic"])(
    "in %s mode finds only messages that mention one of the entities",
    async (mode) => {
      const { caller, ids, keyOf } = await openOwned();
      const found = (body: object) => search(caller, ids, { mode, ...body });
      expect(await found({ entities: [url(2)] })).toEqual(["2.2"]);
      expect(await found({ entities: [url(2), url(0)] })).toEqual(["0.2", "2.2"]);
      expect(await found({ entities: [email], user_id: "u" })).toEqual(["0.1", "0.3", "2.1", "2.3"]);
      expect(await found({ entities: [{ ...email, kind: "url" }] })).toEqual([]);
      expect(await found({ entities: [url(9)] })).toEqual([]);
      expect(await found({ entities: [url(0)], in: ["conversations", "memories"] })).toEqual(["0.2"]);
      const bound = await keyOf({ agent_id: "a", scopes: ["search"] });
      expect(await search(bound, ids, { mode, entities: [url(0), url(2)] })).toEqual(["0.2"]);
    },
  );

  test("does not find a message whose update removed the entity", async () => {
    const { caller, append, idle } = await open();
    const { id } = await caller.call(contracts.createConversation, { body: {} });
    const { message_ids } = await append(id, [`Mail ${EMAIL}`]);
    await idle();
    expect(await search(caller, [id], { entities: [email] })).toEqual(["0.1"]);
    await caller.call(contracts.updateMessage, {
      params: { conversation_id: id, message_id: message_ids[0] ?? "" },
      body: { content: "Mail me" },
    });
    expect(await search(caller, [id], { entities: [email] })).toEqual([]);
  });
});

describe("a key that is bound to an agent or a user", () => {
  test.for([
    [{ agent_id: "a" }, 4, [0, 1]],
    [{ user_id: "u" }, 4, [0, 2]],
    [{ agent_id: "a", user_id: "u" }, 2, [0]],
    [{ agent_id: "none" }, 0, []],
  ] as const)("%j sees and counts only the mentions in its own messages", async ([owner, count, urls]) => {
    const { caller, ids, keyOf } = await openOwned();
    const all = (await list(caller)).items;
    const bound = await keyOf(owner);
    const { items } = await list(bound);
    expect(items.flatMap(({ kind, value }) => (kind === "url" ? [value] : []))).toEqual(
      urls.map((i) => `https://host.example/${i}`),
    );
    expect(items[0]?.mention_count ?? 0).toBe(count);
    for (const { id, kind, value } of all) {
      const isOwn = items.some((item) => item.id === id);
      if (!isOwn) {
        expect(
          await bound.fail(contracts.listMentions, { params: { entity_id: id } }),
          `${kind} ${value}`,
        ).toMatchObject({ code: "not_found" });
        continue;
      }
      const mentions = await mentionsOf(bound, id);
      expect(
        mentions.items.every(({ conversation_id }) => urls.some((i) => ids[i] === conversation_id)),
      ).toBe(true);
    }
    const other = await bound.call(contracts.listEntities, { query: { agent_id: "b", user_id: "v" } });
    expect(other.items).toEqual([]);
    expect(
      await bound.fail(contracts.listEntities, { query: { conversation_id: ids[3] ?? "" } }),
    ).toMatchObject({
      code: "not_found",
    });
  });
});

test("entity ids differ between organizations, and another organization's return 404", async () => {
  const { caller, ids } = await openOwned();
  const stranger = await openOwned();
  const own = (await list(caller)).items.map(({ id }) => id);
  const others = (await list(stranger.caller)).items.map(({ id }) => id);
  expect(own.filter((id) => others.includes(id))).toEqual([]);
  const empty = await createOrganization();
  expect((await list(empty)).items).toEqual([]);
  expect(await empty.fail(contracts.listMentions, { params: { entity_id: own[0] ?? "" } })).toMatchObject({
    code: "not_found",
  });
  expect(
    await empty.fail(contracts.listEntities, { query: { conversation_id: ids[0] ?? "" } }),
  ).toMatchObject({
    code: "not_found",
  });
});

test("an entity with a thousand mentions has null counts, and is read in limited steps", async () => {
  const { caller, append, idle, clock } = await open();
  const { id } = await caller.call(contracts.createConversation, { body: {} });
  for (let i = 0; i < 3; i++)
    await append(
      id,
      Array.from({ length: 400 }, () => `Mail ${EMAIL}`),
    );
  await idle();
  const database = new RowsRead();
  const service = new Service({ DB: database.db }, clock);
  const counting = service.callerOf(caller.secret);
  const { items } = await list(counting);
  expect(items).toEqual([expect.objectContaining({ mention_count: null, conversation_count: null })]);
  const { items: mentions } = await mentionsOf(counting, items[0]?.id ?? "", { limit: 5 });
  expect(mentions.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
  const [list1, ...others] = database.statements.map(({ read }) => read).sort((a, b) => b - a);
  expect(list1).toBeLessThan(2_300);
  for (const read of others) expect(read).toBeLessThan(100);
});
