import * as contracts from "@engram/spec";
import { beforeAll, describe, expect, test } from "vitest";
import { wholeOrganization } from "../../src/platform/batch.ts";
import { type CursorScope, toCursor } from "../../src/platform/cursors.ts";
import { type Caller, createKey, createOrganization, seedConversation } from "../support/client.ts";
import { requestFor } from "../support/requests.ts";
import { callerFor, createWorld, operations, type World } from "../support/worlds.ts";

let world: World;
let caller: World["caller"];
beforeAll(async () => {
  world = await createWorld();
  caller = await createOrganization();
});

test.for(
  operations.filter(([, { request }]) =>
    Object.hasOwn((request?.query as { shape?: object } | undefined)?.shape ?? {}, "cursor"),
  ),
)("%s rejects a made-up cursor", async ([name, contract]) => {
  const by = await callerFor(contract, world);
  const parts = requestFor(name, world.ids);
  expect(await by.fail(contract, { ...parts, query: { ...parts.query, cursor: "x" } })).toMatchObject({
    code: "invalid_cursor",
  });
});

describe("a cursor", () => {
  let stranger: Caller & { organizationId: string };
  let bound: Caller;
  let conversation: string;
  let another: string;
  /** Every list with its own cursor. */
  const lists: [
    name: string,
    contract: (typeof contracts.contracts)[number],
    slot: string,
    query: Record<string, string>,
  ][] = [
    ["listConversations", contracts.listConversations, "cursor", { limit: "1" }],
    ["listKeys", contracts.listKeys, "cursor", { limit: "1" }],
    ["listMessages", contracts.listMessages, "cursor", { limit: "1" }],
    ["listMessages newest", contracts.listMessages, "cursor", { limit: "1", newest: "3" }],
  ];
  const paramsOf = (id: string) => ({ conversation_id: id });
  /** The cursor of a list's first page. */
  const first = async ([, contract, , query]: (typeof lists)[number], asking = caller, id = conversation) => {
    const page = (await asking.call(contract, { params: paramsOf(id), query })) as {
      next_cursor?: string | null;
      messages?: { next_cursor: string | null };
    };
    return page.next_cursor ?? page.messages?.next_cursor ?? "";
  };
  const refuse = async (
    list: (typeof lists)[number],
    cursor: string,
    asking: Caller = caller,
    more = {},
    id = conversation,
  ) => {
    const query = { ...list[3], ...more, [list[2]]: cursor };
    const problem = await asking.fail(list[1], { params: paramsOf(id), query });
    expect(problem, `${list[0]} ${cursor}`).toMatchObject({ status: 400, code: "invalid_cursor" });
  };
  beforeAll(async () => {
    stranger = await createOrganization();
    for (const asking of [caller, stranger]) await createKey(asking, { scopes: ["read"] });
    await seedConversation(stranger);
    await seedConversation(stranger);
    conversation = await seedConversation(caller, ["one", "two", "three"], { agent_id: "bot" });
    another = await seedConversation(caller, ["one", "two", "three"], { agent_id: "bot" });
    bound = await createKey(caller, { scopes: ["read"], agent_id: "bot" });
  });

  test.for(lists)("of %s is rejected when altered", async (list) => {
    const cursor = await first(list);
    for (let i = 0; i < cursor.length - 1; i++) {
      const other = cursor[i] === "A" ? "B" : "A";
      await refuse(list, cursor.slice(0, i) + other + cursor.slice(i + 1));
    }
    for (const made of [
      cursor.slice(0, -4),
      `${cursor}AAAA`,
      "x",
      "null",
      "eyJpZCI6MX0",
      "' OR 1=1 --",
      "\0",
      "é",
    ]) {
      await refuse(list, made);
    }
  });

  test.for(lists)("of %s is rejected by every other list", async (list) => {
    const cursor = await first(list);
    for (const other of lists) if (other !== list) await refuse(other, cursor);
  });

  test.for(lists)(
    "of %s is rejected for another organization, and for a key bound to an agent",
    async (list) => {
      const cursor = await first(list);
      const theirs = await seedConversation(stranger, ["one", "two"]);
      await refuse(list, cursor, stranger, {}, theirs);
      if (list[0] !== "listKeys") await refuse(list, cursor, bound);
    },
  );

  test.for<[list: string, more: Record<string, string>]>([
    ["listConversations", { tags_any: "x" }],
    ["listConversations", { agent_id: "bot" }],
    ["listConversations", { metadata: '{"a":1}' }],
    ["listConversations", { created_after: "2020-01-01T00:00:00Z" }],
    ["listConversations", { sort: "created_at" }],
    ["listConversations", { order: "asc" }],
    ["listMessages", { from_sequence: "1", to_sequence: "2" }],
    ["listMessages newest", { newest: "2" }],
  ])("of %s is rejected with other parameters: %o", async ([name, more]) => {
    const list = lists.find(([other]) => other === name);
    if (list !== undefined) await refuse(list, await first(list), caller, more);
  });

  test.for(lists.slice(2))("of %s is rejected for another conversation", async (list) => {
    await refuse(list, await first(list), caller, {}, another);
  });

  // The format of cursors is not secret: anyone who reads the source can build one.
  test("that is validly signed but contains no valid position of the list is rejected", async () => {
    const { organizationId } = caller;
    const messages = [conversation, 1, Number.MAX_SAFE_INTEGER, null];
    const scopes: [list: (typeof lists)[number] | undefined, scope: CursorScope][] = [
      [
        lists[0],
        {
          list: "conversations",
          owner: wholeOrganization(organizationId),
          parameters: [{}, "updated_at", "desc"],
        },
      ],
      [lists[1], { list: "keys", owner: wholeOrganization(organizationId), parameters: null }],
      [lists[2], { list: "messages", owner: wholeOrganization(organizationId), parameters: messages }],
    ];
    for (const [list, scope] of scopes) {
      if (list === undefined) throw new Error("no such list");
      expect((await first(list)).slice(16)).not.toBe("");
      for (const forged of [
        null,
        {},
        [],
        true,
        { value: {}, id: [] },
        { value: 1 },
        { sequence: [] },
        { sequence: 1.5 },
        { sequence: 1, remaining: {} },
      ]) {
        await refuse(list, await toCursor(scope, forged));
      }
    }
  });
});
