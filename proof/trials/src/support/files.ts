import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { withDirectory } from "./service.ts";

const LOCK_TIMEOUT_MS = 5_000;

export function listFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/**
 * The SQLite files that have the table: `messages` for D1 and cells, `vectors` for the vector store, `cell_vectors` for
 * those of cells.
 */
export const findDatabases = (dataDirectory: string, table: string): string[] =>
  listFiles(dataDirectory)
    .filter((name) => name.endsWith(".sqlite"))
    .filter((file) => {
      using db = new DatabaseSync(file, { readOnly: true, timeout: LOCK_TIMEOUT_MS });
      return db.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").get(table) !== undefined;
    });

/** A job that is due at this moment is not tried again. */
const NEVER_MS = Number.MAX_SAFE_INTEGER;

/**
 * Indexing, enrichment and deletions of vectors that a running service has to do, for people; empty if there are
 * none. Deletions that only wait for their confirmation do not count.
 */
export function workLeft(dataDirectory: string): string {
  const queues = {
    "ranges to index": `SELECT count(*) AS jobs FROM index_jobs WHERE due_at_ms < ${NEVER_MS}`,
    "memories to enrich": "SELECT count(*) AS jobs FROM enrichment_jobs",
    "vectors to delete": "SELECT count(*) AS jobs FROM vector_deletions WHERE sent_at_ms IS NULL",
  };
  const files = findDatabases(dataDirectory, "messages");
  const count = (sql: string) =>
    files.map((file) => {
      using db = new DatabaseSync(file, { readOnly: true, timeout: LOCK_TIMEOUT_MS });
      return Number(db.prepare(sql).get()?.jobs);
    });
  return Object.entries(queues)
    .map(([name, sql]) => ({ name, jobs: count(sql).reduce((sum, jobs) => sum + jobs, 0) }))
    .filter(({ jobs }) => jobs > 0)
    .map(({ name, jobs }) => `${jobs} ${name}`)
    .join(", ");
}

/**
 * Corruption that SQLite, its keyword index or the counters report in a killed service's databases. Empty
 * when they are sound.
 */
export async function whatIsCorrupt(dataDirectory: string): Promise<string[]> {
  return withDirectory(async (directory) => {
    // On a copy, because the service itself must recover the log that a crash left.
    const copy = join(directory, "data");
    cpSync(join(dataDirectory, "v3"), copy, { recursive: true });
    return findDatabases(copy, "messages").flatMap(faultsOf);
  });
}

function faultsOf(databaseFile: string): string[] {
  using db = new DatabaseSync(databaseFile);
  const faults = db
    .prepare("PRAGMA integrity_check")
    .all()
    .map((row) => String(row.integrity_check))
    .filter((line) => line !== "ok");
  for (const index of ["message_words", "message_phrases"]) {
    try {
      db.exec(`INSERT INTO ${index} (${index}) VALUES ('integrity-check')`);
    } catch (error) {
      faults.push(`${index}: ${error}`);
    }
  }
  const miscounted = db
    .prepare(
      `SELECT id FROM conversations AS c WHERE deleted_at_ms IS NULL AND message_count <>
         (SELECT count(*) FROM messages AS m WHERE m.organization_id = c.organization_id AND m.conversation_id = c.id)`,
    )
    .all();
  return [...faults, ...miscounted.map(({ id }) => `${id} is miscounted`)];
}

/** Differences between the ids of a stopped service's chunks and vectors, and the number of common ids. */
export function compareVectors(dataDirectory: string): {
  same: number;
  onlyChunks: string[];
  onlyVectors: string[];
} {
  const ids = (table: string, sql: string) =>
    findDatabases(dataDirectory, table).flatMap((file) => {
      using db = new DatabaseSync(file, { readOnly: true });
      return db
        .prepare(sql)
        .all()
        .map(({ id }) => String(id));
    });
  const chunks = new Set(ids("messages", "SELECT vector_id AS id FROM conversation_chunks"));
  const inStore = ids("vectors", "SELECT id FROM vectors");
  const vectors = new Set([...inStore, ...ids("cell_vectors", "SELECT id FROM cell_vectors")]);
  const onlyChunks = [...chunks].filter((id) => !vectors.has(id));
  const onlyVectors = [...vectors].filter((id) => !chunks.has(id));
  return { same: chunks.size - onlyChunks.length, onlyChunks, onlyVectors };
}
