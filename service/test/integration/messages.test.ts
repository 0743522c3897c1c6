import * as contracts from "@engram/spec";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type Caller,
  createKey,
  createOrganization,
  readPages,
  seedConversation,
} from "../support/client.ts";
import { fullItem } from "../support/document.ts";
import { someTurns } from "../support/runtime.ts";

let caller: Caller;
beforeAll(async () => {
  caller = await createOrganization();
});

const say = (content: string, more: object = {}) => ({ role: "user", content, ...more });
const append = (id: string, messages: unknown[]) =>
  caller.call(contracts.appendMessages, { params: { conversation_id: id }, body: { messages } });
const list = (id: string, query: Record<string, string | number | boolean> = {}) =>
  caller.call(contracts.listMessages, { params: { conversation_id: id }, query });
const sequences = async (id: string, query: Record<string, string | number | boolean> = {}) =>
  (await list(id, query)).items.map(({ sequence }) => sequence);

describe("append messages", () => {
  test("continues the sequence of earlier appends", async () => {
    const id = await seedConversation(caller);
    expect(await append(id, [say("one"), say("two")])).toMatchObject({ first_sequence: 1, last_sequence: 2 });
    expect(await append(id, [say("three")])).toMatchObject({ first_sequence: 3, last_sequence: 3 });
    const { items } = await list(id);
    expect(items.map(({ sequence, content }) => [sequence, content])).toEqual([
      [1, "one"],
      [2, "two"],
      [3, "three"],
    ]);
  });

  test("stores every field unchanged", async () => {
    const id = await seedConversation(caller);
    const sent = {
      ...fullItem("NewMessage"),
      metadata: { nested: { deep: [1, 2.5, null, true] }, "": "empty key" },
      created_at: "2019-05-08T13:56:00.123+02:00",
    };
    await append(id, [sent]);
    const [kept] = (await list(id)).items;
    expect(kept).toMatchObject({ ...sent, created_at: "2019-05-08T11:56:00.123Z", updated_at: null });
  });
});

