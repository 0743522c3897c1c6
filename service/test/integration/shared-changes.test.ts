import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import type { AiBinding, EnrichmentInput } from "../../src/platform/ai.ts";
import { type Caller, createKey, createOrganization, seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import { exportOnce } from "../support/exports.ts";
import { conversation, memory, send } from "../support/imports.ts";
import { open, Service, selectRows } from "../support/invocations.ts";
import { connect } from "../support/socket.ts";

const SCOPES: contracts.Scope[] = ["read", "write", "search", "delete"];
const WORDS = "walrus oysters";
const MODES = ["hybrid", "keyword", "semantic"] as const;

/** An organization, and keys for two of its users, that all call one service with a clock of its own. */
async function openUsers() {
  const opened = await open();
  const { caller, service } = opened;
  const keyFor = async (user_id: string) =>
    service.callerOf((await createKey(caller, { scopes: SCOPES, user_id })).secret);
  return { ...opened, maria: await keyFor("maria"), jon: await keyFor("jon") };
}

const share = (by: Caller, { conversation_id, memory_id }: Partial<Shared>, shared: boolean) =>
  Promise.all([
    conversation_id &&
      by.call(contracts.updateConversation, { params: { conversation_id }, body: { shared } }),
    memory_id && by.call(contracts.updateMemory, { params: { memory_id }, body: { shared } }),
  ]);

interface Shared {
  conversation_id: string;
  memory_id: string;
}
async function seedShared(by: Caller, more: object = { shared: true }): Promise<Shared> {
  const conversation_id = await seedConversation(by, [`The ${WORDS}, said.`], { title: "T", ...more });
  const body = { content: `The ${WORDS}, remembered.`, tags: ["t"], summary: "S", ...more, wait: "indexed" };
  return { conversation_id, memory_id: (await by.call(contracts.createMemory, { body })).id };
}

/** Ids of what a search finds in both corpora. */
async function find(by: Caller, body: object = {}): Promise<string[]> {
  const { results } = (await by.call(contracts.search, {
    body: { query: WORDS, in: ["conversations", "memories"], limit: 20, ...body },
  })) as contracts.SearchAnswer;
  return results.map((one) => (one.type === "memory" ? one.memory.id : one.conversation_id)).toSorted();
}

const idsOf = ({ conversation_id, memory_id }: Shared) => [conversation_id, memory_id].toSorted();

describe("what is shared", () => {
  test("belongs to no user: neither creates nor updates give it one", async () => {
    const caller = await createOrganization();
    const both = { shared: true, user_id: "maria" };
    const invalid = { code: "validation_failed", errors: [{ path: "shared" }] };
    expect(await caller.fail(contracts.createConversation, { body: both })).toMatchObject(invalid);
    expect(await caller.fail(contracts.createMemory, { body: { content: "x", ...both } })).toMatchObject(
      invalid,
    );
    expect(
      await caller.fail(contracts.putMemory, { body: { content: "x", external_id: "x", ...both } }),
    ).toMatchObject(invalid);
    const bulk = { memories: [{ content: "x", ...both }] };
    expect(await caller.fail(contracts.createMemories, { body: bulk })).toMatchObject({
      errors: [{ path: "memories.0.shared" }],
    });
    const own = await seedShared(caller, { user_id: "maria" });
    const { conversation_id, memory_id } = own;
    const conflict = { code: "user_conflict" };
    const shared = { shared: true };
    expect(
      await caller.fail(contracts.updateConversation, { params: { conversation_id }, body: shared }),
    ).toMatchObject(conflict);
    expect(await caller.fail(contracts.updateMemory, { params: { memory_id }, body: shared })).toMatchObject(
      conflict,
    );
    const { id } = await caller.call(contracts.createMemory, { body: { content: "x", ...shared } });
    const params = { memory_id: id };
    expect(await caller.fail(contracts.updateMemory, { params, body: { user_id: "maria" } })).toMatchObject(
      conflict,
    );
    const given = { user_id: "maria", shared: false, content: "Another content." };
    expect(await caller.call(contracts.updateMemory, { params, body: given })).toMatchObject(given);
  });

  test("is found with a user, unlike what belongs to no user, and not if only the user's own is wanted", async () => {
    const { caller, idle, maria } = await openUsers();
    const shared = await seedShared(caller);
    const own = await seedShared(caller, { user_id: "maria" });
    await seedShared(caller, { user_id: "jon" });
    await seedConversation(caller, [`The ${WORDS}, of nobody.`]);
    await idle();
    const both = [...idsOf(shared), ...idsOf(own)].toSorted();
    for (const mode of MODES) {
      for (const [by, body] of [
        [maria, {}],
        [maria, { user_id: "maria" }],
        [caller, { user_id: "maria" }],
      ] as const) {
        expect(await find(by, { mode, ...body })).toEqual(both);
        expect(await find(by, { mode, ...body, visibility: ["own"] })).toEqual(idsOf(own));
        expect(await find(by, { mode, ...body, visibility: ["shared"] })).toEqual(idsOf(shared));
      }
      expect(await find(maria, { mode, user_id: "jon" })).toEqual(idsOf(shared));
      expect(await find(caller, { mode, visibility: ["shared"] })).toEqual(idsOf(shared));
    }
    const listed = async (by: Caller, query: object) =>
      (await by.call(contracts.listConversations, { query: { ...query } })).items.map(({ id }) => id);
    for (const by of [caller, maria])
      expect(await listed(by, { user_id: "maria" })).toEqual([own.conversation_id]);
  });

  test("is found by meaning however many vectors of others are nearer", async () => {
    const { caller, maria, idle } = await openUsers();
    const memories = Array.from({ length: 150 }, (_, i) => ({
      content: `The ${WORDS} ${i}.`,
      ...{ user_id: "jon", tags: [], summary: "" },
    }));
    await caller.call(contracts.createMemories, { body: { memories } });
    const { memory_id } = await seedShared(caller);
    await idle();
    const body = { query: `The ${WORDS} 1.`, mode: "semantic", in: ["memories"] };
    expect(await find(maria, body)).toEqual([memory_id]);
    expect(await find(caller, { ...body, visibility: ["shared"] })).toEqual([memory_id]);
  });

  test("is in no export, deletion or list of a user, and stays when the user is deleted", async () => {
    const { caller, maria } = await openUsers();
    const shared = await seedShared(caller);
    await seedShared(caller, { user_id: "maria" });
    const { lines } = await exportOnce(caller, { user_id: "maria" });
    expect(lines.map((line) => ("user_id" in line ? line.user_id : "message"))).toEqual([
      "maria",
      "message",
      "maria",
    ]);
    expect((await caller.call(contracts.listUsers)).items).toMatchObject([
      { id: "maria", conversation_count: 1, memory_count: 1 },
    ]);
    const filter = { created_after: "2020-01-01T00:00:00.000Z" };
    expect(
      await maria.call(contracts.deleteConversations, { body: { filter, dry_run: true } }),
    ).toMatchObject({ conversations: 1 });
    expect(await maria.call(contracts.deleteMemories, { body: { all: true, dry_run: true } })).toMatchObject({
      memories: 1,
    });
    for (const forget of [false, true]) {
      await maria.call(contracts.deleteConversations, { body: { filter, forget } });
      await maria.call(contracts.deleteMemories, { body: { all: true, forget } });
    }
    await caller.call(contracts.deleteConversations, { body: { filter: { user_id: "maria" } } });
    await maria.call(contracts.deleteUser, { params: { user_id: "maria" } });
    expect(await find(caller)).toEqual(idsOf(shared));
  });

  test("is the same after an export and an import, and a file of before is not shared", async () => {
    const [caller, other] = [await createOrganization(), await createOrganization()];
    await seedShared(caller);
    await seedShared(caller, { user_id: "maria" });
    const { lines } = await exportOnce(caller);
    await send(other, lines);
    expect((await exportOnce(other)).lines).toEqual(lines);
    const { shared: _, ...old } = conversation("a1");
    const of = { ...(await memory("b1", "x")), shared: true, user_id: "maria" };
    expect(await send(other, [old, of])).toMatchObject({
      conversations: { created: 1 },
      problems: [{ line: 2, code: "validation_failed" }],
    });
    const params = { conversation_id: old.id };
    expect(await other.call(contracts.getConversation, { params })).toMatchObject({ shared: false });
  });

  test("is a fork of what is shared, and a put without it ends it", async () => {
    const { caller, maria } = await openUsers();
    const { conversation_id } = await seedShared(caller);
    const fork = await caller.call(contracts.forkConversation, { params: { conversation_id }, body: {} });
    expect(fork.shared).toBe(true);
    const put = (body: object) =>
      caller.call(contracts.putMemory, { body: { external_id: "diet", content: "Oysters.", ...body } });
    const params = { memory_id: (await put({ shared: true })).id };
    expect(await maria.call(contracts.getMemory, { params })).toMatchObject({ shared: true });
    expect(await put({})).toMatchObject({ id: params.memory_id, shared: false });
    expect(await maria.fail(contracts.getMemory, { params })).toMatchObject({ code: "not_found" });
  });

  test("gets its tags from a text model that knows only tags of shared memories", async () => {
    const known: string[][] = [];
    const AI = {
      run: async (model: string, input: never) => {
        if (model !== "test/writer") return env.AI.run(model, input);
        const asked = JSON.parse((input as EnrichmentInput).messages[1]?.content ?? "");
        known.push(asked.known_tags);
        return { response: { summary: "S", tags: ["t"] } };
      },
    } as AiBinding;
    const caller = await createOrganization();
    const service = new Service({ AI, ENRICHMENT_MODEL: "test/writer" });
    const by = service.callerOf(caller.secret);
    for (const body of [
      { content: "a", tags: ["secret"], user_id: "maria" },
      { content: "b", tags: ["open"], shared: true },
      { content: "c", shared: true },
    ])
      await by.call(contracts.createMemory, { body });
    await service.settle();
    expect(known.at(-1)).toEqual(["open"]);
  });
});

describe("what is no longer shared", () => {
  test("is gone for users with the next request, everywhere", async () => {
    const { caller, maria, idle } = await openUsers();
    const shared = await seedShared(caller);
    const { conversation_id, memory_id } = shared;
    await idle();
    const reads = async () => {
      const found = await Promise.all(MODES.map((mode) => find(maria, { mode })));
      const context = await maria.call(contracts.getContext, { body: { query: WORDS, user_id: "maria" } });
      const inContext = [
        ...context.memories.items.map(({ id }) => id),
        ...context.results.items.map((one) => one.conversation_id),
      ];
      const lists = [
        ...(await maria.call(contracts.listConversations)).items,
        ...(await maria.call(contracts.listMemories)).items,
      ].map(({ id }) => id);
      const events = (await maria.call(contracts.listEvents)).items.flatMap(
        (one) => one.conversation_id ?? one.memory_id ?? [],
      );
      return [...found, inContext.toSorted(), lists.toSorted(), [...new Set(events)].toSorted()];
    };
    for (const ids of await reads()) expect(ids).toEqual(idsOf(shared));
    await share(caller, shared, false);
    for (const ids of await reads()) expect(ids).toEqual([]);
    for (const [contract, params] of [
      [contracts.getConversation, { conversation_id }],
      [contracts.listMessages, { conversation_id }],
      [contracts.listSummaries, { conversation_id }],
      [contracts.getMemory, { memory_id }],
      [contracts.listMemoryVersions, { memory_id }],
    ] as const)
      expect(await maria.fail(contract, { params })).toMatchObject({ code: "not_found" });
    await idle();
    for (const ids of await reads()) expect(ids).toEqual([]);
    await share(caller, shared, true);
    // Its vectors are those of nobody until they are stored again.
    await idle();
    for (const ids of await reads()) expect(ids).toEqual(idsOf(shared));
  });

  test("keeps no version of a memory for it, and changes its ETag and time", async () => {
    const { caller, clock } = await openUsers();
    const { memory_id } = await seedShared(caller);
    const params = { memory_id };
    const etagOf = async () => (await caller.fetch(contracts.getMemory, { params })).headers.get("etag");
    const before = await etagOf();
    const { updated_at } = await caller.call(contracts.getMemory, { params });
    clock.advance(1_000);
    const body = { shared: false };
    const changed = await caller.call(contracts.updateMemory, { params, body });
    expect(changed.updated_at > updated_at).toBe(true);
    expect(await etagOf()).not.toBe(before);
    expect((await caller.call(contracts.listMemoryVersions, { params })).items).toHaveLength(1);
    clock.advance(1_000);
    expect(await caller.call(contracts.updateMemory, { params, body })).toMatchObject({
      updated_at: changed.updated_at,
    });
  });

  test("gets new vectors only if it was shared, or was not", async () => {
    const { caller, idle } = await openUsers();
    const shared = await seedShared(caller);
    await idle();
    const jobs = () =>
      selectRows("SELECT 1 FROM index_jobs WHERE conversation_id IN (?1, ?2)", ...idsOf(shared));
    await share(caller, shared, true);
    expect(await jobs()).toHaveLength(0);
    await env.CONTROL.setFault({ ai: "3040" });
    await share(caller, shared, false);
    expect((await jobs()).length).toBeGreaterThan(0);
    await env.CONTROL.clearFaults();
  });

  test("is gone as of every moment, also of those at which it was shared", async () => {
    const { caller, maria, clock } = await openUsers();
    const shared = await seedShared(caller);
    clock.advance(60_000);
    const as_of = new Date(clock.nowMs()).toISOString();
    clock.advance(60_000);
    const ofThen = async () => [
      ...(await maria.call(contracts.listMemories, { query: { as_of } })).items,
      ...(await maria.call(contracts.listConversations, { query: { as_of } })).items,
    ];
    expect((await ofThen()).map(({ id, shared: isShared }) => [id, isShared])).toEqual(
      [shared.memory_id, shared.conversation_id].map((id) => [id, true]),
    );
    expect(await find(maria, { as_of })).toEqual(idsOf(shared));
    const atMessage = { query: { as_of: `${shared.conversation_id}:1` } };
    await maria.call(contracts.listMemories, atMessage);
    await share(caller, shared, false);
    expect(await ofThen()).toEqual([]);
    expect(await find(maria, { as_of })).toEqual([]);
    expect(await maria.fail(contracts.listMemories, atMessage)).toMatchObject({ code: "validation_failed" });
  });

  test("leaves the stable parts of contexts, which tell that they have changed", async () => {
    const { caller, maria, jon, idle, organizationId } = await openUsers();
    const shared = await seedShared(caller);
    for (let i = 0; i < 11; i++)
      await caller.call(contracts.createMemory, {
        body: { content: `Refunds go to card ${i}, never to a voucher.`, user_id: "maria" },
      });
    const ask = (by: Caller, body: object = {}) =>
      by.call(contracts.getContext, { body: { layout: "stable", ...body } });
    const first = await ask(maria);
    expect(first.stable?.join()).toContain("remembered");
    expect(await ask(maria, { previous: first.stable_id })).toMatchObject({ stable_changed: null });
    // A part belongs to the key's user.
    expect(await ask(jon, { previous: first.stable_id })).toMatchObject({
      stable_changed: "unknown_previous",
    });
    const { memory_id } = shared;
    await caller.call(contracts.updateMemory, {
      params: { memory_id },
      body: { content: "The walrus, again." },
    });
    const second = await ask(maria, { previous: first.stable_id });
    expect(second).toMatchObject({ stable_changed: "edited" });
    await share(caller, shared, false);
    const third = await ask(maria, { previous: second.stable_id });
    expect(third).toMatchObject({ stable_changed: "deleted" });
    expect(third.text).not.toContain("walrus");
    await share(caller, shared, true);
    await ask(maria);
    await caller.call(contracts.deleteMemory, { params: { memory_id } });
    await idle();
    const rows = await selectRows<{ blocks: string }>(
      "SELECT blocks FROM context_heads WHERE organization_id = ?1",
      organizationId,
    );
    expect(rows.filter(({ blocks }) => blocks.includes(memory_id))).toEqual([]);
  });

  test("leaves lists of entities, and comes back", async () => {
    const { caller, maria, idle } = await openUsers();
    const conversation_id = await seedConversation(
      caller,
      ["Mail zoe@example.com, and Mail ann@example.com."],
      {
        shared: true,
      },
    );
    const entities = async () =>
      (await maria.call(contracts.listEntities, { query: { kind: "email" } })).items;
    expect(await entities()).toHaveLength(2);
    const [entity] = await entities();
    await share(caller, { conversation_id }, false);
    expect(await entities()).toEqual([]);
    const params = { entity_id: entity?.id ?? "" };
    expect(await maria.fail(contracts.listMentions, { params })).toMatchObject({ code: "not_found" });
    await share(caller, { conversation_id }, true);
    expect(await entities()).toHaveLength(2);
    await caller.call(contracts.deleteConversation, { params: { conversation_id } });
    await idle();
    expect(await selectRows("SELECT 1 FROM entity_conversations WHERE scope LIKE '%\"\"%'")).toEqual([]);
  });

  test("leaves receipts of recall with ids alone, and their replays without it", async () => {
    const { caller, maria } = await openUsers();
    const shared = await seedShared(caller);
    const body = { query: WORDS, mode: "keyword", in: ["memories"], record: true };
    const { recall_id } = await maria.call(contracts.search, { body });
    const params = { recall_id: recall_id ?? "" };
    expect((await maria.call(contracts.getRecall, { params })).items).toMatchObject([
      { id: shared.memory_id },
    ]);
    await share(caller, shared, false);
    const receipt = JSON.stringify(await maria.call(contracts.getRecall, { params }));
    expect(receipt).not.toContain("remembered");
    const { differences } = await maria.call(contracts.replayRecall, { params });
    expect(differences).toMatchObject([{ change: "missing", before: { id: shared.memory_id } }]);
    expect(JSON.stringify(differences)).not.toContain("remembered");
  });
});

describe("a key for a user", () => {
  test("stores its own memory with the content or external id of a shared one, and can cite shared messages", async () => {
    const { caller, maria, jon } = await openUsers();
    const { conversation_id } = await seedShared(caller);
    const body = { content: "Oysters.", external_id: "diet" };
    const ours = await caller.call(contracts.createMemory, { body: { ...body, shared: true } });
    const sources = [{ conversation_id, sequence: 1, quote: "walrus" }];
    const mine = await maria.call(contracts.putMemory, {
      body: { ...body, content: "No oysters.", sources },
    });
    expect(mine).toMatchObject({ user_id: "maria", shared: false, sources: [{ quote: "walrus" }] });
    expect(mine.id).not.toBe(ours.id);
    const params = { memory_id: ours.id };
    expect(await jon.call(contracts.getMemory, { params })).toMatchObject({
      content: "Oysters.",
      shared: true,
    });
  });

  test("hears of shared conversations over a stream and a socket while they are shared, and broadcasts none", async () => {
    const organization = await createOrganization();
    const maria = await createKey(organization, { scopes: SCOPES, user_id: "maria" });
    const jon = await createKey(organization, { scopes: SCOPES, user_id: "jon" });
    const ours = await seedConversation(organization, [], { shared: true });
    const own = await seedConversation(maria);
    const reader = await connect(maria.secret);
    const count = (type: contracts.ServerFrame["type"]) =>
      reader.frames.filter((frame) => frame.type === type).length;
    for (const conversation_id of [ours, own])
      reader.send({ type: "subscribe", id: conversation_id, after: "now", filter: { conversation_id } });
    reader.send({ type: "presence", conversation_id: ours, state: null });
    await reader.until(() => count("events") >= 2 && count("presence") >= 1);
    const change = async (by: Caller, conversation_id: string) => {
      const params = { conversation_id };
      const messages = [{ role: "user", content: "x" }];
      await by.call(contracts.appendMessages, { params, body: { messages } });
      await by.call(contracts.broadcast, { params, body: { value: { x: 1 } } });
      await by.call(contracts.setPresence, { params, body: { state: { x: 1 }, ttl_seconds: 60 } });
    };
    await change(organization, ours);
    await reader.until(
      () => count("broadcast") === 1 && count("presence") >= 2 && reader.eventsOf(ours).length >= 1,
    );
    reader.send({ type: "presence", conversation_id: ours, state: { secret: "maria" } });
    await reader.until(() => count("error") === 1);
    expect(reader.frames.at(-1)).toMatchObject({ problem: { code: "forbidden" } });
    expect(
      (await jon.call(contracts.listPresences, { params: { conversation_id: ours } })).items,
    ).toMatchObject([{ user_id: null }]);
    await share(organization, { conversation_id: ours }, false);
    const before = [reader.eventsOf(ours).length, count("broadcast"), count("presence")];
    await change(organization, ours);
    await change(maria, own);
    await reader.until(() => count("broadcast") === 2 && reader.eventsOf(own).length >= 1);
    // A presence frame would have come before this answer of the same rooms.
    reader.send({ type: "presence", conversation_id: own, state: null });
    await reader.until((frames) =>
      frames.some((frame) => frame.type === "presence" && frame.conversation_id === own),
    );
    expect([reader.eventsOf(ours).length, count("broadcast") - 1, count("presence") - 1]).toEqual(before);
    const page = await maria.call(contracts.listEvents, { query: { conversation_id: ours } });
    expect(page.items).toEqual([]);
  });
});
