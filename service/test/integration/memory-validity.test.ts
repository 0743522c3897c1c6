import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { createKey, createOrganization } from "../support/client.ts";
import { openMemories } from "../support/memories.ts";

const ALL: contracts.Scope[] = ["read", "write", "search", "delete"];

const byContent = (one: { content: string }, other: { content: string }) =>
  one.content < other.content ? -1 : 1;

describe("the validity of a memory", () => {
  test("is stored with a capture, in bulk and by a put, changed by an update and cleared by null", async () => {
    const { caller, capture, update } = await openMemories();
    const times = {
      valid_from: "2026-01-01T00:00:00.000Z",
      valid_until: "2027-01-01T00:00:00.000Z",
      occurred_at: "2025-12-24T18:00:00.000Z",
    };
    const one = await capture({ content: "One.", ...times });
    expect(one).toMatchObject(times);
    const { items } = await caller.call(contracts.createMemories, {
      body: { memories: [{ content: "Two.", ...times }] },
    });
    const get = (memory_id: string) => caller.call(contracts.getMemory, { params: { memory_id } });
    expect(await get(items[0]?.id ?? "")).toMatchObject(times);
    const put = { external_id: "three", content: "Three." };
    expect(await caller.call(contracts.putMemory, { body: { ...put, ...times } })).toMatchObject(times);
    const none = { valid_from: null, valid_until: null, occurred_at: null };
    expect(await caller.call(contracts.putMemory, { body: put })).toMatchObject(none);
    expect(await update(one.id, { valid_until: null })).toMatchObject({ ...times, valid_until: null });
    expect(await update(one.id, none)).toMatchObject(none);
  });

  test("cannot end before it begins", async () => {
    const { caller } = await openMemories();
    const body = {
      content: "Never.",
      valid_from: "2026-01-02T00:00:00Z",
      valid_until: "2026-01-02T01:00:00+01:00",
    };
    const problem = await caller.fail(contracts.createMemory, { body });
    expect(problem).toMatchObject({ code: "validation_failed", errors: [{ path: "valid_until" }] });
    expect((await caller.call(contracts.listMemories)).items).toEqual([]);
  });

  test("filters a list: the memories that hold at a time, or whose event is in a period", async () => {
    const { caller, capture } = await openMemories();
    await capture({ content: "Always." });
    await capture({ content: "First half.", valid_until: "2026-07-01T00:00:00Z" });
    await capture({
      content: "Second half.",
      valid_from: "2026-07-01T00:00:00Z",
      occurred_at: "2026-06-30T12:00:00Z",
    });
    const list = async (query: Record<string, string>) =>
      (await caller.call(contracts.listMemories, { query: { order: "asc", ...query } })).items.map(
        ({ content }) => content,
      );
    expect(await list({ valid_at: "2026-06-30T23:59:59.999Z" })).toEqual(["Always.", "First half."]);
    expect(await list({ valid_at: "2026-07-01T00:00:00Z" })).toEqual(["Always.", "Second half."]);
    expect(await list({ occurred_after: "2026-06-30T12:00:00Z" })).toEqual(["Second half."]);
    expect(await list({ occurred_before: "2026-06-30T12:00:00Z" })).toEqual([]);
  });
});

