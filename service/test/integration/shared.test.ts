import * as contracts from "@engram/spec";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { type Caller, createKey, createOrganization, seedConversation } from "../support/client.ts";
import { ABSENT, type Ids, requestFor } from "../support/requests.ts";
import { isWrite, operations } from "../support/worlds.ts";

const SCOPES: contracts.Scope[] = ["read", "write", "search", "delete"];

/** What a key may do with a conversation or memory. */
type Right = "write" | "read" | "none";

/** A conversation with two messages, and a memory, both with the word "walrus" and the name of the target. */
interface Target {
  conversation_id: string;
  message_id: string;
  memory_id: string;
}

/** Who owns each target, and whether it is shared. */
const TARGETS = {
  own: { user_id: "maria" },
  "another user's": { user_id: "jon" },
  shared: { shared: true },
  "shared by the agent": { agent_id: "amber", shared: true },
  "shared by another agent": { agent_id: "basil", shared: true },
  "of no user": {},
  "not shared any more": {},
  "shared by another organization": { shared: true },
} as const;
type Name = keyof typeof TARGETS;
const NAMES = Object.keys(TARGETS) as Name[];

/** What each key may do with each target. What is not named it may not see. */
const READERS: Record<string, { bound: object; rights: Partial<Record<Name, Right>> }> = {
  "a key for a user": {
    bound: { user_id: "maria" },
    rights: {
      own: "write",
      shared: "read",
      "shared by the agent": "read",
      "shared by another agent": "read",
    },
  },
  "a key for an agent and a user": {
    bound: { agent_id: "amber", user_id: "maria" },
    rights: { "shared by the agent": "read" },
  },
  "a key for an agent": {
    bound: { agent_id: "amber" },
    rights: { "shared by the agent": "write" },
  },
  "a key that is bound to nobody": {
    bound: {},
    rights: {
      own: "write",
      "another user's": "write",
      shared: "write",
      "shared by the agent": "write",
      "shared by another agent": "write",
      "of no user": "write",
      "not shared any more": "write",
    },
  },
};
const readable = (reader: string) =>
  NAMES.filter((name) => (READERS[reader]?.rights[name] ?? "none") !== "none");

async function seedTarget(by: Caller, name: string, owner: object): Promise<Target> {
  const said = [`The walrus, ${name}, mailed zoe@example.com.`, "It left."];
  const conversation_id = await seedConversation(by, said, { ...owner, title: name });
  const { items } = await by.call(contracts.listMessages, { params: { conversation_id } });
  const body = { content: `The walrus, ${name}, likes oysters.`, tags: [name], summary: name, ...owner };
  const memory = await by.call(contracts.createMemory, { body: { ...body, wait: "indexed" } });
  return { conversation_id, message_id: items[0]?.id ?? "", memory_id: memory.id };
}

let owner: Caller & { organizationId: string };
let targets: Record<Name, Target>;
const keys = new Map<string, Caller>();
const keyOf = (reader: string): Caller => keys.get(reader) as Caller;

beforeAll(async () => {
  owner = await createOrganization();
  const other = await createOrganization();
  const seeded: [Name, Target][] = [];
  for (const name of NAMES) {
    const by = name === "shared by another organization" ? other : owner;
    seeded.push([name, await seedTarget(by, name, TARGETS[name])]);
  }
  targets = Object.fromEntries(seeded) as Record<Name, Target>;
  const { conversation_id, memory_id } = targets["not shared any more"];
  for (const shared of [true, false]) {
    await owner.call(contracts.updateConversation, { params: { conversation_id }, body: { shared } });
    await owner.call(contracts.updateMemory, { params: { memory_id }, body: { shared } });
  }
  for (const [reader, { bound }] of Object.entries(READERS))
    keys.set(reader, await createKey(owner, { scopes: SCOPES, ...bound }));
  await vi.waitUntil(async () => (await owner.call(contracts.getIndexStatus)).pending === 0, 60_000);
});

