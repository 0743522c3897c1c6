import * as contracts from "@engram/spec";
import type { RouteConfig } from "@hono/zod-openapi";
import { describe, expect, test } from "vitest";
import { readPages, seedConversation } from "../support/client.ts";
import { Ledger } from "../support/counting.ts";
import { exportOnce } from "../support/exports.ts";
import { open } from "../support/invocations.ts";
import type { RequestParts } from "../support/requests.ts";

/** A page of this size has two or three of the items below. */
const PAGE_BYTES = 4_200;
const PAGE_VALUES = 50;
/** The size of the fields of a page other than its items. */
const ENVELOPE_BYTES = 300;
const ITEMS = 12;

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).byteLength;
const many = <T>(make: (i: number) => T): T[] => Array.from({ length: ITEMS }, (_, i) => make(i));
const tags = (i: number) => Array.from({ length: 10 }, (_, tag) => `${i} ${tag} ${"t".repeat(140)}`);

/** Messages that are large in one way each. As SQL counts it, the last has a sixth of its size in JSON. */
const MESSAGES: Record<string, (i: number) => object> = {
  metadata: () => ({ content: "", metadata: { text: "x".repeat(1_500) } }),
  parts: () => ({ content: "", parts: ["é".repeat(750)] }),
  names: (i) => ({
    content: "",
    ...{ name: "n".repeat(256), tool_call_id: "c".repeat(256), tool_name: "t".repeat(256) },
    external_id: `${i}`.padEnd(256, "e"),
  }),
  "values in metadata": () => ({ content: "", metadata: { list: Array.from({ length: 20 }, () => []) } }),
  "values in parts": () => ({ content: "", parts: Array.from({ length: 20 }, () => ({})) }),
  "control characters": () => ({ content: "\u0001".repeat(250) }),
};

/** Every page of a list, whose size it checks. */
async function readSized(
  { caller }: Pick<Awaited<ReturnType<typeof open>>, "caller">,
  contract: RouteConfig,
  parts?: RequestParts,
) {
  const pages = (await readPages(caller, contract, parts)) as unknown as { items: { id: string }[] }[];
  for (const page of pages) expect(bytesOf(page)).toBeLessThan(PAGE_BYTES + ENVELOPE_BYTES);
  return pages.map(({ items }) => items);
}

/** Fails unless the pages are small enough, and have at least one item each. */
function expectBounded(pages: unknown[][]) {
  expect(pages.flat()).toHaveLength(ITEMS);
  for (const page of pages.slice(0, -1)) expect(page.length).toBeGreaterThan(0);
  expect(Math.max(...pages.map((page) => page.length))).toBeLessThan(6);
  expect(Math.max(...pages.map((page) => page.length))).toBeGreaterThan(1);
}

const opened = () =>
  open({}, { pageBytes: PAGE_BYTES, pageValues: PAGE_VALUES, exportStepBytes: PAGE_BYTES });

describe("a page of messages", () => {
  test.for(Object.keys(MESSAGES))("counts %s, from either end and with its conversation", async (of) => {
    const service = await opened();
    const { caller } = service;
    const id = await seedConversation(caller);
    const messages = many((i) => ({ role: "user", ...MESSAGES[of]?.(i) }));
    const { message_ids } = await caller.call(contracts.appendMessages, {
      params: { conversation_id: id },
      body: { messages },
    });
    const params = { conversation_id: id };
    const forwards = await readSized(service, contracts.listMessages, { params });
    expectBounded(forwards);
    expect(forwards.flat().map((message) => message.id)).toEqual(message_ids);
    const backwards = await readSized(service, contracts.listMessages, {
      params,
      query: { newest: ITEMS },
    });
    expectBounded(backwards);
    expect(
      backwards
        .reverse()
        .flat()
        .map((message) => message.id),
    ).toEqual(message_ids);
    const { messages: first } = await caller.call(contracts.getConversation, { params });
    expect(first.items.map((message) => message.id)).toEqual(forwards[0]?.map((message) => message.id));
    expect(first.next_cursor).not.toBeNull();
  });

  test("can have one message that is larger than a page, and the next page continues after it", async () => {
    const { caller } = await opened();
    const large = { role: "user", content: "", metadata: { list: Array.from({ length: 3_000 }, () => 1) } };
    const id = await seedConversation(caller, [large, large, "last"]);
    const params = { conversation_id: id };
    const first = await caller.call(contracts.listMessages, { params });
    expect(first.items.map(({ sequence }) => sequence)).toEqual([1]);
    const second = await caller.call(contracts.listMessages, {
      params,
      query: { cursor: first.next_cursor ?? "" },
    });
    expect(second.items.map(({ sequence }) => sequence)).toEqual([2]);
  });
});