describe("a memory that supersedes another", () => {
  test("ends it in the same transaction, links both, and keeps its version before", async () => {
    const { caller, capture, keyId, now, versionsOf } = await openMemories();
    const old = await capture({ content: "Lives in Berlin.", user_id: "maria" });
    const at = now();
    const fresh = await capture({ content: "Lives in Hamburg.", user_id: "maria", supersedes: old.id });
    expect(fresh).toMatchObject({
      supersedes: old.id,
      superseded_by: null,
      valid_from: at,
      valid_until: null,
    });
    const get = (memory_id: string) => caller.call(contracts.getMemory, { params: { memory_id } });
    expect(await get(old.id)).toMatchObject({ superseded_by: fresh.id, valid_until: at, updated_at: at });
    expect(await versionsOf(old.id)).toMatchObject([
      { superseded_by: fresh.id, valid_until: at, key_id: keyId, stored_at: at },
      { superseded_by: null, valid_until: null, replaced_at: at },
    ]);
    const { items } = await caller.call(contracts.listEvents);
    expect(
      items.map(({ type, ...event }) => [type, "memory_id" in event && event.memory_id]).slice(-3),
    ).toEqual([
      ["memory.created", old.id],
      ["memory.created", fresh.id],
      ["memory.updated", old.id],
    ]);
    // The same capture again changes nothing.
    await capture({ content: "Lives in Hamburg.", user_id: "maria", supersedes: old.id });
    expect(await versionsOf(old.id)).toHaveLength(2);
    expect(await versionsOf(fresh.id)).toHaveLength(1);
  });

  test("ends it at its own `valid_from`, but not later than it had ended", async () => {
    const { caller, capture } = await openMemories();
    const [june, july] = ["2026-06-01T00:00:00.000Z", "2026-07-01T00:00:00.000Z"];
    const untilJune = await capture({ content: "A.", valid_until: june });
    const open_ = await capture({ content: "B." });
    await caller.call(contracts.createMemories, {
      body: {
        memories: [
          { content: "C.", supersedes: untilJune.id, valid_from: july },
          { content: "D.", supersedes: open_.id, valid_from: july },
        ],
      },
    });
    const { items } = await caller.call(contracts.listMemories, { query: { order: "asc" } });
    expect(
      items.sort(byContent).map(({ content, valid_from, valid_until }) => [content, valid_from, valid_until]),
    ).toEqual([
      ["A.", null, june],
      ["B.", null, july],
      ["C.", july, null],
      ["D.", july, null],
    ]);
  });

  test("is not stored if there is no such memory of the agent and user that the key can read", async () => {
    const { caller, capture } = await openMemories();
    const foreign = await createOrganization();
    const theirs = await foreign.call(contracts.createMemory, { body: { content: "Theirs." } });
    const jons = await capture({ content: "Jon's.", user_id: "jon" });
    const bots = await capture({ content: "The bot's.", agent_id: "bot", user_id: "maria" });
    const gone = await capture({ content: "Gone.", user_id: "maria" });
    await caller.call(contracts.deleteMemory, { params: { memory_id: gone.id } });
    const ids = [theirs.id, jons.id, bots.id, gone.id, "mem_none"];
    const details = new Set<string>();
    for (const supersedes of ids) {
      const body = { content: "New.", user_id: "maria", supersedes };
      const problem = await caller.fail(contracts.createMemory, { body });
      expect(problem.code).toBe("not_found");
      details.add(problem.detail);
      await caller.fail(contracts.createMemories, { body: { memories: [{ content: "Other." }, body] } });
    }
    expect(details.size).toBe(1);
    const bound = await createKey(caller, { scopes: ALL, user_id: "maria" });
    await bound.fail(contracts.createMemory, { body: { content: "New.", supersedes: jons.id } });
    expect((await caller.call(contracts.listMemories)).items.map(({ content }) => content)).toEqual([
      "The bot's.",
      "Jon's.",
    ]);
  });

  test("can be a put, which ends the other once, however often it is sent, but never itself", async () => {
    const { caller, capture, clock, now, versionsOf } = await openMemories();
    const berlin = await capture({ content: "Berlin.", user_id: "maria" });
    const put = async (body: object) => {
      const memory = await caller.call(contracts.putMemory, {
        body: { external_id: "home", content: "Rome.", user_id: "maria", ...body },
      });
      clock.advance(1_000);
      return memory;
    };
    const { id } = await put({});
    const at = now();
    const rome = await put({ supersedes: berlin.id });
    expect(rome).toMatchObject({ id, supersedes: berlin.id, valid_from: at });
    const again = await put({ supersedes: berlin.id });
    expect({ ...again, updated_at: "" }).toEqual({ ...rome, updated_at: "" });
    expect(await versionsOf(berlin.id)).toMatchObject([{ superseded_by: id, valid_until: at }, {}]);
    expect(await versionsOf(id)).toHaveLength(2);
    expect((await put({})).supersedes).toBe(berlin.id);
    const body = { external_id: "home", content: "Rome.", user_id: "maria" };
    for (const supersedes of [id, "mem_none"])
      expect(await caller.fail(contracts.putMemory, { body: { ...body, supersedes } })).toMatchObject({
        code: "not_found",
      });
  });

  test("is rejected if another capture has stored its content", async () => {
    const { caller, capture, versionsOf } = await openMemories();
    const berlin = await capture({ content: "Berlin." });
    const paris = await capture({ content: "Paris.", supersedes: berlin.id });
    const failWith = async (supersedes: string) =>
      (await caller.fail(contracts.createMemory, { body: { content: "Berlin.", supersedes } })).code;
    expect(await failWith(paris.id)).toBe("content_conflict");
    expect(await failWith(berlin.id)).toBe("not_found");
    expect(await versionsOf(paris.id)).toHaveLength(1);
  });
});

