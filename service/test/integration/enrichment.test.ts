import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { cellWork } from "../../src/cell-queries.ts";
import type { AiBinding, EnrichmentInput } from "../../src/platform/ai.ts";
import { run } from "../../src/platform/sql.ts";
import { type Caller, createOrganization } from "../support/client.ts";
import { env } from "../support/env.ts";
import { HOSTILE_NOTES } from "../support/hostile-notes.ts";
import { memory, send } from "../support/imports.ts";
import { Clock, Service, selectRows } from "../support/invocations.ts";
import { captureLog } from "../support/log.ts";

const MODEL = "test/writer";
const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
interface Asked {
  note: string;
  known_tags: string[];
}
type Answer = (asked: Asked) => unknown;

/** An organization of a service with this text model. Embeddings are as usual. */
async function open(answer: Answer, place?: contracts.Place) {
  const { secret, organizationId } = await createOrganization("test", place);
  const asked: Asked[] = [];
  const AI = {
    run: async (model: string, input: never) => {
      if (model !== MODEL) return env.AI.run(model, input);
      const { messages } = input as EnrichmentInput;
      const one = JSON.parse(messages[1]?.content ?? "") as Asked;
      asked.push(one);
      return { response: await answer(one) };
    },
  } as AiBinding;
  const clock = new Clock();
  const service = new Service({ AI, ENRICHMENT_MODEL: MODEL }, clock);
  const caller = service.callerOf(secret);
  const capture = async (body: object, by: Caller = caller) => {
    const { id } = await by.call(contracts.createMemory, { body });
    await service.settle();
    return id;
  };
  const get = (memory_id: string) => caller.call(contracts.getMemory, { params: { memory_id } });
  const sweep = async (times: number, everyMs = 65_000) => {
    for (let i = 0; i < times; i++) {
      clock.advance(everyMs);
      await service.sweep();
    }
  };
  return { organizationId, asked, caller, capture, clock, get, service, sweep };
}

const written = { summary: "Refunds go to the card.", tags: ["refunds", "customer", "card"] };

