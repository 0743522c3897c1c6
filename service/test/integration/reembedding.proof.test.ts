// The re-embedding of an organization under another model, during searches and writes.
import * as contracts from "@engram/spec";
import { afterEach, expect, test } from "vitest";
import { firstWindowOf, lastWindowOf } from "../../src/indexing/chunks.ts";
import { indexTogether } from "../../src/indexing/run.ts";
import { selectDueConversations } from "../../src/jobs/queries.ts";
import { WINDOW_STRIDE } from "../../src/jobs/window-size.ts";
import type { AiBinding } from "../../src/platform/ai.ts";
import { drawRound } from "../../src/platform/round-robin.ts";
import { type Caller, createOrganization, seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import {
  Clock,
  existingVectors,
  Service,
  selectChunks,
  selectRow,
  sweepUntilIdle,
} from "../support/invocations.ts";

const OTHER_MODEL = "test/other-model";
const MODES = ["hybrid", "semantic", "keyword"];
const QUERIES = [
  "Where is the kettle?",
  "water for the garden",
  "a journey by train",
  "who wrote to the museum",
];
/** Number of messages of each conversation. One takes several steps, the others one each. */
const LENGTHS = [70, 7, 1, 12, 5];
/** Twenty windows. */
const LIMITS = { indexStepMessages: 62 };
/** The words of one search for all messages, which is the maximum. */
const WORDS_ASKED = 48;
const LEASE_MS = 60_000;
const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2023, 4, 1);
const THINGS = "kettle zebra horse refund garden water train museum letter doctor".split(" ");

type Status = Awaited<ReturnType<typeof statusOf>>;
const statusOf = (caller: Caller) => caller.call(contracts.getIndexStatus);

/** A word that no other message contains. */
const wordOf = (conversation: number, sequence: number): string =>
  `${[conversation, sequence % 20, Math.floor(sequence / 20)].map((i) => `${"bdfghjklmnprtvwxzcqs"[i]}o`).join("")}k`;

/** The content at a place, which is the same in every organization. */
function messageAt(conversation: number, sequence: number): Record<string, unknown> {
  const [one, other] = [THINGS[(7 * sequence + conversation) % 10], THINGS[(3 * sequence) % 10]];
  return {
    role: sequence % 2 === 0 ? "assistant" : "user",
    content: `The ${one} came ${sequence} days after the ${other}, said ${wordOf(conversation, sequence)}.`,
    created_at: new Date(START_MS + (400 * conversation + sequence) * MINUTE_MS).toISOString(),
  };
}

const messagesAt = (conversation: number, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => messageAt(conversation, from + i));

/** Conversations of these lengths, indexed by the caller's service. */
async function fill(caller: Caller, lengths: number[]): Promise<string[]> {
  const ids: string[] = [];
  for (const [conversation, length] of lengths.entries()) {
    const named = { external_id: `conversation ${conversation}` };
    ids.push(await seedConversation(caller, messagesAt(conversation, 1, length), named));
  }
  return ids;
}

/** Another model, whose vectors have other cosines with the old model's and with each other. */
const otherAi: AiBinding = {
  run: async (_model, input) => {
    const answer = (await env.AI.run(env.EMBEDDING_MODEL, input)) as { data: number[][] };
    return { ...answer, data: answer.data.map((v) => v.map((_, i) => (v.at(-1 - i) ?? 0) * (1 + (i % 3)))) };
  },
};

/** The service with the other model. */
const otherService = (clock: Clock, AI = otherAi) =>
  new Service({ AI, EMBEDDING_MODEL: OTHER_MODEL }, clock, LIMITS);

/** An organization indexed with the old model, and a service with the new one. */
async function openChanged(lengths = LENGTHS) {
  const { secret, organizationId } = await createOrganization();
  const clock = new Clock();
  const old = new Service({}, clock, LIMITS);
  const ids = await fill(old.callerOf(secret), lengths);
  await old.settle();
  const service = otherService(clock);
  const caller = service.callerOf(secret);
  return { secret, organizationId, clock, ids, lengths: [...lengths], old, service, caller };
}

