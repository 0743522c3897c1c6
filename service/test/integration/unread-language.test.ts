import * as contracts from "@engram/spec";
import { expect, test } from "vitest";
import type { AiBinding, EmbeddingInput } from "../../src/platform/ai.ts";
import { seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import { open } from "../support/invocations.ts";

/** The stand-in, except that it gives Cyrillic texts the zero vector. */
const AI: AiBinding = {
  run: async (model, input: EmbeddingInput) => {
    const output = (await env.AI.run(model, input)) as { data: number[][] };
    const data = output.data.map((vector, i) =>
      /\p{Script=Cyrillic}/u.test(input.text[i] ?? "") ? vector.map(() => 0) : vector,
    );
    return { ...output, data };
  },
};

test("what the model does not read is searched by words only, and is not near anything", async () => {
  const { service, caller, append } = await open({ AI });
  const foreign = await seedConversation(caller);
  await append(foreign, ["Моя сумка осталась в поезде."]);
  const english = await seedConversation(caller);
  await append(english, ["The suitcase was left on the train."]);
  await service.settle();
  const search = (query: string, mode: "hybrid" | "semantic") =>
    caller.call(contracts.search, { body: { query, mode } });
  const found = async (query: string, mode: "hybrid" | "semantic") =>
    (await search(query, mode)).results.map(
      (result) => "conversation_id" in result && result.conversation_id,
    );

  expect(await found("Где сумка?", "hybrid")).toEqual([foreign]);
  expect(await found("Где сумка?", "semantic")).toEqual([]);
  expect((await search("Где сумка?", "hybrid")).degraded).toEqual([]);
  expect(await found("luggage", "semantic")).toEqual([english]);
});