describe("the enrichment of a captured memory", () => {
  test("adds a summary and tags of the text model after the response, and names the model", async () => {
    const { capture, get } = await open(() => written);
    expect(await get(await capture({ content: "Maria wants refunds to her card." }))).toMatchObject({
      ...written,
      enriched_by: MODEL,
    });
  });

  test("gathers memories that are captured one by one, so that they share the reads and writes", async () => {
    let captureMore = async () => {};
    const { caller, clock, service } = await open(async () => {
      await captureMore();
      return written;
    });
    const pauses: number[] = [];
    const responded = Promise.withResolvers<void>();
    clock.pause = (ms) => {
      pauses.push(ms);
      return responded.promise;
    };
    const lines = captureLog();
    const captureSome = async (name: string) => {
      for (let i = 0; i < 10; i++)
        await caller.call(contracts.createMemory, { body: { content: `${name} ${i}` } });
    };
    captureMore = () => {
      captureMore = async () => {};
      return captureSome("late");
    };
    await captureSome("early");
    responded.resolve();
    await service.settle();
    const runs = lines.filter(({ event }) => event === "enrich");
    // Twice: the claim, the tags of other memories, and what the model wrote.
    expect(runs).toMatchObject([{ ai_calls: 20, d1_calls: 6 }]);
    expect(pauses).toContain(1_000);
  });

  test("keeps the caller's tags and summary, and does not call the model if both are given", async () => {
    const { asked, capture, get } = await open(() => written);
    const tags = ["mine"];
    const summary = "Mine.";
    expect(await get(await capture({ content: "one", tags }))).toMatchObject({
      tags,
      summary: written.summary,
    });
    expect(await get(await capture({ content: "two", summary }))).toMatchObject({
      tags: written.tags,
      summary,
    });
    expect(asked).toHaveLength(2);
    expect(await get(await capture({ content: "three", tags, summary }))).toMatchObject({
      tags,
      summary,
      enriched_by: null,
    });
    expect(asked).toHaveLength(2);
  });

  test("never overwrites changes made while the model runs, and does not name the model for them", async () => {
    for (const [body, after] of [
      [{ tags: ["mine"] }, { tags: ["mine"], summary: written.summary, enriched_by: MODEL }],
      [
        { tags: ["mine"], summary: null },
        { tags: ["mine"], summary: null, enriched_by: null },
      ],
    ] as const) {
      const { caller, capture, get } = await open(async () => {
        const { items } = await caller.call(contracts.listMemories);
        await caller.call(contracts.updateMemory, { params: { memory_id: items[0]?.id ?? "" }, body });
        return written;
      });
      expect(await get(await capture({ content: "one" }))).toMatchObject(after);
    }
  });

  test("follows once the model is back, and does not delay or fail the capture while it is down", async () => {
    let isDown = true;
    const { caller, capture, get, sweep } = await open(() => {
      if (isDown) throw new Error("out of capacity");
      return written;
    });
    const id = await capture({ content: "The zeppelin lands at noon." });
    expect(await get(id)).toMatchObject({ tags: [], summary: null, enriched_by: null });
    const { results } = await caller.call(contracts.searchMemories, { body: { query: "zeppelin" } });
    expect(results).toHaveLength(1);
    isDown = false;
    await sweep(1);
    expect(await get(id)).toMatchObject(written);
  });

  test("changes nothing if the model returns nothing usable, and does not delay other memories", async () => {
    const { asked, capture, get, sweep } = await open(({ note }) => (note === "odd" ? "no JSON" : written));
    const odd = await capture({ content: "odd" });
    const other = await capture({ content: "even" });
    await sweep(3);
    expect(await get(odd)).toMatchObject({ tags: [], summary: null, enriched_by: null });
    expect(await get(other)).toMatchObject(written);
    expect(asked.filter(({ note }) => note === "odd")).toHaveLength(1);
  });

  test("follows within minutes after an outage of hours", async () => {
    let isBack = false;
    const { get, capture, sweep } = await open(() => {
      if (isBack) return written;
      throw new Error("out of capacity");
    });
    const memories = await Promise.all(["One.", "Two.", "Three."].map((content) => capture({ content })));
    await sweep(4 * 4, QUARTER_MS);
    isBack = true;
    await sweep(5);
    for (const memory of memories) expect(await get(memory)).toMatchObject(written);
  });

  test("of hundreds of memories is done by one sweep", async () => {
    const { caller, organizationId, service, sweep } = await open(() => written);
    const memories = Array.from({ length: 220 }, (_, i) => ({ content: `Note ${i}.` }));
    await caller.call(contracts.createMemories, { body: { memories } });
    await service.settle();
    await sweep(1);
    const left = "SELECT 1 FROM conversations WHERE organization_id = ?1 AND enriched_by IS NULL";
    expect(await selectRows(left, organizationId)).toEqual([]);
  });

  test("is done by the run that an earlier capture began, ten memories per transaction", async () => {
    const gate = Promise.withResolvers<void>();
    const { caller, organizationId, service } = await open(() => gate.promise.then(() => written));
    const lines = captureLog();
    const captureTen = (name: string) => {
      const memories = Array.from({ length: 10 }, (_, i) => ({ content: `${name} ${i}` }));
      return caller.call(contracts.createMemories, { body: { memories } });
    };
    await captureTen("first");
    await captureTen("second");
    gate.resolve();
    await service.settle();
    const runs = lines.filter(({ event }) => event === "enrich");
    expect(runs).toHaveLength(1);
    // At most two claims, each with a vocabulary, and two groups.
    expect(runs[0]?.d1_calls).toBeLessThanOrEqual(2 * 2 + 2);
    const left = "SELECT 1 FROM enrichment_jobs WHERE organization_id = ?1";
    expect(await selectRows(left, organizationId)).toEqual([]);
  });

  test("calls a slow model once per memory, although several runs enrich at the same time", async () => {
    const { asked, caller, clock, service, sweep } = await open(() => {
      clock.advance(7_000);
      return written;
    });
    const memories = Array.from({ length: 60 }, (_, i) => ({ content: `Note ${i}.` }));
    await caller.call(contracts.createMemories, { body: { memories } });
    await service.settle();
    // A run completes the calls that it begins before its lease ends, and the next run takes the rest at once.
    expect(asked.length).toBeLessThan(20);
    await sweep(6);
    expect(asked.map(({ note }) => note).sort()).toEqual(memories.map(({ content }) => content).sort());
  });

  test("is given up after 64 failures in about five hours", async () => {
    const { asked, capture, sweep } = await open(() => {
      throw new Error("poisoned");
    });
    await capture({ content: "poison" });
    await sweep(5 * 12 - 1, 5 * MINUTE_MS);
    expect(asked.length).toBeLessThan(64);
    await sweep(5, 5 * MINUTE_MS);
    expect(asked).toHaveLength(64);
    await sweep(4 * 4, QUARTER_MS);
    expect(asked).toHaveLength(64);
  });

  test("counts no failure for a memory that only waited while the model failed for others", async () => {
    const { asked, caller, organizationId, service, sweep } = await open(() => {
      throw new Error("out of capacity");
    });
    const memories = Array.from({ length: 12 }, (_, i) => ({ content: `Note ${i}.` }));
    await caller.call(contracts.createMemories, { body: { memories } });
    await service.settle();
    asked.length = 0;
    await env.DB.prepare("UPDATE enrichment_jobs SET attempts = 60 WHERE organization_id = ?1")
      .bind(organizationId)
      .run();
    await sweep(20, QUARTER_MS);
    const times = Map.groupBy(asked, ({ note }) => note);
    expect(memories.map(({ content }) => times.get(content)?.length)).toEqual(memories.map(() => 4));
  });

  test("gives the model the tags in use, most frequent first, and only an agent's own tags for its memories", async () => {
    const { asked, capture } = await open(() => null);
    await capture({ content: "1", tags: ["rare", "common"], summary: "" });
    await capture({ content: "2", tags: ["common"], summary: "" });
    await capture({ content: "3", tags: ["secret-of-b"], summary: "", agent_id: "b" });
    await capture({ content: "4" });
    await capture({ content: "5", agent_id: "b" });
    expect(asked.map(({ known_tags }) => known_tags)).toEqual([
      ["common", "rare", "secret-of-b"],
      ["secret-of-b"],
    ]);
  });

  test("of a user's memory gives the model only the tags of that user and agent", async () => {
    const { asked, capture } = await open(() => null);
    const maria = { user_id: "maria" };
    for (const owner of [{}, maria, { user_id: "jon" }, { ...maria, agent_id: "b" }])
      await capture({
        content: "tagged",
        tags: [`of-${Object.values(owner).join("-")}`],
        summary: "",
        ...owner,
      });
    await capture({ content: "1", ...maria });
    await capture({ content: "2", ...maria, agent_id: "b" });
    await capture({ content: "3", ...maria, agent_id: "c" });
    expect(asked.map(({ known_tags }) => known_tags)).toEqual([
      ["of-maria", "of-maria-b"],
      ["of-maria-b"],
      [],
    ]);
  });

  test("is repeated for new content, and keeps the caller's tags", async () => {
    let round = 0;
    const { caller, capture, get, service } = await open(() => {
      round += 1;
      return { summary: `Round ${round}.`, tags: ["one", "two", "three"] };
    });
    const id = await capture({ content: "first", tags: ["mine"] });
    await caller.call(contracts.updateMemory, { params: { memory_id: id }, body: { content: "second" } });
    await service.settle();
    expect(await get(id)).toMatchObject({ content: "second", summary: "Round 2.", tags: ["mine"] });
  });

  test("removes the model's tags and summary when the content changes", async () => {
    const { caller, capture } = await open(() => written);
    const [id, mine] = [
      await capture({ content: "The code is 4711." }),
      await capture({ content: "x", tags: ["mine"] }),
    ];
    const mute = new Service({ ENRICHMENT_MODEL: "" }).callerOf(caller.secret);
    const change = (memory_id: string, body: object) =>
      mute.call(contracts.updateMemory, { params: { memory_id }, body });
    expect(await change(id, { metadata: { a: 1 } })).toMatchObject({ ...written, enriched_by: MODEL });
    expect(await change(id, { content: "The code is 4711." })).toMatchObject({
      ...written,
      enriched_by: MODEL,
    });
    expect(await change(id, { content: "No code." })).toMatchObject({
      tags: [],
      summary: null,
      enriched_by: null,
    });
    expect(await change(mine, { content: "y", summary: "Mine." })).toMatchObject({
      tags: ["mine"],
      summary: "Mine.",
      enriched_by: null,
    });
  });

  test("is repeated if the content changes while the model reads the old one", async () => {
    let isDown = true;
    const { caller, capture, get, sweep } = await open(async ({ note }) => {
      if (note === "new" && isDown) throw new Error("out of capacity");
      if (note === "new") return { ...written, summary: "New." };
      const { items } = await caller.call(contracts.listMemories);
      await caller.call(contracts.updateMemory, {
        params: { memory_id: items[0]?.id ?? "" },
        body: { content: "new" },
      });
      return written;
    });
    const id = await capture({ content: "old" });
    isDown = false;
    await sweep(2);
    expect(await get(id)).toMatchObject({ content: "new", summary: "New.", enriched_by: MODEL });
  });
});

