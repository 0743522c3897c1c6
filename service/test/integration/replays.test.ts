import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { type Caller, createOrganization, seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import { Clock, Service } from "../support/invocations.ts";

const NEVER_ENRICHED = { tags: [], summary: "" };
const WALRUSES = ["The walrus sang.", "A walrus swims.", "The walrus sleeps on ice."];

/** An organization whose clock the test moves, with three memories that a search finds. */
async function openRecorded(more: object = {}) {
  const clock = new Clock();
  const service = new Service({}, clock);
  const organization = await createOrganization();
  const caller = service.callerOf(organization.secret);
  const ids: string[] = [];
  for (const content of WALRUSES) ids.push(await capture(caller, content, { user_id: "maria" }));
  const recall_id = await record(caller, { in: ["memories"], ...more });
  clock.advance(1_000);
  const replay = () => caller.call(contracts.replayRecall, { params: { recall_id } });
  const differences = async () =>
    (await replay()).differences.map(({ change, cause, before, now }) => [
      (before ?? now)?.id,
      change,
      cause,
    ]);
  return { ...organization, caller, clock, service, ids, recall_id, replay, differences };
}

const capture = async (caller: Caller, content: string, more: object = {}): Promise<string> =>
  (await caller.call(contracts.createMemory, { body: { content, ...NEVER_ENRICHED, ...more } })).id;

async function record(caller: Caller, more: object): Promise<string> {
  const { recall_id } = await caller.call(contracts.search, {
    body: { query: "walrus", mode: "keyword", record: true, ...more },
  });
  return recall_id ?? "";
}

/** Differences of these items, without those of items that only gave way to them. */
const of = (id: string, differences: unknown[][]) => differences.filter(([item]) => item === id);

describe("a replay", () => {
  test("answers that nothing differs as long as nothing changed, by search, memories and context", async () => {
    const { caller, replay } = await openRecorded();
    expect(await replay()).toMatchObject({ same: true, differences: [], degraded: [] });
    await seedConversation(caller, ["The walrus sang.", "And slept."], { user_id: "maria" });
    const [conversation] = (await caller.call(contracts.listConversations)).items;
    const asked = [
      await caller.call(contracts.searchMemories, { body: { query: "walrus", record: true, limit: 2 } }),
      await caller.call(contracts.search, {
        body: {
          query: "walrus",
          in: ["conversations", "memories"],
          record: true,
          as_of: "2099-01-01T00:00:00Z",
        },
      }),
      await caller.call(contracts.getContext, {
        body: {
          ...{ query: "walrus", user_id: "maria", max_tokens: 300, record: true },
          conversation_id: conversation?.id,
        },
      }),
    ];
    for (const { recall_id } of asked) {
      const params = { recall_id: recall_id ?? "" };
      expect(await caller.call(contracts.replayRecall, { params })).toMatchObject({
        differences: [],
        same: true,
      });
    }
  });

  test("names a deleted item, and one that is deleted with `forget`", async () => {
    const { caller, ids, differences } = await openRecorded();
    const [first = "", second = ""] = ids;
    await caller.call(contracts.deleteMemory, { params: { memory_id: first } });
    expect(await differences()).toEqual([[first, "missing", "deleted"]]);
    await caller.call(contracts.deleteMemory, {
      params: { memory_id: second },
      query: { forget: "true" },
    });
    expect(of(second, await differences())).toEqual([[second, "missing", "forgotten"]]);
    expect(of(first, await differences())).toEqual([[first, "missing", "deleted"]]);
  });

  test("names the items of a deleted user, whose receipt an unfiltered search left", async () => {
    const { caller, ids, differences } = await openRecorded();
    await caller.call(contracts.deleteUser, { params: { user_id: "maria" } });
    expect((await differences()).toSorted()).toEqual(
      ids.map((id) => [id, "missing", "forgotten"]).toSorted(),
    );
  });

  test("names messages of a deleted conversation, and of one deleted with `forget`, before and after the purge", async () => {
    const { caller, clock, service } = await openRecorded();
    const [plain, forgotten] = [
      await seedConversation(caller, ["The otter sang."]),
      await seedConversation(caller, ["The otter slept."]),
    ];
    const { recall_id } = await caller.call(contracts.search, {
      body: { query: "otter", mode: "keyword", record: true },
    });
    clock.advance(1_000);
    await caller.call(contracts.deleteConversation, { params: { conversation_id: plain } });
    await caller.call(contracts.deleteConversation, {
      params: { conversation_id: forgotten },
      query: { forget: "true" },
    });
    for (let i = 0; i < 2; i++) {
      const { differences } = await caller.call(contracts.replayRecall, {
        params: { recall_id: recall_id ?? "" },
      });
      const causes = differences.map(({ before, change, cause }) => [before?.conversation_id, change, cause]);
      expect(causes.toSorted()).toEqual(
        [
          [plain, "missing", "deleted"],
          [forgotten, "missing", "forgotten"],
        ].toSorted(),
      );
      await service.sweep();
    }
  });

  test("names an edited item, whether it is still found or not, and however it was edited", async () => {
    const { caller, clock, ids, differences } = await openRecorded({ tags_any: undefined });
    const [first = "", second = ""] = ids;
    const update = (memory_id: string, body: object) =>
      caller.call(contracts.updateMemory, { params: { memory_id }, body });
    await update(first, { content: "The walrus sang twice." });
    expect(of(first, await differences())).toEqual([[first, "changed", "edited"]]);
    await update(second, { content: "An otter swims." });
    expect(of(second, await differences())).toEqual([[second, "missing", "edited"]]);
    // A tag changes no content, so it is a difference only to a search that filters by it.
    const tagged = await capture(caller, "The otter sings.", { tags: ["loud"] });
    const recall_id = await record(caller, { query: "otter", in: ["memories"], tags_any: ["loud"] });
    clock.advance(1_000);
    await update(tagged, { tags: ["quiet"] });
    const replay = await caller.call(contracts.replayRecall, { params: { recall_id } });
    expect(replay.differences).toMatchObject([
      { change: "missing", cause: "edited", before: { id: tagged } },
    ]);
  });

  test("names an edited message, and what a new item pushed out of the limit", async () => {
    const { caller, clock } = await openRecorded();
    const conversation_id = await seedConversation(caller, ["The otter sang of the sea."]);
    const [message] = (await caller.call(contracts.listMessages, { params: { conversation_id } })).items;
    const recall_id = await record(caller, { query: "otter", limit: 1 });
    const replay = async () =>
      (await caller.call(contracts.replayRecall, { params: { recall_id } })).differences;
    clock.advance(1_000);
    await caller.call(contracts.updateMessage, {
      params: { conversation_id, message_id: message?.id ?? "" },
      body: { content: "The otter sang of the old sea." },
    });
    expect(await replay()).toMatchObject([
      { change: "changed", cause: "edited", before: { updated_at: null }, now: { id: message?.id } },
    ]);
    await seedConversation(caller, ["otter"]);
    expect((await replay()).map(({ change, cause }) => [change, cause])).toEqual([
      ["missing", "edited"],
      ["added", "newer"],
    ]);
  });

  test("gives an item that only gave way the cause of those that took its place", async () => {
    const { caller, ids, differences } = await openRecorded({ limit: 3 });
    const added = await capture(caller, "walrus walrus");
    const all = await differences();
    expect(of(added, all)).toEqual([[added, "added", "newer"]]);
    const missing = all.filter(([, change]) => change === "missing");
    expect(missing).toHaveLength(1);
    expect(missing[0]).toEqual([expect.toBeOneOf(ids), "missing", "newer"]);
  });

  test("takes what holds now as of the time of the receipt", async () => {
    const { caller, clock, replay } = await openRecorded();
    const valid_until = new Date(clock.nowMs() + 60_000).toISOString();
    await capture(caller, "The walrus rests.", { valid_until });
    const recall_id = await record(caller, { in: ["memories"] });
    clock.advance(120_000);
    const again = await caller.call(contracts.replayRecall, { params: { recall_id } });
    expect(again).toMatchObject({ same: true });
    expect(await replay()).toMatchObject({ same: false });
  });

  test("names another embedding model, other rules, and a search that could not search by meaning", async () => {
    const { caller, secret, recall_id, clock } = await openRecorded({ mode: "hybrid", limit: 2 });
    const params = { recall_id };
    const causesOf = async (by: Caller) => {
      const { differences } = await by.call(contracts.replayRecall, { params });
      expect(differences.length).toBeGreaterThan(0);
      return [...new Set(differences.map(({ cause }) => cause))];
    };
    // Something differs in any case: an item that only gave way.
    await env.DB.prepare(
      'UPDATE recalls SET answer = replace(answer, \'"part":"results","conversation"\', \'"part":"memories","conversation"\') WHERE id = ?1',
    )
      .bind(recall_id)
      .run();
    expect(await causesOf(caller)).toEqual(["others_changed"]);
    const down = { run: () => Promise.reject(new Error("down")) };
    const degraded = new Service({ AI: down as never }, clock).callerOf(secret);
    expect(await causesOf(degraded)).toEqual(["degraded"]);
    const other = new Service({ EMBEDDING_MODEL: "other/model" }, clock).callerOf(secret);
    expect(await causesOf(other)).toEqual(["reembedded"]);
    await env.DB.prepare("UPDATE recalls SET answer = json_set(answer, '$.rules', 0) WHERE id = ?1")
      .bind(recall_id)
      .run();
    expect(await causesOf(other)).toEqual(["rules_changed"]);
  });

  test("is of the same search again, records nothing, and counts as a search", async () => {
    const { caller, recall_id, replay } = await openRecorded();
    await replay();
    const { items } = await caller.call(contracts.listRecalls);
    expect(items.map(({ id }) => id)).toEqual([recall_id]);
  });

  test("names all items of a context as missing once its conversation is deleted", async () => {
    const { caller, clock } = await openRecorded();
    const conversation_id = await seedConversation(caller, ["The otter sang.", "And slept."]);
    const { recall_id } = await caller.call(contracts.getContext, {
      body: { conversation_id, record: true },
    });
    clock.advance(1_000);
    await caller.call(contracts.deleteConversation, { params: { conversation_id } });
    const { differences } = await caller.call(contracts.replayRecall, {
      params: { recall_id: recall_id ?? "" },
    });
    expect(differences.map(({ change, cause }) => [change, cause])).toEqual([
      ["missing", "deleted"],
      ["missing", "deleted"],
    ]);
  });
});
