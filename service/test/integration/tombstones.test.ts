import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { type Caller, createKey, createOrganization, operator, seedConversation } from "../support/client.ts";
import { databaseWith } from "../support/deletions.ts";
import { exportOnce } from "../support/exports.ts";
import { conversation, createImport, memory, message, send } from "../support/imports.ts";
import { Clock, open, Service, selectRow, selectRows, sweepUntilIdle } from "../support/invocations.ts";

const FORGET = { query: { forget: "true" } };
const NEVER_ENRICHED = { tags: [], summary: "" };
const BOUND: contracts.Scope[] = ["read", "write", "search", "delete"];

/** Captures a memory as a caller, and resolves to its id. */
const capture = async (caller: Caller, content: string, more: object = {}): Promise<string> => {
  const body = { content, ...NEVER_ENRICHED, ...more };
  return (await caller.call(contracts.createMemory, { body })).id;
};
const forgetMemory = (caller: Caller, memory_id: string) =>
  caller.call(contracts.deleteMemory, { params: { memory_id }, ...FORGET });
const forgetConversation = (caller: Caller, conversation_id: string) =>
  caller.call(contracts.deleteConversation, { params: { conversation_id }, ...FORGET });

/** The code with which a capture is refused; null if it is stored. */
async function refusal(
  caller: Caller,
  body: object,
  contract: Parameters<Caller["fetch"]>[0] = contracts.createMemory,
) {
  const response = await caller.fetch(contract, { body: { ...NEVER_ENRICHED, ...body } });
  return response.ok ? null : ((await response.json()) as { code: string }).code;
}

const createConversationCode = (caller: Caller, body: object) =>
  caller
    .fetch(contracts.createConversation, { body })
    .then(async (response) => (response.ok ? null : ((await response.json()) as { code: string }).code));

const append = (caller: Caller, conversation_id: string, messages: object[]) => ({
  call: () =>
    caller.call(contracts.appendMessages, {
      params: { conversation_id },
      body: { messages: messages.map((one) => ({ role: "user", content: "again", ...one })) },
    }),
  fail: () =>
    caller.fail(contracts.appendMessages, {
      params: { conversation_id },
      body: { messages: messages.map((one) => ({ role: "user", content: "again", ...one })) },
    }),
});

const listed = async (caller: Caller) => (await caller.call(contracts.listTombstones)).items;
const lift = async (caller: Caller) => {
  for (const { id } of await listed(caller))
    await caller.call(contracts.deleteTombstone, { params: { tombstone_id: id } });
};
const linesOf = async (caller: Caller) =>
  ((await exportOnce(caller)).lines as contracts.ExportLine[]).filter((line) => line.type !== "end");
/** Whether a line is a conversation, or one of its messages. */
const belongsTo = (line: contracts.ExportLine, id: string): boolean =>
  line.type === "message" ? line.conversation_id === id : line.type === "conversation" && line.id === id;
const skippedIn = ({ skipped }: contracts.ImportedLines) => skipped.map(({ line }) => line);
const FORGOTTEN = "forgotten" as const;

