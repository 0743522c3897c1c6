import * as contracts from "@engram/spec";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import type { AiBinding } from "../../src/ports/embedder.ts";
import { createOrganization, seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import {
  Clock,
  existingVectors,
  Service,
  selectChunks,
  selectPostings,
  selectRow,
  selectRows,
  sweepUntilIdle,
  vectorsOf,
} from "../support/invocations.ts";

afterEach(async () => {
  await env.CONTROL.clearFaults();
  await env.CONTROL.setVisibilityDelayMs(0);
  await env.CONTROL.flush();
});

/** An organization whose requests go to a service with a clock of its own. */
async function open(bindings: ConstructorParameters<typeof Service>[0] = {}) {
  const { secret, organizationId } = await createOrganization();
  const clock = new Clock();
  const service = new Service(bindings, clock);
  const caller = service.callerOf(secret);
  const append = (id: string, texts: string[], more: object = {}) =>
    caller.call(contracts.appendMessages, {
      params: { conversation_id: id },
      body: { messages: texts.map((content) => ({ role: "user", content })), ...more },
    });
  const status = (conversationId?: string) =>
    caller.call(contracts.getIndexStatus, {
      query: conversationId ? { conversation_id: conversationId } : {},
    });
  const idle = () => sweepUntilIdle(service, clock, organizationId);
  return { organizationId, clock, service, caller, append, status, idle };
}
const texts = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `Message number ${from + i}.`);

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
  // The promise that windows run over the conversation, not over what one append brought.
  test("gives the same chunks, vectors and words by any way to the same messages", {
    timeout: 60_000,
  }, async () => {
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
      { numRuns: 12 },
    );
  });

  test("twice changes nothing and asks neither model nor vector store for anything", async () => {
    const { organizationId, service, clock, caller, append, idle } = await open();
    const id = await seedConversation(caller);
    await append(id, texts(1, 12));
    await service.settle();
    const chunks = await selectChunks(organizationId);
    expect(chunks).toHaveLength(4);
    await env.CONTROL.resetCalls();
    await caller.call(contracts.repairIndex, { body: {} });
    clock.advance(1_000);
    await idle();
    expect(await selectChunks(organizationId)).toEqual(chunks);
    expect(await env.CONTROL.countCalls()).toEqual({});
  });

  test("never gives two organizations, or two conversations, the same ids for the same texts", async () => {
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

  test("reads no more messages at once than memory holds, and still reaches all of them", async () => {
    const { organizationId, service, caller, append } = await open();
    const id = await seedConversation(caller);
    // Cut by lines into few chunks, since each line alone costs as much as 400 bytes of prose.
    const long = `${"x".repeat(1_200)} `.repeat(300);
    for (let i = 0; i < 3; i++)
      await append(
        id,
        Array.from({ length: 4 }, (_, n) => `${i}.${n} ${long}`),
      );
    await service.settle();
    const status = await caller.call(contracts.getIndexStatus, { query: { conversation_id: id } });
    expect(status).toMatchObject({ messages: 12, pending: 0, failed: 0 });
    const covered = new Set<number>();
    for (const chunk of await selectChunks(organizationId, id)) {
      for (let sequence = chunk.start_sequence; sequence <= chunk.end_sequence; sequence++)
        covered.add(sequence);
    }
    expect(covered.size).toBe(12);
  });

  test("waits for an append that asks for it, and says truly whether it is done", async () => {
    const { caller, append, organizationId } = await open();
    const id = await seedConversation(caller);
    expect(await append(id, texts(1, 2))).toMatchObject({ indexed: false });
    expect(await append(id, texts(3, 4), { wait: "indexed" })).toMatchObject({ indexed: true });
    expect(await vectorsOf(organizationId)).toHaveLength(1);
    await env.CONTROL.setFault({ ai: "3040" });
    expect(await append(id, texts(5, 6), { wait: "indexed" })).toMatchObject({
      indexed: false,
      last_sequence: 6,
    });
  });
});

/** The stand-in, but every call with a text that `refuses` fails as `error`. */
const poisonedAi = (refuses: (text: string) => boolean, error: string): AiBinding => ({
  run: async (model, input, options) => {
    if (input.text.some(refuses)) throw new Error(error);
    return env.AI.run(model, input, options);
  },
});

describe("a text that the model refuses", () => {
  test.for([
    ["on account of the input", "5006: Error: Length of '/text' must be >= 1", 1],
    ["for no known reason", "AiError: no idea", 3],
  ] as const)("%s blocks no other and is reported", async ([, error, attempts]) => {
    const { service, clock, caller, append, status, organizationId } = await open({
      AI: poisonedAi((text) => text.includes("poison"), error),
    });
    const id = await seedConversation(caller);
    // Three of them apart, so that cutting the batch in halves does not find them all in one.
    const contents = texts(1, 60).map((text, i) => ([6, 29, 51].includes(i) ? `${text} poison` : text));
    await append(id, contents);
    for (let attempt = 1; attempt <= attempts; attempt++) {
      await service.settle();
      clock.advance(20_000);
      if (attempt > 1) await service.sweep();
    }
    const chunks = await selectChunks(organizationId);
    const windows = (indexed: number) =>
      chunks.filter((c) => c.is_indexed === indexed).map((c) => c.window_start);
    expect(windows(0)).toEqual([4, 7, 28, 49, 52].filter((start) => windows(0).includes(start)));
    expect(windows(1).length + windows(0).length).toBe(20);
    expect(windows(0).length).toBeLessThanOrEqual(6);
    const { pending, last_error, messages } = await status(id);
    expect(pending).toBeGreaterThan(0);
    expect(pending).toBeLessThanOrEqual(messages);
    expect(last_error?.message).toContain(error);
    for (let i = 0; i < 12; i++) {
      clock.advance(700_000);
      await service.sweep();
    }
    const given = await status(id);
    expect(given).toMatchObject({ pending: 0, last_error: { message: expect.stringContaining(error) } });
    expect(given.failed).toBeGreaterThan(0);
    expect(given.failed).toBeLessThanOrEqual(given.messages);
  });
});

