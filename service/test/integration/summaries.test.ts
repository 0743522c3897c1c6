import type { Summary } from "@engram/spec";
import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { type Caller, createKey, createOrganization, operator, readPages } from "../support/client.ts";
import { Ledger, RowsRead } from "../support/counting.ts";
import { databaseWith } from "../support/deletions.ts";
import { env } from "../support/env.ts";
import { exportOnce, idOf } from "../support/exports.ts";
import { send } from "../support/imports.ts";
import { open, Service, selectRow, selectRows } from "../support/invocations.ts";

const NAMES = ["Priya", "Tomás", "Yuki", "Ines", "Oluwaseun"];
const said = (i: number) =>
  `${NAMES[i % NAMES.length]} checked ledger ${1_000 + i} of the Kestrel warehouse. Thanks for that.`;
const texts = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => said(from + i));

const TEN_MINUTES = 600_000;

type Query = Record<string, string | number>;
const listOf = (caller: Caller, conversation_id: string, query: Query = {}) =>
  caller.call(contracts.listSummaries, { params: { conversation_id }, query });
const all = async (caller: Caller, id: string): Promise<Summary[]> =>
  (
    await readPages(caller, contracts.listSummaries, {
      params: { conversation_id: id },
      query: { limit: 100 },
    })
  ).flatMap(({ items }) => items);
const places = async (caller: Caller, id: string) =>
  (await all(caller, id)).map(({ level, from_sequence: from, to_sequence: to, full }) =>
    full ? [level, from, to] : [level, from, to, "open"],
  );

/** Without the work of an embedding model. */
const AI = new Ledger().sameVectors;