describe("a memory that was deleted with `forget`", () => {
  test("is refused by every way in, before and after the purge, until its tombstone is deleted", async () => {
    const { caller, idle } = await open();
    const owner = { agent_id: "bot", user_id: "maria" };
    const id = await capture(caller, "Allergic to walnuts.", { ...owner, external_id: "diet" });
    await caller.call(contracts.createMemory, { body: { content: "Kept.", ...NEVER_ENRICHED, ...owner } });
    const lines = await linesOf(caller);
    await forgetMemory(caller, id);
    const refused = async () => {
      const same = { content: "Allergic to walnuts.", ...owner };
      expect(await refusal(caller, same)).toBe(FORGOTTEN);
      expect(await refusal(caller, { ...same, external_id: "other" })).toBe(FORGOTTEN);
      expect(await refusal(caller, { ...same, content: "Other.", external_id: "diet" })).toBe(FORGOTTEN);
      for (const external_id of ["diet", "other"])
        expect(await refusal(caller, { ...same, external_id }, contracts.putMemory)).toBe(FORGOTTEN);
      const body = {
        memories: [
          { ...same, ...NEVER_ENRICHED },
          { content: "Kept.", ...NEVER_ENRICHED, ...owner },
        ],
      };
      const { items } = await caller.call(contracts.createMemories, { body });
      expect(items).toEqual([
        { id: null, created: false, skipped: FORGOTTEN },
        { id: expect.any(String), created: false },
      ]);
      const imported = await send(caller, lines);
      expect(imported).toMatchObject({ memories: { created: 0, existing: 1 }, problems: [] });
      expect(imported.skipped).toHaveLength(1);
      const { items: left } = await caller.call(contracts.listMemories);
      expect(left.map(({ content }) => content)).toEqual(["Kept."]);
    };
    await refused();
    await idle();
    await refused();
    await lift(caller);
    expect(await send(caller, lines)).toMatchObject({ memories: { created: 1, existing: 1 }, skipped: [] });
  });

  test("does not refuse its content for another user or agent, or in a message", async () => {
    const caller = await createOrganization();
    const content = "Allergic to walnuts.";
    const id = await capture(caller, content, { user_id: "maria" });
    await forgetMemory(caller, id);
    for (const owner of [{}, { user_id: "jon" }, { user_id: "maria", agent_id: "bot" }])
      expect(await refusal(caller, { content, ...owner })).toBeNull();
    const conversation_id = await seedConversation(caller, [content], { user_id: "maria" });
    await append(caller, conversation_id, [{ content }]).call();
  });

  test("is refused to an update: its content, and its user for a memory without one", async () => {
    const caller = await createOrganization();
    const content = "Allergic to walnuts.";
    await forgetMemory(caller, await capture(caller, content, { user_id: "maria" }));
    const memory_id = await capture(caller, "Other.", { user_id: "maria" });
    const ownerless = await capture(caller, content);
    const fail = (id: string, body: object) =>
      caller.fail(contracts.updateMemory, { params: { memory_id: id }, body });
    expect(await fail(memory_id, { content })).toMatchObject({ code: FORGOTTEN });
    expect(await fail(ownerless, { user_id: "maria" })).toMatchObject({ code: FORGOTTEN });
    const put = { content: "First.", external_id: "diet", user_id: "maria" };
    expect(await refusal(caller, put, contracts.putMemory)).toBeNull();
    expect(await refusal(caller, { ...put, content }, contracts.putMemory)).toBe(FORGOTTEN);
    await caller.call(contracts.updateMemory, { params: { memory_id }, body: { content: "Another." } });
    await caller.call(contracts.updateMemory, {
      params: { memory_id: ownerless },
      body: { user_id: "jon", content: "Changed." },
    });
  });

  test("is stored again as before without `forget`", async () => {
    const caller = await createOrganization();
    const memory_id = await capture(caller, "Back again.");
    const lines = await linesOf(caller);
    await caller.call(contracts.deleteMemory, { params: { memory_id } });
    await caller.call(contracts.deleteMemory, {
      params: { memory_id: await capture(caller, "Back again.") },
      query: { forget: "false" },
    });
    expect(await refusal(caller, { content: "Back again." })).toBeNull();
    expect(await listed(caller)).toEqual([]);
    expect(lines).toHaveLength(1);
  });

  test("is not imported with its earlier versions, whose lines may come in a later request", async () => {
    const caller = await createOrganization();
    const kept = await capture(caller, "Kept.");
    const memory_id = await capture(caller, "Allergic to walnuts.", { user_id: "maria" });
    for (const id of [kept, memory_id])
      await caller.call(contracts.updateMemory, { params: { memory_id: id }, body: { tags: ["new"] } });
    const lines = await linesOf(caller);
    const versions = lines.filter(({ type }) => type === "memory_version");
    expect(versions).toHaveLength(2);
    await forgetMemory(caller, memory_id);
    const imported = await send(caller, lines);
    expect(imported).toMatchObject({ memory_versions: { created: 0, existing: 1 }, problems: [] });
    expect(imported.skipped).toHaveLength(2);
    await caller.call(contracts.deleteUser, { params: { user_id: "jon" } });
    const ofJon = await memory("j", "Of Jon.", { user_id: "jon" });
    expect(skippedIn(await send(caller, [ofJon]))).toEqual([1]);
    const later = await send(caller, [{ ...versions[0], memory_id: ofJon.id }]);
    expect([skippedIn(later), later.problems]).toEqual([[1], []]);
  });

  test("leaves hashes that hold no text and differ between organizations", async () => {
    const hashesOf = async () => {
      const caller = await createOrganization();
      const owner = { agent_id: "walrus-agent", user_id: "walrus-user", external_id: "walrus-id" };
      await forgetMemory(caller, await capture(caller, "walrus content", owner));
      const rows = await selectRows<{ hash: string }>(
        "SELECT * FROM tombstone_hashes WHERE organization_id = ?1",
        caller.organizationId,
      );
      const tombstones = await selectRows(
        "SELECT * FROM tombstones WHERE organization_id = ?1",
        caller.organizationId,
      );
      expect(JSON.stringify([rows, tombstones])).not.toContain("walrus");
      return rows.map(({ hash }) => hash);
    };
    const [first, second] = [await hashesOf(), await hashesOf()];
    expect(first).toHaveLength(3);
    expect(first.every((hash) => /^[0-9a-f]{64}$/.test(hash) && !second.includes(hash))).toBe(true);
  });
});

