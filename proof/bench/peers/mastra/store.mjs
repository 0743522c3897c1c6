import { join } from "node:path";
import { LibSQLStore, LibSQLVector } from "@mastra/libsql";
import { Memory } from "@mastra/memory";

export const RESOURCE = "bench";

/** Mastra's memory over libsql, as its documentation sets it up, with semantic recall over all threads. */
export function createStores(directory, embedder, found) {
  return async (name) => {
    const url = `file:${join(directory, `${name}.db`)}`;
    const memory = new Memory({
      storage: new LibSQLStore({ id: "storage", url }),
      vector: new LibSQLVector({ id: "vectors", url }),
      embedder: toModel(embedder),
      options: { lastMessages: false, semanticRecall: { topK: found, messageRange: 0, scope: "resource" } },
    });
    const threads = new Set();
    return {
      async append(talk, lines) {
        if (!threads.has(talk.id)) await memory.createThread({ threadId: talk.id, resourceId: RESOURCE });
        threads.add(talk.id);
        await memory.saveMessages({ messages: lines.map((line) => toMessage(talk.id, line)) });
      },
      async settle() {},
      searches: {
        semantic: async (query) => {
          const [threadId] = threads;
          const { messages } = await memory.recall({
            threadId,
            resourceId: RESOURCE,
            vectorSearchString: query,
          });
          return messages.map(({ id }) => Number(id));
        },
      },
      async close() {},
    };
  };
}

export const toMessage = (threadId, { place, role, content, createdAtMs }) => ({
  id: String(place),
  threadId,
  resourceId: RESOURCE,
  role,
  createdAt: new Date(createdAtMs),
  content: { format: 2, parts: [{ type: "text", text: content }] },
});

/** An embedding model as the AI SDK calls it. */
export const toModel = (embedder) => ({
  specificationVersion: "v3",
  provider: "engram",
  modelId: embedder.model,
  maxEmbeddingsPerCall: 1_000,
  supportsParallelCalls: false,
  doEmbed: async ({ values }) => ({
    embeddings: values.map((text) => [...embedder.embed(text)]),
    usage: { tokens: 0 },
    warnings: [],
  }),
});
