import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";

/** Ranks of full text and of vectors, fused as the README of pgvector does. */
const SEARCH = `
  WITH semantic AS (
    SELECT id, RANK() OVER (ORDER BY embedding <=> $2::vector) AS rank
    FROM messages ORDER BY embedding <=> $2::vector LIMIT $3
  ), keyword AS (
    SELECT id, RANK() OVER (ORDER BY ts_rank_cd(words, query) DESC) AS rank
    FROM messages, (SELECT replace(plainto_tsquery('english', $1)::text, '&', '|')::tsquery AS query) asked
    WHERE words @@ query ORDER BY ts_rank_cd(words, query) DESC LIMIT $3
  )
  SELECT COALESCE(semantic.id, keyword.id) AS id
  FROM semantic FULL OUTER JOIN keyword ON semantic.id = keyword.id
  ORDER BY COALESCE(1.0 / (60 + semantic.rank), 0) + COALESCE(1.0 / (60 + keyword.rank), 0) DESC, 1
  LIMIT $3`;

/** Postgres in WebAssembly with pgvector. Any word of a question may match. */
export async function createStores(_directory, embedder) {
  const db = await PGlite.create({ extensions: { vector } });
  await db.exec("CREATE EXTENSION vector");
  const toVector = (text) => `[${embedder.embed(text).join(",")}]`;
  return {
    async open() {
      await db.exec(`
        DROP TABLE IF EXISTS messages;
        CREATE TABLE messages (
          id text, content text, embedding vector(${embedder.dimensions}),
          words tsvector GENERATED ALWAYS AS (to_tsvector('english', content)) STORED
        );
        CREATE INDEX ON messages USING gin (words)`);
      return {
        async add(messages) {
          const rows = messages.map(({ id, text }) => [id, text, toVector(text)]);
          await db.query(
            `INSERT INTO messages (id, content, embedding)
             SELECT r->>0, r->>1, (r->>2)::vector FROM jsonb_array_elements($1) r`,
            [rows],
          );
        },
        async search(question, limit) {
          const { rows } = await db.query(SEARCH, [question, toVector(question), limit]);
          return rows.map(({ id }) => id);
        },
        async close() {},
      };
    },
    close: () => db.close(),
  };
}