describe("a model that is down", () => {
  test("is asked again by sweeps, ever later, ten times in all; then that is reported, and repair tries again", async () => {
    const { service, clock, caller, append, status, idle } = await open();
    await env.CONTROL.setFault({ ai: "3040" });
    const id = await seedConversation(caller);
    await append(id, texts(1, 5));
    await service.settle();
    const job = () =>
      selectRow<{ attempts: number; due_at_ms: number }>(
        "SELECT attempts, due_at_ms FROM index_jobs WHERE conversation_id = ?1",
        id,
      );
    const waits: number[] = [];
    for (let attempt = 1; attempt < 10; attempt++) {
      const { attempts, due_at_ms } = await job();
      expect(attempts).toBe(attempt);
      waits.push(due_at_ms - clock.nowMs());
      await service.sweep();
      expect((await job()).attempts).toBe(attempt);
      expect(await status(id)).toMatchObject({
        pending: 5,
        failed: 0,
        last_error: { message: expect.stringContaining("3040") },
      });
      clock.advance(due_at_ms - clock.nowMs());
      await service.sweep();
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512].map((seconds) => seconds * 1_000));
    expect(await status(id)).toMatchObject({ pending: 0, failed: 5, chunks: 0 });
    await env.CONTROL.clearFaults();
    clock.advance(86_400_000);
    await service.sweep();
    expect(await status(id)).toMatchObject({ pending: 0, failed: 5 });
    await caller.call(contracts.repairIndex, { body: { conversation_id: id } });
    expect(await status(id)).toMatchObject({ pending: 5, failed: 0, last_error: null });
    await idle();
    expect(await status(id)).toMatchObject({ pending: 0, failed: 0, chunks: 1, last_error: null });
  });

  test("or a vector store that is down, holds up neither appends nor words", async () => {
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

  test("and a run that was cut off: its jobs are taken over when the lease is over, and by a repair", async () => {
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

describe("another model", () => {
  test("is never mixed with the old one: said in status and search until all is embedded anew", async () => {
    const { secret, organizationId } = await createOrganization();
    const clock = new Clock();
    const old = new Service({}, clock);
    const caller = old.callerOf(secret);
    const id = await seedConversation(caller, ["The zeppelin lands at noon.", ...texts(2, 8)]);
    await old.settle();
    const before = await selectChunks(organizationId);
    const AI: AiBinding = { run: (_, input, options) => env.AI.run(env.EMBEDDING_MODEL, input, options) };
    const service = new Service({ AI, EMBEDDING_MODEL: "test/other-model" }, clock);
    const changed = service.callerOf(secret);
    const status = () => changed.call(contracts.getIndexStatus);
    const searched = (mode: string) =>
      changed.call(contracts.search, { body: { query: "airship arrival", mode } });
    expect(await status()).toMatchObject({ model: "test/other-model", chunks: 0, chunks_of_other_models: 2 });
    expect(await searched("semantic")).toMatchObject({ results: [], degraded: ["model_mismatch"] });
    expect(await searched("keyword")).toMatchObject({ degraded: [] });
    await changed.call(contracts.repairIndex, { body: {} });
    await sweepUntilIdle(service, clock, organizationId);
    expect(await status()).toMatchObject({
      chunks: 2,
      chunks_of_other_models: 0,
      pending: 0,
      deletions_pending: 0,
    });
    const answer = await searched("semantic");
    expect(answer).toMatchObject({ degraded: [], results: [{ conversation_id: id }] });
    const after = (await selectChunks(organizationId)).map(({ vector_id }) => vector_id);
    expect(after.filter((vector) => before.some(({ vector_id }) => vector_id === vector))).toEqual([]);
    expect(await vectorsOf(organizationId)).toEqual(after.toSorted());
  });
});

describe("while the vector store lags by 30 seconds", () => {
  test("words find what was just said, and every answer says that meaning does not yet", async () => {
    const { service, caller, append, status } = await open();
    const id = await seedConversation(caller);
    await env.CONTROL.setVisibilityDelayMs(30_000);
    await append(id, ["The zeppelin lands at noon."]);
    const search = (mode: string) => caller.call(contracts.search, { body: { query: "zeppelin", mode } });
    expect(await search("keyword")).toMatchObject({ results: [{ conversation_id: id }] });
    await service.settle();
    expect(await search("hybrid")).toMatchObject({ results: [{ conversation_id: id }], pending: 1 });
    expect(await search("semantic")).toMatchObject({ results: [], pending: 1 });
    expect(await status(id)).toMatchObject({ pending: 1, chunks: 0 });
    expect(await selectRows("SELECT id FROM messages WHERE conversation_id = ?1", id)).toHaveLength(1);
  });
});