describe("an import of memories", () => {
  test("keeps all tags and summaries, and enriches memories that have none", async () => {
    const { asked, caller, get, service, sweep } = await open(() => written);
    const lines = [
      await memory("1", "described", {
        given: { tags: false, summary: false },
        tags: ["old"],
        summary: "Old.",
        enriched_by: "test/other",
      }),
      await memory("2", "mine", { tags: ["mine"], summary: "Mine." }),
      await memory("3", "tagged", { tags: ["mine"], given: { tags: true, summary: false } }),
      await memory("4", "bare", { given: { tags: false, summary: false } }),
    ];
    expect(await send(caller, lines)).toMatchObject({ memories: { created: 4 }, problems: [] });
    await service.settle();
    await sweep(1);
    const [described, mine, tagged, bare] = await Promise.all(lines.map(({ id }) => get(id)));
    expect(described).toMatchObject({ tags: ["old"], summary: "Old.", enriched_by: "test/other" });
    expect(mine).toMatchObject({ tags: ["mine"], summary: "Mine.", enriched_by: null });
    expect(tagged).toMatchObject({ tags: ["mine"], summary: written.summary, enriched_by: MODEL });
    expect(bare).toMatchObject({ ...written, enriched_by: MODEL });
    expect(asked.map(({ note }) => note).sort()).toEqual(["bare", "tagged"]);
    await send(caller, lines);
    await caller.call(contracts.enrichMemories, { body: {} });
    await sweep(3);
    // A backfill makes the current model replace the output of other models, and nothing else.
    expect(await get(lines[0]?.id ?? "")).toMatchObject({ ...written, enriched_by: MODEL });
    expect(await get(lines[1]?.id ?? "")).toMatchObject({ tags: ["mine"], summary: "Mine." });
    expect((await get(lines[2]?.id ?? "")).tags).toEqual(["mine"]);
    expect(asked.map(({ note }) => note).filter((note) => note !== "described")).toHaveLength(2);
  });
});

