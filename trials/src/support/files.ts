import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { withDirectory } from "./service.ts";

/** Every file below a directory. */
export function listFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The SQLite file of a stopped service that has a table: `messages` for D1, `vectors` for the vector store. */
export function findDatabase(dataDirectory: string, table: string): string {
  for (const file of listFiles(dataDirectory).filter((name) => name.endsWith(".sqlite"))) {
    using db = new DatabaseSync(file, { readOnly: true });
    if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").get(table) !== undefined) return file;
  }
  throw new Error(`No database in ${dataDirectory} has a table ${table}`);
}

/** What SQLite, its keyword index and the counters say against a killed service's database; empty when all is well. */
export async function whatIsCorrupt(dataDirectory: string): Promise<string[]> {
  return withDirectory(async (directory) => {
    // A copy: what a crash has left in the log is the service's own to recover.
    const copy = join(directory, "data");
    cpSync(join(dataDirectory, "v3"), copy, { recursive: true });
    using db = new DatabaseSync(findDatabase(copy, "messages"));
    const faults = db
      .prepare("PRAGMA integrity_check")
      .all()
      .map((row) => String(row.integrity_check))
      .filter((line) => line !== "ok");
    try {
      db.exec("INSERT INTO message_words (message_words) VALUES ('integrity-check')");
    } catch (error) {
      faults.push(`keyword index: ${error}`);
    }
    const miscounted = db
      .prepare(
        `SELECT id FROM conversations AS c WHERE deleted_at_ms IS NULL AND message_count <>
           (SELECT count(*) FROM messages AS m WHERE m.organization_id = c.organization_id AND m.conversation_id = c.id)`,
      )
      .all();
    return [...faults, ...miscounted.map(({ id }) => `${id} is miscounted`)];
  });
}

/** Ids in which the chunks of a stopped service and its vector store differ, and how many they have in common. */
export function compareVectors(dataDirectory: string): {
  same: number;
  onlyChunks: string[];
  onlyVectors: string[];
} {
  const ids = (table: string, sql: string) => {
    using db = new DatabaseSync(findDatabase(dataDirectory, table), { readOnly: true });
    return new Set(
      db
        .prepare(sql)
        .all()
        .map(({ id }) => String(id)),
    );
  };
  const chunks = ids("messages", "SELECT vector_id AS id FROM conversation_chunks");
  const vectors = ids("vectors", "SELECT id FROM vectors");
  const onlyChunks = [...chunks].filter((id) => !vectors.has(id));
  const onlyVectors = [...vectors].filter((id) => !chunks.has(id));
  return { same: chunks.size - onlyChunks.length, onlyChunks, onlyVectors };
}
