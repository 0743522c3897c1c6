import type { MemoryResult, MemorySearchAnswer, ToolFields } from "@engram/spec";
import { cutPart, PART_TOKENS } from "../text/message-lines.ts";
import { toModelTokens } from "../text/model-tokens.ts";
import { inNoSteps, type Steps } from "../text/pace.ts";
import { type Packable, pack } from "../text/packing.ts";
import { pickFields } from "./fields.ts";
import { noteOn, placesOfMemory, SEPARATOR_TOKENS, toStringTokens } from "./lines.ts";

/**
 * Chooses memories such that the answer of a tool costs at most `tokensMax`, and cuts long ones.
 *
 * @returns null if even an answer without results costs more.
 */
export function* toMemories(
  answer: MemorySearchAnswer,
  tokensMax: number,
  minRelevance: number,
  gives: ToolFields = {},
): Steps<{ json: string; text: string } | null> {
  type Results = MemorySearchAnswer["results"];
  const textOf = (results: Results, note = noteOn(results)) => {
    const omitted = answer.omitted + answer.results.length - results.length;
    const picked = pickFields({ ...answer, results, omitted }, gives);
    // Names the relevance below which results were left out.
    const floor = answer.below_min_relevance > 0 ? { min_relevance: minRelevance } : {};
    return JSON.stringify({ ...picked, ...floor, ...note });
  };
  // A tool that returns the matching chunk besides the content has it twice, if the content is no longer than a chunk.
  const copies = Object.values(gives.results ?? {})
    .flat()
    .filter((path) => path === "memory.content").length;
  const note = noteOn(answer.results);
  const emptyTokens = yield* toModelTokens(textOf([], note));
  const items: (Packable & { result: MemoryResult })[] = [];
  for (const [group, result] of answer.results.entries()) {
    const tokens = yield* toModelTokens(textOf([withContent(result, "")], note), emptyTokens + tokensMax);
    const overhead = tokens - emptyTokens + SEPARATOR_TOKENS;
    const { score } = result;
    items.push({ result, group, place: 0, score, content: result.memory.content, overhead });
  }
  const chosen = yield* pack(items, {
    tokensMax: tokensMax - emptyTokens,
    *cost(content, most) {
      return copies * (yield* toStringTokens(content, most));
    },
    before: 0,
    after: 0,
    groupOverhead: () => 0,
    cutOverhead: PART_TOKENS,
    places: ({ result }) => inNoSteps(placesOfMemory(result)),
  });
  const results = answer.results.flatMap((result, group) => {
    const range = chosen.get(items[group] as (typeof items)[number]);
    return range === undefined ? [] : [{ ...result, memory: cutPart(result.memory, range) }];
  });
  for (;;) {
    const text = textOf(results);
    if ((yield* toModelTokens(text, tokensMax)) <= tokensMax) return { json: text, text };
    if (results.pop() === undefined) return null;
  }
}

const withContent = (result: MemoryResult, content: string): MemoryResult => ({
  ...result,
  memory: { ...result.memory, content },
});
