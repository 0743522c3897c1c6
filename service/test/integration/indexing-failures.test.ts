import * as contracts from "@engram/spec";
import { afterEach, describe, expect, test } from "vitest";
import { scale } from "../../../proof/support/scale.ts";
import type { AiBinding, EmbeddingInput } from "../../src/platform/ai.ts";
import { createKey, createOrganization, seedConversation } from "../support/client.ts";
import { Ledger } from "../support/counting.ts";
import { env } from "../support/env.ts";
import { type Clock, open, selectChunks, selectRows, texts, vectorsOf } from "../support/invocations.ts";

afterEach(async () => {
  await env.CONTROL.clearFaults();
  await env.CONTROL.setVisibilityDelayMs(0);
  await env.CONTROL.flush();
});

describe("during an outage of the embedding model", () => {
  test("the model is called again every 30 to 40 seconds without end, and index status gives the reason", async () => {
    const { service, clock, caller, append, status } = await open();
    await env.CONTROL.setFault({ ai: "3040" });
    const id = await seedConversation(caller);
    await append(id, texts(1, 5));
    await service.settle();
    for (let attempt = 1; attempt <= scale(12, 3); attempt++) {
      const waiting = {
        pending: 5,
        failed: 0,
        chunks: 0,
        last_error: { message: expect.stringContaining("3040") },
      };
      expect(await status(id)).toMatchObject(waiting);
      const failedAt = (await status(id)).last_error?.at;
      clock.advance(29_999);
      await service.sweep();
      expect((await status(id)).last_error?.at).toBe(failedAt);
      clock.advance(10_001);
      await service.sweep();
      expect((await status(id)).last_error?.at).toBe(new Date(clock.nowMs()).toISOString());
    }
    await env.CONTROL.clearFaults();
    clock.advance(40_000);
    await service.sweep();
    expect(await status(id)).toMatchObject({ pending: 0, failed: 0, chunks: 1, last_error: null });
  });

  test("the retries of different conversations are spread over time", async () => {
    const { service, clock, caller, organizationId } = await open();
    await env.CONTROL.setFault({ ai: "3040" });
    for (let i = 0; i < 20; i++) await seedConversation(caller, [`What is said in conversation ${i}.`]);
    await service.settle();
    const jobs = await selectRows<{ wait_ms: number }>(
      "SELECT due_at_ms - ?2 AS wait_ms FROM index_jobs WHERE organization_id = ?1 ORDER BY wait_ms",
      organizationId,
      clock.nowMs(),
    );
    const waits = jobs.map(({ wait_ms }) => wait_ms);
    expect(waits).toHaveLength(20);
    expect(new Set(waits).size).toBeGreaterThan(15);
    expect(waits[0]).toBeGreaterThanOrEqual(30_000);
    expect(waits.at(-1)).toBeLessThan(40_000);
  });

  test("(or of the vector store) appends and keyword search still work", async () => {
    const { service, caller, append, status, idle } = await open();
    const id = await seedConversation(caller);
    await env.CONTROL.setFault({ vectorize: "40041" });
    await append(id, ["The zeppelin lands at noon."]);
    await service.settle();
    expect(await status(id)).toMatchObject({ pending: 1, chunks: 0 });
    const answer = await caller.call(contracts.search, { body: { query: "zeppelin" } });
    expect(answer).toMatchObject({ degraded: ["semantic"], pending: 1, results: [{ conversation_id: id }] });
    await env.CONTROL.clearFaults();
    await idle();
    expect(await status(id)).toMatchObject({ pending: 0, chunks: 1 });
  });

  test("(or slow responses of it) the lease is renewed before vectors are written", async () => {
    const leasesMs: number[] = [];
    const run: AiBinding["run"] = async (model, input: EmbeddingInput) => {
      clock.advance(50_000);
      return env.AI.run(model, input);
    };
    const VECTORIZE = Object.assign(Object.create(env.VECTORIZE), {
      upsert: async (vectors: VectorizeVector[]) => {
        const lease = "SELECT lease_until_ms AS until_ms FROM index_jobs WHERE conversation_id = ?1";
        for (const { until_ms } of await selectRows<{ until_ms: number }>(lease, id))
          leasesMs.push(until_ms - clock.nowMs());
        return env.VECTORIZE.upsert(vectors);
      },
    });
    const { clock, caller, append, service } = await open({ AI: { run }, VECTORIZE });
    const id = await seedConversation(caller);
    await append(id, ["The zeppelin lands at noon."]);
    await service.settle();
    expect(leasesMs).toEqual([60_000]);
  });

  test("jobs of an interrupted run are taken over when its lease ends, and by a repair", async () => {
    const { service, clock, caller, append, status, idle } = await open();
    await env.CONTROL.setFault({ ai: "3040" });
    const id = await seedConversation(caller);
    await append(id, texts(1, 3));
    await service.settle();
    await env.CONTROL.clearFaults();
    const cutOff = (attempts: number) =>
      env.DB.prepare(
        "UPDATE index_jobs SET lease_id = 'gone', lease_until_ms = ?2, attempts = ?3 WHERE conversation_id = ?1",
      )
        .bind(id, clock.nowMs() + 60_000, attempts)
        .run();
    await cutOff(1);
    clock.advance(59_000);
    await service.sweep();
    expect(await status(id)).toMatchObject({ chunks: 0 });
    clock.advance(1_001);
    await service.sweep();
    expect(await status(id)).toMatchObject({ pending: 0, chunks: 1 });
    await append(id, texts(4, 4), {});
    await service.settle();
    await env.DB.prepare(
      `INSERT INTO index_jobs (organization_id, conversation_id, from_sequence, to_sequence, attempts, due_at_ms)
       SELECT organization_id, id, 1, 4, 10, 0 FROM conversations WHERE id = ?1`,
    )
      .bind(id)
      .run();
    await cutOff(10);
    clock.advance(61_000);
    expect(await status(id)).toMatchObject({ failed: 4 });
    await caller.call(contracts.repairIndex, { body: {} });
    await idle();
    expect(await status(id)).toMatchObject({ failed: 0, pending: 0, chunks: 1 });
  });
});

