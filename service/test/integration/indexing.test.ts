import type { Place } from "@engram/spec";
import * as contracts from "@engram/spec";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { scale } from "../../../proof/support/scale.ts";
import { indexTogether } from "../../src/indexing/run.ts";
import type { ServiceLimits } from "../../src/limits.ts";
import { RESPONSE_MS, systemRuntime } from "../../src/platform/runtime.ts";
import { seedConversation } from "../support/client.ts";
import { Ledger, RowsRead } from "../support/counting.ts";
import { env } from "../support/env.ts";
import { conversation, message, send } from "../support/imports.ts";
import {
  existingVectors,
  open,
  selectChunks,
  selectPostings,
  texts,
  vectorsOf,
} from "../support/invocations.ts";
import { captureLog } from "../support/log.ts";
import { databaseAt, isInCells } from "../support/places.ts";

afterEach(async () => {
  await env.CONTROL.clearFaults();
  await env.CONTROL.setVisibilityDelayMs(0);
  await env.CONTROL.flush();
});

const content = fc.oneof(
  fc.constantFrom("Hello there.", "The refund was sent.", "東京に行きました", "", "👋"),
  fc
    .integer({ min: 50, max: 300 })
    .map((count) => Array.from({ length: count }, (_, i) => `w${i} end.`).join(" ")),
);
const step = fc.oneof(
  fc.record({ kind: fc.constant("append"), contents: fc.array(content, { minLength: 1, maxLength: 9 }) }),
  fc.record({ kind: fc.constant("update"), at: fc.nat(30), contents: fc.tuple(content) }),
  fc.record({ kind: fc.constant("delete"), at: fc.nat(30), contents: fc.tuple() }),
  fc.record({ kind: fc.constant("replace"), at: fc.nat(30), contents: fc.array(content, { maxLength: 4 }) }),
);