describe("a bulk capture", () => {
  test("is repeated with the items that its first request skipped", async () => {
    const caller = await createOrganization();
    await forgetMemory(caller, await capture(caller, "Gone."));
    const body = { memories: ["Gone.", "New."].map((content) => ({ content, ...NEVER_ENRICHED })) };
    const headers = { "idempotency-key": "once" };
    const first = await caller.call(contracts.createMemories, { body, headers });
    expect(first.items).toMatchObject([{ id: null, skipped: FORGOTTEN }, { created: true }]);
    await lift(caller);
    expect(await caller.call(contracts.createMemories, { body, headers })).toEqual(first);
    expect(await caller.call(contracts.createMemories, { body })).toMatchObject({
      items: [{ created: true }, { created: false }],
    });
  });

  test("skips what another request deletes with `forget` just before it is stored", async () => {
    const { secret } = await createOrganization();
    const caller = new Service().callerOf(secret);
    await forgetMemory(caller, await capture(caller, "First."));
    const id = await capture(caller, "Gone.");
    let isDeleted = false;
    const DB = databaseWith("INSERT INTO messages", async () => {
      if (isDeleted) return;
      isDeleted = true;
      await forgetMemory(caller, id);
    });
    const racing = new Service({ DB }).callerOf(secret);
    const body = { memories: ["Gone.", "New."].map((content) => ({ content, ...NEVER_ENRICHED })) };
    expect(await racing.call(contracts.createMemories, { body })).toMatchObject({
      items: [{ id: null, skipped: FORGOTTEN }, { created: true }],
    });
  });
});

