import { join } from "node:path";
import { LibSQLStore, LibSQLVector } from "@mastra/libsql";
import { Memory } from "@mastra/memory";
import { RESOURCE, toMessage, toModel } from "./store.mjs";

/** The vectors' store, which keeps its answers with their scores: `recall` returns messages by time. */
class ScoredVectors extends LibSQLVector {
  found = [];

  async query(request) {
    const rows = await super.query(request);
    this.found.push(...rows);
    return rows;
  }

  /** Places of the messages found since the last call, best first. */
  takeOrder() {
    const rows = this.found.splice(0).sort((a, b) => b.score - a.score);
    return rows.map(({ metadata }) => Number(metadata.message_id));
  }
}

/** Mastra's semantic recall of all threads of a resource, in the order of its vectors' similarity. */
export function createStores(directory, embedder) {
  return {
    async open(name) {
      const url = `file:${join(directory, `${name}.db`)}`;
      const vector = new ScoredVectors({ id: "vectors", url });
      const storage = new LibSQLStore({ id: "storage", url });
      const recallOf = (topK) => ({
        lastMessages: false,
        semanticRecall: { topK, messageRange: 0, scope: "resource" },
      });
      const memory = new Memory({ storage, vector, embedder: toModel(embedder), options: recallOf(10) });
      const ids = [];
      const threads = new Set();
      return {
        async add(messages) {
          for (const [threadId, some] of Map.groupBy(messages, ({ session }) => session)) {
            if (!threads.has(threadId)) await memory.createThread({ threadId, resourceId: RESOURCE });
            threads.add(threadId);
            const rows = some.map(({ id, text, role, createdAtMs }) =>
              toMessage(threadId, { place: ids.push(id) - 1, role, content: text, createdAtMs }),
            );
            for (let at = 0; at < rows.length; at += 50) {
              await memory.saveMessages({ messages: rows.slice(at, at + 50) });
            }
          }
        },
        async search(question, limit) {
          const [threadId] = threads;
          const { messages } = await memory.recall({
            threadId,
            resourceId: RESOURCE,
            vectorSearchString: question,
            threadConfig: recallOf(limit),
          });
          const recalled = new Set(messages.map(({ id }) => Number(id)));
          const places = new Set(vector.takeOrder().filter((place) => recalled.has(place)));
          return [...places].map((place) => ids[place]);
        },
        async close() {},
      };
    },
    async close() {},
  };
}
