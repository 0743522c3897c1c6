import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import type { Caller } from "../support/client.ts";
import { openConversation, said } from "../support/summaries.ts";

const SHARES = { messages: 0.5, memories: 0, results: 0, summaries: 0.5 };

const contextOf = (caller: Caller, conversation_id: string, more: object = {}) =>
  caller.call(contracts.getContext, {
    body: { conversation_id, max_tokens: 1_200, shares: SHARES, ...more },
  });

describe("a context with summaries", () => {
  test("has summaries of what is older than its newest messages, and none without a weight", async () => {
    const { caller, id, store } = await openConversation();
    await store(1, 220);
    const { text, tokens, messages, summaries } = await contextOf(caller, id);
    expect(tokens).toBeLessThanOrEqual(1_200);
    const first = messages.items[0]?.sequence ?? 0;
    expect(first).toBeGreaterThan(150);
    expect(summaries?.items[0]).toMatchObject({ level: 2, from_sequence: 1, to_sequence: 192 });
    for (const { sentences } of summaries?.items ?? [])
      for (const { text: sentence, cites } of sentences) {
        expect(text).toContain(`${sentence} [${cites[0]?.sequence}]`);
        expect(cites[0]?.sequence).toBeLessThan(first);
      }
    expect(
      await contextOf(caller, id, { shares: { messages: 1, memories: 0, results: 0 } }),
    ).not.toHaveProperty("summaries");
  });

  test("has none over a message that was edited or deleted since, and none as of the past", async () => {
    const { caller, id, params, store, messageAt } = await openConversation();
    await store(1, 220);
    const message_id = await messageAt(30);
    await caller.call(contracts.deleteMessage, { params: { ...params, message_id } });
    const { summaries } = await contextOf(caller, id, { max_tokens: 4_000 });
    expect(summaries?.items.map(({ from_sequence }) => from_sequence)).not.toContain(25);
    expect(summaries?.items.every(({ level }) => level === 1)).toBe(true);
    const past = await contextOf(caller, id, { as_of: new Date(Date.now() + 60_000).toISOString() });
    expect(past.summaries?.items).toEqual([]);
  });

  test("has them in the stable part, of what is before its messages, until one of these changes", async () => {
    const { caller, id, params, store, messageAt } = await openConversation();
    await store(1, 220);
    const stableOf = (previous: string | null) =>
      contextOf(caller, id, { layout: "stable", max_tokens: 2_000, previous });
    const first = await stableOf(null);
    expect(first.tokens).toBeLessThanOrEqual(2_000);
    expect(first.stable?.join("")).toMatch(/Summaries of earlier messages of[\s\S]+Earlier messages of/);
    const from = first.messages.items[0]?.sequence ?? 0;
    const sentences = first.summaries?.items.flatMap((summary) => summary.sentences) ?? [];
    for (const { text, cites } of sentences) {
      expect(cites[0]?.sequence).toBeLessThan(from);
      expect(`${first.stable?.join("")}${first.dynamic}`.split(`${text} [`)).toHaveLength(2);
    }
    await store(221, 250);
    const next = await stableOf(first.stable_id ?? null);
    expect(next.stable_changed).toBeNull();
    expect(next.stable?.slice(0, first.stable?.length)).toEqual(first.stable);
    expect(next.summaries?.items).toEqual(first.summaries?.items);
    await caller.call(contracts.deleteMessage, { params: { ...params, message_id: await messageAt(30) } });
    const anew = await stableOf(next.stable_id ?? null);
    expect(anew.stable_changed).toBe("edited");
    expect(anew.stable?.join("")).not.toContain(said(30));
  });

  test("is recorded with the messages that its summaries cite", async () => {
    const { caller, id, store } = await openConversation();
    await store(1, 220);
    const { summaries, recall_id } = await contextOf(caller, id, { record: true });
    const cited = summaries?.items.flatMap(({ sentences }) => sentences.flatMap(({ cites }) => cites)) ?? [];
    const recall = await caller.call(contracts.getRecall, { params: { recall_id: recall_id ?? "" } });
    const items = recall.items.filter(({ part }) => part === "summaries");
    expect(items.map((item) => [item.id, item.sequence, item.conversation_id])).toEqual(
      [...new Set(cited.map(({ message_id }) => message_id))].map((message_id) => [
        message_id,
        cited.find((one) => one.message_id === message_id)?.sequence,
        id,
      ]),
    );
    expect(items.length).toBeGreaterThan(3);
    expect(recall.layout).toContainEqual({
      part: "summaries",
      items: items.length,
      tokens: summaries?.tokens,
      omitted: 0,
      below_min_relevance: 0,
    });
    const message_id = items[0]?.id ?? "";
    const replay = () => caller.call(contracts.replayRecall, { params: { recall_id: recall_id ?? "" } });
    expect(await replay()).toMatchObject({ same: true });
    await caller.call(contracts.deleteMessage, { params: { conversation_id: id, message_id } });
    const { differences } = await replay();
    expect(differences).toContainEqual(
      expect.objectContaining({ cause: "deleted", before: expect.objectContaining({ id: message_id }) }),
    );
    const { items: receipts } = await caller.call(contracts.listRecalls, { query: { item_id: message_id } });
    expect(receipts.map((receipt) => receipt.id)).toEqual([recall_id]);
  });
});

test("a search is recorded with the messages that only its summaries have", async () => {
  const { caller, store } = await openConversation();
  await store(1, 48);
  const { results, recall_id } = await caller.call(contracts.search, {
    body: {
      query: "1007",
      mode: "keyword",
      in: ["conversations", "summaries"],
      neighbors: { before: 0, after: 0 },
      record: true,
    },
  });
  const [first] = results;
  if (first?.type !== "messages") throw new Error("nothing was found");
  const ids = new Set(
    [
      first.messages.map(({ id }) => id),
      (first.summaries ?? []).flatMap(({ messages }) => messages.map(({ message_id }) => message_id)),
    ].flat(),
  );
  const { items, layout } = await caller.call(contracts.getRecall, {
    params: { recall_id: recall_id ?? "" },
  });
  expect(ids.size).toBeGreaterThan(1);
  expect(items.map(({ id, part }) => [id, part])).toEqual([...ids].map((id) => [id, "results"]));
  expect(layout[0]?.items).toBe(ids.size);
});
