import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { callerOf, createKey, createOrganization } from "../support/client.ts";
import { env } from "../support/env.ts";
import { exportOnce } from "../support/exports.ts";
import { send } from "../support/imports.ts";
import { selectRow, selectRows, sweepUntilIdle } from "../support/invocations.ts";
import { openMemories, TEXT_MODEL } from "../support/memories.ts";

const ALL: contracts.Scope[] = ["read", "write", "search", "delete"];

/** The fields of a memory that its current version has. */
const asVersion = ({
  id: _,
  agent_id: __,
  external_id: ___,
  updated_at: ____,
  sources: _____,
  shared: ______,
  expires_at: _______,
  ...memory
}: contracts.Memory) => memory;

describe("the versions of a memory", () => {
  test("are every state that a change replaced, newest first, with the key and the times", async () => {
    const { caller, capture, keyId, now, update, versionsOf } = await openMemories();
    const t0 = now();
    const first = await capture({ content: "Lives in Berlin.", tags: ["home"], user_id: "maria" });
    const t1 = now();
    const second = await update(first.id, { content: "Lives in Hamburg.", metadata: { by: "form" } });
    const t2 = now();
    const third = await update(first.id, { tags: ["home", "north"], summary: "Hamburg." });
    const t3 = now();
    const fourth = await update(first.id, {
      content: "Lives in Berlin.",
      valid_from: "2026-01-01T00:00:00Z",
    });
    const by = { key_id: keyId };
    const versions = await versionsOf(first.id);
    expect(versions.map(({ version: _, ...version }) => version)).toEqual([
      { ...asVersion(fourth), ...by, stored_at: t3, replaced_at: null },
      { ...asVersion(third), ...by, stored_at: t2, replaced_at: t3 },
      { ...asVersion(second), ...by, stored_at: t1, replaced_at: t2 },
      { ...asVersion(first), ...by, stored_at: t0, replaced_at: t1 },
    ]);
    const numbers = versions.map(({ version }) => version);
    expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
    const etag = (await caller.fetch(contracts.getMemory, { params: { memory_id: first.id } })).headers.get(
      "etag",
    );
    expect(etag).toBe(`"${numbers[0]}"`);
  });

  test("name the key of each change, and for a text model none", async () => {
    const written = { summary: "Refunds go to the card.", tags: ["refunds", "customer", "card"] };
    const { caller, capture, keyId, service, versionsOf } = await openMemories(written);
    const other = await createKey(caller, { scopes: ALL });
    const { id } = await capture({ content: "Maria wants refunds to her card." });
    await service.settle();
    const [{ id: otherId } = { id: "" }] = (await caller.call(contracts.listKeys)).items.filter(
      ({ id: one }) => one !== keyId,
    );
    await other.call(contracts.updateMemory, { params: { memory_id: id }, body: { source: "slack" } });
    const versions = await versionsOf(id);
    expect(
      versions.map(({ key_id, enriched_by, tags, source }) => ({ key_id, enriched_by, tags, source })),
    ).toEqual([
      { key_id: otherId, enriched_by: TEXT_MODEL, tags: written.tags, source: "slack" },
      { key_id: null, enriched_by: TEXT_MODEL, tags: written.tags, source: null },
      { key_id: keyId, enriched_by: null, tags: [], source: null },
    ]);
  });

  test("are kept by a put, with parts, and by the gift of a user", async () => {
    const { caller, capture, versionsOf } = await openMemories();
    const put = (body: object) =>
      caller.call(contracts.putMemory, { body: { external_id: "diet", content: "Vegan.", ...body } });
    const { id } = await put({ parts: [{ type: "text", text: "Vegan." }] });
    await put({ parts: [{ type: "text", text: "vegan" }], created_at: "2020-01-01T00:00:00.000Z" });
    await put({ content: "Eats fish.", kind: "summary" });
    expect((await versionsOf(id)).map(({ content, kind, parts }) => [content, kind, parts])).toEqual([
      ["Eats fish.", "summary", null],
      ["Vegan.", "note", [{ type: "text", text: "vegan" }]],
      ["Vegan.", "note", [{ type: "text", text: "Vegan." }]],
    ]);
    const free = await capture({ content: "Likes tea." });
    await caller.call(contracts.updateMemory, { params: { memory_id: free.id }, body: { user_id: "jon" } });
    expect((await versionsOf(free.id)).map(({ user_id }) => user_id)).toEqual(["jon", null]);
  });

  test("are not kept by a request that changes nothing", async () => {
    const { caller, capture, now, update, versionsOf } = await openMemories();
    const stored = now();
    const body = { content: "Same.", tags: ["a"], metadata: { n: 1.5 }, external_id: "same" };
    const { id } = await capture(body);
    await capture(body);
    await caller.call(contracts.createMemories, { body: { memories: [body] } });
    await caller.call(contracts.putMemory, { body });
    await update(id, {
      content: "Same.",
      tags: ["a"],
      metadata: { n: 1.5 },
      source: null,
      valid_until: null,
    });
    const versions = await versionsOf(id);
    expect(versions).toMatchObject([{ stored_at: stored, replaced_at: null }]);
    expect(versions[0]?.version).toBeGreaterThan(4);
  });

  test("are of other times than a request that changes nothing, which leaves `updated_at`, unlike new sources", async () => {
    const { caller, clock, now, update } = await openMemories();
    const stored = now();
    const body = { content: "Same.", external_id: "same" };
    const put = async (more: object = {}) => {
      const memory = await caller.call(contracts.putMemory, { body: { ...body, ...more } });
      clock.advance(1_000);
      return memory;
    };
    const { id } = await put();
    expect(await update(id, { content: "Same.", source: null })).toMatchObject({ updated_at: stored });
    expect(await put()).toMatchObject({ updated_at: stored });
    const conversation = await caller.call(contracts.createConversation, { body: {} });
    const params = { conversation_id: conversation.id };
    const messages = [{ role: "user", content: "The same." }];
    const { message_ids } = await caller.call(contracts.appendMessages, { params, body: { messages } });
    const sources = [{ message_id: message_ids[0] }];
    for (const change of [{ sources }, {}]) {
      const at = now();
      expect(await put(change)).toMatchObject({ updated_at: at });
    }
    const at = now();
    expect(await update(id, { sources })).toMatchObject({ updated_at: at });
  });

  test("store a content once, however often other fields change, and return it with each version", async () => {
    const { capture, organizationId, update, versionsOf } = await openMemories();
    const long = "Long. ".repeat(1_000);
    const { id } = await capture({ content: long });
    for (const tags of [["a"], ["b"], ["c"]]) await update(id, { tags });
    await update(id, { content: "Short." });
    await update(id, { tags: ["d"] });
    expect((await versionsOf(id)).map(({ content, tags }) => [content, tags[0]])).toEqual([
      ["Short.", "d"],
      ["Short.", "c"],
      [long, "c"],
      [long, "b"],
      [long, "a"],
      [long, undefined],
    ]);
    const kept = await selectRows(
      "SELECT content IS NOT NULL AS kept FROM memory_versions WHERE organization_id = ?1 ORDER BY version",
      organizationId,
    );
    expect(kept).toEqual([0, 0, 0, 1, 0].map((isKept) => ({ kept: isKept })));
  });

  test("come in pages that end before 2 MB, and whose cursor no change disturbs", async () => {
    const { caller, capture, update } = await openMemories();
    const { id } = await capture({ content: "0" });
    for (let i = 1; i < 5; i++) await update(id, { content: `${i}${"x".repeat(700_000)}` });
    const params = { memory_id: id };
    const first = await caller.call(contracts.listMemoryVersions, { params });
    expect(first.items.map(({ content }) => content[0])).toEqual(["4", "3"]);
    await update(id, { content: "5" });
    const cursor = first.next_cursor ?? "";
    const second = await caller.call(contracts.listMemoryVersions, { params, query: { cursor, limit: 2 } });
    expect(second.items.map(({ content }) => content[0])).toEqual(["2", "1"]);
    const query = { cursor: second.next_cursor ?? "", limit: 2 };
    const last = await caller.call(contracts.listMemoryVersions, { params, query });
    expect(last).toMatchObject({ items: [{ content: "0" }], next_cursor: null });
  });

  test("are those of memories that the key can read", async () => {
    const { caller, capture, update } = await openMemories();
    const { id } = await capture({ content: "One.", user_id: "maria", agent_id: "bot" });
    await update(id, { content: "Two." });
    const params = { memory_id: id };
    const strangers = [
      await createOrganization(),
      await createKey(caller, { scopes: ALL, agent_id: "other" }),
      await createKey(caller, { scopes: ALL, user_id: "jon" }),
    ];
    const absent = await caller.fail(contracts.listMemoryVersions, { params: { memory_id: "mem_none" } });
    for (const stranger of strangers) {
      const problem = await stranger.fail(contracts.listMemoryVersions, { params });
      expect({ ...problem, request_id: "" }).toEqual({ ...absent, request_id: "" });
    }
    const own = await createKey(caller, { scopes: ["read"], agent_id: "bot", user_id: "maria" });
    expect((await own.call(contracts.listMemoryVersions, { params })).items).toHaveLength(2);
  });

  test("are removed with the memory, and counted in the receipt", async () => {
    const { caller, capture, clock, organizationId, secret, service, update } = await openMemories();
    const { id } = await capture({ content: "One.", user_id: "maria" });
    const kept = await capture({ content: "Kept.", user_id: "maria" });
    for (const content of ["Two.", "Three."]) await update(id, { content });
    await update(kept.id, { content: "Kept on." });
    const params = { memory_id: id };
    const receipt = await caller.call(contracts.deleteMemory, { params });
    expect(receipt.memory_versions_deleted).toBe(0);
    await caller.fail(contracts.listMemoryVersions, { params });
    await sweepUntilIdle(service, clock, organizationId);
    const get = (operation_id: string) =>
      callerOf(secret).call(contracts.getOperation, { params: { operation_id } });
    expect(await get(receipt.id)).toMatchObject({ status: "succeeded", memory_versions_deleted: 2 });
    const count = () =>
      selectRow(
        "SELECT count(*) AS versions FROM memory_versions WHERE organization_id = ?1",
        organizationId,
      );
    expect(await count()).toEqual({ versions: 1 });
    const deletion = await caller.call(contracts.deleteUser, { params: { user_id: "maria" } });
    await sweepUntilIdle(service, clock, organizationId);
    expect(await get(deletion.id)).toMatchObject({ status: "succeeded", memory_versions_deleted: 1 });
    expect(await count()).toEqual({ versions: 0 });
  });

  test("of a memory that was stored without versions begin with what it is now", async () => {
    const { capture, now, organizationId, update, versionsOf } = await openMemories();
    const before = now();
    const { id } = await capture({ content: "Old." });
    await env.DB.prepare(
      "UPDATE conversations SET changed_by = NULL, changed_at_ms = NULL WHERE organization_id = ?1",
    )
      .bind(organizationId)
      .run();
    const replaced_at = now();
    await update(id, { content: "New." });
    const versions = await versionsOf(id);
    expect(versions[1]).toMatchObject({
      content: "Old.",
      key_id: null,
      stored_at: before,
      replaced_at,
    });
  });
});

