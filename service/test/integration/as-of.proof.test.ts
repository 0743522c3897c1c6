import * as contracts from "@engram/spec";
import { beforeAll, describe, expect, test } from "vitest";
import { scale } from "../../../proof/support/scale.ts";
import { type Caller, createKey, createOrganization, readPages } from "../support/client.ts";
import { RowsRead } from "../support/counting.ts";
import { asRead, exportOnce } from "../support/exports.ts";
import { Clock, Service } from "../support/invocations.ts";

const clock = new Clock();
const service = new Service({}, clock);

/** A new organization, whose service has a clock that moves with each operation. */
async function open(): Promise<Caller> {
  const { secret } = await createOrganization();
  return service.callerOf(secret);
}

const now = () => new Date(clock.nowMs()).toISOString();

/** Each look at it comes a millisecond later. */
function slowClock(): Clock {
  const slow = new Clock();
  slow.nowMs = () => {
    slow.advance(1);
    return Clock.prototype.nowMs.call(slow);
  };
  return slow;
}

/** Everything that is read of an organization, now or as of a moment. */
async function readStore(caller: Caller, asOf?: string) {
  const query: Record<string, string> = asOf === undefined ? {} : { as_of: asOf };
  const list = { ...query, sort: "created_at", include_last_message: true, include_total: true };
  const conversations = await readPages(caller, contracts.listConversations, {
    query: { ...list, limit: 2 },
  });
  const gets = [];
  for (const { id } of conversations.flatMap(({ items }) => items)) {
    const params = { conversation_id: id };
    gets.push(
      await caller.call(contracts.getConversation, { params, query: { ...query, message_limit: 2 } }),
    );
    const pages = await readPages(caller, contracts.listMessages, { params, query: { ...query, limit: 3 } });
    gets.push(pages.flatMap(({ items }) => items));
    gets.push(await caller.call(contracts.listMessages, { params, query: { ...query, newest: 2 } }));
  }
  const memories = await readPages(caller, contracts.listMemories, {
    query: { ...query, limit: 2, include_total: true },
  });
  const tagged = await caller.call(contracts.listMemories, { query: { ...query, tags_any: ["a"] } });
  const ofUser = await caller.call(contracts.listMemories, { query: { ...query, user_id: "maria" } });
  for (const { id } of memories.flatMap(({ items }) => items)) {
    const { chunks: _, ...memory } = await caller.call(contracts.getMemory, {
      params: { memory_id: id },
      query,
    });
    gets.push(memory);
  }
  const { lines, end } = await exportOnce(caller, query);
  return {
    conversations: conversations.flatMap(({ items }) => items),
    memories: memories.flatMap(({ items }) => items),
    totals: [...conversations, ...memories].map(({ total }) => total),
    filtered: [tagged.items, ofUser.items],
    gets: withoutCursors(gets),
    lines: asRead(lines),
    end,
  };
}

/** A cursor as of a moment differs from one of today. */
const withoutCursors = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, item: unknown) => (key === "next_cursor" ? item !== null : item)));

/** Numbers from 0 to 1 that depend on the seed only (mulberry32). */
function numbersOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