describe("a conversation that was deleted with `forget`", () => {
  test("is not imported again, nor its messages, nor is its external id used", async () => {
    const { caller, idle } = await open();
    const owner = { agent_id: "bot", user_id: "maria" };
    const id = await seedConversation(caller, ["one", "two"], { ...owner, external_id: "ticket" });
    const other = await seedConversation(caller, ["three"], owner);
    const lines = await linesOf(caller);
    const numbers = lines.flatMap((line, i) => (belongsTo(line, id) ? [i + 1] : []));
    await forgetConversation(caller, id);
    const refused = async () => {
      expect(await createConversationCode(caller, { ...owner, external_id: "ticket" })).toBe(FORGOTTEN);
      const fork = { params: { conversation_id: other }, body: { external_id: "ticket" } };
      expect(await caller.fail(contracts.forkConversation, fork)).toMatchObject({ code: FORGOTTEN });
      const imported = await send(caller, lines);
      expect(skippedIn(imported)).toEqual(numbers);
      expect(numbers).toHaveLength(3);
      expect(imported).toMatchObject({
        ...{ conversations: { created: 0, existing: 1 }, messages: { created: 0, existing: 1 } },
        problems: [],
      });
      expect(await caller.fail(contracts.getConversation, { params: { conversation_id: id } })).toMatchObject(
        {
          code: "not_found",
        },
      );
    };
    await refused();
    await idle();
    await refused();
    expect(await createConversationCode(caller, { user_id: "jon", external_id: "ticket" })).toBeNull();
    await lift(caller);
    expect(await createConversationCode(caller, { ...owner, external_id: "ticket" })).toBeNull();
  });

  test("has messages that no import places in another conversation, before and after the purge", async () => {
    const { caller, idle } = await open();
    const id = await seedConversation(caller, ["one", "two"]);
    const moved = (await linesOf(caller)).flatMap((line) =>
      line.type === "message" ? [{ ...line, conversation_id: conversation("z").id }] : [],
    );
    await forgetConversation(caller, id);
    const before = await send(caller, [conversation("z"), ...moved]);
    expect(before).toMatchObject({ messages: { created: 0, existing: 0 } });
    await idle();
    const { count } = await selectRow<{ count: number }>(
      "SELECT count(*) AS count FROM messages WHERE conversation_id = ?1",
      id,
    );
    expect(count).toBe(0);
    const after = await send(caller, moved);
    expect(skippedIn(after)).toEqual([1, 2]);
    expect(after).toMatchObject({ messages: { created: 0, existing: 0 }, problems: [] });
  });

  test("is purged in steps, each of which adds the ids of the messages that it removes", async () => {
    const { caller, idle, organizationId } = await open({}, { purgeStepMessages: 2 });
    const id = await seedConversation(caller, ["1", "2", "3", "4", "5"]);
    await seedConversation(caller, ["6", "7", "8"]).then((conversation_id) =>
      caller.call(contracts.deleteConversation, { params: { conversation_id } }),
    );
    await forgetConversation(caller, id);
    await idle();
    const { count } = await selectRow<{ count: number }>(
      "SELECT count(*) AS count FROM tombstone_hashes WHERE organization_id = ?1",
      organizationId,
    );
    expect(count).toBe(1 + 5);
  });
});