describe("the versions of an export", () => {
  /** A memory with versions, one of which has the content of the next. */
  async function openExported() {
    const opened = await openMemories();
    const { capture, update } = opened;
    const { id } = await capture({ content: "One.", user_id: "maria" });
    await update(id, { content: "Two." });
    await update(id, { tags: ["b"] });
    await update(id, { content: "Three.", valid_until: "2030-01-01T00:00:00Z" });
    const { lines } = await exportOnce(opened.caller);
    return {
      ...opened,
      id,
      lines,
      versions: lines.flatMap((line) => (line.type === "memory_version" ? [line] : [])),
    };
  }

  test("come back with all their fields from an import in any number of requests, which can be repeated", async () => {
    const { id, lines, versions, versionsOf } = await openExported();
    expect(versions.map(({ content }) => content)).toEqual(["Two.", null, "One."]);
    for (const parts of [[lines], lines.map((line) => [line]), [lines.slice(0, 3), lines.slice(1)]]) {
      const to = await createOrganization();
      for (const part of parts) await send(to, part);
      expect(await versionsOf(id, to)).toEqual(await versionsOf(id));
      expect((await exportOnce(to)).lines).toEqual(lines);
      expect(await send(to, lines)).toMatchObject({
        memories: { created: 0, existing: 1 },
        memory_versions: { created: 0, existing: 3 },
        problems: [],
      });
    }
  });

  test("continue with those of later changes", async () => {
    const { id, lines, versionsOf } = await openExported();
    const to = await createOrganization();
    await send(to, lines);
    await to.call(contracts.updateMemory, { params: { memory_id: id }, body: { content: "Four." } });
    const versions = await versionsOf(id, to);
    expect(versions.map(({ content }) => content)).toEqual(["Four.", "Three.", "Two.", "Two.", "One."]);
    const numbers = versions.map(({ version }) => version);
    expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
  });

  test("are those of a user if the export is", async () => {
    const { caller, capture, id, update } = await openExported();
    for (const user_id of ["jon", undefined]) {
      const other = await capture({ content: "Other.", user_id });
      await update(other.id, { content: "Others." });
    }
    const { lines, end } = await exportOnce(caller, { user_id: "maria" });
    expect(lines.map((line) => ("memory_id" in line ? line.memory_id : ""))).toEqual(["", id, id, id]);
    expect(end).toMatchObject({ memories: 1, memory_versions: 3, complete: true });
  });

  test("are rejected without their memory or content, with another version's number, and from the current one's on", async () => {
    const { lines, versions } = await openExported();
    const [memory, two, shared, one] = lines;
    const to = await createOrganization();
    const refused = async (...sent: unknown[]) =>
      (await send(to, sent)).problems.map(({ code, detail }) => `${code}: ${detail}`);
    expect(await refused(two)).toEqual([expect.stringMatching(/^not_found: There is no memory/)]);
    expect(await refused(memory, shared)).toEqual([expect.stringMatching(/^validation_failed: `content`/)]);
    expect(await refused(two, shared, one)).toEqual([]);
    expect(await refused({ ...versions[2], key_id: null })).toEqual([
      expect.stringMatching(/^import_conflict/),
    ]);
    expect(await refused({ ...versions[2], version: 99, stored_at: versions[0]?.stored_at })).toEqual([
      expect.stringMatching(/^import_conflict: The number/),
    ]);
    expect(await refused({ ...versions[2], version: 1, content: "Zero." })).toEqual([
      expect.stringMatching(/^validation_failed: `content_hash`/),
    ]);
  });
});