describe("a search", () => {
  const at = (time: string) => ({ valid_at: time });
  const NOW = {};

  /** Three homes of Maria, one after the other, of which the oldest matches best. */
  async function openHomes() {
    const opened = await openMemories();
    const { capture } = opened;
    const of = { user_id: "maria" };
    const berlin = await capture({
      ...of,
      content: "Maria lives in Berlin. Her home is Berlin, where Maria lives at home.",
      valid_until: "2024-01-01T00:00:00Z",
    });
    await capture({
      ...of,
      content: "Maria lives in Hamburg.",
      valid_from: "2024-01-01T00:00:00Z",
      supersedes: berlin.id,
    });
    await capture({ ...of, content: "Maria lives in Rome.", valid_from: "9000-01-01T00:00:00Z" });
    await capture({ ...of, content: "The home of a snail is its shell." });
    return opened;
  }

  test.each(["keyword", "semantic", "hybrid"])(
    "by %s ranks what does not hold below all that holds, marks what has ended, and hides nothing",
    async (mode) => {
      const { caller, service } = await openHomes();
      await service.sweep();
      const search = async (more: object) => {
        const body = { query: "Where is the home where Maria lives?", mode, ...more };
        const { results } = await caller.call(contracts.searchMemories, { body });
        const mixed = await caller.call(contracts.search, {
          body: { ...body, in: ["memories", "conversations"] },
        });
        expect(mixed.results.map(({ relevance }) => relevance)).toEqual(
          results.map(({ relevance }) => relevance),
        );
        return results.map(({ memory, ended }) => [
          /Berlin|Hamburg|Rome|snail/.exec(memory.content)?.[0],
          ended,
        ]);
      };
      const now = await search(NOW);
      expect(now.slice(0, 2).sort()).toEqual([
        ["Hamburg", false],
        ["snail", false],
      ]);
      expect(now.slice(2).sort()).toEqual([
        ["Berlin", true],
        ["Rome", false],
      ]);
      const before = await search(at("2023-12-31T23:59:59Z"));
      expect(before.slice(0, 2).sort()).toEqual([
        ["Berlin", false],
        ["snail", false],
      ]);
      const later = await search(at("9000-01-01T00:00:00Z"));
      expect(later.at(-1)).toEqual(["Berlin", true]);
    },
  );

  test("explains by how much a memory that does not hold is lowered", async () => {
    const { caller } = await openHomes();
    const body = { query: "Maria", mode: "keyword", explain: true };
    const { results } = await caller.call(contracts.searchMemories, { body });
    const lowered = results.map(({ explanation }) => Math.sign(explanation?.validity ?? 0));
    expect(lowered).toEqual([0, -1, -1].slice(0, lowered.length));
  });

  test("does not rerank what does not hold above what holds", async () => {
    const { caller } = await openHomes();
    const body = { query: "Maria lives", mode: "keyword", rerank: true };
    const { results } = await caller.call(contracts.searchMemories, { body });
    expect(results[0]?.memory.content).toContain("Hamburg");
  });

  test("for a context puts them after the others, and marks them in the text", async () => {
    const { caller } = await openHomes();
    const context = (more: object) =>
      caller.call(contracts.getContext, {
        body: { query: "Where does Maria live?", user_id: "maria", ...more },
      });
    const { memories, text } = await context(NOW);
    expect(
      memories.items.map(({ content, ended }) => [/Berlin|Hamburg|Rome|snail/.exec(content)?.[0], ended]),
    ).toEqual(
      expect.arrayContaining([
        ["Berlin", true],
        ["Rome", false],
      ]),
    );
    const places = ["Hamburg", "snail", "Berlin", "Rome"].map((word) => text.indexOf(word));
    expect(Math.max(...places.slice(0, 2))).toBeLessThan(Math.min(...places.slice(2)));
    expect(text).toMatch(/\(ended 2024-01-01 00:00[^)]*\): Maria lives in Berlin/);
    expect(text).toMatch(/\(from 9000-01-01 00:00[^)]*\): Maria lives in Rome/);
    const before = await context(at("2023-06-01T00:00:00Z"));
    expect(before.text).not.toContain("ended");
    expect(before.memories.items.find(({ content }) => content.includes("Berlin"))?.ended).toBe(false);
  });
});

