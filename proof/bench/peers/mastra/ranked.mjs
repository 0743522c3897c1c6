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
      const times = [];
      const threads = [];
      const save = async (messages) => {
        for (let at = 0; at < messages.length; at += 50) {
          await memory.saveMessages({ messages: messages.slice(at, at + 50) });
        }
      };
      return {
        async add(messages) {
          const bySession = Map.groupBy(messages, ({ session }) => session);
          for (const [threadId, some] of bySession) {
            threads.push(threadId);
            await memory.createThread({ threadId, resourceId: RESOURCE });
            const rows = some.map(({ id, text, role, createdAtMs }) => {
              times.push(createdAtMs);
              const place = ids.push(id) - 1;
              return toMessage(threadId, { place, role, content: text, createdAtMs });
            });
            await save(rows);
          }
        },
        async search(question, { limit, beforeMs }) {
          // Recall by meaning cannot be limited to a time, so all messages are asked for.
          const topK = Number.isFinite(beforeMs) ? ids.length : limit;
          const { messages } = await memory.recall({
            threadId: threads[0],
            resourceId: RESOURCE,
            vectorSearchString: question,
            threadConfig: recallOf(topK),
          });
          const recalled = new Set(messages.map(({ id }) => Number(id)));
          const places = new Set(
            vector.takeOrder().filter((place) => recalled.has(place) && times[place] < beforeMs),
          );
          return [...places].slice(0, limit).map((place) => ids[place]);
        },
        async close() {},
      };
    },
    async close() {},
  };
}
