import * as contracts from "@engram/spec";
import { beforeAll, describe, expect, test } from "vitest";
import type { AiBinding, RerankInput } from "../../src/platform/ai.ts";
import { type Caller, createOrganization, seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import { Service } from "../support/invocations.ts";

const MODEL = "@cf/baai/bge-reranker-base";

/** A caller of a service with this reranking model. Embeddings are as usual. */
function withReranker(own: Caller, answer: (input: RerankInput) => unknown) {
  const asked: RerankInput[] = [];
  const AI = {
    run: async (model: string, input: never) => {
      if (model !== MODEL) return env.AI.run(model, input);
      asked.push(input);
      return answer(input);
    },
  } as AiBinding;
  return { asked, caller: new Service({ AI }).callerOf(own.secret) };
}

/** Prefers the longest texts, with logits below and above zero. */
const byLength = ({ contexts }: RerankInput) => ({
  response: contexts
    .map(({ text }, id) => ({ id, score: text.length - 30 }))
    .sort((a, b) => b.score - a.score),
});

const body = {
  ...{ query: "walrus", exclude: ["otter"], rerank: true, limit: 50 },
  neighbors: { before: 0, after: 0 },
};
const contentsOf = async (caller: Caller, more: object = {}) => {
  const { results, degraded } = await caller.call(contracts.search, { body: { ...body, ...more } });
  const scores = results.map(({ score }) => score);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  return { contents: results.map(({ messages }) => messages[0]?.content), degraded };
};

describe("reranking", () => {
  let own: Caller;
  beforeAll(async () => {
    own = await createOrganization();
    await seedConversation(own, [
      "walrus",
      { role: "user", name: "Ada", content: "a walrus, at last, in the bay" },
      "walrus walrus",
      "walrus otter",
    ]);
  });

  test("orders matches as the model does, and loses none", async () => {
    const { caller, asked } = withReranker(own, byLength);
    const { contents, degraded } = await contentsOf(caller);
    expect(contents).toEqual(["a walrus, at last, in the bay", "walrus walrus", "walrus"]);
    expect(degraded).toEqual([]);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.query.trim()).toBe("walrus");
    expect(asked[0]?.top_k).toBe(3);
    expect(asked[0]?.contexts).toContainEqual({ text: "Ada: a walrus, at last, in the bay" });
  });

  test("does not send hidden context to the model, and keeps it last", async () => {
    const many = await createOrganization();
    const content = "walrus, hidden in every chat, at greater length than all else that is said of it";
    const hidden = { role: "system", content, metadata: { hidden: true } };
    await seedConversation(many, [hidden, "walrus"]);
    const { caller, asked } = withReranker(many, byLength);
    expect((await contentsOf(caller)).contents).toEqual(["walrus", content]);
    expect(asked[0]?.contexts).toEqual([{ text: "walrus" }]);
    // With nothing else to rank, the model is not called.
    const alone = await createOrganization();
    await seedConversation(alone, [hidden]);
    const only = withReranker(alone, byLength);
    expect([(await contentsOf(only.caller)).contents, only.asked]).toEqual([[content], []]);
  });

  test("calls no model unless the search requests it, or if nothing was found", async () => {
    const { caller, asked } = withReranker(own, byLength);
    expect((await contentsOf(caller, { rerank: false })).degraded).toEqual([]);
    const empty = withReranker(await createOrganization(), byLength);
    expect((await contentsOf(empty.caller)).contents).toEqual([]);
    expect([asked, empty.asked]).toEqual([[], []]);
  });

  test("keeps the order and reports it if there is no such model", async () => {
    const plain = await contentsOf(own, { rerank: false });
    expect(await contentsOf(own)).toEqual({ contents: plain.contents, degraded: ["rerank"] });
  });

  test.for<[string, (input: RerankInput) => unknown]>([
    ["nothing", () => null],
    ["another shape", () => ({ response: "fine" })],
    ["too few", (input) => ({ response: byLength(input).response.slice(1) })],
    ["no numbers", ({ contexts }) => ({ response: contexts.map((_, id) => ({ id, score: Number.NaN })) })],
    [
      "an error",
      () => {
        throw new Error("3040: Capacity temporarily exceeded");
      },
    ],
  ])("keeps the order and reports it if the model returns %s", async ([, answer]) => {
    const plain = await contentsOf(own, { rerank: false });
    const { caller } = withReranker(own, answer);
    expect(await contentsOf(caller)).toEqual({ contents: plain.contents, degraded: ["rerank"] });
  });

  test("calls the model once more if it has no capacity", async () => {
    const reranked = await contentsOf(withReranker(own, byLength).caller);
    let failures = 1;
    const { caller, asked } = withReranker(own, (input) => {
      if (failures-- > 0) throw new Error("3040: Capacity temporarily exceeded");
      return byLength(input);
    });
    expect(await contentsOf(caller)).toEqual(reranked);
    expect([reranked.degraded, asked.length]).toEqual([[], 2]);
  });

  test("sends the model the best 50 matches at most, and the beginning of long ones, and the others follow", async () => {
    const many = await createOrganization();
    await seedConversation(
      many,
      Array.from({ length: 80 }, (_, i) => `walrus ${i} ${"🎉".repeat(i === 7 ? 2_000 : i)}`),
    );
    const { caller, asked } = withReranker(many, byLength);
    const { contents } = await contentsOf(caller, { mode: "keyword" });
    expect(contents).toHaveLength(50);
    const texts = asked[0]?.contexts.map(({ text }) => text) ?? [];
    expect(texts).toHaveLength(50);
    for (const text of texts) {
      expect(text.length).toBeLessThanOrEqual(1_500);
      expect(text.isWellFormed()).toBe(true);
    }
    expect(new Set(contents.map((content) => content?.slice(0, 1_500).toWellFormed()))).toEqual(
      new Set(texts),
    );
  });
});
