import * as contracts from "@engram/spec";
import type { RouteConfig } from "@hono/zod-openapi";
import { afterEach, describe, expect, test } from "vitest";
import { sample } from "../../../proof/support/scale.ts";
import type { Env } from "../../src/invocation.ts";
import { createOrganization, seedConversation } from "../support/client.ts";
import { CountedService } from "../support/counted-service.ts";
import { Ledger, largestRowBytes, RowsRead } from "../support/counting.ts";
import { env } from "../support/env.ts";
import { Clock, holdIndexing, Service, sweepUntilIdle } from "../support/invocations.ts";
import { connect, type Send } from "../support/mcp.ts";
import type { RequestParts } from "../support/requests.ts";

afterEach(() => env.CONTROL.clearFaults());

/** An organization of a service with counted bindings. */
async function open(more: Partial<Env> = {}) {
  const { secret, organizationId } = await createOrganization();
  const ledger = new Ledger();
  const clock = new Clock();
  const service = new Service({ ...ledger.bindings, ...more }, clock);
  const caller = service.callerOf(secret);
  /** The calls that the response waited for, in sequence. */
  const steps = async (contract: RouteConfig, parts: RequestParts): Promise<string[]> => {
    await service.settle();
    ledger.reset();
    ledger.isHolding = true;
    const response = await service.fetch(secret, contract, parts);
    ledger.isHolding = false;
    const chain = ledger.longestChain(ledger.now());
    expect(response.status, await response.clone().text()).toBeLessThan(300);
    await service.settle();
    return chain;
  };
  const warm = () => caller.call(contracts.getIndexStatus);
  return { organizationId, secret, ledger, clock, service, caller, steps, warm };
}
const say = (content: string, more: object = {}) => ({ role: "user", content, ...more });

