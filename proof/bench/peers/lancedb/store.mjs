import { join } from "node:path";
import { connect } from "@lancedb/lancedb";

/** A LanceDB table, searched as it is without an index: exactly. */
export function createStores(directory, embedder, found) {
  return async (name) => {
    const db = await connect(join(directory, name));
    let table;
    return {
      async append(talk, lines) {
        const rows = lines.map((line) => toRow(talk.id, line, embedder));
        if (table === undefined) table = await db.createTable("messages", rows);
        else await table.add(rows);
      },
      async settle() {},
      searches: {
        semantic: async (query) => {
          const nearest = table.vectorSearch([...embedder.embed(query)]).distanceType("cosine");
          return (await nearest.limit(found).toArray()).map(({ place }) => place);
        },
      },
      close: async () => db.close(),
    };
  };
}

const toRow = (talkId, { place, role, name, content, createdAtMs }, embedder) => ({
  place,
  talk: talkId,
  role,
  name,
  content,
  created_at_ms: createdAtMs,
  vector: [...embedder.embed(content)],
});
