import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import * as contracts from "@engram/spec";
import { expect, test } from "vitest";
import { createApp } from "../../src/app.ts";
import { type Caller, createOrganization, seedConversation, toRequest } from "../support/client.ts";
import { env } from "../support/env.ts";
import { promptRuntime } from "../support/runtime.ts";

/** A database that adds up the rows its statements read. */
function countRows(): { db: D1Database; read: () => number } {
  let rows = 0;
  const db = new Proxy(env.DB, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== "batch") return typeof value === "function" ? value.bind(target) : value;
      return async (statements: D1PreparedStatement[]) => {
        const results = await target.batch(statements);
        for (const { meta } of results) rows += meta.rows_read;
        return results;
      };
    },
  });
  return { db, read: () => rows };
}

/** Rows that the last read of a search takes: matches, neighbours and what they belong to. */
async function rowsReadBySearch(caller: Caller): Promise<number> {
  const { db, read } = countRows();
  const ctx = createExecutionContext();
  const [path, init] = toRequest(contracts.search, {
    body: { query: "zebra", mode: "keyword", limit: 10 },
    headers: { authorization: `Bearer ${caller.secret}` },
  });
  const request = new Request(`http://engram.test${path}`, init);
  expect((await createApp(promptRuntime).fetch(request, { ...env, DB: db }, ctx)).status).toBe(200);
  await waitOnExecutionContext(ctx);
  return read();
}

test("what a search reads of matches and neighbours does not grow with everything else that is stored", async () => {
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
