import * as contracts from "@engram/spec";
import { afterEach, describe, expect, test } from "vitest";
import type { ServiceLimits } from "../../src/limits.ts";
import type { AiBinding, EmbeddingInput } from "../../src/platform/ai.ts";
import { seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import { open, selectChunks, selectRow, selectRows, texts } from "../support/invocations.ts";
import { captureLog } from "../support/log.ts";

afterEach(() => env.CONTROL.clearFaults());

/** The stand-in, except that a call with a text for which `refuses` returns true fails with `error`. */
const poisonedAi = (refuses: (text: string) => boolean, error: string): AiBinding => ({
  run: async (model, input: EmbeddingInput) => {
    if (input.text.some(refuses)) throw new Error(error);
    return env.AI.run(model, input);
  },
});

describe("a text that the model rejects", () => {
  test.for([
    ["because of the input", "5006: Error: Length of '/text' must be >= 1", "text_refused: code 5006"],
    ["at an endpoint", "5006: Error: status 422", "text_refused: code 5006, status 422"],
    ["for an unknown reason", "AiError: no idea", "text_refused"],
  ] as const)(
    "%s blocks no other, is given up after ten attempts and reported, and a repair tries it again",
    async ([, error, reported]) => {
      let isPoison = true;
      let asked = 0;
      const refuses = (text: string) => {
        asked += 1;
        return isPoison && text.includes("poison");
      };
      const { service, clock, caller, append, status, idle, organizationId } = await open({
        AI: poisonedAi(refuses, error),
      });
      const id = await seedConversation(caller);
      // Apart from each other, so that halving the batch does not put them into the same half.
      await append(
        id,
        texts(1, 60).map((text, i) => ([6, 29, 51].includes(i) ? `${text} poison` : text)),
      );
      await service.settle();
      // Their windows can be found by their other messages.
      const chunks = await selectChunks(organizationId);
      expect(chunks.map((chunk) => chunk.is_indexed)).toEqual(Array.from({ length: 20 }, () => 1));
      expect(await status(id)).toMatchObject({ pending: 3, failed: 0, chunks: 20 });
      for (let attempt = 2; attempt <= 10; attempt++) {
        expect((await status(id)).last_error?.message).toBe(reported);
        clock.advance(600_000);
        await service.sweep();
      }
      const givenUp = {
        pending: 0,
        failed: 3,
        chunks: 20,
        last_error: { message: reported },
      };
      expect(await status(id)).toMatchObject(givenUp);
      asked = 0;
      clock.advance(86_400_000);
      await service.sweep();
      expect([await status(id), asked]).toMatchObject([givenUp, 0]);
      isPoison = false;
      await caller.call(contracts.repairIndex, { body: { conversation_id: id } });
      expect(await status(id)).toMatchObject({ failed: 0, pending: 60, last_error: null });
      await idle();
      expect(await status(id)).toMatchObject({ failed: 0, pending: 0, chunks: 20, last_error: null });
    },
  );
});

test("jobs of a conversation with rejected texts are claimed a few at a time, until all are done", async () => {
  let isPoison = true;
  let claimedMax = 0;
  const poisoned = poisonedAi((text) => isPoison && text.includes("poison"), "5006: no");
  const AI: AiBinding = {
    run: async (model, input: EmbeddingInput) => {
      const { claimed } = await selectRow<{ claimed: number }>(
        "SELECT count(*) AS claimed FROM index_jobs WHERE lease_until_ms > 0",
      );
      claimedMax = Math.max(claimedMax, claimed);
      return poisoned.run(model, input);
    },
  };
  const { service, clock, caller, append, status, idle } = await open({ AI }, { indexClaimJobs: 4 });
  const id = await seedConversation(caller);
  await append(
    id,
    texts(1, 60).map((text, i) => (i % 4 === 1 ? `${text} poison` : text)),
  );
  await service.settle();
  expect(await status(id)).toMatchObject({ pending: 15 });
  clock.advance(600_000);
  await service.sweep();
  expect(await status(id)).toMatchObject({ pending: 15 });
  expect(claimedMax).toBe(4);
  isPoison = false;
  await idle();
  expect(await status(id)).toMatchObject({ pending: 0, failed: 0, chunks: 20 });
});

test("messages next to a rejected text are found by meaning, and the text itself once the model accepts it", async () => {
  let isPoison = true;
  const AI = poisonedAi((text) => isPoison && text.includes("poison"), "5006: no");
  const { service, caller, append, status, idle, organizationId } = await open({ AI });
  const id = await seedConversation(caller);
  const said = [
    "We met at the harbour.",
    "poison",
    "The zeppelin lands at noon.",
    "poison",
    "See you there.",
  ];
  await append(id, said);
  await service.settle();
  expect(await status(id)).toMatchObject({ messages: 5, pending: 2, failed: 0 });
  const semantic = (query: string) =>
    caller.call(contracts.search, { body: { query, mode: "semantic", neighbors: { before: 0, after: 0 } } });
  const found = async () =>
    (await semantic("When does the zeppelin land?")).results.flatMap(({ messages }) =>
      messages.map(({ sequence }) => sequence),
    );
  expect(await found()).toEqual(expect.arrayContaining([1, 3, 5]));
  const [before] = await selectChunks(organizationId);
  isPoison = false;
  await idle();
  expect(await status(id)).toMatchObject({ pending: 0, failed: 0, last_error: null });
  expect((await selectChunks(organizationId))[0]?.text_hash).not.toBe(before?.text_hash);
});

/** Error messages of models that repeat the input, as FastAPI servers do. */
const repeating = (run: (input: object) => unknown) => async (_: string, input: object) => {
  throw Object.assign(new Error(`5006: Error: 422 ${JSON.stringify({ detail: [{ input }] })}`), {
    cause: run(input),
  });
};

test("an embedding model's error message that quotes content is in no status, response, log line or row", async () => {
  const AI = { run: repeating((input) => input) } as unknown as AiBinding;
  const { service, clock, caller, append, status } = await open({ AI });
  const lines = captureLog();
  const id = await seedConversation(caller, ["The walrus-8213 is ill."]);
  await append(id, ["So is the walrus-8213's keeper."]);
  await caller.call(contracts.createMemory, { body: { content: "The walrus-8213 is ill." } });
  await service.settle();
  const answers = [
    await status(id),
    await caller.call(contracts.search, { body: { query: "walrus-8213", rerank: true, limit: 1 } }),
    await caller.fail(contracts.search, { body: { query: "walrus-8213", mode: "semantic" } }),
  ];
  clock.advance(60_000);
  await service.sweep();
  expect(answers[0]).toMatchObject({ last_error: { message: "text_refused: code 5006" } });
  expect(answers[1]).toMatchObject({ degraded: expect.arrayContaining(["semantic", "rerank"]) });
  expect(lines.map(({ event }) => event)).toEqual(
    expect.arrayContaining(["search degraded", "enrichment failed", "request failed"]),
  );
  const rows = await selectRows("SELECT last_error FROM index_jobs WHERE last_error IS NOT NULL");
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify([answers[0], answers[2], lines, rows])).not.toMatch(/walrus|Error: 422/);
});