describe("list messages", () => {
  const contract = contracts.listMessages;
  let id: string;
  beforeAll(async () => {
    id = await seedConversation(caller, ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]);
  });
  test("pages through all messages, oldest first", async () => {
    const pages = await readPages(caller, contract, { params: { conversation_id: id }, query: { limit: 3 } });
    const met = pages.flatMap(({ items }) => items.map(({ sequence }) => sequence));
    expect(met).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test.for([
    [{ from_sequence: 4, to_sequence: 6 }, [4, 5, 6]],
    [{ from_sequence: 9 }, [9, 10]],
    [{ newest: 3 }, [8, 9, 10]],
    [{ newest: 50 }, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    [{ from_sequence: 7, to_sequence: 3 }, []],
  ] as const)("with %o returns %o", async ([query, expected]) => {
    expect(await sequences(id, query)).toEqual(expected);
  });

  test("waits for a message if there is none yet, and no longer than requested", async () => {
    const waiting = await seedConversation(caller, ["1"]);
    const next = list(waiting, { from_sequence: 2, wait_seconds: 20 });
    const params = { conversation_id: waiting };
    await caller.call(contracts.appendMessages, { params, body: { messages: [say("2")] } });
    expect((await next).items.map(({ content }) => content)).toEqual(["2"]);
    expect((await list(waiting, { from_sequence: 3, wait_seconds: 1 })).items).toEqual([]);
  });

  test("returns no message to a key that is revoked while the request waits", async () => {
    const key = await createKey(caller, { scopes: ["read"] });
    const params = { conversation_id: await seedConversation(caller) };
    const waiting = key.fail(contract, { params, query: { wait_seconds: 20 } });
    await someTurns();
    await caller.call(contracts.revokeKey, { params: { key_id: key.keyId } });
    await caller.call(contracts.appendMessages, { params, body: { messages: [say("late")] } });
    expect(await waiting).toMatchObject({ code: "unauthenticated" });
  });

  test("ends a page of large messages early, and loses none", async () => {
    const large = await seedConversation(caller);
    const parts = ["x".repeat(490_000)];
    for (let i = 0; i < 3; i++)
      await append(
        large,
        Array.from({ length: 4 }, () => say("large", { parts })),
      );
    for (const query of [{}, { newest: 12 }] as Record<string, number>[]) {
      const pages = await readPages(caller, contract, { params: { conversation_id: large }, query });
      expect(pages.map(({ items }) => items.length)).toEqual([4, 4, 4]);
      const all = ("newest" in query ? pages.reverse() : pages).flatMap(({ items }) => items);
      expect(all.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
    }
  });

  test("rejects two selections at once", async () => {
    const parts = { params: { conversation_id: id }, query: { newest: 2, from_sequence: 1 } };
    expect(await caller.fail(contract, parts)).toMatchObject({ code: "validation_failed" });
  });
});

describe("get message", () => {
  const contract = contracts.getMessage;

  test("returns the message as the list does", async () => {
    const id = await seedConversation(caller, ["hello"]);
    const [listed] = (await list(id)).items;
    const params = { conversation_id: id, message_id: listed?.id ?? "" };
    expect(await caller.call(contract, { params })).toEqual(listed);
  });

  test("returns 404 for a message of another conversation", async () => {
    const [one, two] = [await seedConversation(caller, ["hello"]), await seedConversation(caller)];
    const [message] = (await list(one)).items;
    const params = { conversation_id: two, message_id: message?.id ?? "" };
    expect((await caller.fail(contract, { params })).code).toBe("not_found");
  });
});

describe("update message", () => {
  const contract = contracts.updateMessage;

  test("changes the given fields, and finds new words at once but not old ones", async () => {
    const id = await seedConversation(caller, [say("a zeppelin", { metadata: { a: 1 }, external_id: "z" })]);
    const [message] = (await list(id)).items;
    const params = { conversation_id: id, message_id: message?.id ?? "" };
    const changed = await caller.call(contract, { params, body: { content: "an airship" } });
    expect(changed).toMatchObject({
      content: "an airship",
      metadata: { a: 1 },
      sequence: 1,
      external_id: "z",
    });
    expect(changed.updated_at).not.toBeNull();
    const find = async (query: string) =>
      (await caller.call(contracts.search, { body: { query, mode: "keyword", conversation_id: id } })).results
        .length;
    expect([await find("airship"), await find("zeppelin")]).toEqual([1, 0]);
    expect(await caller.call(contract, { params, body: { metadata: {} } })).toMatchObject({
      content: "an airship",
      metadata: {},
    });
  });
});

describe("delete message", () => {
  const contract = contracts.deleteMessage;

  test("leaves its sequence unused, and the next append continues after it", async () => {
    const id = await seedConversation(caller, ["1", "2", "3"]);
    const last = (await list(id)).items.at(-1);
    const params = { conversation_id: id, message_id: last?.id ?? "" };
    expect(await caller.call(contract, { params })).toMatchObject({
      type: "delete_message",
      target_id: last?.id,
    });
    expect((await caller.fail(contract, { params })).code).toBe("not_found");
    expect(await append(id, [say("4")])).toMatchObject({ first_sequence: 4 });
    expect(await sequences(id)).toEqual([1, 2, 4]);
    const conversation = await caller.call(contracts.getConversation, { params: { conversation_id: id } });
    expect(conversation).toMatchObject({ message_count: 3, last_sequence: 4 });
  });
});

describe("replace messages", () => {
  const contract = contracts.replaceMessages;
  const replace = (id: string, expected: number, from: number, messages: unknown[] = []) => ({
    params: { conversation_id: id },
    body: { expected_last_sequence: expected, from_sequence: from, messages },
  });
  test("replaces the last messages by others with new sequences", async () => {
    const id = await seedConversation(caller, ["1", "2", "3"]);
    const before = (await list(id)).items;
    const answer = await caller.call(contract, replace(id, 3, 2, [say("two"), say("three"), say("four")]));
    expect(answer).toMatchObject({
      first_sequence: 4,
      last_sequence: 6,
      deleted_ids: [before[1]?.id, before[2]?.id],
    });
    expect((await list(id)).items.map(({ content }) => content)).toEqual(["1", "two", "three", "four"]);
  });

  test("removes messages one by one until none is left", async () => {
    const id = await seedConversation(caller, ["1", "2"]);
    await caller.call(contract, replace(id, 2, 2));
    await caller.call(contract, replace(id, 1, 1));
    expect(await sequences(id)).toEqual([]);
    expect((await caller.call(contract, replace(id, 0, 1, [say("3")]))).first_sequence).toBe(3);
  });

  test("changes nothing if the conversation does not end at the expected sequence", async () => {
    const id = await seedConversation(caller, ["1", "2"]);
    expect(await caller.fail(contract, replace(id, 1, 1, [say("x")]))).toMatchObject({
      code: "sequence_conflict",
    });
    expect(await sequences(id)).toEqual([1, 2]);
  });

  test("succeeds for one of two concurrent requests, and the other gets a conflict", async () => {
    const id = await seedConversation(caller, ["1", "2"]);
    const answers = await Promise.all(
      ["a", "b"].map((text) => caller.fetch(contract, replace(id, 2, 2, [say(text)]))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await sequences(id)).toEqual([1, 3]);
  });

  test("rejects different content with the external id of a remaining message, and accepts that of a replaced one", async () => {
    const id = await seedConversation(caller, [
      say("1", { external_id: "a" }),
      say("2", { external_id: "b" }),
    ]);
    const kept = await caller.fail(contract, replace(id, 2, 2, [say("x", { external_id: "a" })]));
    expect(kept.code).toBe("external_id_conflict");
    await caller.call(contract, replace(id, 2, 2, [say("x", { external_id: "b" })]));
    expect(await sequences(id)).toEqual([1, 3]);
  });
});