async function openConversation(more: object = {}) {
  const world = await open({ AI });
  const { caller, service, append, clock } = world;
  const { id } = await caller.call(contracts.createConversation, { body: more });
  /** Indexes what was appended, and runs the cron. */
  const settle = async () => {
    await service.settle();
    clock.advance(65_000);
    await service.sweep();
    await service.settle();
  };
  const store = async (from: number, to: number) => {
    for (let at = from; at <= to; at += 500) await append(id, texts(at, Math.min(to, at + 499)));
    await settle();
  };
  const params = { conversation_id: id };
  const messageAt = async (sequence: number, of = id) => {
    const { items } = await caller.call(contracts.listMessages, {
      params: { conversation_id: of },
      query: { from_sequence: sequence, to_sequence: sequence },
    });
    return items[0]?.id ?? "";
  };
  const summarize = async (of = id) => {
    const answer = await caller.call(contracts.createSummaries, { params: { conversation_id: of } });
    await service.settle();
    return answer;
  };
  return { ...world, id, params, settle, store, messageAt, summarize };
}

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
    const [first] = await all(caller, id);
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
      (await all(who, of)).map(({ conversation_id: _, created_at: __, sentences, ...summary }) => ({
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
    const made = await all(caller, id);
    expect(made.length).toBeGreaterThan(1);
    expect(made.every(({ full, to_sequence }) => full && to_sequence < 5)).toBe(true);
  });

  test("of eight summaries on the next level, which has only sentences of them", async () => {
    const { caller, id, store } = await openConversation();
    await store(1, 400);
    const made = await all(caller, id);
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
    const [before] = await all(caller, id);
    expect(await summarize()).toMatchObject({ last_sequence: 3 });
    expect(await all(caller, id)).toEqual([before]);
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
    const [without] = await all(caller, id);
    expect(without).toMatchObject({ from_sequence: 1, to_sequence: 24, source_count: 23 });
    await send(
      caller,
      lines.filter((line) => idOf(line) === message_id),
    );
    await settle();
    const [again] = await all(caller, id);
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

describe("a message that is changed or deleted", () => {
  test("takes the summaries over it, and no others, in its own batch, and they are made again", async () => {
    const { caller, id, params, store, messageAt, settle } = await openConversation();
    await store(1, 200);
    expect(await places(caller, id)).toHaveLength(9);
    const message_id = await messageAt(30);
    const receipt = await caller.call(contracts.deleteMessage, { params: { ...params, message_id } });
    expect(receipt).toMatchObject({ type: "delete_message", summaries_deleted: 2 });
    expect((await places(caller, id)).map(([level, from]) => [level, from])).toEqual(
      [1, 49, 73, 97, 121, 145, 169].map((from) => [1, from]),
    );
    await settle();
    const again = await all(caller, id);
    expect(again).toHaveLength(9);
    expect(again[1]).toMatchObject({ from_sequence: 25, to_sequence: 48, source_count: 23 });
    expect(JSON.stringify(again)).not.toContain(message_id);
  });

  test("takes them if its content changes, but not if only its metadata does", async () => {
    const { caller, id, params, store, messageAt, settle } = await openConversation();
    await store(1, 24);
    const message_id = await messageAt(3);
    const update = (body: object) =>
      caller.call(contracts.updateMessage, { params: { ...params, message_id }, body });
    await update({ metadata: { a: 1 } });
    await update({ content: said(3) });
    expect(await places(caller, id)).toEqual([[1, 1, 24]]);
    await update({ content: "Zanzibar sells nutmeg to Antwerp." });
    expect(await places(caller, id)).toEqual([]);
    await settle();
    expect(JSON.stringify(await all(caller, id))).toContain("Zanzibar");
  });

  test("takes them if it is replaced", async () => {
    const { caller, id, params, store, settle } = await openConversation();
    await store(1, 60);
    await caller.call(contracts.replaceMessages, {
      params,
      body: { expected_last_sequence: 60, from_sequence: 30, messages: [{ role: "user", content: "Fin." }] },
    });
    expect(await places(caller, id)).toEqual([[1, 1, 24]]);
    await settle();
    expect(await places(caller, id)).toEqual([
      [1, 1, 24],
      [1, 25, 29],
    ]);
  });

  test("ends a run that has read it", async () => {
    const { caller, id, params, store, messageAt, service, settle } = await openConversation();
    await store(1, 23);
    const message_id = await messageAt(3);
    await caller.call(contracts.appendMessages, {
      params,
      body: { messages: [{ role: "user", content: said(24) }], wait: "indexed" },
    });
    let isChanged = false;
    const DB = databaseWith("INSERT INTO summaries", async () => {
      if (isChanged) return;
      isChanged = true;
      await caller.call(contracts.updateMessage, {
        params: { ...params, message_id },
        body: { content: "Zanzibar sells nutmeg." },
      });
    });
    await service.summarizeApart({ db: DB });
    if (!isChanged) throw new Error("no summary was stored");
    const made = JSON.stringify(await all(caller, id));
    expect(made).not.toContain(said(3));
    await settle();
    expect(JSON.stringify(await all(caller, id))).toContain("Zanzibar");
  });

  test.for(["a conversation", "conversations", "a user", "an organization"])(
    "takes all of them with the deletion of %s, whose receipt counts them",
    async (what) => {
      const { caller, id, params, store, idle, organizationId } = await openConversation({ user_id: "ana" });
      await store(1, 200);
      const receipt =
        what === "a conversation"
          ? await caller.call(contracts.deleteConversation, { params })
          : what === "conversations"
            ? await caller.call(contracts.deleteConversations, { body: { filter: { user_id: "ana" } } })
            : what === "a user"
              ? await caller.call(contracts.deleteUser, { params: { user_id: "ana" } })
              : await operator.call(contracts.deleteOrganization, {
                  params: { organization_id: organizationId },
                });
      if (what !== "an organization")
        expect(await caller.fail(contracts.listSummaries, { params })).toMatchObject({ code: "not_found" });
      await idle();
      const ended = await operator.call(contracts.getOperation, {
        params: { operation_id: (receipt as { id: string }).id },
      });
      expect(ended).toMatchObject({ status: "succeeded", summaries_deleted: 9 });
      for (const table of ["summaries", "summary_jobs"])
        expect(await selectRow(`SELECT count(*) AS n FROM ${table} WHERE conversation_id = ?1`, id)).toEqual({
          n: 0,
        });
    },
  );
});

describe("list summaries", () => {
  test("returns those of a level and of a range, each once over several pages", async () => {
    const { caller, id, params, store } = await openConversation();
    await store(1, 200);
    const everything = await all(caller, id);
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

describe("search in summaries", () => {
  const search = (caller: Caller, body: object) =>
    caller.call(contracts.search, {
      body: { query: "ledger 1030", mode: "keyword", in: ["summaries"], ...body },
    });

  test("returns the summary of each match with the messages that it cites, as part of the result of the match", async () => {
    const { caller, id, store } = await openConversation();
    await store(1, 48);
    const { results, tokens } = await search(caller, { limit: 5 });
    const [first] = results;
    if (first?.type !== "messages") throw new Error("no messages");
    expect(first.matches[0]?.sequence).toBe(30);
    const [summary, ...others] = first.summaries ?? [];
    expect(others).toEqual([]);
    expect(summary).toMatchObject({ level: 1, from_sequence: 25, to_sequence: 48 });
    const stored = await all(caller, id);
    expect(summary?.sentences).toEqual(stored[1]?.sentences);
    const cited = new Set(
      summary?.sentences.flatMap(({ cites }) => cites.map(({ message_id }) => message_id)),
    );
    expect(summary?.messages.map(({ message_id }) => message_id).sort()).toEqual([...cited].sort());
    for (const { sequence, content } of summary?.messages ?? []) expect(content).toBe(said(sequence));
    // Once, with the best result.
    const returned = results.flatMap((result) =>
      result.type === "messages" ? (result.summaries ?? []) : [],
    );
    expect(new Set(returned.map(({ from_sequence }) => from_sequence)).size).toBe(returned.length);
    const plain = await search(caller, { in: ["conversations"], limit: 5 });
    expect(plain.results.every((result) => !("summaries" in result))).toBe(true);
    expect(tokens).toBeGreaterThan(plain.tokens);
  });

  test("leaves summaries out that do not fit, and never a message for one", async () => {
    const { caller, store } = await openConversation();
    await store(1, 48);
    const plain = await search(caller, { in: ["conversations"], max_tokens: 120 });
    const small = await search(caller, { in: ["conversations", "summaries"], max_tokens: 120 });
    expect(small.tokens).toBeLessThanOrEqual(120);
    const bare = small.results.map((result) => ({ ...result, summaries: undefined }));
    expect(bare).toMatchObject(plain.results);
    expect(small.results[0]).toMatchObject({ summaries: [] });
  });

  test("has the part of a long message that is cited", async () => {
    const { caller, id, append, summarize, settle } = await openConversation();
    const noise = "So it was, and so it is, and it was so. ".repeat(60);
    await append(id, [`${noise}The Kestrel ledger 1030 moved to Antwerp on Friday. ${noise}`]);
    await settle();
    await summarize();
    const { results } = await search(caller, {});
    const [first] = results;
    const [summary] = first?.type === "messages" ? (first.summaries ?? []) : [];
    const [message] = summary?.messages ?? [];
    expect(message?.content.length).toBe(1_000);
    expect(message?.content).toContain("Kestrel ledger 1030");
  });

  test("returns none of a message that was edited or deleted, and none as of the past", async () => {
    const { caller, params, store, messageAt } = await openConversation();
    await store(1, 24);
    const asked = { query: "ledger 1003" };
    const message_id = await messageAt(5);
    await caller.call(contracts.deleteMessage, { params: { ...params, message_id } });
    const { results } = await search(caller, asked);
    expect(results[0]).toMatchObject({ type: "messages", summaries: [] });
    const past = { ...asked, query: "ledger", in: ["summaries"], as_of: "2026-01-01T00:00:00Z" };
    expect(await caller.fail(contracts.search, { body: past })).toMatchObject({
      code: "validation_failed",
      errors: [{ path: "in" }],
    });
  });

  test("returns none of another agent, user or organization", async () => {
    const { caller, store, service } = await openConversation({ agent_id: "a", user_id: "u" });
    await store(1, 24);
    const keys = await Promise.all(
      [{ agent_id: "a" }, { user_id: "u" }, { agent_id: "b" }, { user_id: "v" }].map((owner) =>
        createKey(caller, { scopes: ["search"], ...owner }),
      ),
    );
    const found = await Promise.all(
      keys.map(
        async ({ secret }) =>
          (await search(service.callerOf(secret), { query: "ledger 1003" })).results.length,
      ),
    );
    expect(found.map((count) => count > 0)).toEqual([true, true, false, false]);
    const other = await open({ AI });
    expect((await search(other.caller, { query: "ledger 1003" })).results).toEqual([]);
  });
});
