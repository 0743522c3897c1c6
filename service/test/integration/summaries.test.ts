import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { type Caller, createKey, createOrganization, readPages } from "../support/client.ts";
import { RowsRead } from "../support/counting.ts";
import { databaseWith } from "../support/deletions.ts";
import { env } from "../support/env.ts";
import { exportOnce, idOf } from "../support/exports.ts";
import { send } from "../support/imports.ts";
import { open, Service, selectRows } from "../support/invocations.ts";
import {
  listOf,
  openConversation,
  places,
  said,
  summariesOf,
  TEN_MINUTES,
  texts,
} from "../support/summaries.ts";

describe("summaries are made", () => {
  test("of each segment that is full, with verbatim sentences that cite their messages", async () => {
    const { caller, id, store } = await openConversation();
    await store(1, 50);
    expect(await places(caller, id)).toEqual([
      [1, 1, 24],
      [1, 25, 48],
    ]);
    const { items: messages } = await caller.call(contracts.listMessages, {
      params: { conversation_id: id },
    });
    const [first] = await summariesOf(caller, id);
    expect(first).toMatchObject({ conversation_id: id, source_count: 24, model: null, rules: 1 });
    expect(first?.source_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(first?.sentences.length).toBeGreaterThan(2);
    for (const { text, cites } of first?.sentences ?? []) {
      for (const { message_id, sequence, start, end } of cites) {
        expect(sequence).toBeLessThanOrEqual(24);
        const message = messages.find((one) => one.id === message_id);
        expect(message?.sequence).toBe(sequence);
        expect(message?.content.slice(start ?? 0, end ?? 0)).toBe(text);
      }
    }
  });

  test("alike for the same messages, however they were appended, forked or imported", async () => {
    const { caller, id, store, append, settle } = await openConversation();
    await store(1, 50);
    const { id: single } = await caller.call(contracts.createConversation, { body: {} });
    for (let i = 1; i <= 50; i++) await append(single, [said(i)]);
    const fork = await caller.call(contracts.forkConversation, {
      params: { conversation_id: id },
      body: { sequence: 50 },
    });
    await settle();
    const { lines } = await exportOnce(caller);
    const other = await open();
    await send(
      other.caller,
      lines.filter((line) => JSON.stringify(line).includes(id)),
    );
    await other.service.settle();
    other.clock.advance(65_000);
    await other.service.sweep();
    const made = async (who: Caller, of: string) =>
      (await summariesOf(who, of)).map(({ conversation_id: _, created_at: __, sentences, ...summary }) => ({
        ...summary,
        sentences: sentences.map(({ text, cites }) => [
          text,
          cites.map(({ sequence, start }) => [sequence, start]),
        ]),
      }));
    const expected = await made(caller, id);
    expect(expected.length).toBeGreaterThan(1);
    expect(await made(caller, single)).toEqual(expected);
    expect(await made(caller, fork.id)).toEqual(expected);
    expect(await made(other.caller, id)).toEqual(expected);
  });

  test("before 24 messages if they have more than 3,000 tokens", async () => {
    const { caller, id, append, settle } = await openConversation();
    const long = (i: number) => `${said(i)} `.repeat(60);
    await append(id, [long(1), long(2), long(3), long(4), long(5)]);
    await settle();
    const made = await summariesOf(caller, id);
    expect(made.length).toBeGreaterThan(1);
    expect(made.every(({ full, to_sequence }) => full && to_sequence < 5)).toBe(true);
  });

  test("of eight summaries on the next level, which has only sentences of them", async () => {
    const { caller, id, store } = await openConversation();
    await store(1, 400);
    const made = await summariesOf(caller, id);
    const upper = made.filter(({ level }) => level === 2);
    expect(
      upper.map(({ from_sequence, to_sequence, source_count }) => [from_sequence, to_sequence, source_count]),
    ).toEqual([
      [1, 192, 8],
      [193, 384, 8],
    ]);
    const below = made.filter(({ level }) => level === 1).flatMap(({ sentences }) => sentences);
    expect(upper[0]?.sentences.length).toBeGreaterThan(4);
    for (const sentence of upper.flatMap(({ sentences }) => sentences))
      expect(below).toContainEqual(sentence);
  });

  test("of the end of a conversation that rests for ten minutes with eight messages, and replaced when it is full", async () => {
    const { caller, id, store, append, settle, clock, service } = await openConversation();
    await append(id, texts(1, 7));
    await settle();
    clock.advance(TEN_MINUTES);
    await service.sweep();
    expect(await places(caller, id)).toEqual([]);
    await append(id, texts(8, 8));
    await settle();
    expect(await places(caller, id)).toEqual([]);
    clock.advance(TEN_MINUTES / 2);
    await append(id, texts(9, 9));
    await settle();
    clock.advance(TEN_MINUTES / 2);
    await service.sweep();
    expect(await places(caller, id)).toEqual([]);
    clock.advance(TEN_MINUTES);
    await service.sweep();
    expect(await places(caller, id)).toEqual([[1, 1, 9, "open"]]);
    clock.advance(10 * TEN_MINUTES);
    await service.sweep();
    await store(10, 24);
    expect(await places(caller, id)).toEqual([[1, 1, 24]]);
    expect(await selectRows("SELECT 1 FROM summary_jobs WHERE conversation_id = ?1", id)).toEqual([]);
  });

  test("on request, at once and up to the last message", async () => {
    const { caller, id, append, service, summarize } = await openConversation();
    expect(await summarize()).toEqual({ conversation_id: id, last_sequence: 0 });
    await append(id, texts(1, 3));
    await service.settle();
    expect(await summarize()).toEqual({ conversation_id: id, last_sequence: 3 });
    expect(await places(caller, id)).toEqual([[1, 1, 3, "open"]]);
    const [before] = await summariesOf(caller, id);
    expect(await summarize()).toMatchObject({ last_sequence: 3 });
    expect(await summariesOf(caller, id)).toEqual([before]);
  });

  test("on request up to the last message, also if a run works on an earlier segment then", async () => {
    const { caller, id, params, service } = await openConversation();
    const messages = texts(1, 27).map((content) => ({ role: "user", content }));
    await caller.call(contracts.appendMessages, { params, body: { messages, wait: "indexed" } });
    const requested: contracts.QueuedSummaries[] = [];
    const DB = databaseWith("INSERT INTO summaries", async () => {
      if (requested.length === 0) requested.push(await caller.call(contracts.createSummaries, { params }));
    });
    await service.summarizeApart({ db: DB });
    expect(requested).toEqual([{ conversation_id: id, last_sequence: 27 }]);
    await service.settle();
    expect(await places(caller, id)).toEqual([
      [1, 1, 24],
      [1, 25, 27, "open"],
    ]);
  });

  test("of messages that were stored before there were summaries, when the conversation goes on", async () => {
    const { caller, id, store } = await openConversation();
    await store(1, 50);
    await env.DB.prepare("DELETE FROM summaries WHERE conversation_id = ?1").bind(id).run();
    await store(51, 51);
    expect(await places(caller, id)).toEqual([
      [1, 1, 24],
      [1, 25, 48],
    ]);
  });

  test("again for a segment into which an import has placed a message", async () => {
    const { caller, id, store, messageAt, settle } = await openConversation();
    await store(1, 48);
    const { lines } = await exportOnce(caller);
    const message_id = await messageAt(5);
    await caller.call(contracts.deleteMessage, { params: { conversation_id: id, message_id } });
    await settle();
    const [without] = await summariesOf(caller, id);
    expect(without).toMatchObject({ from_sequence: 1, to_sequence: 24, source_count: 23 });
    await send(
      caller,
      lines.filter((line) => idOf(line) === message_id),
    );
    await settle();
    const [again] = await summariesOf(caller, id);
    expect(again).toMatchObject({ from_sequence: 1, to_sequence: 24, source_count: 24 });
    expect(again?.source_hash).not.toBe(without?.source_hash);
  });

  test("with an event for each", async () => {
    const { caller, id, store } = await openConversation();
    await store(1, 48);
    const { items } = await caller.call(contracts.listEvents, { query: { type: "summary.created" } });
    expect(
      items.map(({ conversation_id, first_sequence, last_sequence }) => [
        conversation_id,
        first_sequence,
        last_sequence,
      ]),
    ).toEqual([
      [id, 1, 24],
      [id, 25, 48],
    ]);
  });

  test("without a row more for an append, unless it fills a segment", async () => {
    const rows = new RowsRead();
    const { secret } = await createOrganization();
    const service = new Service({ DB: rows.db });
    const caller = service.callerOf(secret);
    const { id } = await caller.call(contracts.createConversation, { body: {} });
    const written: number[] = [];
    for (let i = 1; i <= 26; i++) {
      rows.reset();
      await caller.call(contracts.appendMessages, {
        params: { conversation_id: id },
        body: { messages: [{ role: "user", content: said(i) }], wait: "indexed" },
      });
      if (rows.statements.some(({ sql, written }) => written > 0 && sql.includes("summar"))) written.push(i);
    }
    // The eighth message without a summary begins the wait for a rest.
    expect(written).toEqual([8, 24]);
  });
});

describe("list summaries", () => {
  test("returns those of a level and of a range, each once over several pages", async () => {
    const { caller, id, params, store } = await openConversation();
    await store(1, 200);
    const everything = await summariesOf(caller, id);
    const paged = await readPages(caller, contracts.listSummaries, { params, query: { limit: 2 } });
    expect(paged.flatMap(({ items }) => items)).toEqual(everything);
    expect((await listOf(caller, id, { level: 2 })).items).toEqual(everything.slice(8));
    const some = await listOf(caller, id, { from_sequence: 24, to_sequence: 49 });
    expect(some.items.map(({ level, from_sequence }) => [level, from_sequence])).toEqual([
      [1, 1],
      [1, 25],
      [1, 49],
      [2, 1],
    ]);
    expect(await caller.fail(contracts.listSummaries, { params, query: { level: 8 } })).toMatchObject({
      code: "validation_failed",
    });
    expect(
      await caller.fail(contracts.listSummaries, { params, query: { as_of: "2026-01-01T00:00:00Z" } }),
    ).toMatchObject({
      code: "validation_failed",
    });
  });

  test("answers another agent, user or organization as if the conversation were absent", async () => {
    const { caller, id, store, service } = await openConversation({ agent_id: "a", user_id: "u" });
    await store(1, 24);
    const params = { conversation_id: id };
    const other = await open();
    const keys = await Promise.all(
      [{ agent_id: "b" }, { user_id: "v" }].map((owner) =>
        createKey(caller, { scopes: ["read", "write"], ...owner }),
      ),
    );
    const strangers = [other.caller, ...keys.map(({ secret }) => service.callerOf(secret))];
    const absent = await caller.fail(contracts.listSummaries, {
      params: { conversation_id: "conv_00000000000000000000" },
    });
    for (const stranger of strangers)
      for (const contract of [contracts.listSummaries, contracts.createSummaries])
        expect(await stranger.fail(contract, { params })).toMatchObject({ code: absent.code, status: 404 });
    const own = await createKey(caller, { scopes: ["read"], agent_id: "a", user_id: "u" });
    expect((await listOf(service.callerOf(own.secret), id)).items).toHaveLength(1);
    expect(await service.callerOf(own.secret).fail(contracts.createSummaries, { params })).toMatchObject({
      status: 403,
    });
  });
});