describe("a message that was deleted with `forget`", () => {
  test("is refused by id, external id and place, and never for its words", async () => {
    const caller = await createOrganization();
    const conversation_id = await seedConversation(caller, [
      { role: "user", content: "one" },
      { role: "user", content: "secret", external_id: "m-2" },
      { role: "user", content: "three" },
    ]);
    const lines = (await linesOf(caller)) as (contracts.MessageLine | contracts.ConversationLine)[];
    const [, , gone] = lines as contracts.MessageLine[];
    const params = { conversation_id, message_id: gone?.id ?? "" };
    await caller.call(contracts.deleteMessage, { params, ...FORGET });
    const sent = [{ content: "new" }, { content: "secret", external_id: "m-2" }];
    expect(await append(caller, conversation_id, sent).fail()).toMatchObject({
      code: FORGOTTEN,
      errors: [{ path: "messages.1", message: expect.any(String) }],
    });
    const replace = { expected_last_sequence: 3, from_sequence: 3, messages: [{ role: "user", ...sent[1] }] };
    expect(
      await caller.fail(contracts.replaceMessages, { params: { conversation_id }, body: replace }),
    ).toMatchObject({ code: FORGOTTEN, errors: [{ path: "messages.0" }] });
    expect(skippedIn(await send(caller, lines))).toEqual([3]);
    const inDisguise = [
      { ...gone, id: message("y", 1).id },
      { ...gone, sequence: 9, external_id: null, external_digest: null },
      { ...gone, id: message("y", 2).id, sequence: 9 },
    ];
    expect(skippedIn(await send(caller, inDisguise))).toEqual([1, 2, 3]);
    const { items } = await caller.call(contracts.listMessages, { params: { conversation_id } });
    expect(items.map(({ content }) => content)).toEqual(["one", "three"]);
    const said = await append(caller, conversation_id, [{ content: "secret", external_id: "m-9" }]).call();
    expect(said).toMatchObject({ first_sequence: 4 });
    const elsewhere = await seedConversation(caller, []);
    await append(caller, elsewhere, [{ content: "secret", external_id: "m-2" }]).call();
  });

  test("is not quoted again by a memory that an import brings back", async () => {
    const caller = await createOrganization();
    const conversation_id = await seedConversation(caller, ["My code is 4711."]);
    const { items } = await caller.call(contracts.listMessages, { params: { conversation_id } });
    const message_id = items[0]?.id ?? "";
    const memory_id = await capture(caller, "Has a code.", { sources: [{ message_id, quote: "4711" }] });
    const lines = await linesOf(caller);
    await caller.call(contracts.deleteMemory, { params: { memory_id } });
    await caller.call(contracts.deleteMessage, { params: { conversation_id, message_id }, ...FORGET });
    await new Service().sweep();
    const imported = await send(caller, lines);
    expect(imported).toMatchObject({ memories: { created: 1 }, problems: [] });
    const { sources } = await caller.call(contracts.getMemory, { params: { memory_id } });
    expect(sources).toMatchObject([{ message_id, quote: null, state: "deleted" }]);
  });
});

describe("a deletion by filter with `forget`", () => {
  const FILTERS = [
    ["memories", contracts.deleteMemories, { filter: { agent_id: "bot" } }],
    ["conversations", contracts.deleteConversations, { filter: { agent_id: "bot" } }],
  ] as const;

  test.for(FILTERS)("refuses all %s that it deletes, in steps", async ([corpus, contract, body]) => {
    const { secret, organizationId } = await createOrganization();
    const clock = new Clock();
    const limits = { softDeleteStepConversations: 2, scannedConversations: 3 };
    const service = new Service({ ENRICHMENT_MODEL: "" }, clock, limits);
    const caller = service.callerOf(secret);
    for (const i of [1, 2, 3, 4, 5, 6, 7]) {
      for (const owner of [{ agent_id: "bot" }, {}]) {
        if (corpus === "memories") await capture(caller, `note ${i}`, owner);
        else await seedConversation(caller, [`text ${i}`], { ...owner, external_id: `e${i}` });
      }
    }
    const lines = await linesOf(caller);
    const { id } = (await caller.call(contract, { body: { ...body, forget: true } })) as { id: string };
    await sweepUntilIdle(service, clock, organizationId);
    const operation = await caller.call(contracts.getOperation, { params: { operation_id: id } });
    expect(operation).toMatchObject({ status: "succeeded", progress: { done: 7, total: 7 } });
    const of = (what: string) => (what === corpus ? 7 : 0);
    expect(await listed(caller)).toMatchObject([
      {
        ...{ kind: corpus, operation_id: id },
        ...{ conversations: of("conversations"), messages: of("conversations"), memories: of("memories") },
      },
    ]);
    const imported = await send(caller, lines);
    expect(imported.skipped).toHaveLength(corpus === "memories" ? 7 : 14);
    expect(imported).toMatchObject({ [corpus]: { created: 0, existing: 7 }, problems: [] });
    for (const i of [1, 7]) {
      if (corpus === "memories")
        expect(await refusal(caller, { content: `note ${i}`, agent_id: "bot" })).toBe(FORGOTTEN);
      else
        expect(await createConversationCode(caller, { agent_id: "bot", external_id: `e${i}` })).toBe(
          FORGOTTEN,
        );
    }
  });

  test("refuses from each step on what the step deleted, and what is left after a cancellation stays", async () => {
    const { secret } = await createOrganization();
    const dying = new Service({ ENRICHMENT_MODEL: "" }, new Clock(), { softDeleteStepConversations: 2 });
    const caller = dying.callerOf(secret);
    for (const i of [1, 2, 3])
      await capture(caller, `note ${i}`, { created_at: `2026-11-0${i}T00:00:00.000Z` });
    // Its work after the response never runs: the Worker has died.
    const stuck = new Service(
      { ENRICHMENT_MODEL: "", DB: databaseWith("AS picked", blockSecond()) },
      new Clock(),
      { softDeleteStepConversations: 2 },
    ).callerOf(secret);
    const body = { all: true, forget: true };
    const { id } = (await stuck.call(contracts.deleteMemories, { body })) as { id: string };
    expect(await refusal(caller, { content: "note 1" })).toBe(FORGOTTEN);
    expect(await refusal(caller, { content: "note 2" })).toBe(FORGOTTEN);
    await caller.call(contracts.cancelOperation, { params: { operation_id: id } });
    await dying.sweep();
    const { items } = await caller.call(contracts.listMemories);
    expect(items.map(({ content }) => content)).toEqual(["note 3"]);
    expect(await refusal(caller, { content: "note 3" })).toBeNull();
    expect(await refusal(caller, { content: "note 1" })).toBe(FORGOTTEN);
  });

  test("refuses the content that a memory had when it was deleted, however late it changed", async () => {
    const { secret } = await createOrganization();
    const service = new Service();
    const caller = service.callerOf(secret);
    const memory_id = await capture(caller, "early");
    let isChanged = false;
    const DB = databaseWith("AS picked", async () => {
      if (isChanged) return;
      isChanged = true;
      await caller.call(contracts.updateMemory, { params: { memory_id }, body: { content: "late" } });
    });
    const racing = new Service({ DB }).callerOf(secret);
    await racing.call(contracts.deleteMemories, { body: { all: true, forget: true } });
    expect(isChanged).toBe(true);
    expect(await refusal(caller, { content: "late" })).toBe(FORGOTTEN);
    expect(await refusal(caller, { content: "early" })).toBeNull();
  });
});