type Changed = Awaited<ReturnType<typeof openChanged>>;

/** One step of the conversation that has waited longest, as in a sweep; false if none is due. */
async function step(service: Service, clock: Clock): Promise<boolean> {
  const [due] = await selectDueConversations(env.DB, {
    nowMs: clock.nowMs(),
    limit: 1,
    round: drawRound(service.context()),
  });
  if (due === undefined) return false;
  await indexTogether(service.context(due.organizationId), [due], 1);
  return true;
}

/** The number of messages whose windows are all stored with the new model, and of chunks of each model. */
async function countTruth({ organizationId, ids, lengths }: Changed) {
  const chunks = await selectChunks(organizationId);
  const isIn = new Set(
    chunks
      .filter((chunk) => chunk.model === OTHER_MODEL && chunk.is_indexed === 1)
      .map((chunk) => `${chunk.conversation_id} ${chunk.window_start}`),
  );
  const isDone = (id: string, sequence: number, length: number): boolean => {
    for (let window = firstWindowOf(sequence); window <= lastWindowOf(sequence); window += WINDOW_STRIDE) {
      const exists = window === 1 || window + 2 <= length;
      if (exists && !isIn.has(`${id} ${window}`)) return false;
    }
    return true;
  };
  const done = ids.flatMap((id, conversation) =>
    Array.from({ length: lengths[conversation] ?? 0 }, (_, i) =>
      isDone(id, i + 1, lengths[conversation] ?? 0),
    ),
  );
  return {
    messages: done.length,
    pending: done.filter((one) => !one).length,
    chunks: isIn.size,
    chunks_of_other_models: chunks.filter((chunk) => chunk.model !== OTHER_MODEL).length,
  };
}

const search = (caller: Caller, query: string, mode: string, more: object = {}) =>
  caller.call(contracts.search, { body: { query, mode, ...more } });

/** Searches in every mode, and checks that all vector results are from the model of the called service. */
async function expectOneModel({ caller }: { caller: Caller }, chunkIds: Set<string>, mismatch: boolean) {
  for (const mode of MODES) {
    for (const query of QUERIES.slice(0, 2)) {
      const { results, degraded } = await search(caller, query, mode);
      expect(degraded, `${mode}: ${query}`).toEqual(mismatch && mode !== "keyword" ? ["model_mismatch"] : []);
      const found = results.map(({ chunk_id }) => chunk_id);
      if (mode === "semantic") expect(found).not.toContain(null);
      expect(found.filter((id) => id !== null && !chunkIds.has(id))).toEqual([]);
    }
  }
}

/** Every message is found by its unique word, and by words in a search for all messages. */
async function expectWords({ caller, ids, lengths }: Changed): Promise<void> {
  const places = ids.flatMap((id, conversation) =>
    Array.from({ length: lengths[conversation] ?? 0 }, (_, i) => ({ id, conversation, sequence: i + 1 })),
  );
  for (let from = 0; from < places.length; from += WORDS_ASKED) {
    const asked = places.slice(from, from + WORDS_ASKED);
    const words = asked.map(({ conversation, sequence }) => wordOf(conversation, sequence)).join(" ");
    const { results } = await search(caller, words, "keyword", {
      limit: 50,
      neighbors: { before: 0, after: 0 },
    });
    const found = results.flatMap(({ messages }) =>
      messages.map((m) => `${m.conversation_id} ${m.sequence}`),
    );
    expect(found.sort()).toEqual(asked.map(({ id, sequence }) => `${id} ${sequence}`).sort());
  }
  for (const [conversation, id] of ids.entries()) {
    const sequence = lengths[conversation] ?? 0;
    const { results } = await search(caller, wordOf(conversation, sequence), "hybrid", { limit: 1 });
    expect(results[0]?.conversation_id).toBe(id);
    expect(results[0]?.matches[0]?.sequence).toBe(sequence);
  }
}

