import { QUERY_MATCHES_MAX, type StoredVector, type VectorMatch, type VectorStore } from "../vectors.ts";
import type { CellVectors } from "./store.ts";

/** Vectors that a cell keeps. With 768 dimensions, they take half of an object's memory. */
export const CELL_VECTORS_MAX = 50_000;

/**
 * The vectors of an organization: in its cell as long as there is room, and the others in a shared store. A vector stays
 * where it is when it is replaced. A query compares those of both.
 */
export class OverflowingVectors implements VectorStore {
  readonly #sql: SqlStorage;
  readonly #cell: CellVectors;
  readonly #shared: VectorStore;
  readonly #max: number;

  constructor(
    storage: DurableObjectStorage,
    { cell, shared, max = CELL_VECTORS_MAX }: { cell: CellVectors; shared: VectorStore; max?: number },
  ) {
    this.#sql = storage.sql;
    this.#cell = cell;
    this.#shared = shared;
    this.#max = max;
    this.#sql.exec(
      "CREATE TABLE IF NOT EXISTS shared_vectors (id TEXT PRIMARY KEY, is_deleted INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    );
  }

  /** Whether some are in the shared store, which shows a change later. */
  get hasLag(): boolean {
    return this.#sql.exec("SELECT 1 FROM shared_vectors LIMIT 1").toArray().length > 0;
  }

  async upsert(organizationId: string, vectors: StoredVector[]): Promise<void> {
    const here: StoredVector[] = [];
    const there: StoredVector[] = [];
    const shared = this.#sharedOf(vectors.map(({ id }) => id));
    const known = this.#cell.existing(vectors.map(({ id }) => id));
    let room = this.#max - this.#cell.count();
    for (const vector of vectors) {
      const isNew = !known.has(vector.id);
      if (shared.has(vector.id) || (isNew && room <= 0)) there.push(vector);
      else {
        here.push(vector);
        if (isNew) room -= 1;
      }
    }
    if (here.length > 0) this.#cell.upsert(here);
    if (there.length === 0) return;
    // Before the call: one of which the answer is lost may have stored them.
    this.#sql.exec(
      "INSERT OR REPLACE INTO shared_vectors (id, is_deleted) SELECT value, 0 FROM json_each(?)",
      JSON.stringify(there.map(({ id }) => id)),
    );
    await this.#shared.upsert(organizationId, there);
  }

  async query(
    organizationId: string,
    ...[vector, filter, timeoutMs]: [number[], Parameters<VectorStore["query"]>[2], number?]
  ): Promise<VectorMatch[]> {
    const here = this.#cell.query(vector, filter);
    if (!this.hasLag) return here;
    const matches = [...here, ...(await this.#shared.query(organizationId, vector, filter, timeoutMs))];
    return matches.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, QUERY_MATCHES_MAX);
  }

  async delete(ids: string[]): Promise<void> {
    const shared = [...this.#sharedOf(ids)];
    this.#cell.delete(ids);
    if (shared.length === 0) return;
    await this.#shared.delete(shared);
    const deleted = "UPDATE shared_vectors SET is_deleted = 1 WHERE id IN (SELECT value FROM json_each(?))";
    this.#sql.exec(deleted, JSON.stringify(shared));
  }

  /** Forgets those that were deleted and that the shared store does not have any more. */
  async existing(ids: string[], timeoutMs?: number): Promise<Map<string, string | null>> {
    const shared = [...this.#sharedOf(ids)];
    const found = new Map<string, string | null>(this.#cell.existing(ids));
    if (shared.length === 0) return found;
    for (const [id, hash] of await this.#shared.existing(shared, timeoutMs)) found.set(id, hash);
    const gone = "DELETE FROM shared_vectors WHERE is_deleted = 1 AND id IN (SELECT value FROM json_each(?))";
    this.#sql.exec(gone, JSON.stringify(shared.filter((id) => !found.has(id))));
    return found;
  }

  #sharedOf(ids: string[]): Set<string> {
    const rows = this.#sql.exec<{ id: string }>(
      "SELECT id FROM shared_vectors WHERE id IN (SELECT value FROM json_each(?))",
      JSON.stringify(ids),
    );
    return new Set(rows.toArray().map(({ id }) => id));
  }
}