/** Fails the second batch and all further ones. */
function blockSecond() {
  let batches = 0;
  return async () => {
    batches += 1;
    if (batches > 1) throw new Error("the Worker died");
  };
}

describe("a user that was deleted", () => {
  test("comes back only when its tombstone is deleted", async () => {
    const { caller, idle } = await open();
    const ofMaria = { user_id: "maria" };
    const conversation_id = await seedConversation(caller, ["hello"], ofMaria);
    await capture(caller, "Kept for Maria.", ofMaria);
    const ofNobody = await seedConversation(caller, ["hi"]);
    const ownerless = await capture(caller, "Of nobody.");
    const lines = await linesOf(caller);
    const bound = await createKey(caller, { scopes: BOUND, user_id: "maria" });
    await caller.call(contracts.deleteUser, { params: { user_id: "maria" } });
    await idle();
    for (const key of [caller, bound]) {
      expect(await refusal(key, { content: "New.", ...ofMaria })).toBe(FORGOTTEN);
      expect(await refusal(key, { content: "New.", external_id: "e", ...ofMaria }, contracts.putMemory)).toBe(
        FORGOTTEN,
      );
      expect(await createConversationCode(key, ofMaria)).toBe(FORGOTTEN);
    }
    const give = { params: { memory_id: ownerless }, body: ofMaria };
    expect(await caller.fail(contracts.updateMemory, give)).toMatchObject({ code: FORGOTTEN });
    // The lines of the conversation and its message, and of the memory.
    const imported = await send(caller, lines);
    expect(imported.skipped).toHaveLength(3);
    expect(imported).toMatchObject({ problems: [], memories: { existing: 1 } });
    const other = [conversation("w", ofMaria), message("w", 1), await memory("w", "Other.", ofMaria)];
    expect(skippedIn(await send(caller, other))).toEqual([1, 2, 3]);
    const asOthers = lines.map((line) => ("user_id" in line ? { ...line, user_id: "jon" } : line));
    expect((await send(caller, asOthers)).skipped).toHaveLength(3);
    await lift(caller);
    expect(await refusal(caller, { content: "Kept for Maria.", ...ofMaria })).toBeNull();
    expect(await send(caller, lines)).toMatchObject({ skipped: [], conversations: { created: 1 } });
    expect([conversation_id, ofNobody].every((id) => id.startsWith("conv_"))).toBe(true);
  });

  test("is refused in an import whose lines come in several requests", async () => {
    const caller = await createOrganization();
    await caller.call(contracts.deleteUser, { params: { user_id: "maria" } });
    const parts = await createImport(caller);
    const first = await parts.send(0, [conversation("w", { user_id: "maria" })]);
    const second = await parts.send(1, [message("w", 1)], { last: "true" });
    expect([skippedIn(first), skippedIn(second), second.problems]).toEqual([[1], [1], []]);
  });

  test("is refused for one agent only after a deletion with a key bound to the agent", async () => {
    const caller = await createOrganization();
    const bound = await createKey(caller, { scopes: BOUND, agent_id: "a" });
    await bound.call(contracts.deleteUser, { params: { user_id: "maria" } });
    expect(await refusal(bound, { content: "New.", user_id: "maria" })).toBe(FORGOTTEN);
    expect(await refusal(caller, { content: "New.", user_id: "maria", agent_id: "b" })).toBeNull();
    expect(await refusal(caller, { content: "New.", user_id: "maria" })).toBeNull();
  });
});

