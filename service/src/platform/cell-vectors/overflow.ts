import {
  QUERY_MATCHES_MAX,
  type ReadableStore,
  type StoredVector,
  type VectorMatch,
  type VectorStore,
} from "../vectors.ts";
import type { CellVectors } from "./store.ts";

/** Vectors that a cell keeps. With 768 dimensions, they take half of an object's memory. */
export const CELL_VECTORS_MAX = 50_000;

/**
 * The vectors of an organization: in its cell as long as there is room, and the others in a shared store. A vector stays
 * where it is when it is replaced; {@link bringBack} brings it here once there is room. A query compares those of both.
 */
export class OverflowingVectors implements VectorStore {
  readonly #sql: SqlStorage;
  readonly #cell: CellVectors;
  readonly #shared: ReadableStore;
  readonly #max: number;
  readonly #copies: () => ((id: string) => string) | null;
  /** Ids of vectors that were stored since the last ones were brought back. */
  readonly #replaced = new Set<string>();

  constructor(
    storage: DurableObjectStorage,
    {
      cell,
      shared,
      max = CELL_VECTORS_MAX,
      copies = () => null,
    }: {
      cell: CellVectors;
      shared: ReadableStore;
      max?: number;
      /**
       * Gives the id of the copy of a vector that the shared store may have, while the organization moves there; otherwise
       * null. Asked once in each call.
       */
      copies?: () => ((id: string) => string) | null;
    },
  ) {
    this.#copies = copies;
    this.#sql = storage.sql;
    this.#cell = cell;
    this.#shared = shared;
    this.#max = max;
    this.#sql.exec(
      "CREATE TABLE IF NOT EXISTS shared_vectors (id TEXT PRIMARY KEY, is_deleted INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    );
  }

  /** Whether some are in the shared store, which shows a change later, or copies of them. */
  get hasLag(): boolean {
    return this.#hasShared || this.#copies() !== null;
  }

