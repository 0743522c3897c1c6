import { expect, onTestFinished, test } from "vitest";
import { startServiceProcess } from "../../support/service-process.ts";
import { askSmallStores } from "../src/recall/small-stores/ask.ts";
import { SMALL_STORES } from "../src/recall/small-stores/stores.ts";

/** The goal is 38. The model of words ranks the memory of 8 questions fourth or lower, such as "Swiss francs" for "currency". */
test.for([
  ["words", 32],
  ["sentences", 38],
] as const)(
  "of the questions of the small stores, MCP's `recall_memory` answers by its defaults with the model of %s at least %i of 40",
  async ([ENGRAM_EMBEDDINGS, answeredMin]) => {
    const service = await startServiceProcess({}, { env: { ENGRAM_EMBEDDINGS } });
    onTestFinished(service.stop);
    const answers = await askSmallStores(service, SMALL_STORES);
    const misses = answers.filter(({ place }) => place === null);
    expect(answers).toHaveLength(40);
    expect(misses.length, JSON.stringify(misses, null, 2)).toBeLessThanOrEqual(40 - answeredMin);
  },
);