test.for([...Array(scale(20, 1)).keys()])(
  "reads as of any operation equal those of the store then, for operations without deletions and edits of messages, seed %s",
  async (seed) => {
    const random = numbersOf(seed);
    const caller = await open();
    const ids: string[] = [];
    const memoryIds: string[] = [];
    const then: { at: string; store: unknown }[] = [];
    for (let step = 0; step < 16; step++) {
      clock.advance(1 + Math.floor(random() * 1_000));
      const kind = random();
      if (kind < 0.25) {
        const body = {
          content: `memory ${step} `.repeat(1 + Math.floor(random() * 30)),
          ...(random() < 0.5 && { user_id: "maria" }),
          ...(random() < 0.5 && { tags: ["a"], valid_from: "2019-01-02T03:04:05.678Z" }),
          ...(random() < 0.3 && { parts: [step] }),
        };
        memoryIds.push((await caller.call(contracts.createMemory, { body })).id);
      } else if (kind < 0.5 && memoryIds.length > 0) {
        const body = [
          { content: `changed ${step}` },
          { content: "changed to one of few" },
          { tags: [random() < 0.5 ? "a" : "b"] },
          { summary: `summary ${step}`, metadata: { step } },
          { valid_until: "2030-01-02T03:04:05.678Z" },
        ][Math.floor(random() * 5)];
        const memory_id = memoryIds[Math.floor(random() * memoryIds.length)] ?? "";
        // Another memory may have the content.
        await caller.fetch(contracts.updateMemory, { params: { memory_id }, body });
      } else if (ids.length === 0 || random() < 0.3) {
        const body = random() < 0.5 ? {} : { title: `title ${step}`, user_id: "maria", tags: ["a"] };
        ids.push((await caller.call(contracts.createConversation, { body })).id);
      } else {
        const conversation_id = ids[Math.floor(random() * ids.length)] ?? "";
        const messages = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, i) => ({
          role: "user",
          content: `message ${step}.${i} `.repeat(1 + Math.floor(random() * 30)),
          ...(random() < 0.3 && { created_at: "2019-01-02T03:04:05.678Z" }),
        }));
        await caller.call(contracts.appendMessages, { params: { conversation_id }, body: { messages } });
      }
      then.push({ at: now(), store: await readStore(caller) });
    }
    for (const { at, store } of then) expect(await readStore(caller, at)).toEqual(store);
  },
);

test("a list as of a moment read the rows of their page, not those of the whole organization", async () => {
  const reads = new RowsRead();
  const counted = new Service({ DB: reads.db }, clock);
  const caller = await open();
  const counts: number[][] = [];
  for (const more of [10, 60]) {
    for (let i = 0; i < more; i++) {
      clock.advance(1);
      const { id } = await caller.call(contracts.createConversation, { body: { user_id: "maria" } });
      const body = { messages: [{ role: "user", content: "stored" }] };
      await caller.call(contracts.appendMessages, { params: { conversation_id: id }, body });
    }
    const by = counted.callerOf(caller.secret);
    const as_of = now();
    const rowsOf = async (read: () => Promise<unknown>) => {
      reads.reset();
      await read();
      return reads.total;
    };
    const query = { as_of, limit: 5, include_last_message: true };
    counts.push([
      await rowsOf(() => by.call(contracts.listConversations, { query })),
      await rowsOf(() => by.call(contracts.listConversations, { query: { ...query, user_id: "maria" } })),
    ]);
  }
  const [few = [], many = []] = counts;
  for (const [i, rows] of many.entries()) expect(rows).toBeLessThan(2 * (few[i] ?? 0));
});