describe("after an outage of the embedding model", () => {
  const CONVERSATIONS = scale(60, 30);

  /** The service's clock during a sweep, whose pauses advance the time. */
  const passing = (clock: Clock) => ({
    runtime: {
      nowMs: () => clock.nowMs(),
      randomBytes: (length: number) => clock.randomBytes(length),
      pause: (ms: number) => clock.pause(ms),
      after: async (delayMs: number, work: () => Promise<void>) => {
        clock.advance(delayMs);
        await work();
      },
    },
  });

  test("a sweep indexes everything pending within a minute, in invocations of 25, and calls the model once per check while it is down", async () => {
    const shares: string[][] = [];
    const ledger = new Ledger();
    const { AI, VECTORIZE } = ledger.bindings;
    const { service, clock, caller, organizationId } = await open({ AI, VECTORIZE });
    const indexApart = service.indexApart.bind(service);
    service.indexApart = (due, more) => {
      shares.push(due.map(({ conversationId }) => conversationId));
      return indexApart(due, more);
    };
    await env.CONTROL.setFault({ ai: "3040" });
    const ids = [];
    for (let i = 0; i < CONVERSATIONS; i++) {
      ids.push(await seedConversation(caller, [`What is said in conversation ${i}.`]));
      await service.settle();
    }
    const pending = async () => (await caller.call(contracts.getIndexStatus, {})).pending;
    expect(await pending()).toBe(CONVERSATIONS);
    ledger.reset();
    clock.advance(5_000);
    await service.sweep(passing(clock));
    // Due after 30 to 40 seconds, and checked every ten until the next sweep: after 35, 45 and 55. Each check calls
    // twice, in case one text caused the failure.
    expect([ledger.counts(), shares.map((share) => share.length)]).toEqual([{ "ai.run": 6 }, [1, 1, 1]]);
    await env.CONTROL.clearFaults();
    shares.length = 0;
    const backMs = clock.nowMs();
    await service.sweep(passing(clock));
    expect(await pending()).toBe(0);
    expect(clock.nowMs() - backMs).toBeLessThanOrEqual(60_000);
    expect(Math.max(...shares.map((share) => share.length))).toBe(25);
    expect(shares.flat().sort()).toEqual(ids.sort());
    expect(await vectorsOf(organizationId)).toHaveLength(CONVERSATIONS);
  });
});

test("a failed job of replaced messages still runs if their replacements are deleted", async () => {
  const { service, clock, caller, organizationId } = await open();
  const id = await seedConversation(caller, texts(1, 7));
  await service.settle();
  await env.CONTROL.setFault({ vectorize: "500" });
  const params = { conversation_id: id };
  const replacement = {
    expected_last_sequence: 7,
    from_sequence: 4,
    messages: [{ role: "user" as const, content: "A replacement." }],
  };
  const { message_ids } = await caller.call(contracts.replaceMessages, { params, body: replacement });
  await service.settle();
  await env.CONTROL.clearFaults();
  const message_id = message_ids[0] ?? "";
  clock.advance(60_000);
  await caller.call(contracts.deleteMessage, { params: { ...params, message_id } });
  await service.settle();
  clock.advance(60_000);
  await service.sweep();
  expect(await selectChunks(organizationId)).toMatchObject([
    { start_sequence: 1, end_sequence: 3, is_indexed: 1 },
  ]);
});