describe("a message whose indexing was given up", () => {
  const giveUp = async () => {
    const opened = await open({ AI: poisonedAi((text) => text.includes("poison"), "5006: no") });
    const id = await seedConversation(opened.caller);
    const { message_ids } = await opened.append(id, ["hello", "poison", "bye", "poison again"]);
    await opened.service.settle();
    await env.DB.prepare("UPDATE index_jobs SET attempts = 9 WHERE conversation_id = ?1").bind(id).run();
    opened.clock.advance(600_000);
    await opened.service.sweep();
    expect(await opened.status(id)).toMatchObject({ failed: 2, pending: 0 });
    const params = { conversation_id: id, message_id: message_ids[1] ?? "" };
    /** Sweeps until all deletions are done. Failed jobs stay. */
    const sweep = async () => {
      for (let sweeps = 0; sweeps < 8; sweeps++) {
        opened.clock.advance(65_000);
        await opened.service.sweep();
      }
    };
    return { ...opened, id, params, sweep };
  };

  test("no longer counts as failed once it is deleted, and others still do", async () => {
    const { caller, id, params, status, sweep } = await giveUp();
    const { id: operation_id } = await caller.call(contracts.deleteMessage, { params });
    expect(await status(id)).toMatchObject({ messages: 3, failed: 1 });
    await sweep();
    const receipt = await caller.call(contracts.getOperation, { params: { operation_id } });
    expect(receipt).toMatchObject({ status: "succeeded" });
    expect(await status(id)).toMatchObject({ messages: 3, failed: 1, pending: 0 });
    const all = { expected_last_sequence: 4, from_sequence: 1, messages: [] };
    await caller.call(contracts.replaceMessages, { params, body: all });
    expect(await status(id)).toMatchObject({ messages: 0, failed: 0, last_error: null });
  });

  test("no longer counts as failed once its content changes", async () => {
    const { caller, service, id, params, status } = await giveUp();
    await caller.call(contracts.updateMessage, { params, body: { content: "cured" } });
    await service.settle();
    expect(await status(id)).toMatchObject({ messages: 4, failed: 1, pending: 0 });
  });

  test.for(["conversation", "organization"] as const)(
    "leaves no job when its %s is deleted",
    async (whole) => {
      const { caller, organizationId, params, sweep } = await giveUp();
      const contract = whole === "organization" ? contracts.deleteOrganization : contracts.deleteConversation;
      await caller.call(contract, { params: { ...params, organization_id: organizationId } });
      await sweep();
      expect(await selectRows("SELECT * FROM index_jobs WHERE organization_id = ?1", organizationId)).toEqual(
        [],
      );
    },
  );

  test("leaves no job when it is deleted during a run that dies at the tenth attempt", async () => {
    const { caller, clock, id, params, status, sweep } = await giveUp();
    const sql = "UPDATE index_jobs SET lease_id = 'dead', lease_until_ms = ?2 WHERE conversation_id = ?1";
    await env.DB.prepare(sql)
      .bind(id, clock.nowMs() + 60_000)
      .run();
    await caller.call(contracts.deleteMessage, { params });
    await sweep();
    expect(await status(id)).toMatchObject({ messages: 3, failed: 1, pending: 0 });
  });

  test("among many keeps the job of the others when it is deleted", async () => {
    const { service, clock, caller, append, status, idle } = await open();
    await env.CONTROL.setFault({ ai: "3040" });
    const id = await seedConversation(caller);
    const { message_ids } = await append(id, texts(1, 60));
    await service.settle();
    // After the 30 seconds in which no other run may claim the conversation.
    clock.advance(41_000);
    const params = { conversation_id: id, message_id: message_ids[1] ?? "" };
    await caller.call(contracts.deleteMessage, { params });
    await service.settle();
    await env.CONTROL.clearFaults();
    await idle();
    expect(await status(id)).toMatchObject({ messages: 59, pending: 0, failed: 0, chunks: 20 });
  });

  test("leaves no job when it is deleted while the model rejects it", async () => {
    let isDeleting = false;
    let remove = async () => {};
    const AI: AiBinding = {
      run: async (model, input: EmbeddingInput) => {
        if (!input.text.some((text) => text.includes("poison"))) return env.AI.run(model, input);
        if (!isDeleting) await remove();
        throw new Error("5006: no");
      },
    };
    const { service, caller, append, status, organizationId } = await open({ AI });
    const id = await seedConversation(caller);
    await append(id, ["hello", "poison"]);
    remove = async () => {
      isDeleting = true;
      const all = { expected_last_sequence: 2, from_sequence: 1, messages: [] };
      await caller.call(contracts.replaceMessages, { params: { conversation_id: id }, body: all });
    };
    await service.settle();
    expect(isDeleting).toBe(true);
    expect(await status(id)).toMatchObject({ failed: 0, last_error: null });
    const about = await selectRows(
      "SELECT * FROM index_jobs WHERE organization_id = ?1 AND last_error IS NOT NULL",
      organizationId,
    );
    expect(about).toEqual([]);
  });
});

