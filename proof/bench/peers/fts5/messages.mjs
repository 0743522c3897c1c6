import { DatabaseSync } from "node:sqlite";

/** An FTS5 table with the tokenizer that SQLite recommends for English, ranked by `bm25()`. */
export function createMessages(file) {
  const db = new DatabaseSync(file);
  db.exec("PRAGMA journal_mode = WAL");
  db.exec("CREATE VIRTUAL TABLE messages USING fts5(text, id UNINDEXED, tokenize = 'porter')");
  const insert = db.prepare("INSERT INTO messages VALUES (?, ?)");
  const find = db.prepare("SELECT id FROM messages WHERE messages MATCH ? ORDER BY bm25(messages) LIMIT ?");
  return {
    async add(messages) {
      db.exec("BEGIN");
      for (const { text, id } of messages) insert.run(text, id);
      db.exec("COMMIT");
    },
    async search(question, limit) {
      // A question as it is would be a syntax error. Any of its words may match.
      const words = question.match(/[\p{L}\p{N}]+/gu) ?? [];
      if (words.length === 0) return [];
      const query = words.map((word) => `"${word}"`).join(" OR ");
      return find.all(query, limit).map(({ id }) => id);
    },
    close: async () => db.close(),
  };
}