test("messages that were appended one by one during an outage of the model are embedded together", async () => {
  const ledger = new Ledger();
  const { service, clock, caller, append, status } = await open({ AI: ledger.bindings.AI });
  await env.CONTROL.setFault({ ai: "3040" });
  const id = await seedConversation(caller);
  for (const text of texts(1, 40)) await append(id, [text]);
  await service.settle();
  await env.CONTROL.clearFaults();
  ledger.reset();
  clock.advance(40_000);
  await service.sweep();
  expect(await status(id)).toMatchObject({ pending: 0, chunks: 13 });
  // One batch of chunks per step.
  expect(ledger.counts()).toEqual({ "ai.run": 1 });
});

describe("during the visibility lag of the vector store", () => {
  const lag = async () => {
    // Vectorize, which shows a change later than a cell.
    const opened = await open({}, {}, "d1");
    const id = await seedConversation(opened.caller);
    await env.CONTROL.setVisibilityDelayMs(3_600_000);
    await opened.append(id, ["The zeppelin lands at noon."]);
    const search = (mode: string) =>
      opened.caller.call(contracts.search, { body: { query: "zeppelin", mode } });
    return { ...opened, id, search };
  };

  test("new messages are found by words, before and after they are embedded", async () => {
    const { id, search, service } = await lag();
    expect(await search("keyword")).toMatchObject({ results: [{ conversation_id: id }] });
    expect(await search("hybrid")).toMatchObject({ results: [{ conversation_id: id }], pending: 1 });
    await service.settle();
    expect(await search("hybrid")).toMatchObject({ results: [{ conversation_id: id }] });
  });

  test("every semantic search reports how many messages are not visible yet", async () => {
    const { id, search, service, append } = await lag();
    await service.settle();
    for (const mode of ["hybrid", "semantic"] as const) expect((await search(mode)).pending, mode).toBe(1);
    expect((await search("keyword")).pending).toBe(0);
    await env.CONTROL.flush();
    expect((await search("semantic")).pending).toBe(0);
    for (const content of ["a quokka smiles", "and waves"]) {
      await append(id, [content]);
      await service.settle();
    }
    expect((await search("hybrid")).pending).toBe(2);
    await env.CONTROL.flush();
    expect((await search("hybrid")).pending).toBe(0);
  });

  test("a key bound to an agent gets the count of that agent's messages only", async () => {
    const { caller, append, service } = await lag();
    await service.settle();
    const bot = await createKey(caller, { scopes: ["search"], agent_id: "bot" });
    const pending = async () =>
      (await bot.call(contracts.search, { body: { query: "zeppelin", mode: "semantic" } })).pending;
    expect(await pending()).toBe(0);
    await append(await seedConversation(caller, [], { agent_id: "bot" }), ["mine", "mine, too"]);
    await service.settle();
    expect(await pending()).toBe(2);
  });

  test("messages are found by meaning once their vector is visible, and none is returned twice", async () => {
    const { id, search, service, status } = await lag();
    await service.settle();
    expect(await status(id)).toMatchObject({ pending: 0, chunks: 1 });
    expect((await search("semantic")).results).toEqual([]);
    await env.CONTROL.flush();
    expect(await search("semantic")).toMatchObject({ results: [{ conversation_id: id }] });
    expect((await search("hybrid")).results).toHaveLength(1);
  });
});

describe("while a Cloudflare service that this one calls fails", () => {
  test.for([
    ["the embedding model", { ai: "3040" }],
    ["the vector store", { vectorize: "40041" }],
    ["both", { ai: "3007", vectorize: "500" }],
  ] as const)(
    "(%s) messages are stored and found by words, and responses report what is missing",
    async ([, fault]) => {
      // A cell has vectors of its own.
      const caller = await createOrganization("test", "vectorize" in fault ? "d1" : undefined);
      const conversation_id = await seedConversation(caller, ["the narwhal dives"]);
      await env.CONTROL.setFault(fault);
      const word = `narwhal${crypto.randomUUID().slice(0, 8)}`;
      const body = { messages: [{ role: "user", content: `the ${word} sings` }] };
      const params = { conversation_id };
      expect(await caller.call(contracts.appendMessages, { params, body })).toMatchObject({ indexed: false });
      const waiting = { messages: [{ role: "user", content: "and waits" }], wait: "indexed" };
      expect(await caller.call(contracts.appendMessages, { params, body: waiting })).toMatchObject({
        indexed: false,
      });

      const hybrid = await caller.call(contracts.search, { body: { query: word } });
      expect(hybrid).toMatchObject({ degraded: ["semantic"], results: [{ conversation_id }] });
      expect(hybrid.pending).toBeGreaterThan(0);
      // No requested data is missing here.
      const keyword = await caller.call(contracts.search, { body: { query: word, mode: "keyword" } });
      expect(keyword).toMatchObject({ degraded: [], results: [{ conversation_id }] });

      const semantic = await caller.fetch(contracts.search, { body: { query: word, mode: "semantic" } });
      expect([semantic.status, semantic.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(await semantic.json()).toMatchObject({ code: "unavailable" });
    },
  );
});