test.for([
  ["metadata", () => ({ metadata: { text: "x".repeat(1_500) } })],
  ["tags", (i: number) => ({ tags: tags(i) })],
  ["values in metadata", () => ({ metadata: { list: Array.from({ length: 20 }, () => []) } })],
] as [of: string, more: (i: number) => object][])(
  "a page of conversations or memories counts %s",
  async ([, more]) => {
    const service = await opened();
    const { caller } = service;
    for (const [i, body] of many(more).entries())
      await caller.call(contracts.createConversation, { body: { title: `${i}`, ...body } });
    const memories = many((i) => ({ content: `memory ${i}`, ...more(i) }));
    await caller.call(contracts.createMemories, { body: { memories } });
    for (const contract of [contracts.listConversations, contracts.listMemories]) {
      for (const order of ["asc", "desc"]) {
        const pages = await readSized(service, contract, { query: { order } });
        expectBounded(pages);
        expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(ITEMS);
      }
    }
  },
);

test("a page of memories counts content by its size in JSON", async () => {
  const service = await opened();
  const memories = many((i) => ({ content: `${i} ${"\u0001".repeat(250)}` }));
  await service.caller.call(contracts.createMemories, { body: { memories } });
  expectBounded(await readSized(service, contracts.listMemories));
});

test("items beyond a page's size are not read", async () => {
  const ledger = new Ledger();
  const { caller, service } = await open(ledger.bindings, {
    pageBytes: PAGE_BYTES,
    exportStepBytes: PAGE_BYTES,
  });
  const large = { metadata: { text: "x".repeat(1_500) }, tags: tags(0) };
  const messages = many((i) => ({
    role: "user",
    content: `${i}`,
    metadata: large.metadata,
    parts: [large.metadata],
  }));
  const id = await seedConversation(caller, messages);
  await caller.call(contracts.createMemories, {
    body: { memories: many((i) => ({ content: `${i}`, ...large })) },
  });
  const params = { conversation_id: id };
  for (const [contract, parts] of [
    [contracts.listMessages, { params }],
    [contracts.listMessages, { params, query: { newest: ITEMS } }],
    [contracts.getConversation, { params }],
    [contracts.listMemories, {}],
  ] as const) {
    await service.settle();
    ledger.reset();
    await caller.call(contract, parts);
    expect(ledger.readBytes, contract.operationId).toBeLessThan(PAGE_BYTES + ENVELOPE_BYTES);
  }
  ledger.reset();
  const response = await service.fetch(caller.secret, contracts.exportData);
  expect(ledger.readBytes).toBeLessThan(PAGE_BYTES + ENVELOPE_BYTES);
  await response.body?.cancel();
});

test("an export returns the same lines in pages of limited size", async () => {
  const { caller, service } = await opened();
  for (const of of Object.keys(MESSAGES)) {
    const messages = many((i) => ({ role: "user", ...MESSAGES[of]?.(i) }));
    await seedConversation(caller, messages, { tags: tags(0), metadata: { list: [[], [], []] } });
  }
  const memories = many((i) => ({ content: `memory ${i}`, tags: tags(i), metadata: { list: [[], []] } }));
  await caller.call(contracts.createMemories, { body: { memories } });
  const response = await service.fetch(caller.secret, contracts.exportData);
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) chunks.push(chunk);
  await service.settle();
  expect(Math.max(...chunks.map((chunk) => chunk.byteLength))).toBeLessThan(PAGE_BYTES + ENVELOPE_BYTES);
  const texts = chunks.map((chunk) => new TextDecoder().decode(chunk));
  // Each item has 20 of these, so that a step has two of them and the line of a conversation.
  for (const text of texts) expect(text.match(/(\[\]|\{\})[,\]]/g)?.length ?? 0).toBeLessThan(PAGE_VALUES);
  const { lines } = await exportOnce(caller);
  expect(texts.join("").trim().split("\n").slice(0, -1)).toEqual(lines.map((line) => JSON.stringify(line)));
});

