import type { IndexedValue } from "../vector-scan/filters.ts";
import type { StoredVector, VectorMetadata } from "../vectors.ts";

/** A vector as queries compare it first. */
export interface CodedVector {
  id: string;
  codes: Uint8Array;
  metadata: Record<string, IndexedValue>;
}

export interface NewVector {
  id: string;
  metadata: VectorMetadata;
  textHash: string;
  codes: Uint8Array;
  unit: Float32Array;
}

/**
 * `cell_vectors` has what the memory is loaded from, and `cell_vector_values` the vectors as float32, of which a query
 * reads a few hundred. In one table, loading would read the pages of both.
 *
 * Codes have a row each: to load 50,000 of them from rows of 256 vectors takes 50 ms less, but then each change of a
 * vector writes 200 kB.
 */
export function createTables(sql: SqlStorage): void {
  sql.exec(`
    CREATE TABLE IF NOT EXISTS cell_vectors (
      number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, metadata TEXT NOT NULL, text_hash TEXT NOT NULL,
      codes BLOB NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS cell_vector_values (number INTEGER PRIMARY KEY, vector BLOB NOT NULL) STRICT;
  `);
}

export function upsertVector(sql: SqlStorage, { id, metadata, textHash, codes, unit }: NewVector): void {
  const { number } = sql
    .exec<{ number: number }>(
      `INSERT INTO cell_vectors (id, metadata, text_hash, codes) VALUES (?, ?, ?, ?)
           ON CONFLICT (id) DO UPDATE SET metadata = excluded.metadata, text_hash = excluded.text_hash,
                                          codes = excluded.codes
       RETURNING number`,
      ...[id, JSON.stringify(metadata), textHash, codes],
    )
    .one();
  sql.exec(
    "INSERT OR REPLACE INTO cell_vector_values (number, vector) VALUES (?, ?)",
    ...[number, new Uint8Array(unit.buffer)],
  );
}

/**
 * Deletes vectors. Their bytes are overwritten first, because SQLite leaves those of a deleted row in the file, and an
 * object cannot set `secure_delete`. What may remain of them, as of all that an object deletes: copies that SQLite made
 * when it split a page, until it uses that space again, and the log from which the last 30 days can be recovered.
 */
export function deleteVectors(sql: SqlStorage, ids: readonly string[]): void {
  const wanted = "id IN (SELECT value FROM json_each(?))";
  const numbered = `number IN (SELECT number FROM cell_vectors WHERE ${wanted})`;
  for (const statement of [
    `UPDATE cell_vector_values SET vector = zeroblob(length(vector)) WHERE ${numbered}`,
    `UPDATE cell_vectors SET codes = zeroblob(length(codes)) WHERE ${wanted}`,
    `DELETE FROM cell_vector_values WHERE ${numbered}`,
    `DELETE FROM cell_vectors WHERE ${wanted}`,
  ])
    sql.exec(statement, JSON.stringify(ids));
}

export const countVectors = (sql: SqlStorage): number =>
  sql.exec<{ n: number }>("SELECT count(*) AS n FROM cell_vectors").one().n;

type CodedRow = [id: string, metadata: string, codes: ArrayBuffer];

/** All vectors with codes of this size. */
export function* selectAllCoded(sql: SqlStorage, bytes: number): Generator<CodedVector, void, undefined> {
  const rows = sql.exec("SELECT id, metadata, codes FROM cell_vectors WHERE length(codes) = ?", bytes);
  // Without the names of columns, which take a third of the time.
  for (const row of rows.raw<CodedRow>()) yield toCodedVector(row);
}

/** Those of the ids that have a vector with codes of this size. */
export function selectCoded(sql: SqlStorage, ids: Iterable<string>, bytes: number): CodedVector[] {
  const rows = sql.exec(
    `SELECT id, metadata, codes FROM cell_vectors
      WHERE id IN (SELECT value FROM json_each(?)) AND length(codes) = ?`,
    ...[JSON.stringify([...ids]), bytes],
  );
  return [...rows.raw<CodedRow>()].map(toCodedVector);
}

export function* selectUnits(
  sql: SqlStorage,
  ids: readonly string[],
): Generator<{ id: string; unit: Float32Array }, void, undefined> {
  const rows = sql.exec<{ id: string; vector: ArrayBuffer }>(
    `SELECT id, vector FROM cell_vectors JOIN cell_vector_values USING (number)
      WHERE id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  );
  for (const { id, vector } of rows) yield { id, unit: new Float32Array(vector) };
}

export const selectStored = (sql: SqlStorage, ids: readonly string[]): StoredVector[] =>
  sql
    .exec<{ id: string; metadata: string; text_hash: string; vector: ArrayBuffer }>(
      `SELECT id, metadata, text_hash, vector FROM cell_vectors JOIN cell_vector_values USING (number)
        WHERE id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(ids),
    )
    .toArray()
    .map(({ id, metadata, text_hash, vector }) => ({
      id,
      values: [...new Float32Array(vector)],
      metadata: JSON.parse(metadata) as VectorMetadata,
      textHash: text_hash,
    }));

export function selectTextHashes(sql: SqlStorage, ids: readonly string[]): Map<string, string> {
  const rows = sql.exec<{ id: string; text_hash: string }>(
    "SELECT id, text_hash FROM cell_vectors WHERE id IN (SELECT value FROM json_each(?))",
    JSON.stringify(ids),
  );
  return new Map(rows.toArray().map((row) => [row.id, row.text_hash]));
}

const toCodedVector = ([id, metadata, codes]: CodedRow): CodedVector => ({
  id,
  metadata: JSON.parse(metadata),
  codes: new Uint8Array(codes),
});