describe("a note with a prompt injection", () => {
  test("cannot change the tags or summary of another note, even if the model obeys it", async () => {
    const attack = {
      ...written,
      tags: ["pwned", "owned", "hacked"],
      id: "*",
      notes: [{ id: "*", tags: ["pwned"] }],
    };
    const { caller, capture, get, service } = await open(({ note }) =>
      note === "honest" ? written : [attack],
    );
    const honest = await capture({ content: "honest" });
    const before = await get(honest);
    const memories = HOSTILE_NOTES.map(([, content]) => ({ content: content.toWellFormed() }));
    await caller.call(contracts.createMemories, { body: { memories } });
    await service.settle();
    expect(await get(honest)).toEqual(before);
  });
});

describe("a held memory", () => {
  const holdAll = async (caller: Caller): Promise<string> =>
    (await caller.call(contracts.createHold, { body: { reason: "Case 1", filter: { user_id: "maria" } } }))
      .id;
  const lift = (caller: Caller, hold_id: string) => caller.call(contracts.liftHold, { params: { hold_id } });
  const body = { content: "Likes zeppelins.", user_id: "maria" };

  test("is not sent to the model, nor keeps its cell awake, and is enriched after the lift", async () => {
    const { organizationId, asked, caller, capture, clock, get, service } = await open(() => written, "cell");
    const sweep = async (times: number) => {
      for (let i = 0; i < times; i++) {
        clock.advance(QUARTER_MS);
        await service.sweepAt(organizationId);
      }
    };
    const holdId = await holdAll(caller);
    const id = await capture(body);
    await capture({ content: "other" });
    await sweep(2);
    expect(asked.map(({ note }) => note)).toEqual(["other"]);
    const { db } = service.context(organizationId);
    const { dueAtMs } = await run(db, cellWork(clock.nowMs()));
    expect(dueAtMs ?? Number.POSITIVE_INFINITY).toBeGreaterThan(clock.nowMs());
    const other = await holdAll(caller);
    await lift(caller, other);
    await sweep(1);
    expect(asked).toHaveLength(1);
    await lift(caller, holdId);
    await sweep(1);
    expect(await get(id)).toMatchObject(written);
  });

  test("that comes under a hold while the model reads it is enriched after the lift", async () => {
    const holds: string[] = [];
    const { caller, capture, get, sweep } = await open(async () => {
      if (holds.length === 0) holds.push(await holdAll(caller));
      return written;
    });
    const id = await capture(body);
    await sweep(2);
    expect(await get(id)).toMatchObject({ enriched_by: null });
    for (const holdId of holds) await lift(caller, holdId);
    await sweep(2);
    expect(await get(id)).toMatchObject(written);
  });

  test("leaves a backfill, which does not wait for it and does not count it", async () => {
    const { caller, capture, get, sweep } = await open(() => written);
    const plain = new Service({ ENRICHMENT_MODEL: "" }).callerOf(caller.secret);
    const id = await capture(body, plain);
    await capture({ content: "other" }, plain);
    const holdId = await holdAll(caller);
    const { id: operation_id } = await caller.call(contracts.enrichMemories, { body: {} });
    await sweep(3);
    expect(await caller.call(contracts.getOperation, { params: { operation_id } })).toMatchObject({
      ...{ status: "succeeded", progress: { done: 1, total: 1 }, enriched: 1 },
    });
    expect(await get(id)).toMatchObject({ enriched_by: null });
    await lift(caller, holdId);
    await sweep(1);
    expect(await get(id)).toMatchObject(written);
  });
});

