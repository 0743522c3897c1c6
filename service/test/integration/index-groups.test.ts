import * as contracts from "@engram/spec";
import { afterEach, expect, test } from "vitest";
import { indexConversations } from "../../src/indexing/service.ts";
import type { Env } from "../../src/invocation.ts";
import type { ServiceLimits } from "../../src/limits.ts";
import type { AiBinding, EmbeddingInput } from "../../src/platform/ai.ts";
import { RESPONSE_MS, systemRuntime } from "../../src/platform/runtime.ts";
import { createKey, createOrganization } from "../support/client.ts";
import { Ledger } from "../support/counting.ts";
import { env } from "../support/env.ts";
import { Clock, Service, selectRow, selectRows, sweepUntilIdle, vectorsOf } from "../support/invocations.ts";
import { captureLog } from "../support/log.ts";
import { isInCells } from "../support/places.ts";

afterEach(() => env.CONTROL.clearFaults());

const STEPS = 25;

/** Ten unindexed memories of two organizations, which are in D1, where one run indexes both. */
async function openMemories(contentOf = (i: number) => `Memory number ${i}.`) {
  const clock = new Clock();
  const service = new Service({}, clock);
  const callers = [await createOrganization("test", "d1"), await createOrganization("test", "d1")];
  const organizationIds = callers.map(({ organizationId }) => organizationId);
  await env.CONTROL.setFault({ ai: "3040" });
  const due: { organizationId: string; conversationId: string }[] = [];
  for (let i = 0; i < 10; i++) {
    const { secret, organizationId } =
      callers[i % 2] ?? callers[0] ?? (await createOrganization("test", "d1"));
    const body = { content: contentOf(i) };
    const { id } = await service.callerOf(secret).call(contracts.createMemory, { body });
    due.push({ organizationId, conversationId: id });
  }
  await service.settle();
  await env.CONTROL.clearFaults();
  clock.advance(41_000);
  const index = (bindings: Partial<Env> = {}) =>
    indexConversations(new Service(bindings, clock).context(), due, { stepsMax: STEPS });
  const ids = due.map(({ conversationId }) => conversationId);
  const waiting = async () =>
    (
      await selectRows<{ conversation_id: string }>(
        "SELECT conversation_id FROM index_jobs WHERE conversation_id IN (SELECT value FROM json_each(?1)) ORDER BY id",
        JSON.stringify(ids),
      )
    ).map(({ conversation_id }) => conversation_id);
  return { clock, service, organizationIds, ids, index, waiting };
}

/** The number of calls of each kind. */
const callsOf = ({ calls }: Ledger) =>
  Object.fromEntries([...Map.groupBy(calls, ({ name }) => name)].map(([name, some]) => [name, some.length]));

test("indexing ten memories takes as many calls as indexing one, and one upsert per organization", async () => {
  const { service, ids, index, waiting, organizationIds } = await openMemories();
  const ledger = new Ledger();
  const { indexed, failed } = await index(ledger.bindings);
  expect([indexed.map(({ embedded }) => embedded), failed]).toEqual([ids.map(() => 1), false]);
  expect(callsOf(ledger)).toEqual({ "d1.batch": 4, "ai.run": 1, "vectorize.upsert": 2 });
  expect(await waiting()).toEqual([]);
  for (const organizationId of organizationIds) expect(await vectorsOf(organizationId)).toHaveLength(5);
  // A repair also replaces their terms.
  for (const id of ids)
    await env.DB.prepare(
      `INSERT INTO index_jobs (organization_id, conversation_id, from_sequence, to_sequence, rebuild_words, due_at_ms)
       SELECT organization_id, id, 1, 1, 1, 0 FROM conversations WHERE id = ?1`,
    )
      .bind(id)
      .run();
  ledger.reset();
  await index(ledger.bindings);
  expect(callsOf(ledger)).toEqual({ "d1.batch": 5, "ai.run": 1, "vectorize.upsert": 2 });
  await service.settle();
});

test("short memories that one request captured are indexed fifty at a time after its response, without a sweep", async () => {
  const { organizationId, secret } = await createOrganization();
  const service = new Service({}, new Clock());
  const lines = captureLog();
  const memories = Array.from({ length: 80 }, (_, i) => ({ content: `Short note ${i}.` }));
  await service.callerOf(secret).call(contracts.createMemories, { body: { memories } });
  await service.settle();
  expect(await selectRows("SELECT 1 FROM index_jobs WHERE organization_id = ?1", organizationId)).toEqual([]);
  expect(await vectorsOf(organizationId)).toHaveLength(80);
  // Two groups, each with the four calls of one run.
  expect(lines.find(({ event }) => event === "index")).toMatchObject({ d1_calls: 8, ai_calls: 2 });
});