describe("a repair with a text that the model rejects", () => {
  const repairs = async (limits: Partial<ServiceLimits> = {}) => {
    const model = { isRefusing: false };
    const refuses = (text: string) => model.isRefusing && text.includes("poison");
    const opened = await open({ AI: poisonedAi(refuses, "5006: no") }, limits);
    const poisoned = await seedConversation(opened.caller, ["hello", "poison", "bye"]);
    await seedConversation(opened.caller, ["hello"]);
    await opened.idle();
    model.isRefusing = true;
    const repair = () => opened.caller.call(contracts.repairIndex, { body: {} });
    const get = async (operation_id: string) =>
      (await opened.caller.call(contracts.getOperation, {
        params: { operation_id },
      })) as contracts.OperationOf<"repair_index">;
    const sweep = async (times: number) => {
      for (let sweeps = 0; sweeps < times; sweeps++) {
        opened.clock.advance(600_000);
        await opened.service.sweep();
      }
    };
    return { ...opened, model, poisoned, repair, get, sweep };
  };
  const failed = {
    status: "failed",
    progress: { done: 2, total: 2 },
    reindexed: 1,
    failed: 1,
    problem: {
      code: "attempts_exhausted",
      title: "Indexing attempts exhausted",
      detail: expect.stringContaining("1 conversations or memories"),
    },
    completed_at: expect.any(String),
  };

  test("fails after all attempts, and stays failed when a later repair succeeds", async () => {
    const { caller, idle, model, repair, get, sweep } = await repairs();
    const { id } = await repair();
    await sweep(1);
    const running = { status: "running", progress: { done: 1, total: 2 }, reindexed: 1, failed: 0 };
    expect(await get(id)).toMatchObject({ ...running, problem: null, completed_at: null });
    await sweep(10);
    expect(await get(id)).toMatchObject(failed);
    const listed = async (status: string) =>
      (await caller.call(contracts.listOperations, { query: { status } })) as object;
    expect(await listed("failed")).toMatchObject({ items: [{ id }] });
    expect(await listed("succeeded")).toMatchObject({ items: [] });
    const refused = await caller.fail(contracts.cancelOperation, { params: { operation_id: id } });
    expect(refused.code).toBe("not_cancelable");
    model.isRefusing = false;
    const later = await repair();
    await idle();
    const whole = { status: "succeeded", reindexed: 2, failed: 0, problem: null };
    expect(await get(later.id)).toMatchObject(whole);
    expect(await get(id)).toMatchObject(failed);
  });

  test("fails if a later repair takes over its jobs before it is complete", async () => {
    const { idle, model, repair, get, sweep } = await repairs();
    const { id } = await repair();
    await sweep(10);
    expect(await get(id)).toMatchObject({ status: "running", reindexed: 1, failed: 1, problem: null });
    model.isRefusing = false;
    const later = await repair();
    expect(later.id).not.toBe(id);
    await idle();
    expect(await get(later.id)).toMatchObject({ status: "succeeded", failed: 0 });
    expect(await get(id)).toMatchObject(failed);
  });

  test("during an outage joins a running repair of the same scope, and succeeds only when the index is repaired", async () => {
    const { clock, service, caller, idle } = await open();
    const id = await seedConversation(caller, texts(1, 5));
    await idle();
    const repair = (body: { conversation_id?: string }) => caller.call(contracts.repairIndex, { body });
    const get = (operation_id: string) => caller.call(contracts.getOperation, { params: { operation_id } });
    await env.CONTROL.setFault({ ai: "3040" });
    const all = await repair({});
    await service.sweep();
    clock.advance(41_000);
    expect((await repair({})).id).toBe(all.id);
    expect(await get(all.id)).toMatchObject({ status: "running" });
    const one = await repair({ conversation_id: id });
    await service.sweep();
    expect(await get(one.id)).toMatchObject({ status: "running" });
    await env.CONTROL.clearFaults();
    await idle();
    expect(await get(one.id)).toMatchObject({ status: "succeeded", reindexed: 1, failed: 0 });
  });

  test("waits for the job of a text that was rejected earlier", async () => {
    const { clock, service, poisoned, append, repair, get, sweep } = await repairs();
    await append(poisoned, ["more poison"]);
    await service.settle();
    // A run takes the jobs while the repair is queued, and dies.
    await env.DB.prepare(
      "UPDATE index_jobs SET lease_id = 'dead', lease_until_ms = ?2, due_at_ms = ?3 WHERE conversation_id = ?1",
    )
      .bind(poisoned, clock.nowMs() + 60_000, clock.nowMs() + 900_000)
      .run();
    const { id } = await repair();
    await sweep(1);
    expect(await get(id)).toMatchObject({ status: "running", progress: { done: 1, total: 2 } });
    await sweep(12);
    expect(await get(id)).toMatchObject(failed);
  });

  test("is not complete during the last attempt", async () => {
    const { clock, service, model, poisoned, repair, get, sweep } = await repairs();
    const { id } = await repair();
    await sweep(9);
    model.isRefusing = false;
    const hold = env.DB.prepare(
      "UPDATE index_jobs SET attempts = 10, lease_id = 'run', lease_until_ms = ?2 WHERE conversation_id = ?1",
    );
    await hold.bind(poisoned, clock.nowMs() + 60_000).run();
    await service.sweep();
    expect(await get(id)).toMatchObject({ status: "running" });
    await env.DB.prepare("DELETE FROM index_jobs WHERE conversation_id = ?1").bind(poisoned).run();
    await service.sweep();
    expect(await get(id)).toMatchObject({ status: "succeeded", reindexed: 2, failed: 0 });
  });

  test("keeps its counts when it is canceled, even if a later repair takes over its jobs", async () => {
    const { caller, idle, model, poisoned, repair, get } = await repairs();
    const { id } = await repair();
    await env.DB.prepare("UPDATE index_jobs SET attempts = 10 WHERE conversation_id = ?1")
      .bind(poisoned)
      .run();
    await caller.call(contracts.cancelOperation, { params: { operation_id: id } });
    const canceled = {
      status: "canceled",
      progress: { done: 1, total: 2 },
      reindexed: 0,
      failed: 1,
      problem: null,
    };
    expect(await get(id)).toMatchObject(canceled);
    model.isRefusing = false;
    await repair();
    await idle();
    expect(await get(id)).toMatchObject({ ...canceled, completed_at: expect.any(String) });
  });

  test("queues the other conversations without waiting for that text", async () => {
    const { caller, repair, get, sweep } = await repairs({ repairStepConversations: 1 });
    for (const text of ["one", "two"]) await seedConversation(caller, [text]);
    const { id } = await repair();
    await sweep(5);
    expect(await get(id)).toMatchObject({
      status: "running",
      reindexed: 3,
      failed: 0,
      progress: { total: 4 },
    });
  });
});
