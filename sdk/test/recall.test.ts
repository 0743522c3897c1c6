import { expect, test } from "vitest";
import { recall } from "../src/adapters/recall.ts";
import { Engram } from "../src/index.ts";

const memory = { content: "Maria prefers refunds to her card.", created_at: "2026-11-02T09:30:00.000Z" };
const clientOf = (below_min_relevance: number, results: object[] = [{ type: "memory", memory }]) =>
  new Engram({
    baseUrl: "http://engram.test",
    apiKey: "engram_sk_live_test",
    fetch: async () => Response.json({ results, below_min_relevance }),
  });

test("recall() says in its last line how many results were less relevant, and below which relevance", async () => {
  const text = await recall(clientOf(2), "refunds", { min_relevance: 0.3 });
  expect(text?.split("\n").at(-1)).toBe("Left out: 2 below min_relevance 0.3.");
  expect((await recall(clientOf(0), "refunds", {}))?.split("\n").at(-1)).toBe(memory.content);
  expect(await recall(clientOf(2, []), "refunds", {})).toBe(null);
});
