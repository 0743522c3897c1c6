import pMap from "p-map";
import type { Progress } from "../../../support/progress.ts";
import UNRELATED from "../../sets/unrelated.json" with { type: "json" };
import type { Question } from "../recall/dialogues.ts";
import { CONCURRENCY, type Library, loadLibraries } from "../recall/load.ts";
import type { Access } from "../recall/memory.ts";
import type { Store } from "./stores.ts";

/** Questions in everyday words, and about people's own lives, on topics that no set contains. */
export const UNRELATED_QUESTIONS = [...UNRELATED.general, ...UNRELATED.personal];
export const GIBBERISH = UNRELATED.gibberish;

/** What a search with its answer stored found: for each result, its relevance and how much of the evidence it has. */
export type Found = { relevance: number; evidence: number }[];

export interface MeasuredStore extends Pick<Store, "set" | "isWhole"> {
  model: string;
  conversations: number;
  answered: Found[];
  /** Highest relevance of the results of each query; 0 without results. */
  unrelated: number[];
  gibberish: number[];
}

/** Stores each store in an organization of its own, and asks everything. */
export async function askStores(
  access: Access,
  stores: readonly Store[],
  progress: Progress,
): Promise<MeasuredStore[]> {
  const measured: MeasuredStore[] = [];
  for (const [i, store] of stores.entries()) {
    progress(`store ${i + 1} of ${stores.length}: ${store.dialogue.sessions.length} conversations`);
    const set = { name: store.set, categories: new Map(), dialogues: [store.dialogue], unanswerable: [] };
    const [library] = (await loadLibraries(access, "own", set, () => {})).values();
    if (library === undefined) throw new Error("nothing was stored");
    const { model } = await library.memory.index.status();
    const highest = (queries: readonly string[]) =>
      askAll(queries, async (query) =>
        Math.max(0, ...(await search(library, query)).map(({ relevance }) => relevance)),
      );
    // Five whole dialogues of a set ask each query once between them.
    const someOf = (queries: readonly string[]) =>
      queries.filter((_, at) => !store.isWhole || at % 5 === i % 5);
    measured.push({
      set: store.set,
      isWhole: store.isWhole,
      model,
      conversations: store.dialogue.sessions.length,
      answered: await askAll(store.questions, (question) => askAnswered(library, question)),
      unrelated: await highest(someOf(UNRELATED_QUESTIONS)),
      gibberish: await highest(someOf(GIBBERISH)),
    });
  }
  return measured;
}

const askAll = <Item, Answer>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Answer>,
): Promise<Answer[]> => pMap(items, ask, { concurrency: CONCURRENCY });

async function askAnswered(library: Library, question: Question): Promise<Found> {
  const results = await search(library, question.text, question.createdBefore);
  return results.map(({ conversation_id, relevance, messages }) => ({
    relevance,
    evidence: messages.filter(({ external_id }) => {
      const turn = library.turns.get(conversation_id)?.get(external_id ?? "");
      return turn !== undefined && question.evidenceTurns.has(turn.key);
    }).length,
  }));
}

async function search({ memory }: Library, query: string, createdBefore?: string) {
  const { results } = await memory.search({
    ...{ query, mode: "hybrid", limit: 20, neighbors: { before: 2, after: 2 } },
    ...(createdBefore !== undefined && { created_before: createdBefore }),
  });
  return results;
}