/** An organization whose indexing begins when `respond` is called. `AI` replaces the embedding model. */
async function openHeld(AI: AiBinding = env.AI, limits: Partial<ServiceLimits> = {}) {
  const owner = await createOrganization();
  const clock = new Clock();
  const responded = Promise.withResolvers<void>();
  clock.pause = (ms) => (ms === RESPONSE_MS ? responded.promise : systemRuntime.pause(0));
  const service = new Service({ AI, ENRICHMENT_MODEL: "" }, clock, limits);
  const lines = captureLog();
  const capture = (content: string, secret = owner.secret) =>
    service.callerOf(secret).call(contracts.createMemory, { body: { content } });
  const runs = () => lines.filter(({ event }) => event === "index");
  const vectors = () => vectorsOf(owner.organizationId);
  return { owner, capture, clock, respond: responded.resolve, runs, service, vectors };
}

test("memories that are captured one by one are indexed together: as many calls as for one", async () => {
  const { capture, respond, runs, service, vectors } = await openHeld();
  for (let i = 0; i < 20; i++) await capture(`Single note ${i}.`);
  respond();
  await service.settle();
  expect(runs()).toMatchObject([{ d1_calls: 4, ai_calls: 1, vectorize_calls: isInCells ? 0 : 1 }]);
  expect(await vectors()).toHaveLength(20);
});

test("a run that indexes memories takes over those that are captured meanwhile, and counts each for its own key", async () => {
  let captureMore = async () => {};
  const { owner, capture, clock, respond, runs, service, vectors } = await openHeld({
    run: async (...input) => {
      await captureMore();
      return env.AI.run(...input);
    },
  });
  const other = await createKey(owner, { scopes: ["write"] });
  captureMore = async () => {
    captureMore = async () => {};
    for (let i = 0; i < 3; i++) await capture(`Note ${i} of the other key.`, other.secret);
    await capture("Another note of the first key.");
  };
  await capture("A note of the first key.");
  respond();
  await service.settle();
  expect(runs()).toMatchObject([{ d1_calls: 8, ai_calls: 2, vectorize_calls: isInCells ? 0 : 2 }]);
  expect(await vectors()).toHaveLength(5);
  await clock.pass(60_000);
  await service.settle();
  const { items } = await owner.call(contracts.listUsage);
  const embeddings = items.map(({ key_id, embeddings }) => [key_id === other.keyId, embeddings]);
  expect(embeddings.sort()).toEqual([
    [false, 2],
    [true, 3],
  ]);
});

test("a memory that is captured again begins no work in the background", async () => {
  const { capture, respond, runs, service } = await openHeld();
  respond();
  const content = "Stored already.";
  await capture(content);
  await service.settle();
  const before = runs().length;
  await capture(content);
  await service.settle();
  expect([before, runs().length]).toEqual([1, 1]);
});

test("a memory that is changed several times before it is indexed is embedded once", async () => {
  const embedded: string[] = [];
  const { owner, capture, respond, runs, service } = await openHeld({
    run: (model, input: EmbeddingInput) => {
      embedded.push(...input.text);
      return env.AI.run(model, input);
    },
  });
  const { id } = await capture("First.");
  for (const content of ["Second.", "Third."])
    await service
      .callerOf(owner.secret)
      .call(contracts.updateMemory, { params: { memory_id: id }, body: { content } });
  respond();
  await service.settle();
  expect(runs()).toHaveLength(1);
  expect(embedded).toEqual(["Third."]);
});

test("a run of memories that takes its last steps leaves later ones to a run of their own", async () => {
  let captured = 0;
  const AI: AiBinding = {
    run: async (...input) => {
      // One more for each group, so that the first run would never end.
      if (captured < 15) await capture(`Endless note ${captured++}.`);
      return env.AI.run(...input);
    },
  };
  const { capture, respond, runs, service, vectors } = await openHeld(AI);
  await capture("The first of many.");
  respond();
  await service.settle();
  expect(await vectors()).toHaveLength(16);
  expect(runs()).toHaveLength(2);
});