describe("the first tombstone of an organization", () => {
  test("binds requests of other isolates that know of none yet", async () => {
    const { secret, organizationId } = await createOrganization();
    const [other, own] = [new Service(), new Service()].map((service) => service.callerOf(secret));
    if (other === undefined || own === undefined) throw new Error("no callers");
    const conversation_id = await seedConversation(own, [{ role: "user", content: "x", external_id: "m" }], {
      external_id: "ticket",
    });
    const memory_id = await capture(own, "Gone.");
    const lines = await linesOf(own);
    // The principal is in the cache of this isolate from here on.
    await other.call(contracts.listMemories);
    await forgetMemory(own, memory_id);
    expect(await refusal(other, { content: "Gone." })).toBe(FORGOTTEN);
    const { items } = await own.call(contracts.listMessages, { params: { conversation_id } });
    const params = { conversation_id, message_id: items[0]?.id ?? "" };
    const stale = async () => {
      const caller = new Service().callerOf(secret);
      await caller.call(contracts.listMemories);
      await selectRows("UPDATE organizations SET tombstone_key = ?1 WHERE id = ?2", key, organizationId);
      return caller;
    };
    await own.call(contracts.deleteMessage, { params, ...FORGET });
    await forgetConversation(own, await seedConversation(own, [], { external_id: "gone" }));
    const { tombstone_key: key } = await selectRow<{ tombstone_key: string }>(
      "SELECT tombstone_key FROM organizations WHERE id = ?1",
      organizationId,
    );
    const without = async () => {
      await selectRows("UPDATE organizations SET tombstone_key = NULL WHERE id = ?1", organizationId);
      return stale();
    };
    expect(await append(await without(), conversation_id, [{ external_id: "m" }]).fail()).toMatchObject({
      code: FORGOTTEN,
    });
    expect(await createConversationCode(await without(), { external_id: "gone" })).toBe(FORGOTTEN);
    expect(skippedIn(await send(await without(), lines))).toHaveLength(2);
    const bulk = { body: { memories: [{ content: "Gone.", ...NEVER_ENRICHED }] } };
    expect(await (await without()).call(contracts.createMemories, bulk)).toMatchObject({
      items: [{ id: null, skipped: FORGOTTEN }],
    });
    const fork = { params: { conversation_id }, body: { external_id: "gone" } };
    expect(await (await without()).fail(contracts.forkConversation, fork)).toMatchObject({ code: FORGOTTEN });
  });
});

