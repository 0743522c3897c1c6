import { Engram } from "@engram/sdk";
import pMap from "p-map";
import { CONCURRENCY } from "../load.ts";
import { callTool } from "../memory.ts";
import type { SmallStore } from "./stores.ts";

export interface SmallStoreAnswer {
  question: string;
  note: string;
  /** Place of the note among the memories that the tool answered with, from 1; null if it is not among them. */
  place: number | null;
}

/**
 * Store each small store in an organization of its own, and ask its questions as a model does: by the MCP tool
 * `recall_memory` with its defaults.
 */
export async function askSmallStores(
  { url, adminToken }: { url: string; adminToken: string },
  stores: readonly SmallStore[],
): Promise<SmallStoreAnswer[]> {
  const operator = new Engram({ baseUrl: url, apiKey: adminToken });
  const answers = await pMap(
    stores,
    async ({ userId, notes, questions }) => {
      const { key } = await operator.organizations.create({ name: userId });
      const engram = new Engram({ baseUrl: url, apiKey: key.secret });
      for (const content of notes)
        await engram.memories.create({ content, user_id: userId, wait: "indexed" });
      return pMap(questions, async ([question, place]): Promise<SmallStoreAnswer> => {
        const { results } = await callTool<{ results: { content: string }[] }>(
          { url, apiKey: key.secret },
          "recall_memory",
          { query: question, user_id: userId },
        );
        const note = notes[place] ?? "";
        const found = results.findIndex(({ content }) => content === note);
        return { question, note, place: found < 0 ? null : found + 1 };
      });
    },
    { concurrency: CONCURRENCY },
  );
  return answers.flat();
}