/** Ids of an organization's chunks of one model. */
const chunkIdsOf = async (organizationId: string, model: string) =>
  (await selectChunks(organizationId)).filter((chunk) => chunk.model === model).map(({ id }) => id);

afterEach(async () => {
  // The steps of the next test would find data that a failed test has left.
  await env.DB.prepare("DELETE FROM index_jobs").run();
});

test("during re-embedding no response mixes two models, words find everything, and status is correct", async () => {
  const changed = await openChanged();
  const { secret, organizationId, clock, service, old, caller } = changed;
  const oldIds = new Set(await chunkIdsOf(organizationId, env.EMBEDDING_MODEL));
  const newIds = new Set<string>();
  await expectOneModel(changed, newIds, true);
  expect(await statusOf(caller)).toMatchObject({
    pending: 0,
    chunks: 0,
    chunks_of_other_models: oldIds.size,
  });

  await caller.call(contracts.repairIndex, { body: {} });
  let steps = -1;
  let before: Status | undefined;
  for (let more = true; more; more = await step(service, clock)) {
    for (const id of await chunkIdsOf(organizationId, OTHER_MODEL)) newIds.add(id);
    const status = await statusOf(caller);
    expect(status).toMatchObject({ ...(await countTruth(changed)), failed: 0, model: OTHER_MODEL });
    if (before !== undefined) {
      expect(status.pending).toBeLessThan(before.pending);
      expect(status.chunks_of_other_models).toBeLessThan(before.chunks_of_other_models);
    }
    before = status;
    await expectOneModel(changed, newIds, status.chunks_of_other_models > 0);
    // The old model's vectors are still in the store during its last requests.
    await expectOneModel({ caller: old.callerOf(secret) }, oldIds, newIds.size > 0);
    await expectWords(changed);
    steps += 1;
  }
  expect(steps).toBe(LENGTHS.length + 1);
  expect(before).toMatchObject({ pending: 0, chunks_of_other_models: 0 });
});

test("an interrupted re-embedding run is taken over when its lease ends, and cannot continue", async () => {
  const changed = await openChanged([80]);
  const { organizationId, clock, service, caller, ids } = changed;
  await caller.call(contracts.repairIndex, { body: {} });
  const due = { organizationId, conversationId: ids[0] ?? "" };
  // The first step ends, and the Worker dies while the model embeds the second.
  const dies = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  let calls = 0;
  const dying: AiBinding = {
    run: async (model, input) => {
      const answer = await otherAi.run(model, input);
      calls += 1;
      if (calls === 2) {
        asked.resolve();
        await dies.promise;
      }
      return answer;
    },
  };
  const cutOff = indexTogether(otherService(clock, dying).context(organizationId), [due], 20);
  await asked.promise;
  const half = await countTruth(changed);
  expect(half).toMatchObject({ pending: 20, chunks: 20 });
  expect(await statusOf(caller)).toMatchObject({ ...half, failed: 0 });

  clock.advance(LEASE_MS - 1);
  expect(await step(service, clock)).toBe(false);
  clock.advance(1);
  let embedded = 0;
  const counted: AiBinding = {
    run: (model, input) => {
      embedded += 1;
      return otherAi.run(model, input);
    },
  };
  await otherService(clock, counted).sweep();
  // Only the last six of 26 windows were embedded again.
  expect(embedded).toBe(1);
  const done = { pending: 0, chunks: 26, chunks_of_other_models: 0, failed: 0, last_error: null };
  expect(await statusOf(caller)).toMatchObject(done);
  const chunks = await selectChunks(organizationId);

  dies.resolve();
  expect(await cutOff).toMatchObject([{ failed: true }]);
  expect(await statusOf(caller)).toMatchObject(done);
  expect(await selectChunks(organizationId)).toEqual(chunks);
});

