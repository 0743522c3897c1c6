import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import * as contracts from "@engram/spec";
import type { RouteConfig } from "@hono/zod-openapi";
import { beforeAll, describe, expect, test } from "vitest";
import { createApp } from "../../src/app.ts";
import { openIsolate } from "../../src/isolate.ts";
import { interceptCalls } from "../../src/platform/database-calls.ts";
import { type Caller, createKey, createOrganization, seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import { type RequestParts, toRequest } from "../support/requests.ts";
import { promptRuntime } from "../support/runtime.ts";

// Tests of other files share the database. A move that one has begun and not ended has triggers, each of which counts as
// a row for each row that is written.
beforeAll(async () => {
  const begun = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'moving_%'",
  ).all<{
    name: string;
  }>();
  for (const { name } of begun.results) await env.DB.prepare(`DROP TRIGGER ${name}`).run();
});

/**
 * Rows that the batches of one call read and write until it is answered, and their number. The key is checked outside of
 * them. Work after the response depends on what else is under way.
 */
async function rowsOf(caller: Caller, contract: RouteConfig, input: RequestParts) {
  const rows = { read: 0, written: 0, batches: 0 };
  let isAnswered = false;
  const db = interceptCalls(env.DB, async ({ kind }, send) => {
    const results = await send();
    if (kind !== "batch" || isAnswered) return results;
    rows.batches += 1;
    for (const { meta } of results) {
      rows.read += meta.rows_read;
      rows.written += meta.rows_written;
    }
    return results;
  });
  const ctx = createExecutionContext();
  const headers = { authorization: `Bearer ${caller.secret}` };
  const [path, init] = toRequest(contract, { ...input, headers });
  const request = new Request(`http://engram.test${path}`, init);
  expect((await createApp(openIsolate(promptRuntime)).fetch(request, { ...env, DB: db }, ctx)).status).toBe(
    200,
  );
  isAnswered = true;
  await waitOnExecutionContext(ctx);
  return rows;
}

const rowsReadBy = async (...call: Parameters<typeof rowsOf>): Promise<number> =>
  (await rowsOf(...call)).read;

const rowsReadBySearch = (caller: Caller) =>
  rowsReadBy(caller, contracts.search, { body: { query: "zebra", mode: "keyword", limit: 10 } });

test("the rows that a search reads of matches and neighbors do not grow with the rest of the data", async () => {
  const caller = await createOrganization();
  await seedConversation(
    caller,
    Array.from({ length: 60 }, (_, i) => (i % 6 === 0 ? `zebra ${i}` : `other ${i}`)),
  );
  const alone = await rowsReadBySearch(caller);
  await seedConversation(
    caller,
    Array.from({ length: 900 }, (_, i) => `unrelated ${i}`),
  );
  expect(alone).toBeGreaterThan(0);
  expect(await rowsReadBySearch(caller)).toBeLessThan(1.2 * alone);
});

test("a context makes no more calls to the database than the same search, and a single one without a query", async () => {
  const caller = await createOrganization();
  const user_id = "maria";
  const conversation_id = await seedConversation(caller, ["The kettle leaks.", "It was sent back."], {
    user_id,
  });
  await caller.call(contracts.createMemory, {
    body: { content: "Wants a new kettle.", user_id, wait: "indexed" },
  });
  const callsOf = async (contract: RouteConfig, body: object) =>
    (await rowsOf(caller, contract, { body })).batches;
  const asked = { query: "kettle", user_id };
  const search = await callsOf(contracts.search, { ...asked, in: ["conversations", "memories"] });
  const context = await callsOf(contracts.getContext, { ...asked, conversation_id });
  const withoutQuery = await callsOf(contracts.getContext, { user_id, conversation_id });
  expect({ context, withoutQuery }).toEqual({ context: search, withoutQuery: search - 2 });
});

describe("the rows that a list of one agent or one user reads", () => {
  const SORTS = ["created_at", "updated_at"];

  test("do not grow with the data of others", async () => {
    const caller = await createOrganization();
    const store = async (times: number, agent_id: string, user_id: string) => {
      for (let i = 0; i < times; i++) {
        await seedConversation(caller, [], { agent_id, user_id });
        await caller.call(contracts.createMemory, { body: { content: `${agent_id} ${i}`, agent_id } });
      }
    };
    const bound = await createKey(caller, { agent_id: "mine", scopes: ["read"] });
    const read = () => {
      const lists: [Caller, RouteConfig, Required<RequestParts>["query"]][] = SORTS.flatMap((sort) => [
        [caller, contracts.listConversations, { agent_id: "mine", sort, include_total: true }],
        [caller, contracts.listConversations, { user_id: "me", sort, include_total: true }],
        [caller, contracts.listConversations, { user_id: "me", agent_id: "mine", sort }],
        [caller, contracts.listMemories, { agent_id: "mine", sort, include_total: true }],
        [bound, contracts.listConversations, { sort }],
        [bound, contracts.listMemories, { sort }],
      ]);
      return Promise.all(lists.map(([by, contract, query]) => rowsReadBy(by, contract, { query })));
    };
    const storeOthers = async (times: number) => {
      await store(times, "a", "a");
      await store(times, "z", "z");
    };
    await store(3, "mine", "me");
    await storeOthers(1);
    const alone = await read();
    await storeOthers(20);
    expect(alone.every((rows) => rows > 0)).toBe(true);
    expect(await read()).toEqual(alone);
  });

  test("are only the user's even if the filter's agent has far more", async () => {
    const caller = await createOrganization();
    for (let i = 0; i < 40; i++)
      await seedConversation(caller, [], { agent_id: "support", user_id: i < 3 ? "me" : `user ${i}` });
    for (const sort of SORTS) {
      const list = (query: object) =>
        rowsReadBy(caller, contracts.listConversations, { query: { sort, ...query } });
      expect(await list({ user_id: "me", agent_id: "support" })).toBe(await list({ user_id: "me" }));
    }
  });
});

test("a source costs a capture three rows, and the capture one more batch however many there are", async () => {
  const caller = await createOrganization();
  const conversation_id = await seedConversation(caller, ["I moved to Lisbon.", "Please refund my card."]);
  const sources = [1, 2].map((sequence) => ({ conversation_id, sequence, start: 0, end: 6 }));
  const capture = (name: string, more: object) => {
    const memories = Array.from({ length: 50 }, (_, i) => ({
      ...{ content: `${name} ${i}`, tags: [], summary: "", ...more },
    }));
    return rowsOf(caller, contracts.createMemories, { body: { memories } });
  };
  const without = await capture("plain", {});
  const cited = await capture("cited", { sources });
  expect(cited.written - without.written).toBe(3 * 2 * 50);
  expect(cited.batches - without.batches).toBe(1);
  // Both messages are read once to find the quotations, and once to see that they are unchanged.
  expect(cited.read - without.read).toBeLessThan(10 * 50);
});
