import * as contracts from "@engram/spec";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Caller, createOrganization, seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import { operations, scopesOf } from "../support/requests.ts";

/** What means something to SQL, FTS5, JSON paths, shells or us, and must mean itself. */
const INJECTIONS = [
  "' OR 1=1 --",
  '" OR ""="',
  "'; DROP TABLE messages; --",
  "x') UNION SELECT secret_hash FROM api_keys --",
  "?1",
  ":o",
  "%",
  "_",
  "*",
  "wal*",
  '"walrus',
  "NOT walrus",
  "walrus AND tusk",
  "walrus NEAR/2 tusk",
  "body:walrus",
  "^walrus",
  "1~walrus",
  "-walrus",
  "(walrus",
  "{body} : walrus",
  "$",
  "$.a",
  '$."a"',
  "a.b[0]",
  "[]",
  '["x"]',
  '{"$ne":1}',
  "null",
  "true",
  "0",
  "1e3",
  "refused:not_found",
  "\\",
  "\\u0000",
  "../../v1/keys",
  "%2e%2e%2f",
  "%00",
  "%ff",
  "é",
  "e\u0301",
  "\ufeff",
  "__proto__",
  "constructor",
  "toString",
];

let caller: Caller & { organizationId: string };
beforeAll(async () => {
  caller = await createOrganization();
});

describe("what means something elsewhere means itself here", () => {
  const found = new Map<string, string>();
  beforeAll(async () => {
    for (const text of INJECTIONS) {
      const key = text === "__proto__" ? "proto" : text; // a key that is refused in every body
      const about = {
        external_id: text,
        agent_id: text,
        user_id: text,
        tags: [text],
        metadata: { [key]: text },
      };
      found.set(text, await seedConversation(caller, [`walrus ${text}`], about));
    }
    await seedConversation(caller, ["walrus"]); // with nothing that a filter could match
  });

  test.for(INJECTIONS)(
    "as tag, agent, user, external id and metadata in the filters of a list: %s",
    async (text) => {
      const filters: Record<string, string | string[]>[] = [
        { tags_any: text },
        { tags_all: [text, text] },
        { agent_id: text },
        { user_id: text },
        { external_id: text },
        ...(text === "__proto__" ? [] : [{ metadata: JSON.stringify({ [text]: text }) }]),
      ];
      for (const filter of filters) {
        const query = { ...filter, include_total: true };
        const { items, total } = await caller.call(contracts.listConversations, { query });
        expect([items.map(({ id }) => id), total], JSON.stringify(filter)).toEqual([[found.get(text)], 1]);
      }
    },
  );

  test.for(INJECTIONS)(
    "as tag, agent and user in the filters of a search, by words and by meaning: %s",
    async (text) => {
      for (const mode of ["keyword", "semantic"]) {
        for (const filter of [
          { tags_any: [text] },
          { tags_all: [text] },
          { agent_id: text },
          { user_id: text },
        ]) {
          const { results } = await caller.call(contracts.search, {
            body: { query: "walrus", mode, ...filter },
          });
          const ids = results.map(({ conversation_id }) => conversation_id);
          expect(ids, `${mode} ${JSON.stringify(filter)}`).toEqual([found.get(text)]);
        }
      }
    },
  );

  test.for(INJECTIONS)("as query of a search, in every mode: %s", async (text) => {
    for (const mode of ["keyword", "semantic", "hybrid"]) {
      const { results } = await caller.call(contracts.search, { body: { query: text, mode, limit: 50 } });
      // An operator would find what holds no word of the query, or hide what does.
      if (mode !== "keyword") continue;
      const words: string[] = text.match(/[a-z]{3,}/g) ?? [];
      const has = results.some(({ conversation_id }) => conversation_id === found.get(text));
      if (words.includes("walrus")) expect(results.length).toBeGreaterThan(1);
      if (words.length > 0 && words.every((word) => word !== "not")) expect(has).toBe(true);
      if (words.length === 0 && !/[\p{L}\p{N}]/u.test(text)) expect(results).toEqual([]);
    }
  });

  test.for(INJECTIONS)("as id of anything, naming nothing: %s", async (text) => {
    const reads = operations.filter(
      ([, contract]) => contract.method === "get" && contract.path.includes("{"),
    );
    expect(reads.length).toBeGreaterThan(4);
    for (const [name, contract] of reads) {
      const slots = [...contract.path.matchAll(/\{(\w+)\}/g)].map(([, slot]) => slot ?? "");
      const params = Object.fromEntries(slots.map((slot) => [slot, text]));
      expect(scopesOf(contract), name).not.toBeNull();
      expect(await caller.fail(contract, { params }), name).toMatchObject({ code: "not_found" });
    }
    for (const body of [{ query: "walrus", conversation_id: text }]) {
      expect(await caller.call(contracts.search, { body })).toMatchObject({ results: [] });
    }
    const query = { conversation_id: text };
    expect(await caller.fail(contracts.getIndexStatus, { query })).toMatchObject({ code: "not_found" });
  });

  test("metadata is compared by type as well as by value", async () => {
    const metadata = {
      flag: true,
      count: 1,
      text: "1",
      "a.b": "dot",
      "": "empty",
      'q"': "quote",
      "n\0": "nul\0x",
    };
    const id = await seedConversation(caller, [], { metadata });
    const list = async (filter: object) => {
      const query = { metadata: JSON.stringify(filter) };
      return (await caller.call(contracts.listConversations, { query })).items.map((item) => item.id);
    };
    for (const [key, value] of Object.entries(metadata))
      expect(await list({ [key]: value }), key).toEqual([id]);
    for (const other of [
      { flag: 1 },
      { flag: "true" },
      { count: true },
      { count: "1" },
      { text: 1 },
      { "n\0": "nul" },
      { "n\0": "nul\0y" },
      { n: "nul\0x" },
    ]) {
      expect(await list(other), JSON.stringify(other)).toEqual([]);
    }
  });
});