describe("indexing", () => {
  // The guarantee that windows depend on the conversation, not on the appends.
  test("produces the same chunks, vectors and terms for the same messages, whatever writes led to them", async () => {
    const { organizationId, service, clock, caller, idle } = await open();
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 7 }),
        fc.boolean(),
        async (steps, settles) => {
          const id = await seedConversation(caller);
          const params = { conversation_id: id };
          for (const { kind, contents, ...rest } of steps) {
            const { items } = await caller.call(contracts.listMessages, { params });
            const target = "at" in rest && items.length > 0 ? items[rest.at % items.length] : undefined;
            const messages = contents.map((text) => ({ role: "user", content: text }));
            if (kind === "append")
              await caller.call(contracts.appendMessages, { params, body: { messages } });
            if (target === undefined) continue;
            const message = { ...params, message_id: target.id };
            if (kind === "update")
              await caller.call(contracts.updateMessage, { params: message, body: { content: contents[0] } });
            if (kind === "delete") await caller.call(contracts.deleteMessage, { params: message });
            if (kind === "replace") {
              const last = items.at(-1)?.sequence;
              const body = { expected_last_sequence: last, from_sequence: target.sequence, messages };
              await caller.call(contracts.replaceMessages, { params, body });
            }
            if (settles) await service.settle();
          }
          await idle();
          const chunks = await selectChunks(organizationId, id);
          const postings = await selectPostings(organizationId);
          const vectors = chunks.map(({ vector_id }) => vector_id);
          expect(chunks.every(({ is_indexed }) => is_indexed === 1)).toBe(true);
          expect(new Set(vectors).size).toBe(chunks.length);
          expect((await existingVectors(vectors)).sort()).toEqual(vectors.toSorted());
          await env.DB.prepare("DELETE FROM conversation_chunks WHERE conversation_id = ?1").bind(id).run();
          await caller.call(contracts.repairIndex, { body: { conversation_id: id } });
          await idle();
          expect(await selectChunks(organizationId, id)).toEqual(chunks);
          expect(await selectPostings(organizationId)).toEqual(postings);
          await caller.call(contracts.deleteConversation, { params });
          await idle();
          expect(await vectorsOf(organizationId)).toEqual([]);
          clock.advance(1);
        },
      ),
      { numRuns: scale(12, 3) },
    );
  });

  test("a second time changes nothing, and calls neither model nor vector store", async () => {
    const ledger = new Ledger();
    const { AI, VECTORIZE } = ledger.bindings;
    const { organizationId, service, clock, caller, append, idle } = await open({ AI, VECTORIZE });
    const id = await seedConversation(caller);
    await append(id, texts(1, 12));
    await service.settle();
    const chunks = await selectChunks(organizationId);
    expect(chunks).toHaveLength(4);
    ledger.reset();
    await env.DB.prepare(
      `INSERT INTO index_jobs (organization_id, conversation_id, from_sequence, to_sequence, due_at_ms)
       VALUES (?1, ?2, 1, 12, 0)`,
    )
      .bind(organizationId, id)
      .run();
    clock.advance(1_000);
    await idle();
    expect(await selectChunks(organizationId)).toEqual(chunks);
    expect(ledger.counts()).toEqual({});
  });

  test("gives equal texts in different organizations or conversations different ids", async () => {
    const [a, b] = await Promise.all([open(), open()]);
    for (const { caller, append, service } of [a, a, b]) {
      await append(await seedConversation(caller), texts(1, 8));
      await service.settle();
    }
    const chunks = [...(await selectChunks(a.organizationId)), ...(await selectChunks(b.organizationId))];
    expect(chunks).toHaveLength(6);
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(6);
    expect(new Set(chunks.map(({ vector_id }) => vector_id)).size).toBe(6);
    const ofB = (await selectChunks(b.organizationId)).map(({ vector_id }) => vector_id);
    expect(await vectorsOf(b.organizationId)).toEqual(ofB.toSorted());
  });

  test("reads a limited number of messages at once, and still processes all", async () => {
    const { organizationId, service, caller, append } = await open(
      { AI: new Ledger().sameVectors },
      { indexStepBytes: 200_000 },
    );
    const id = await seedConversation(caller);
    const long = `${"a".repeat(24)} `.repeat(1_400);
    for (const half of [0, 4]) {
      const texts = Array.from({ length: 4 }, (_, i) => `${half + i} ${long}`);
      await append(id, texts);
    }
    await service.settle();
    const status = await caller.call(contracts.getIndexStatus, { query: { conversation_id: id } });
    expect(status).toMatchObject({ messages: 8, pending: 0, failed: 0 });
    const covered = new Set<number>();
    for (const chunk of await selectChunks(organizationId, id)) {
      for (let sequence = chunk.start_sequence; sequence <= chunk.end_sequence; sequence++)
        covered.add(sequence);
    }
    expect(covered.size).toBe(8);
  });

  test('completes before the response of an append with wait: "indexed", which reports whether it did', async () => {
    const { caller, append, organizationId } = await open();
    const id = await seedConversation(caller);
    expect(await append(id, texts(1, 2))).toMatchObject({ indexed: false });
    expect(await append(id, texts(3, 4), { wait: "indexed" })).toMatchObject({ indexed: true });
    const [chunk] = await selectChunks(organizationId);
    expect(chunk).toMatchObject({ start_sequence: 1, end_sequence: 4, is_indexed: 1 });
    // Whether there was a window of the first two messages in between depends on which run came first.
    expect(await vectorsOf(organizationId)).toContain(chunk?.vector_id);
    await env.CONTROL.setFault({ ai: "3040" });
    expect(await append(id, texts(5, 6), { wait: "indexed" })).toMatchObject({
      indexed: false,
      last_sequence: 6,
    });
  });

  describe("of a conversation that is still growing", () => {
    const QUIET_MS = 15_000;
    const openTalk = async () => {
      const ledger = new Ledger();
      const { AI, VECTORIZE } = ledger.bindings;
      const opened = await open({ AI, VECTORIZE, INDEX_QUIET_SECONDS: "15" });
      const id = await seedConversation(opened.caller);
      const vectors = async () =>
        (await selectChunks(opened.organizationId)).map(({ vector_id }) => vector_id);
      const say = async (from: number, to: number) => {
        await opened.append(id, texts(from, to));
        await opened.service.settle();
      };
      const ranges = async () =>
        (await selectChunks(opened.organizationId)).map((chunk) => [
          chunk.start_sequence,
          chunk.end_sequence,
        ]);
      return { ...opened, ledger, id, vectors, say, ranges };
    };

    test("embeds each window once: when it is complete, or after a pause", async () => {
      const { caller, clock, service, say, ranges, id, ledger } = await openTalk();
      for (let sequence = 1; sequence <= 12; sequence++) {
        await say(sequence, sequence);
        await clock.pass(5_000);
        await service.settle();
      }
      expect(await ranges()).toEqual([
        [1, 5],
        [4, 8],
        [7, 11],
      ]);
      expect(ledger.counts()).toMatchObject({ "ai.run": 3, "vectorize.upsert": 3 });
      const found = await caller.call(contracts.search, { body: { query: "12", mode: "keyword" } });
      expect(found.pending).toBe(1);
      expect(found.results[0]).toMatchObject({ conversation_id: id, end_sequence: 12 });
      await clock.pass(QUIET_MS - 5_000 - 1);
      await service.settle();
      expect(await ranges()).toHaveLength(3);
      await clock.pass(1);
      await service.settle();
      expect((await ranges()).at(-1)).toEqual([10, 12]);
      expect(ledger.counts()).toMatchObject({ "ai.run": 4 });
    });

    test("embeds the windows of a burst of appends together", async () => {
      const { append, clock, service, ranges, id, ledger } = await openTalk();
      const responded = Promise.withResolvers<void>();
      let pauses = 0;
      clock.pause = (ms) => {
        if (ms !== RESPONSE_MS) return systemRuntime.pause(ms);
        pauses += 1;
        return responded.promise;
      };
      for (let sequence = 1; sequence <= 17; sequence++) await append(id, texts(sequence, sequence));
      // Only the append of a run: the one that completed the first window.
      expect(pauses).toBe(1);
      responded.resolve();
      await service.settle();
      expect(await ranges()).toHaveLength(5);
      // The window of the run's own job, then those of all jobs that were added meanwhile.
      expect(ledger.counts()).toMatchObject({ "ai.run": 2, "vectorize.upsert": 2 });
      expect(pauses).toBe(2);
    });

    test("replaces the vector of a growing window, and deletes none", async () => {
      const { clock, service, say, vectors, organizationId, caller } = await openTalk();
      const seen = new Set<string>();
      for (let sequence = 1; sequence <= 8; sequence++) {
        await say(sequence, sequence);
        await clock.pass(QUIET_MS);
        await service.settle();
        for (const vector of await vectors()) seen.add(vector);
        expect(await caller.call(contracts.getIndexStatus, {})).toMatchObject({
          pending: 0,
          deletions_pending: 0,
        });
      }
      expect(seen.size).toBe(2);
      expect(await vectorsOf(organizationId)).toEqual([...seen].sort());
    });

    test("waits after a failure, whatever is appended, because the failed write may still arrive", async () => {
      const { clock, service, say, ranges, idle, ledger } = await openTalk();
      await env.CONTROL.setFault({ vectorize: "500" });
      await say(1, 3);
      await clock.pass(QUIET_MS);
      await service.settle();
      await env.CONTROL.clearFaults();
      ledger.reset();
      // The first joins the job that failed. The second completes a window.
      await say(4, 4);
      await say(5, 5);
      expect(ledger.counts()).not.toHaveProperty("vectorize.upsert");
      clock.advance(41_000);
      await idle();
      expect(await ranges()).toEqual([[1, 5]]);
    });

    test("is done by the sweep if the Worker dies after its responses", async () => {
      const { clock, service, say, ranges, append, id, idle } = await openTalk();
      await say(1, 1);
      clock.advance(QUIET_MS - 1);
      await service.sweep();
      expect(await ranges()).toEqual([]);
      clock.advance(1);
      await service.sweep();
      expect(await ranges()).toEqual([[1, 1]]);
      await append(id, texts(2, 7));
      await idle();
      expect(await ranges()).toEqual([
        [1, 5],
        [4, 7],
      ]);
    });

    test('covers all messages at once for an append with wait: "indexed"', async () => {
      const { append, id, ranges, say } = await openTalk();
      await say(1, 1);
      expect(await append(id, texts(2, 7), { wait: "indexed" })).toMatchObject({ indexed: true });
      expect(await ranges()).toEqual([
        [1, 5],
        [4, 7],
      ]);
    });
  });

  describe("of a conversation whose first append after a pause is indexed at once", () => {
    const QUIET_MS = 200;
    const openTalk = async () => {
      const ledger = new Ledger();
      const { AI, VECTORIZE } = ledger.bindings;
      const quiet = { INDEX_QUIET_SECONDS: "0.2", INDEX_FIRST_AT_ONCE: "true" };
      const opened = await open({ AI, VECTORIZE, ...quiet });
      const id = await seedConversation(opened.caller);
      const say = async (sequence: number) => {
        await opened.append(id, texts(sequence, sequence));
        await opened.service.settle();
      };
      const embedded = () => ledger.counts()["ai.run"] ?? 0;
      const pass = async (ms: number) => {
        await opened.clock.pass(ms);
        await opened.service.settle();
      };
      const pending = async () => (await opened.status()).pending;
      return { ...opened, embedded, id, pass, pending, say };
    };

    test("embeds that append without waiting, and once", async () => {
      const { embedded, pass, pending, say } = await openTalk();
      const lines = captureLog();
      for (const sequence of [1, 2, 3]) {
        await say(sequence);
        expect([await pending(), embedded()]).toEqual([0, sequence]);
        await pass(QUIET_MS);
        expect(lines.filter(({ event }) => event === "index")).toHaveLength(sequence);
      }
    });

    test("embeds those that follow it together, after a pause", async () => {
      const { embedded, pass, pending, say } = await openTalk();
      for (const sequence of [1, 2, 3, 4]) {
        await say(sequence);
        await pass(QUIET_MS - 1);
      }
      expect([await pending(), embedded()]).toEqual([3, 1]);
      await pass(1);
      expect([await pending(), embedded()]).toEqual([0, 2]);
    });

    test("starts after the pause itself, without another one", async () => {
      const { append, clock, id, pass, pending, say, service } = await openTalk();
      await say(1);
      await append(id, texts(2, 2));
      await service.settle();
      let pauses = 0;
      clock.pause = (ms) => {
        pauses += ms === RESPONSE_MS ? 1 : 0;
        return systemRuntime.pause(ms);
      };
      await pass(QUIET_MS);
      expect([await pending(), pauses]).toEqual([0, 0]);
    });
  });

  test("of a grown window is pending until the store returns the vector of its new text", async () => {
    // Vectorize, which shows a change later than a cell.
    const { caller, append, service, clock } = await open({}, {}, "d1");
    const id = await seedConversation(caller);
    await append(id, texts(1, 2));
    await service.settle();
    await env.CONTROL.setVisibilityDelayMs(3_600_000);
    await append(id, texts(3, 3));
    await service.settle();
    const pending = async () =>
      (await caller.call(contracts.search, { body: { query: "text", mode: "semantic" } })).pending;
    expect(await pending()).toBe(1);
    await env.CONTROL.flush();
    clock.advance(1);
    expect(await pending()).toBe(0);
  });

  describe("of messages with large gaps in their sequences", () => {
    const openFarApart = async (sequences: number[], limits: Partial<ServiceLimits> = {}, place?: Place) => {
      const opened = await open({}, limits, place);
      const lines = sequences.map((sequence) => message("1", sequence));
      await env.CONTROL.setFault({ ai: "3040" });
      await send(opened.caller, [conversation("1"), ...lines]);
      await opened.service.settle();
      await env.CONTROL.clearFaults();
      opened.clock.advance(41_000);
      const rowsRead = new RowsRead();
      const { organizationId } = opened;
      const invocation = {
        ...opened.service.context(organizationId),
        db: databaseAt(isInCells && place !== "d1" ? organizationId : "d1", rowsRead.db),
      };
      const due = { organizationId, conversationId: conversation("1").id };
      const run = () => indexTogether(invocation, [due], invocation.limits.indexRunSteps);
      return { ...opened, run, rowsRead };
    };

    test("takes steps for existing messages only", async () => {
      const { run, rowsRead, status, organizationId } = await openFarApart([1, 16_777_215]);
      expect(await run()).toMatchObject([{ steps: 1, embedded: 2, failed: false }]);
      expect(rowsRead.total).toBeLessThan(150);
      const chunks = await selectChunks(organizationId);
      expect(chunks.map(({ start_sequence, end_sequence }) => [start_sequence, end_sequence])).toEqual([
        [1, 1],
        [16_777_215, 16_777_215],
      ]);
      expect(await status()).toMatchObject({ messages: 2, chunks: 2, pending: 0 });
    });

    test("produces the same chunks however many messages and bytes a step reads", async () => {
      const near = [1, 2, 3, 4, 5, 6, 7, 8];
      const sequences = [...near, 50, 51, 52, 53, 54, 55, 1_000, 1_001, 2_000_000, 16_777_215];
      const placesWith = async (limits: Partial<ServiceLimits>) => {
        const { run, service, caller, organizationId } = await openFarApart(sequences, {
          ...limits,
          indexRunSteps: 100,
        });
        const [{ steps } = { steps: 0 }] = await run();
        // A repair removes vectors that are no longer needed.
        await caller.call(contracts.repairIndex, { body: {} });
        await service.sweep();
        const chunks = await selectChunks(organizationId);
        const places = chunks.map((chunk) => [chunk.window_start, chunk.start_sequence, chunk.end_sequence]);
        return { steps, places };
      };
      const whole = await placesWith({});
      expect([whole.steps, whole.places.at(-1)]).toEqual([1, [16_777_213, 16_777_215, 16_777_215]]);
      const narrow = await placesWith({ indexStepMessages: 3 });
      expect(narrow.places).toEqual(whole.places);
      expect(narrow.steps).toBeGreaterThan(4);
      expect(narrow.steps).toBeLessThan(sequences.length);
      const light = await placesWith({ indexStepBytes: 1 });
      expect(light.places).toEqual(whole.places);
    });

    test("reports how many messages are not visible in the vector store yet", async () => {
      // Vectorize, which shows a change later than a cell.
      const { run, caller } = await openFarApart([1, 16_777_215], {}, "d1");
      await env.CONTROL.setVisibilityDelayMs(3_600_000);
      await run();
      const { pending } = await caller.call(contracts.search, {
        body: { query: "message", mode: "semantic" },
      });
      expect(pending).toBe(2);
    });
  });
});