describe("enrichMemories", () => {
  const contract = contracts.enrichMemories;
  /** Tags a note by its topic in the note's own spelling, unless a known tag fits. */
  const spells: Answer = ({ note, known_tags }) => ({
    summary: note,
    tags: [
      known_tags.find((tag) => ["k8s", "kubernetes"].includes(tag)) ?? note.split(" ")[0],
      "ops",
      "notes",
    ],
  });
  const notes = ["kubernetes one", "kubernetes two", "k8s three", "kubernetes four"];

  test("enriches only the memories of one user if the filter names the user", async () => {
    const { asked, caller, capture, sweep } = await open(() => written);
    const plain = new Service({ ENRICHMENT_MODEL: "" }).callerOf(caller.secret);
    for (const user_id of ["maria", "jon"]) await capture({ content: `of ${user_id}`, user_id }, plain);
    await capture({ content: "of no user" }, plain);
    const body = { filter: { user_id: "maria" } };
    expect(await caller.call(contract, { body })).toMatchObject({ progress: { done: 0, total: 1 } });
    await sweep(3);
    expect([...new Set(asked.map(({ note }) => note))]).toEqual(["of maria"]);
  });

  test("enriches in two passes, so that similar notes get the same tag, and reports progress", async () => {
    const { caller, capture, get, service, sweep } = await open(spells);
    const written = new Service({ ENRICHMENT_MODEL: "" }).callerOf(caller.secret);
    const ids: string[] = [];
    for (const content of notes) ids.push(await capture({ content }, written));
    const mine = await capture({ content: "k8s mine", tags: ["mine"], summary: "Mine." }, written);
    const operation = await caller.call(contract, { body: {} });
    expect(operation).toMatchObject({ type: "enrich_memories", progress: { done: 0, total: 4 } });
    await sweep(3);
    await service.settle();
    for (const id of ids) expect((await get(id)).tags).toEqual(["kubernetes", "ops", "notes"]);
    expect(await get(mine)).toMatchObject({ tags: ["mine"], summary: "Mine.", enriched_by: null });
    const done = await caller.call(contracts.getOperation, { params: { operation_id: operation.id } });
    expect(done).toMatchObject({ status: "succeeded", progress: { done: 4, total: 4 }, enriched: 4 });
    const again = await caller.call(contract, { body: {} });
    expect(again).toMatchObject({ progress: { done: 0, total: 0 } });
  });

  test("does not count a memory for which the model returns nothing usable", async () => {
    const answer: Answer = (one) => (one.note === "odd" ? "no JSON" : spells(one));
    const { caller, capture, sweep } = await open(answer);
    const plain = new Service({ ENRICHMENT_MODEL: "" }).callerOf(caller.secret);
    for (const content of ["odd", "kubernetes one"]) await capture({ content }, plain);
    const { id: operation_id } = await caller.call(contract, { body: {} });
    await sweep(3);
    expect(await caller.call(contracts.getOperation, { params: { operation_id } })).toMatchObject({
      status: "succeeded",
      progress: { done: 2, total: 2 },
      enriched: 1,
    });
  });

  test("continues after an outage of the model, and can be canceled", async () => {
    let isDown = true;
    const { caller, capture, get, sweep } = await open((one) => {
      if (isDown) throw new Error("down");
      return spells(one);
    });
    const plain = new Service({ ENRICHMENT_MODEL: "" }).callerOf(caller.secret);
    const id = await capture({ content: "kubernetes one" }, plain);
    const { id: operation_id } = await caller.call(contract, {
      body: {},
      headers: { "idempotency-key": "k" },
    });
    await sweep(1);
    expect(await caller.call(contracts.getOperation, { params: { operation_id } })).toMatchObject({
      status: "running",
      progress: { done: 0, total: 1 },
    });
    isDown = false;
    await sweep(3);
    expect(await get(id)).toMatchObject({ enriched_by: MODEL });
    await capture({ content: "kubernetes two" }, plain);
    const second = await caller.call(contract, { body: {} });
    const params = { operation_id: second.id };
    expect(await caller.call(contracts.cancelOperation, { params })).toMatchObject({ status: "canceled" });
    await sweep(3);
    const canceled = {
      status: "canceled",
      progress: { done: 0, total: 1 },
      completed_at: expect.any(String),
    };
    expect(await caller.call(contracts.getOperation, { params })).toMatchObject(canceled);
    expect(await caller.call(contracts.cancelOperation, { params })).toMatchObject(canceled);
    const other = { body: { filter: { source: "x" } }, headers: { "idempotency-key": "k" } };
    expect(await caller.fail(contract, other)).toMatchObject({ code: "idempotency_mismatch" });
  });

  test("skips memories whose capture is still being enriched, or that another run has queued", async () => {
    let isDown = true;
    const { caller, capture, get, service, sweep } = await open((one) => {
      if (isDown) throw new Error("down");
      return spells(one);
    });
    const plain = new Service({ ENRICHMENT_MODEL: "" }).callerOf(caller.secret);
    const captured = await capture({ content: "kubernetes captured" });
    const older = await capture({ content: "kubernetes older" }, plain);
    const first = await caller.call(contract, { body: {} });
    const second = await caller.call(contract, { body: {} });
    expect([first.progress, second.progress]).toEqual([
      { done: 0, total: 1 },
      { done: 0, total: 0 },
    ]);
    for (const { id } of [first])
      await caller.call(contracts.cancelOperation, { params: { operation_id: id } });
    isDown = false;
    // The call ends the wait of some seconds that follows the failure.
    await sweep(1, 1_000);
    await service.settle();
    expect(await get(captured)).toMatchObject({ enriched_by: MODEL });
    expect(await get(older)).toMatchObject({ enriched_by: null });
  });

  test("is rejected without a text model", async () => {
    const caller = await createOrganization();
    const none = new Service({ ENRICHMENT_MODEL: "" }).callerOf(caller.secret);
    expect(await none.fail(contract, { body: {} })).toMatchObject({ code: "unavailable" });
  });
});