describe("sequential steps of a request", () => {
  test("an append takes one after authentication, also with an idempotency key and external ids", async () => {
    const { caller, steps, warm } = await open();
    const id = await seedConversation(caller);
    await warm();
    const append = (messages: object[], headers: Record<string, string> = {}) =>
      steps(contracts.appendMessages, { params: { conversation_id: id }, body: { messages }, headers });
    expect(await append([say("one"), say("two")])).toEqual(["d1.batch"]);
    const external = [say("three", { external_id: "m-3" }), say("four")];
    expect(await append(external, { "idempotency-key": "k" })).toEqual(["d1.batch"]);
    expect(await append([say("three", { external_id: "m-3" })])).toEqual(["d1.batch"]);
    expect(await append(Array.from({ length: 1_000 }, (_, i) => say(`Message ${i}.`)))).toEqual(["d1.batch"]);
  });

  test("a capture of one memory takes one after authentication, with a statement and six rows more than an append", async () => {
    const { caller, steps, warm } = await open();
    await warm();
    const content = "The zeppelin lands at noon.";
    const again = { body: { content } };
    expect(await steps(contracts.createMemory, again)).toEqual(["d1.batch"]);
    expect(await steps(contracts.createMemory, again)).toEqual(["d1.batch"]);
    const rows = new RowsRead();
    const clock = new Clock();
    const service = new Service({ DB: rows.db }, clock);
    const counted = service.callerOf(caller.secret);
    const append = {
      params: { conversation_id: await seedConversation(counted) },
      body: { messages: [say(content)] },
    };
    await counted.call(contracts.appendMessages, append);
    await service.settle();
    const counting = Promise.withResolvers<void>();
    // Holds the work in the background, whose statements do not count.
    clock.pause = () => counting.promise;
    const costOf = async (contract: RouteConfig, parts: RequestParts) => {
      rows.reset();
      await counted.call(contract, parts);
      const written = rows.statements.reduce((sum, one) => sum + one.written, 0);
      return { statements: rows.statements.length, written };
    };
    const appended = await costOf(contracts.appendMessages, append);
    const captured = await costOf(contracts.createMemory, { body: { content: "It leaves at one." } });
    counting.resolve();
    await service.settle();
    expect([appended, captured]).toEqual([
      { statements: 11, written: 12 },
      { statements: 12, written: 18 },
    ]);
  });

  test("a search takes at most three after authentication: embedding and words, vectors and lengths, rows", async () => {
    const { caller, steps, warm } = await open();
    await seedConversation(caller, ["The zeppelin lands at noon.", "Good to know."], { tags: ["air"] });
    await warm();
    const search = (body: object) =>
      steps(contracts.search, { body: { query: "When does the zeppelin land?", ...body } });
    for (const mode of ["hybrid", "semantic", "keyword"]) {
      expect((await search({ mode })).length, mode).toBeLessThanOrEqual(3);
      const narrow = { mode, tags_any: ["air"], roles: ["user"] };
      expect((await search(narrow)).length, mode).toBeLessThanOrEqual(3);
    }
  });

  test("an MCP tool recalls memories in three: one embedding, one vector query, one read", async () => {
    const { caller, clock, ledger, secret, service } = await open();
    const body = { content: "The zeppelin lands at noon.", wait: "indexed" };
    await caller.call(contracts.createMemory, { body });
    clock.advance(60_000);
    const send: Send = (path, init) => service.send(path, init);
    const { call } = await connect(secret, undefined, send, "/mcp?tools=memories");
    const recall = (query: string) => call("recall_memory", { query });
    // Fills the caches of the isolate, except with the vector of the query below.
    await recall("Where does the zeppelin land?");
    await service.settle();
    ledger.reset();
    ledger.isHolding = true;
    const { body: recalled } = await recall("When does the zeppelin land?");
    ledger.isHolding = false;
    const chain = ledger.longestChain(ledger.now());
    const calls = [...ledger.calls];
    await service.settle();
    expect(recalled).toMatchObject({ results: [{ content: body.content }], degraded: [], pending: 0 });
    expect(chain).toHaveLength(3);
    const [query, ...others] = calls.filter(({ name }) => name === "vectorize.query");
    expect([calls.filter(({ name }) => name === "ai.run").length, others]).toEqual([1, []]);
    const last = calls.filter(({ start }) => start > (query?.end ?? 0));
    expect(last.map(({ name }) => name)).toEqual(["d1.batch"]);
  });

  test("a context embeds its query once for both of its searches", async () => {
    const { caller, ledger, service, warm } = await open();
    await seedConversation(caller, ["The zeppelin lands at noon."]);
    await caller.call(contracts.createMemory, {
      body: { content: "Lena likes zeppelins.", wait: "indexed" },
    });
    // Fills the caches of the isolate, except with the vector of the query below.
    await caller.call(contracts.getContext, { body: { query: "Who likes zeppelins?" } });
    await warm();
    await service.settle();
    ledger.reset();
    const { memories, results } = await caller.call(contracts.getContext, {
      body: { query: "When does the zeppelin land?" },
    });
    expect([memories.items.length, results.items.length]).toEqual([1, 1]);
    expect(ledger.calls.filter(({ name }) => name === "ai.run")).toHaveLength(1);
    expect(ledger.calls.filter(({ name }) => name === "vectorize.query")).toHaveLength(2);
  });

  test("a key costs one more if this isolate has not seen it for 5 seconds, and a malformed key none", async () => {
    const { clock, ledger, service, caller, steps } = await open();
    const id = await seedConversation(caller);
    const get = { params: { conversation_id: id } };
    clock.advance(6_000);
    expect(await steps(contracts.getConversation, get)).toEqual(["d1.query", "d1.batch"]);
    clock.advance(4_900);
    expect(await steps(contracts.getConversation, get)).toEqual(["d1.batch"]);
    ledger.reset();
    const refused = await service.fetch(`engram_sk_live_${"0".repeat(38)}`, contracts.getConversation, get);
    expect([refused.status, ledger.calls]).toEqual([401, []]);
  });

  test("updates and deletions take one, and a list takes one", async () => {
    const { caller, steps, warm } = await open();
    const id = await seedConversation(caller, ["one", "two", "three"]);
    const { items } = await caller.call(contracts.listMessages, { params: { conversation_id: id } });
    await warm();
    const params = { conversation_id: id, message_id: items[0]?.id ?? "" };
    const replace = { expected_last_sequence: 3, from_sequence: 3, messages: [say("four")] };
    for (const [contract, body] of [
      [contracts.listMessages, undefined],
      [contracts.getMessage, undefined],
      [contracts.updateMessage, { content: "One." }],
      [contracts.deleteMessage, undefined],
      [contracts.replaceMessages, replace],
      [contracts.deleteConversation, undefined],
    ] as [RouteConfig, object | undefined][]) {
      expect(await steps(contract, { params, body }), contract.operationId).toHaveLength(1);
    }
  });
});