describe("a search", () => {
  test("returns the best 50 messages of a longer range, and the range to read", async () => {
    const { caller } = await open();
    const id = await seedConversation(
      caller,
      Array.from({ length: 130 }, (_, i) => (i === 99 ? "walrus walrus walrus" : `walrus ${i}`)),
    );
    const other = await seedConversation(caller, ["nothing of it", "one walrus among many other words here"]);
    for (const neighbors of [
      { before: 2, after: 2 },
      { before: 20, after: 20 },
    ]) {
      const body = { query: "walrus", mode: "keyword", limit: 2, neighbors };
      const { results, omitted } = await caller.call(contracts.search, { body });
      expect(omitted).toBe(0);
      const [first, second] = results.filter((result) => result.type === "messages");
      expect(first).toMatchObject({
        conversation_id: id,
        cut: { from_sequence: 1 },
      });
      expect(first?.messages.length).toBe(50);
      expect(first?.matches[0]?.sequence).toBe(100);
      expect(first?.messages.map(({ sequence }) => sequence)).toEqual(
        expect.arrayContaining([98, 99, 100, 101, 102]),
      );
      expect(second).toMatchObject({ conversation_id: other });
      expect(second).not.toHaveProperty("cut");
      const params = { conversation_id: id };
      const read = await caller.call(contracts.listMessages, {
        params,
        query: { ...first?.cut, limit: 1_000 },
      });
      expect(read.items).toHaveLength(130);
    }
  });

  test.for(["metadata", "parts", "values in metadata", "control characters"])(
    "counts %s in its size, cuts results and reports what it left out",
    async (of) => {
      const { caller } = await open(
        {},
        { searchAnswerBytes: 2 * PAGE_BYTES, searchReadBytes: 4 * PAGE_BYTES, pageValues: PAGE_VALUES },
      );
      for (let i = 0; i < 6; i++) {
        const around = [0, 1, 2, 3, 4].map((place) => ({ role: "user", ...MESSAGES[of]?.(place) }));
        await seedConversation(caller, [
          ...around.slice(0, 2),
          { role: "user", content: `walrus ${"walrus ".repeat(6 - i)}` },
          ...around.slice(2, 4),
        ]);
      }
      const body = { query: "walrus", mode: "keyword", limit: 6 };
      const answer = await caller.call(contracts.search, { body });
      const results = answer.results.filter((result) => result.type === "messages");
      expect(bytesOf(answer)).toBeLessThan(2 * PAGE_BYTES + ENVELOPE_BYTES);
      expect(results.length + answer.omitted).toBe(6);
      expect(results.length).toBeGreaterThan(0);
      // The best match is first, with its nearest neighbors.
      expect(results[0]?.matches[0]?.sequence).toBe(3);
      expect(results.some(({ cut }) => cut !== undefined) || answer.omitted > 0).toBe(true);
      for (const { cut, messages } of results)
        expect(cut === undefined ? messages.length : cut).toEqual(
          cut === undefined ? 5 : { from_sequence: 1, to_sequence: 5 },
        );
    },
  );

  test("always returns the best match, however large, and reads nothing that it cannot return", async () => {
    const ledger = new Ledger();
    const { caller, service } = await open(ledger.bindings, {
      searchAnswerBytes: 500,
      searchReadBytes: 3_000,
    });
    for (let i = 0; i < 4; i++)
      await seedConversation(caller, [
        { role: "user", content: `walrus ${"walrus ".repeat(4 - i)}`, metadata: { text: "x".repeat(2_000) } },
      ]);
    await caller.call(contracts.listConversations);
    await service.settle();
    ledger.reset();
    const body = { query: "walrus", mode: "keyword", limit: 4 };
    const { results, omitted } = await caller.call(contracts.search, { body });
    expect(results).toHaveLength(1);
    expect(omitted).toBe(3);
    expect(ledger.readBytes).toBeLessThan(5_000);
  });
});
