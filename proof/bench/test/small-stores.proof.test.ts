import { Engram } from "@engram/sdk";
import pMap from "p-map";
import { expect, onTestFinished, test } from "vitest";
import { startServiceProcess } from "../../support/service-process.ts";
import STORES from "../sets/small-stores.json" with { type: "json" };
import { CONCURRENCY } from "../src/recall/load.ts";
import { callTool } from "../src/recall/memory.ts";

/** The goal is 38. The model of words ranks the memory of 8 questions fourth or lower, such as "Swiss francs" for "currency". */
test.for([
  ["words", 32],
  ["sentences", 38],
] as const)(
  "of the questions of the small stores, MCP's `recall_memory` answers by its defaults with the model of %s at least %i of 40",
  async ([ENGRAM_EMBEDDINGS, answeredMin]) => {
    const { url, adminToken, stop } = await startServiceProcess({}, { env: { ENGRAM_EMBEDDINGS } });
    onTestFinished(stop);
    const operator = new Engram({ baseUrl: url, apiKey: adminToken });
    const answers = await pMap(
      STORES,
      async ({ userId, notes, questions }) => {
        const { key } = await operator.organizations.create({ name: userId });
        const engram = new Engram({ baseUrl: url, apiKey: key.secret });
        for (const content of notes)
          await engram.memories.create({ content, user_id: userId, wait: "indexed" });
        return pMap(questions, async ([question = "", place = 0]) => {
          const { results } = await callTool<{ results: { content: string }[] }>(
            { url, apiKey: key.secret },
            "recall_memory",
            { query: question, user_id: userId },
          );
          const note = notes[Number(place)];
          return { question, note, isFound: results.some(({ content }) => content === note) };
        });
      },
      { concurrency: CONCURRENCY },
    );
    const misses = answers.flat().filter(({ isFound }) => !isFound);
    expect(answers.flat()).toHaveLength(40);
    expect(misses.length, JSON.stringify(misses, null, 2)).toBeLessThanOrEqual(40 - answeredMin);
  },
);