test("messages that are appended during re-embedding are found by words at once, and then by meaning", async () => {
  const changed = await openChanged([9, 9, 9]);
  const { organizationId, clock, service, caller, ids, lengths } = changed;
  await caller.call(contracts.repairIndex, { body: {} });
  await step(service, clock);
  const isDone = await Promise.all(
    ids.map(async (id) =>
      (await selectChunks(organizationId, id)).every(({ model }) => model === OTHER_MODEL),
    ),
  );
  expect(isDone.filter(Boolean)).toHaveLength(1);
  for (const [conversation, id] of ids.entries()) {
    const content = `The zeppelin lands on the lighthouse ${conversation}, said ${wordOf(conversation, 10)}.`;
    const body = { messages: [{ role: "user", content }] };
    await caller.call(contracts.appendMessages, { params: { conversation_id: id }, body });
    lengths[conversation] = 10;
    await expectWords(changed);
    await service.settle();
    expect(await statusOf(caller)).toMatchObject(await countTruth(changed));
    const { results } = await search(caller, content, "semantic", { limit: 5 });
    const found = results.filter(({ conversation_id }) => conversation_id === id);
    expect(found.flatMap(({ messages }) => messages.map((message) => message.content))).toContain(content);
  }
  while (await step(service, clock));
  const status = await statusOf(caller);
  expect(status).toMatchObject(await countTruth(changed));
  expect(status).toMatchObject({ pending: 0, chunks_of_other_models: 0 });
});

test("after re-embedding the old vectors are gone, and responses equal those of an organization without the old model", async () => {
  const changed = await openChanged();
  const { organizationId, clock, service, caller, ids } = changed;
  const oldVectors = (await selectChunks(organizationId)).map(({ vector_id }) => vector_id);
  await caller.call(contracts.repairIndex, { body: {} });
  await step(service, clock);
  const later = { params: { conversation_id: ids[1] ?? "" }, body: { messages: messagesAt(1, 8, 11) } };
  await caller.call(contracts.appendMessages, later);
  await sweepUntilIdle(service, clock, organizationId);

  expect(await existingVectors(oldVectors)).toEqual([]);
  const left = "SELECT count(*) AS count FROM vector_deletions WHERE organization_id = ?1";
  expect(await selectRow(left, organizationId)).toEqual({ count: 0 });
  const newVectors = (await selectChunks(organizationId)).map(({ vector_id }) => vector_id);
  expect(await existingVectors(newVectors)).toHaveLength(newVectors.length);

  const { secret, organizationId: freshId } = await createOrganization();
  const fresh = service.callerOf(secret);
  await fill(fresh, LENGTHS.with(1, 11));
  const [status, freshStatus] = [await statusOf(caller), await statusOf(fresh)];
  expect(status).toEqual(freshStatus);
  for (const mode of MODES) {
    for (const query of [...QUERIES, wordOf(1, 9), wordOf(0, 60)]) {
      const answer = await ask(caller, organizationId, query, mode);
      expect(answer.results.length, `${mode}: ${query}`).toBeGreaterThan(0);
      expect(answer, `${mode}: ${query}`).toEqual(await ask(fresh, freshId, query, mode));
    }
  }
});

/** A response with places in place of ids. */
async function ask(caller: Caller, organizationId: string, query: string, mode: string) {
  const chunks = new Map((await selectChunks(organizationId)).map((chunk) => [chunk.id, chunk.window_start]));
  const { results, ...rest } = await search(caller, query, mode, { explain: true, limit: 50 });
  return {
    ...rest,
    results: results.map((result) => ({
      conversation: result.conversation.external_id,
      places: [result.start_sequence, result.end_sequence],
      window: result.chunk_id === null ? null : chunks.get(result.chunk_id),
      score: result.score,
      relevance: result.relevance,
      matches: result.matches.map(({ message_id: _, ...match }) => match),
    })),
  };
}