const ITEM = /\{(conversation_id|memory_id)\}/;
/** Every operation on one conversation, one of its messages, or one memory. */
const ON_ITEMS = operations.filter(([, contract]) => ITEM.test(contract.path));

/** Operations whose body or query names a conversation or memory. */
const NAMING: [name: string, parts: (ids: Target) => object, isWrite: boolean][] = [
  ["getIndexStatus", ({ conversation_id }) => ({ query: { conversation_id } }), false],
  ["repairIndex", ({ conversation_id }) => ({ body: { conversation_id } }), true],
  ["getContext", ({ conversation_id }) => ({ body: { conversation_id } }), false],
  ["createTicket", ({ conversation_id }) => ({ body: { conversation_id } }), false],
  ["listEntities", ({ conversation_id }) => ({ query: { conversation_id } }), false],
  ["createMemory", ({ memory_id }) => ({ body: { content: "new", supersedes: memory_id } }), true],
  [
    "createMemories",
    ({ memory_id }) => ({ body: { memories: [{ content: "new", supersedes: memory_id }] } }),
    true,
  ],
];

const NOTHING_SHARED = { code: "forbidden", detail: expect.stringContaining("shared with all users") };

async function expectRight(
  right: Right,
  contract: (typeof ON_ITEMS)[number][1],
  by: Caller,
  parts: object,
  write: boolean,
) {
  if (right === "none") expect(await by.fail(contract, parts)).toMatchObject({ code: "not_found" });
  else if (right === "read" && write) expect(await by.fail(contract, parts)).toMatchObject(NOTHING_SHARED);
  else expect((await by.fetch(contract, parts)).status).toBeLessThan(300);
}

/** The targets that a request of a test may change, and must not. */
const unchanged = NAMES.filter((name) => name !== "own" && name !== "shared by another organization");
const snapshot = () =>
  Promise.all(
    unchanged.map(async (name) => {
      const { conversation_id, memory_id } = targets[name];
      return [
        await owner.call(contracts.getConversation, { params: { conversation_id } }),
        await owner.call(contracts.getMemory, { params: { memory_id } }),
        await owner.call(contracts.listPresences, { params: { conversation_id } }),
        await owner.call(contracts.listSummaries, { params: { conversation_id } }),
      ];
    }),
  );

describe.for(["a key for a user", "a key for an agent and a user"])("%s", (reader) => {
  const foreign = NAMES.filter((name) => READERS[reader]?.rights[name] !== "write");

  test.for(ON_ITEMS)(
    "can with %s only read what is shared, and nothing of others",
    async ([name, contract]) => {
      for (const target of foreign) {
        const ids: Ids = { ...ABSENT, ...targets[target] };
        const right = READERS[reader]?.rights[target] ?? "none";
        await expectRight(right, contract, keyOf(reader), requestFor(name, ids), isWrite(contract));
      }
    },
  );

  test.for(NAMING)("can with %s name only what it can read", async ([name, parts, write]) => {
    const [, contract] = operations.find(([id]) => id === name) ?? [];
    if (contract === undefined) throw new Error(name);
    for (const target of foreign) {
      const right = READERS[reader]?.rights[target] ?? "none";
      await expectRight(right, contract, keyOf(reader), parts(targets[target]), write);
    }
  });

  test("has changed nothing by all of these requests", async () => {
    const before = await snapshot();
    for (const [name, contract] of ON_ITEMS.filter(([, one]) => isWrite(one)))
      for (const target of unchanged)
        await keyOf(reader).fetch(contract, requestFor(name, { ...ABSENT, ...targets[target] }));
    expect(await snapshot()).toEqual(before);
  });

  test.for([
    ["createConversation", { title: "x" }],
    ["createMemory", { content: "x" }],
    ["putMemory", { content: "x", external_id: "x" }],
    ["createMemories", { memories: [{ content: "x", shared: true }] }],
  ] as const)("cannot share with %s", async ([name, body]) => {
    const [, contract] = operations.find(([id]) => id === name) ?? [];
    if (contract === undefined) throw new Error(name);
    const shared = name === "createMemories" ? body : { ...body, shared: true };
    expect(await keyOf(reader).fail(contract, { body: shared })).toMatchObject({
      code: "forbidden",
      detail: expect.stringContaining("cannot share"),
    });
  });
});