describe("while a service behind this one fails", () => {
  let conversation_id: string;
  beforeAll(async () => {
    conversation_id = await seedConversation(caller, ["the narwhal dives"]);
  });
  afterEach(() => env.CONTROL.clearFaults());

  test.for([
    ["the embedding model", { ai: "3040" }],
    ["the vector store", { vectorize: "40041" }],
    ["both", { ai: "3007", vectorize: "500" }],
  ] as const)(
    "(%s) messages are stored and found by their words, and what is missing is said",
    async ([, fault]) => {
      await env.CONTROL.setFault(fault);
      const word = `narwhal${crypto.randomUUID().slice(0, 8)}`;
      const body = { messages: [{ role: "user", content: `the ${word} sings` }] };
      const params = { conversation_id };
      expect(await caller.call(contracts.appendMessages, { params, body })).toMatchObject({ indexed: false });
      const waiting = { messages: [{ role: "user", content: "and waits" }], wait: "indexed" };
      expect(await caller.call(contracts.appendMessages, { params, body: waiting })).toMatchObject({
        indexed: false,
      });

      const hybrid = await caller.call(contracts.search, { body: { query: word } });
      expect(hybrid).toMatchObject({ degraded: ["semantic"], results: [{ conversation_id }] });
      expect(hybrid.pending).toBeGreaterThan(0);
      // Nothing of what was asked for is missing here.
      const keyword = await caller.call(contracts.search, { body: { query: word, mode: "keyword" } });
      expect(keyword).toMatchObject({ degraded: [], results: [{ conversation_id }] });

      const semantic = await caller.fetch(contracts.search, { body: { query: word, mode: "semantic" } });
      expect([semantic.status, semantic.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(await semantic.json()).toMatchObject({ code: "unavailable" });
    },
  );
});