test("memories that are captured in bulk are all indexed without a sweep, however many come at once", async () => {
  const { owner, respond, service } = await openHeld(env.AI, { indexRunSteps: 4 });
  for (let i = 0; i < 6; i++) {
    const memories = Array.from({ length: 50 }, (_, note) => ({ content: `Note ${note} of ${i}.` }));
    await service.callerOf(owner.secret).call(contracts.createMemories, { body: { memories } });
  }
  respond();
  await service.settle();
  const waiting = "SELECT conversation_id FROM index_jobs WHERE organization_id = ?1";
  expect(await selectRows(waiting, owner.organizationId)).toEqual([]);
});

test("all memories of a capture that waits for the index are indexed before the response", async () => {
  const { organizationId, secret } = await createOrganization();
  const memories = Array.from({ length: 60 }, (_, i) => ({ content: `Awaited note ${i}.` }));
  const body = { memories, wait: "indexed" };
  await new Service({}, new Clock()).callerOf(secret).call(contracts.createMemories, { body });
  expect(await selectRows("SELECT 1 FROM index_jobs WHERE organization_id = ?1", organizationId)).toEqual([]);
  expect(await vectorsOf(organizationId)).toHaveLength(60);
});

test("a text that the model rejects does not prevent the indexing of other memories in its group", async () => {
  const { ids, index, waiting } = await openMemories((i) => (i === 3 ? "poison" : `Memory number ${i}.`));
  const AI: AiBinding = {
    run: async (model, input: EmbeddingInput) => {
      if (input.text.includes("poison")) throw new Error("5006: no");
      return env.AI.run(model, input);
    },
  };
  const { indexed, failed } = await index({ AI });
  expect([indexed.map(({ embedded }) => embedded), failed]).toEqual([
    ids.map((_, i) => (i === 3 ? 0 : 1)),
    false,
  ]);
  expect(await waiting()).toEqual([ids[3]]);
  expect(
    await selectRow("SELECT attempts, last_error FROM index_jobs WHERE conversation_id = ?1", ids[3]),
  ).toEqual({ attempts: 1, last_error: "text_refused: code 5006" });
});

test("a text that cannot be decompressed does not prevent the indexing of other memories in its group", async () => {
  const { ids, index, waiting } = await openMemories();
  await env.DB.prepare(
    "UPDATE messages SET content = 'no gzip', content_encoding = 'gzip+base64' WHERE conversation_id = ?1",
  )
    .bind(ids[3])
    .run();
  expect(await index()).toMatchObject({ failed: true });
  expect(await waiting()).toEqual([ids[3]]);
});

test("vectors that the store rejects do not prevent the indexing of another organization's memories", async () => {
  const { ids, index, waiting, organizationIds } = await openMemories();
  const VECTORIZE: Env["VECTORIZE"] = {
    ...new Ledger().bindings.VECTORIZE,
    upsert: async (vectors) => {
      if (vectors[0]?.namespace === organizationIds[0])
        throw new Error("VECTOR_UPSERT_ERROR (code = 40041): no");
      return env.VECTORIZE.upsert(vectors);
    },
  };
  expect(await index({ VECTORIZE })).toMatchObject({ failed: true });
  expect(await waiting()).toEqual(ids.filter((_, i) => i % 2 === 0));
});

test("an indexing run that lost a job's lease writes no vectors, and the other jobs are retried without that one", async () => {
  const { clock, service, ids, index, waiting, organizationIds } = await openMemories();
  const AI: AiBinding = {
    run: async (...input) => {
      await env.DB.prepare(
        "UPDATE index_jobs SET lease_id = 'other', lease_until_ms = ?2 WHERE conversation_id = ?1",
      )
        .bind(ids[3], clock.nowMs() + 300_000)
        .run();
      return env.AI.run(...input);
    },
  };
  expect(await index({ AI })).toMatchObject({ failed: true });
  expect(await waiting()).toEqual(ids);
  for (const organizationId of organizationIds) expect(await vectorsOf(organizationId)).toEqual([]);
  clock.advance(41_000);
  expect(await index()).toMatchObject({ failed: false });
  expect(await waiting()).toEqual([ids[3]]);
  clock.advance(300_000);
  await sweepUntilIdle(service, clock, organizationIds[1] ?? "");
  expect(await waiting()).toEqual([]);
});