const random = (length: number, toCode: (byte: number) => number): string => {
  let text = "";
  for (let i = 0; i < length; i += 50_000) {
    const bytes = crypto.getRandomValues(new Uint8Array(Math.min(50_000, length - i)));
    text += String.fromCharCode(...bytes.map(toCode));
  }
  return text;
};
const printable = (byte: number) => 32 + (byte % 95);
const digit = (byte: number) => 48 + (byte % 10);
const control = (byte: number) => byte % 32;

const { sameVectors } = new Ledger();

describe("limits of D1", () => {
  const LARGE: [string, () => object[], ("append" | "plan")?][] = [
    [
      "1,000 messages of 2 KB",
      () => Array.from({ length: 1_000 }, (_, i) => say(`${i} ${"All work and no play. ".repeat(90)}`)),
      "append",
    ],
    [
      "2 messages of a million bytes that do not compress",
      () => Array.from({ length: 2 }, () => say(random(1_000_000, printable).replace(/["\\]/g, "'"))),
      "append",
    ],
    [
      "2 messages of a million digits, in thousands of chunks",
      () => Array.from({ length: 2 }, () => say(random(1_000_000, digit))),
      "plan",
    ],
    ["a message of a million control characters", () => [say(random(1_000_000, control))], "append"],
    [
      "a message of ligatures that each stand for four words",
      () => [say(`${"\uFDFA".repeat(333_000)} zeppelin`)],
      "append",
    ],
    [
      "the largest message with the largest parts, in quotes",
      () => [
        say(random(1_000_000, printable).replace(/["\\]/g, "'"), {
          parts: ['"'.repeat(249_998)],
          external_id: "漢".repeat(256),
        }),
      ],
      "append",
    ],
    [
      "1,000 messages with the longest external ids",
      () => Array.from({ length: 1_000 }, (_, i) => say("x", { external_id: `${"漢".repeat(250)}${i}` })),
    ],
  ];
  test.for(sample(LARGE, 2))(
    "are not exceeded by an append of %s, whose last message is returned unchanged",
    async ([, make, only]) => {
      const { ledger, service, caller, clock, organizationId } = await open({ AI: sameVectors });
      const id = await seedConversation(caller);
      // Thousands of chunks take long here. Their calls of D1 come before the first vector is written.
      if (only === "plan") await env.CONTROL.setFault({ vectorize: "500" });
      if (only === "append") await holdIndexing(id);
      const messages = make() as { content: string; parts?: unknown }[];
      ledger.reset();
      const headers = { "idempotency-key": "large" };
      const params = { conversation_id: id };
      const appended = await caller.call(contracts.appendMessages, { params, body: { messages }, headers });
      await service.settle();
      expect(ledger.violations).toEqual([]);
      const at = messages.length - 1;
      const kept = await caller.call(contracts.getMessage, {
        params: { ...params, message_id: appended.message_ids[at] ?? "" },
      });
      expect(kept.content === messages[at]?.content).toBe(true);
      expect(kept.parts).toEqual(messages[at]?.parts ?? null);
      expect(await largestRowBytes()).toBeLessThan(2_000_000);
      if (only !== undefined) {
        // The sweeps of other tests would find them.
        await env.DB.prepare("DELETE FROM index_jobs WHERE organization_id = ?1").bind(organizationId).run();
        return;
      }
      ledger.reset();
      await caller.call(contracts.appendMessages, { params, body: { messages }, headers });
      await service.settle();
      await sweepUntilIdle(new CountedService(ledger, clock, { AI: sameVectors }), clock, organizationId);
      expect(ledger.violations).toEqual([]);
      const status = await caller.call(contracts.getIndexStatus);
      expect(status).toMatchObject({ pending: 0, failed: 0, last_error: null });
    },
  );
});