describe("as of a moment", () => {
  let caller: Caller;
  let conversation_id = "";
  const times: string[] = [];
  const append = async (content: string) => {
    clock.advance(1_000);
    const body = { messages: [{ role: "user", content }] };
    const { message_ids } = await caller.call(contracts.appendMessages, {
      params: { conversation_id },
      body,
    });
    times.push(now());
    return message_ids[0] ?? "";
  };
  let ids: string[] = [];
  beforeAll(async () => {
    caller = await open();
    conversation_id = (await caller.call(contracts.createConversation, { body: { title: "Harbor" } })).id;
    ids = [
      await append("The ferry leaves at dusk."),
      await append("The ferry leaves at dawn."),
      await append("No ferry today."),
    ];
    await service.settle();
  });

  const found = async (contract: typeof contracts.search, body: object) => {
    const { results } = await caller.call(contract, { body: { query: "ferry", ...body } });
    return results.flatMap((result) => (result.type === "messages" ? result.messages : []));
  };

  test.for(["hybrid", "semantic", "keyword"])(
    "a search finds only what was stored then, neighbors included, in mode %s",
    async (mode) => {
      await service.sweep();
      const all = await found(contracts.search, { mode });
      expect(all.map(({ id }) => id)).toEqual(ids);
      const then = await found(contracts.search, { mode, as_of: times[1] });
      expect(then.map(({ id }) => id)).toEqual(ids.slice(0, 2));
      expect(await found(contracts.search, { mode, as_of: "2019-01-01T00:00:00Z" })).toEqual([]);
    },
  );

  test("the id of a conversation and a sequence number name the moment at which this message was stored", async () => {
    const as_of = `${conversation_id}:2`;
    const params = { conversation_id };
    const { items } = await caller.call(contracts.listMessages, { params, query: { as_of } });
    expect(items.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const conversation = await caller.call(contracts.getConversation, { params, query: { as_of } });
    expect(conversation).toMatchObject({ message_count: 2, last_sequence: 2, updated_at: times[1] });
    const context = await caller.call(contracts.getContext, {
      body: { query: "ferry", conversation_id, as_of, max_tokens: 1_000 },
    });
    expect(context.messages.items.map(({ sequence }) => sequence)).toEqual([1, 2]);
    expect(context.text).not.toContain("No ferry today");
  });

  test("messages of one append are apart, although they were stored at the same time", async () => {
    const { id } = await caller.call(contracts.createConversation, { body: {} });
    const body = { messages: ["one", "two", "three"].map((content) => ({ role: "user", content })) };
    const params = { conversation_id: id };
    await caller.call(contracts.appendMessages, { params, body });
    const query = { as_of: `${id}:2` };
    const { items } = await caller.call(contracts.listMessages, { params, query });
    expect(items.map(({ content }) => content)).toEqual(["one", "two"]);
    const conversation = await caller.call(contracts.getConversation, { params, query });
    expect(conversation).toMatchObject({ message_count: 2, last_sequence: 2 });
    expect(conversation.messages.items).toHaveLength(2);
  });

  test("a memory is read as of the time that its capture answered, also if that took longer than a millisecond", async () => {
    const by = new Service({}, slowClock()).callerOf(caller.secret);
    const memory = await by.call(contracts.createMemory, { body: { content: "Captured slowly." } });
    const query = { as_of: memory.updated_at };
    const params = { memory_id: memory.id };
    expect(await by.call(contracts.getMemory, { params, query })).toMatchObject(memory);
    const body = { query: "captured slowly", mode: "keyword", ...query };
    const { results } = await by.call(contracts.searchMemories, { body });
    expect(results.map((result) => result.memory.id)).toEqual([memory.id]);
  });

  test("the chunks of a memory are those of its content of then, and indexed where one of today is", async () => {
    const content = "The ferry leaves at dusk. ".repeat(200);
    const { id, updated_at } = await caller.call(contracts.createMemory, { body: { content } });
    clock.advance(1_000);
    const params = { memory_id: id };
    await caller.call(contracts.updateMemory, { params, body: { content: "No ferry." } });
    await service.settle();
    const { chunks } = await caller.call(contracts.getMemory, { params, query: { as_of: updated_at } });
    expect(chunks.map(({ start, end }) => content.slice(start, end)).join("")).toBe(content);
    expect(chunks.map(({ indexed }) => indexed)).toEqual(chunks.map(({ ordinal }) => ordinal === 0));
    expect(chunks.length).toBeGreaterThan(1);
  });

  test("a memory ends when the one that supersedes it is stored, also if the capture took longer than a millisecond", async () => {
    const by = new Service({}, slowClock()).callerOf(caller.secret);
    const captureOne = async (body: object) => (await by.call(contracts.createMemory, { body })).id;
    const captureMany = async (body: object) => {
      const { items } = await by.call(contracts.createMemories, { body: { memories: [body] } });
      return items[0]?.id ?? "";
    };
    for (const [i, capture] of [captureOne, captureMany].entries()) {
      const old = await captureOne({ content: `The harbor is open, ${i}.` });
      const id = await capture({ content: `The harbor is closed, ${i}.`, supersedes: old });
      const [memory] = (await by.call(contracts.listMemoryVersions, { params: { memory_id: id } })).items;
      const storedMs = Date.parse(memory?.stored_at ?? "");
      const oldAt = (atMs: number) => {
        const query = { as_of: new Date(atMs).toISOString() };
        return by.call(contracts.getMemory, { params: { memory_id: old }, query });
      };
      expect(await oldAt(storedMs)).toMatchObject({ superseded_by: id, valid_until: memory?.valid_from });
      expect(await oldAt(storedMs - 1)).toMatchObject({ superseded_by: null, valid_until: null });
    }
  });

  test("a message that was edited since says so, and so does a conversation", async () => {
    const id = (await caller.call(contracts.createConversation, { body: { title: "before" } })).id;
    const params = { conversation_id: id };
    const body = { messages: [{ role: "user", content: "before" }] };
    const { message_ids } = await caller.call(contracts.appendMessages, { params, body });
    const message = { ...params, message_id: message_ids[0] ?? "" };
    const as_of = now();
    clock.advance(1_000);
    const read = async () => [
      await caller.call(contracts.getMessage, { params: message, query: { as_of } }),
      ...(await caller.call(contracts.listMessages, { params, query: { as_of } })).items,
      (await exportOnce(caller, { as_of })).lines.find(
        (line) => line.type === "message" && line.id === message_ids[0],
      ),
      await caller.call(contracts.getConversation, { params, query: { as_of, message_limit: 0 } }),
      (await caller.call(contracts.listConversations, { query: { as_of } })).items.find(
        (one) => one.id === id,
      ),
    ];
    for (const item of await read()) expect(item).not.toHaveProperty("edited_since");
    await caller.call(contracts.updateMessage, { params: message, body: { content: "after" } });
    await caller.call(contracts.updateConversation, { params, body: { title: "after" } });
    for (const item of await read()) expect(item).toMatchObject({ edited_since: true });
    expect(await caller.call(contracts.getMessage, { params: message })).not.toHaveProperty("edited_since");
  });

  test("an item that was stored later does not exist", async () => {
    const as_of = times[0] ?? "";
    const params = { conversation_id, message_id: ids[1] ?? "" };
    expect(await caller.fail(contracts.getMessage, { params, query: { as_of } })).toMatchObject({
      status: 404,
    });
    const { id } = await caller.call(contracts.createConversation, { body: {} });
    const later = { params: { conversation_id: id }, query: { as_of } };
    expect(await caller.fail(contracts.getConversation, later)).toMatchObject({ status: 404 });
    expect(await caller.fail(contracts.listMessages, later)).toMatchObject({ status: 404 });
  });

  test("a moment does not tell whether a message of another agent, user or organization exists", async () => {
    const scopes: contracts.Scope[] = ["read", "search"];
    const others = [
      await createKey(caller, { scopes, agent_id: "other" }),
      await createKey(caller, { scopes, user_id: "other" }),
      await createOrganization(),
    ];
    for (const other of others) {
      const absent = await other.fail(contracts.listConversations, { query: { as_of: "conv_absent:1" } });
      for (const as_of of [`${conversation_id}:2`, `${conversation_id}:9`]) {
        const seen = await other.fail(contracts.listConversations, { query: { as_of } });
        expect(seen).toMatchObject({ status: 400, errors: [{ path: "as_of" }] });
        expect({ ...seen, request_id: "" }).toEqual({ ...absent, request_id: "" });
        await other.fail(contracts.search, { body: { query: "ferry", as_of } });
      }
    }
  });

  test("a list as of a moment is sorted by creation, and no other order is accepted", async () => {
    const query = { as_of: now(), sort: "updated_at" };
    expect(await caller.fail(contracts.listConversations, { query })).toMatchObject({ status: 400 });
  });

  test.for(["yesterday", "conv_x", "conv_x:0", "mem_x:1", "2026-13-01T00:00:00Z"])(
    "%s is not a moment",
    async (as_of) => {
      const problem = await caller.fail(contracts.listConversations, { query: { as_of } });
      expect(problem).toMatchObject({ code: "validation_failed" });
    },
  );
});