test("a key for a user cannot share what is its own, and may say that it is not shared", async () => {
  const { conversation_id, memory_id } = targets.own;
  const key = keyOf("a key for a user");
  for (const shared of [true, false]) {
    const conversation = { params: { conversation_id }, body: { shared } };
    const memory = { params: { memory_id }, body: { shared } };
    if (shared) {
      expect(await key.fail(contracts.updateConversation, conversation)).toMatchObject({ code: "forbidden" });
      expect(await key.fail(contracts.updateMemory, memory)).toMatchObject({ code: "forbidden" });
    } else {
      expect(await key.call(contracts.updateConversation, conversation)).toMatchObject({ shared: false });
      expect(await key.call(contracts.updateMemory, memory)).toMatchObject({ shared: false });
    }
  }
});

describe.for(Object.keys(READERS))("%s", (reader) => {
  const wanted = readable(reader);
  const isShared = (name: Name) => "shared" in TARGETS[name];
  const titles = async (query: object = {}) =>
    (await keyOf(reader).call(contracts.listConversations, { query: { include_total: true, ...query } })) as {
      items: contracts.Conversation[];
      total: number;
    };

  test.for(["created_at", "updated_at", "last_message_at"])(
    "lists its own and what is shared, by %s",
    async (sort) => {
      for (const order of ["asc", "desc"]) {
        const { items, total } = await titles({ sort, order });
        const expected = NAMES.filter((name) => wanted.includes(name));
        expect(items.map(({ title }) => title).toSorted()).toEqual(expected.toSorted());
        expect(items.map(({ shared }) => shared)).toEqual(items.map(({ title }) => isShared(title as Name)));
        expect(total).toBe(expected.length);
        const times = items.map((item) => Date.parse(item[sort as "created_at"] ?? ""));
        expect(times).toEqual(times.toSorted((a, b) => (order === "asc" ? a - b : b - a)));
      }
    },
  );

  test("walks the same list page by page", async () => {
    for (const contract of [contracts.listConversations, contracts.listMemories]) {
      for (const order of ["asc", "desc"]) {
        const seen: string[] = [];
        for (let cursor: string | null = ""; cursor !== null; ) {
          const query = { limit: 1, order, ...(cursor === "" ? {} : { cursor }) };
          const page = (await keyOf(reader).call(contract, { query })) as {
            items: { id: string }[];
            next_cursor: string | null;
          };
          seen.push(...page.items.map(({ id }) => id));
          cursor = page.next_cursor;
        }
        const ids = wanted.map((name) =>
          contract === contracts.listMemories ? targets[name].memory_id : targets[name].conversation_id,
        );
        expect(seen.toSorted()).toEqual(ids.toSorted());
      }
    }
  });

  test.for([
    [["own"], false],
    [["shared"], true],
    [["own", "shared"], null],
  ] as const)("narrows lists and searches to %s", async ([visibility, only]) => {
    const expected = wanted.filter((name) => only === null || isShared(name) === only).toSorted();
    const { items, total } = await titles({ visibility });
    expect(items.map(({ title }) => title).toSorted()).toEqual(expected);
    expect(total).toBe(expected.length);
    const memories = await keyOf(reader).call(contracts.listMemories, {
      query: { visibility: [...visibility] },
    });
    expect(memories.items.map(({ summary }) => summary).toSorted()).toEqual(expected);
    for (const mode of ["hybrid", "keyword", "semantic"]) {
      const found = await keyOf(reader).call(contracts.searchMemories, {
        body: { query: "walrus", mode, visibility, limit: 20 },
      });
      expect(found.results.map(({ memory }) => memory.summary).toSorted(), mode).toEqual(expected);
      expect(found.results.map(({ memory }) => memory.shared)).toEqual(
        found.results.map(({ memory }) => isShared(memory.summary as Name)),
      );
      const said = await keyOf(reader).call(contracts.search, {
        body: { query: "walrus", mode, visibility, limit: 20, tags_all: [] },
      });
      const conversations = said.results.flatMap((one) => (one.type === "messages" ? one.conversation : []));
      expect(conversations.map(({ title }) => title).toSorted(), mode).toEqual(expected);
      expect(conversations.map(({ shared }) => shared)).toEqual(
        conversations.map(({ title }) => isShared(title as Name)),
      );
    }
  });

  test("finds its own and what is shared with filters by tags, entities and time, too", async () => {
    for (const filter of [{ tags_any: NAMES }, { created_after: "2020-01-01T00:00:00.000Z" }])
      for (const mode of ["hybrid", "keyword", "semantic"]) {
        const body = { query: "walrus", mode, limit: 20, ...filter };
        const { results } = await keyOf(reader).call(contracts.searchMemories, { body });
        expect(results.map(({ memory }) => memory.summary).toSorted(), JSON.stringify(body)).toEqual(
          wanted.toSorted(),
        );
      }
    const body = { query: "walrus", limit: 20, entities: [{ kind: "email", value: "zoe@example.com" }] };
    const { results } = await keyOf(reader).call(contracts.search, { body });
    const found = results.flatMap((one) => (one.type === "messages" ? (one.conversation.title ?? "") : []));
    expect(found.toSorted()).toEqual(wanted.toSorted());
  });

  test("lists and counts entities of its own and of what is shared", async () => {
    for (const sort of ["value", "mentions"]) {
      const { items } = await keyOf(reader).call(contracts.listEntities, { query: { sort, kind: "email" } });
      expect(items).toMatchObject([{ mention_count: wanted.length, conversation_count: wanted.length }]);
    }
    const [entity] = (await keyOf(reader).call(contracts.listEntities, { query: { kind: "email" } })).items;
    const mentioned: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const query = { limit: 1, ...(cursor === "" ? {} : { cursor }) };
      const page: { items: { conversation_id: string }[]; next_cursor: string | null } = await keyOf(
        reader,
      ).call(contracts.listMentions, { params: { entity_id: entity?.id ?? "" }, query });
      mentioned.push(...page.items.map(({ conversation_id }) => conversation_id));
      cursor = page.next_cursor;
    }
    expect(mentioned.toSorted()).toEqual(wanted.map((name) => targets[name].conversation_id).toSorted());
  });

  test("gets events of its own and of what is shared, and of no other conversation or memory", async () => {
    const { items } = await keyOf(reader).call(contracts.listEvents, { query: { limit: 500 } });
    const about = new Set(
      items.flatMap(({ conversation_id, memory_id }) => conversation_id ?? memory_id ?? []),
    );
    for (const name of NAMES) {
      const ids = [targets[name].conversation_id, targets[name].memory_id];
      expect([name, ...ids.map((id) => about.has(id))]).toEqual([
        name,
        ...ids.map(() => wanted.includes(name)),
      ]);
    }
  });

  test("gets with the filter by user no events of what is shared", async () => {
    const query = { limit: 500, user_id: "maria" };
    const { items } = await keyOf(reader).call(contracts.listEvents, { query });
    const about = new Set(items.map(({ conversation_id, memory_id }) => conversation_id ?? memory_id));
    expect(about.size).toBe(wanted.includes("own") ? 2 : 0);
    for (const id of about) expect([targets.own.conversation_id, targets.own.memory_id]).toContain(id);
  });

  test("gets a context of its own and of what is shared", async () => {
    const { memories, results } = await keyOf(reader).call(contracts.getContext, {
      body: { query: "walrus", max_tokens: 8_000, min_relevance: 0 },
    });
    const idsOf = (kind: "memory_id" | "conversation_id") =>
      wanted.map((name) => targets[name][kind]).toSorted();
    // Without a user or an agent, the context has the memories that the query finds.
    expect(memories.items.map(({ id }) => id).toSorted()).toEqual(idsOf("memory_id"));
    expect(results.items.map((one) => one.conversation_id).toSorted()).toEqual(idsOf("conversation_id"));
  });
});
