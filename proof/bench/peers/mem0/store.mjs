import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Memory } from "mem0ai/oss";

const USER = "bench";

/** mem0 with its own local vector store, keeping what it is given (`infer: false`). */
export function createStores(directory, embedder, found) {
  return async (name) => {
    const folder = join(directory, name);
    mkdirSync(folder);
    const memory = new Memory({
      embedder: {
        provider: "langchain",
        config: {
          embeddingDims: embedder.dimensions,
          model: {
            embedQuery: async (text) => [...embedder.embed(text)],
            embedDocuments: async (texts) => texts.map((text) => [...embedder.embed(text)]),
          },
        },
      },
      vectorStore: {
        provider: "memory",
        config: {
          collectionName: "bench",
          dimension: embedder.dimensions,
          dbPath: join(folder, "vectors.db"),
        },
      },
      historyStore: { provider: "sqlite", config: { historyDbPath: join(folder, "history.db") } },
      // Asked for by the constructor, and by `infer: false` never called.
      llm: { provider: "langchain", config: { model: { invoke: refuse } } },
    });
    const places = new Map();
    return {
      async append(talk, lines) {
        const messages = lines.map(({ role, content }) => ({ role, content }));
        const { results } = await memory.add(messages, { userId: USER, runId: talk.id, infer: false });
        results.forEach(({ id }, i) => {
          places.set(id, lines[i].place);
        });
      },
      async settle() {},
      searches: {
        // Its own vector store ranks by words, too.
        hybrid: async (query) => {
          const { results } = await memory.search(query, { topK: found, filters: { user_id: USER } });
          return results.map(({ id }) => places.get(id));
        },
      },
      async close() {},
    };
  };
}

async function refuse() {
  throw new Error("no language model takes part in this");
}
