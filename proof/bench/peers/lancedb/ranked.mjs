import { join } from "node:path";
import { connect, Index, rerankers } from "@lancedb/lancedb";

/** A table with an index of its words, and the hybrid search of vectors and words fused by ranks. */
export async function createStores(directory, embedder) {
  const reranker = await rerankers.RRFReranker.create();
  return {
    async open(name) {
      const db = await connect(join(directory, name));
      let table;
      return {
        async add(messages) {
          const rows = messages.map(({ id, text }) => ({ id, text, vector: [...embedder.embed(text)] }));
          if (table === undefined) {
            table = await db.createTable("messages", rows);
            await table.createIndex("text", { config: Index.fts() });
          } else {
            await table.add(rows);
            await table.optimize();
          }
        },
        async search(question, limit) {
          const query = table.query().fullTextSearch(question, { columns: ["text"] });
          const hybrid = query.nearestTo([...embedder.embed(question)]).distanceType("cosine");
          const rows = await hybrid.rerank(reranker).limit(limit).toArray();
          return rows.map(({ id }) => id);
        },
        close: async () => db.close(),
      };
    },
    async close() {},
  };
}