  get #hasShared(): boolean {
    return this.#sql.exec("SELECT 1 FROM shared_vectors LIMIT 1").toArray().length > 0;
  }

  async upsert(organizationId: string, vectors: StoredVector[]): Promise<void> {
    const here: StoredVector[] = [];
    const there: StoredVector[] = [];
    const shared = this.#sharedOf(vectors.map(({ id }) => id));
    const known = this.#cell.existing(vectors.map(({ id }) => id));
    let room = this.#max - this.#cell.count();
    for (const vector of vectors) {
      this.#replaced.add(vector.id);
      const isNew = !known.has(vector.id);
      if (isNew && (shared.has(vector.id) || room <= 0)) there.push(vector);
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
    if (!this.#hasShared) return here;
    const shared = await this.#shared.query(organizationId, vector, filter, timeoutMs);
    // One that was brought here may still be there, too.
    const ids = new Set(here.map(({ id }) => id));
    const matches = [...here, ...shared.filter(({ id }) => !ids.has(id))];
    return matches.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, QUERY_MATCHES_MAX);
  }

  /** Deletes also copies: none may outlive its vector. */
  async delete(ids: string[]): Promise<void> {
    const shared = [...this.#sharedOf(ids)];
    const copies = this.#copiesOf(ids);
    this.#cell.delete(ids);
    if (shared.length + copies.length === 0) return;
    await this.#shared.delete([...shared, ...copies]);
    const deleted = "UPDATE shared_vectors SET is_deleted = 1 WHERE id IN (SELECT value FROM json_each(?))";
    this.#sql.exec(deleted, JSON.stringify(shared));
  }

  /** Forgets those that were deleted and that the shared store does not have any more. */
  async existing(ids: string[], timeoutMs?: number): Promise<Map<string, string | null>> {
    const shared = [...this.#sharedOf(ids)];
    const found =
      shared.length === 0 ? new Map<string, string | null>() : await this.#shared.existing(shared, timeoutMs);
    const gone = "DELETE FROM shared_vectors WHERE is_deleted = 1 AND id IN (SELECT value FROM json_each(?))";
    this.#sql.exec(gone, JSON.stringify(shared.filter((id) => !found.has(id))));
    const own = new Map([...found, ...this.#cell.existing(ids)]);
    // One whose copy is there still exists.
    const others = ids.filter((id) => !own.has(id));
    const copies = new Map(this.#copiesOf(others).map((copy, i) => [copy, others[i] as string]));
    if (copies.size === 0) return own;
    const copied = await this.#shared.existing([...copies.keys()], timeoutMs);
    return new Map([
      ...own,
      ...Array.from(copied, ([copy, hash]) => [copies.get(copy) ?? copy, hash] as const),
    ]);
  }

  /** Those of the ids that have a vector, wherever it is. */
  async read(ids: string[]): Promise<StoredVector[]> {
    const here = this.#cell.read(ids);
    const shared = [...this.#sharedOf(ids)];
    return shared.length === 0 ? here : [...here, ...(await this.#shared.read(shared))];
  }

  /** For an organization that has moved here: all vectors that its rows name are in the shared store. */
  adopt(): void {
    this.#sql.exec(`
      INSERT OR REPLACE INTO shared_vectors (id, is_deleted)
      SELECT vector_id, 0 FROM conversation_chunks UNION
      SELECT vector_id, sent_at_ms IS NOT NULL FROM vector_deletions`);
  }

  /**
   * For an organization that has moved away, whose vectors have other ids now: deletes and forgets some. Resolves to
   * whether more are left.
   */
  async deleteShared(limit: number): Promise<boolean> {
    const ids = this.#idsOf(`SELECT id FROM shared_vectors LIMIT ${limit}`);
    if (ids.length > 0) await this.#shared.delete(ids);
    const gone = "DELETE FROM shared_vectors WHERE id IN (SELECT value FROM json_each(?))";
    this.#sql.exec(gone, JSON.stringify(ids));
    return ids.length === limit;
  }

  /** For an organization that does not move to the shared database after all: deletes the copies of vectors. */
  async deleteCopies(ids: string[]): Promise<void> {
    const copies = this.#copiesOf(ids);
    if (copies.length > 0) await this.#shared.delete(copies);
  }

  /** Whether the shared store shows copies of any of these vectors. */
  async hasCopies(ids: string[]): Promise<boolean> {
    return (await this.#shared.existing(this.#copiesOf(ids))).size > 0;
  }

  #copiesOf(ids: string[]): string[] {
    const copyOf = this.#copies();
    return copyOf === null ? [] : ids.map(copyOf);
  }

  /** For an organization that moves to the shared database: stores vectors in the shared store under other ids. */
  storeShared(organizationId: string, vectors: StoredVector[]): Promise<void> {
    return this.#shared.upsert(organizationId, vectors);
  }

  /**
   * Brings some vectors from the shared store here, as long as there is room. Resolves to whether more may follow.
   *
   * One that was replaced a moment ago may still be the old one in the shared store. So it stays there, unless its text is
   * that of its row.
   */
  async bringBack(limit: number): Promise<boolean> {
    await this.#deleteBrought(limit);
    const room = Math.min(limit, this.#max - this.#cell.count());
    if (room <= 0) return false;
    const wanted = this.#idsOf(`SELECT id FROM shared_vectors WHERE is_deleted = 0 LIMIT ${room}`);
    this.#replaced.clear();
    const found = await this.#shared.read(wanted);
    const known = this.#idsOf(
      `SELECT value ->> 0 AS id FROM json_each(?) CROSS JOIN shared_vectors AS s ON s.id = value ->> 0 AND s.is_deleted = 0
        CROSS JOIN conversation_chunks AS k ON k.vector_id = value ->> 0 AND k.text_hash = value ->> 1`,
      JSON.stringify(found.map(({ id, textHash }) => [id, textHash])),
    );
    const brought = found.filter(({ id }) => known.includes(id) && !this.#replaced.has(id));
    const ids = JSON.stringify(brought.map(({ id }) => id));
    this.#cell.upsert(brought);
    this.#sql.exec(
      "UPDATE shared_vectors SET is_deleted = 1 WHERE id IN (SELECT value FROM json_each(?))",
      ids,
    );
    await this.#deleteBrought(limit);
    return brought.length > 0;
  }

  /** Deletes vectors from the shared store that are here, and forgets those that it does not have any more. */
  async #deleteBrought(limit: number): Promise<void> {
    const brought = this.#idsOf(
      `SELECT id FROM shared_vectors JOIN cell_vectors USING (id) WHERE is_deleted = 1 LIMIT ${limit}`,
    );
    if (brought.length === 0) return;
    await this.#shared.delete(brought);
    const left = await this.#shared.existing(brought);
    const gone = "DELETE FROM shared_vectors WHERE is_deleted = 1 AND id IN (SELECT value FROM json_each(?))";
    this.#sql.exec(gone, JSON.stringify(brought.filter((id) => !left.has(id))));
  }

  #idsOf(query: string, ...values: string[]): string[] {
    return this.#sql
      .exec<{ id: string }>(query, ...values)
      .toArray()
      .map(({ id }) => id);
  }

  #sharedOf(ids: string[]): Set<string> {
    const rows = this.#sql.exec<{ id: string }>(
      "SELECT id FROM shared_vectors WHERE id IN (SELECT value FROM json_each(?))",
      JSON.stringify(ids),
    );
    return new Set(rows.toArray().map(({ id }) => id));
  }
}