describe("tombstones", () => {
  test("are listed newest first in pages, by their own organization only", async () => {
    const caller = await createOrganization();
    const stranger = await createOrganization();
    const operations: string[] = [];
    for (const content of ["one", "two", "three"])
      operations.push((await forgetMemory(caller, await capture(caller, content))).id);
    // Of the same millisecond, they may be in any order.
    operations.sort().reverse();
    const first = await caller.call(contracts.listTombstones, { query: { limit: 2 } });
    const query = { limit: 2, cursor: first.next_cursor ?? "" };
    const second = await caller.call(contracts.listTombstones, { query });
    const all = [...first.items, ...second.items];
    expect(all.map(({ operation_id }) => operation_id)).toEqual(operations);
    expect([first.items.length, second.next_cursor]).toEqual([2, null]);
    expect(all[0]).toEqual({
      id: expect.stringMatching(/^tomb_[0-9a-z]{20}$/),
      ...{ kind: "memory", operation_id: operations[0] },
      ...{ conversations: 0, messages: 0, memories: 1 },
      created_at: expect.any(String),
    });
    expect(await listed(stranger)).toEqual([]);
    const params = { tombstone_id: all[0]?.id ?? "" };
    expect(await stranger.fail(contracts.deleteTombstone, { params })).toMatchObject({ code: "not_found" });
    expect(await refusal(stranger, { content: "three" })).toBeNull();
  });

  test("are deleted once, with an audit event, and the sweep removes their hashes", async () => {
    const { caller, organizationId, service } = await open({}, { liftedRoundHashes: 1 });
    const receipt = await forgetMemory(caller, await capture(caller, "Gone.", { external_id: "e" }));
    await forgetMemory(caller, await capture(caller, "Stays."));
    const tombstone = (await listed(caller)).find(({ operation_id }) => operation_id === receipt.id);
    const params = { tombstone_id: tombstone?.id ?? "" };
    expect(await caller.call(contracts.deleteTombstone, { params })).toEqual(tombstone);
    expect(await refusal(caller, { content: "Gone." })).toBeNull();
    expect(await caller.fail(contracts.deleteTombstone, { params })).toMatchObject({ code: "not_found" });
    expect(await listed(caller)).toHaveLength(1);
    const query = { action: "tombstone.deleted" };
    expect((await caller.call(contracts.listAuditEvents, { query })).items).toMatchObject([
      { target_id: tombstone?.id, operation_id: receipt.id, request_id: expect.any(String) },
    ]);
    await service.sweep();
    const hashes = await selectRows<{ tombstone_id: string }>(
      "SELECT tombstone_id FROM tombstone_hashes WHERE organization_id = ?1",
      organizationId,
    );
    expect(hashes.map(({ tombstone_id }) => tombstone_id)).not.toContain(tombstone?.id);
    expect(hashes).toHaveLength(2);
    expect(await selectRows("SELECT id FROM tombstones WHERE id = ?1", tombstone?.id)).toEqual([]);
    expect(await refusal(caller, { content: "Stays." })).toBe(FORGOTTEN);
  });

  test("hold through a canceled deletion of the organization, and go with the organization", async () => {
    const { caller, organizationId, service, idle } = await open();
    const byOperator = service.callerOf(operator.secret);
    await forgetMemory(caller, await capture(caller, "Gone."));
    const params = { organization_id: organizationId };
    const { id } = await caller.call(contracts.deleteOrganization, { params });
    await byOperator.call(contracts.cancelOperation, { params: { operation_id: id } });
    expect(await refusal(caller, { content: "Gone." })).toBe(FORGOTTEN);
    await caller.call(contracts.deleteOrganization, { params });
    await idle();
    await service.sweep();
    for (const table of ["tombstones", "tombstone_hashes"])
      expect(
        await selectRows(`SELECT 1 FROM ${table} WHERE organization_id = ?1`, organizationId),
        table,
      ).toEqual([]);
  });
});