describe("possible conflicts", () => {
  const rent = "The rent of the flat is 950 euros.";
  const check = { check_conflicts: true };

  test("of a captured memory are returned if asked for: what holds, of the same agent and user, newest first", async () => {
    const { caller, capture } = await openMemories();
    const maria = { user_id: "maria" };
    const first = await capture({ content: "The rent of the flat is 900 euros.", ...maria });
    const second = await capture({ content: "The rent of the flat is 920 euros.", ...maria });
    const ended = { valid_until: "2020-01-01T00:00:00Z" };
    await capture({ content: "The rent of the flat is 800 euros.", ...maria, ...ended });
    await capture({ content: `The rent of the flat is 700 euros. ${"x".repeat(2_000)}`, ...maria });
    await capture({ content: "The rent of the flat includes water.", ...maria });
    await capture({ content: "The rent of the flat is 1 euro.", user_id: "jon" });
    await capture({ content: "The rent of the flat is 2 euros.", ...maria, agent_id: "bot" });
    await capture({ content: "The rent of the flat is 3 euros." });
    const gone = await capture({ content: "The rent of the flat is 4 euros.", ...maria });
    await caller.call(contracts.deleteMemory, { params: { memory_id: gone.id } });
    const headers = { "idempotency-key": "once" };
    const body = { content: rent, ...maria, ...check };
    const answer = await caller.call(contracts.createMemory, { body, headers });
    expect(answer.possible_conflicts).toEqual([second.id, first.id]);
    const replayed = await caller.call(contracts.createMemory, { body, headers });
    expect(replayed.possible_conflicts).toEqual([second.id, first.id]);
    const superseding = {
      ...maria,
      ...check,
      content: "The rent of the flat is 960 euros.",
      supersedes: answer.id,
    };
    const { possible_conflicts } = await caller.call(contracts.createMemory, { body: superseding });
    expect(possible_conflicts).toEqual([second.id, first.id]);
    expect(await capture({ content: "The rent of the flat is 970 euros.", ...maria })).not.toHaveProperty(
      "possible_conflicts",
    );
  });

  test("are at most five, and none of a long memory", async () => {
    const { caller, capture } = await openMemories();
    for (let i = 1; i <= 7; i++) await capture({ content: `The rent of the flat is ${i} euros.` });
    const body = { content: rent, ...check };
    expect((await caller.call(contracts.createMemory, { body })).possible_conflicts).toHaveLength(5);
    const long = { content: `${rent} ${"x".repeat(2_000)}`, ...check };
    expect((await caller.call(contracts.createMemory, { body: long })).possible_conflicts).toEqual([]);
  });
});
