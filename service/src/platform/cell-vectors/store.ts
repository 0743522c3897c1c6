import { slices } from "../calls.ts";
import { compileFilter, type IndexedValue, type IndexedValues } from "../vector-scan/filters.ts";
import { RowMemory } from "../vector-scan/row-memory.ts";
import { Slab } from "../vector-scan/slab.ts";
import { TopMatches } from "../vector-scan/top-matches.ts";
import { QUERY_MATCHES_MAX, type StoredVector, type VectorFilter, type VectorMatch } from "../vectors.ts";
import { codeBytes, codeRows, dot, toCodes, toUnit } from "./codes.ts";
import * as tables from "./tables.ts";

/** Vectors that a query compares as float32: those whose codes are most similar to its own. */
const CANDIDATES_MAX = 4 * QUERY_MATCHES_MAX;
/** Ids in one statement, far below the maximum size of a text. */
const IDS_MAX = 10_000;

export interface CellVectorsOptions {
  /** The module of scan-int8.wasm. A parameter, because each host imports WASM in its own way. */
  scan: WebAssembly.Module;
  dimensions: number;
}

/** What queries read, made from the tables at the first query. */
interface Loaded {
  memory: RowMemory<Uint8Array>;
  slab: Slab<Uint8Array>;
  /** Each text of the metadata once. */
  texts: Map<string, string>;
}

/**
 * The vectors of one organization, in the SQLite database of its Durable Object. Made for up to 50,000 vectors: with 768
 * dimensions, these take 60 MB of an object's 128 MB.
 *
 * Queries see a change at once. They compare all vectors that match the filter, as int8 in memory, and the best of these
 * as float32 from the database. Only one instance may change the tables at a time.
 *
 * The calls are synchronous, so that a change can be part of a transaction of the caller. The caller must not query
 * between a change and the end of its transaction, because the memory would keep what is rolled back.
 */
export class CellVectors {
  readonly #storage: DurableObjectStorage;
  readonly #options: CellVectorsOptions;
  /**
   * Ids of vectors that were stored or deleted since the last query. The next one reads them again, so that the memory
   * is right also if the transaction was rolled back.
   */
  readonly #changed = new Set<string>();
  #loaded: Loaded | undefined;

  /** Creates the tables, so it must not be called within a transaction. */
  constructor(storage: DurableObjectStorage, options: CellVectorsOptions) {
    this.#storage = storage;
    this.#options = options;
    tables.createTables(storage.sql);
  }

  /**
   * Stores vectors, all or none. A vector whose id exists is replaced, with its metadata.
   *
   * @throws {RangeError} for another number of dimensions, or a number that is not finite.
   */
  upsert(vectors: readonly StoredVector[]): void {
    const rows = vectors.map(({ id, values, metadata, textHash }) => {
      const unit = this.#toUnit(values);
      return { id, metadata, textHash, unit, codes: toCodes(unit) };
    });
    this.#storage.transactionSync(() => {
      for (const row of rows) tables.upsertVector(this.#storage.sql, row);
    });
    this.#noteChanged(rows.map(({ id }) => id));
  }

  delete(ids: readonly string[]): void {
    this.#storage.transactionSync(() => {
      for (const some of slices(ids, IDS_MAX)) tables.deleteVectors(this.#storage.sql, some);
    });
    this.#noteChanged(ids);
  }

  /**
   * The vectors that match the filter and are most similar to `vector`, best first; of equal ones the lower id first.
   *
   * @throws {RangeError} for another number of dimensions, or a number that is not finite.
   * @throws {FilterError} for an invalid filter.
   */
  query(vector: readonly number[], filter: VectorFilter): VectorMatch[] {
    const unit = this.#toUnit(vector);
    const passes = compileFilter(filter);
    const { memory, slab } = this.#current();
    memory.setQuery(toCodes(unit));
    const candidates = new TopMatches(CANDIDATES_MAX);
    slab.search(passes, candidates);
    const ids = candidates.matches.map(({ id }) => id);
    const best = new TopMatches(QUERY_MATCHES_MAX);
    for (const row of tables.selectUnits(this.#storage.sql, ids)) best.offer(row.id, dot(unit, row.unit));
    return [...best.matches];
  }

  count(): number {
    return tables.countVectors(this.#storage.sql);
  }

  /** The text hashes of those of the ids that have a vector. */
  existing(ids: readonly string[]): Map<string, string> {
    const found = slices(ids, IDS_MAX).map((some) => tables.selectTextHashes(this.#storage.sql, some));
    return new Map(found.flatMap((hashes) => [...hashes]));
  }

  /** Those of the ids that have a vector. Its values have the length 1. */
  read(ids: readonly string[]): StoredVector[] {
    return slices(ids, IDS_MAX).flatMap((some) => tables.selectStored(this.#storage.sql, some));
  }

  #toUnit(values: readonly number[]): Float32Array {
    const { dimensions } = this.#options;
    const isValid =
      values.length === dimensions && values.every((value) => Number.isFinite(Math.fround(value)));
    if (!isValid) throw new RangeError(`a vector has ${dimensions} numbers of float32`);
    return toUnit(values);
  }

  #noteChanged(ids: readonly string[]): void {
    // Else the first query reads everything.
    if (this.#loaded !== undefined) for (const id of ids) this.#changed.add(id);
  }

  /** The memory as the tables are now. Vectors with another number of dimensions, of an earlier model, are left out. */
  #current(): Loaded {
    const { scan, dimensions } = this.#options;
    const { sql } = this.#storage;
    const bytes = codeBytes(dimensions);
    if (this.#loaded === undefined) {
      const memory = new RowMemory(scan, codeRows(dimensions));
      const loaded = { memory, slab: new Slab(memory), texts: new Map<string, string>() };
      for (const vector of tables.selectAllCoded(sql, bytes)) put(loaded, vector);
      this.#loaded = loaded;
    }
    for (const ids of slices([...this.#changed], IDS_MAX)) {
      const gone = new Set(ids);
      for (const vector of tables.selectCoded(sql, ids, bytes)) {
        put(this.#loaded, vector);
        gone.delete(vector.id);
      }
      for (const id of gone) this.#loaded.slab.delete(id);
    }
    this.#changed.clear();
    return this.#loaded;
  }
}

function put({ slab, texts }: Loaded, { id, codes, metadata }: tables.CodedVector): void {
  slab.put(id, codes, withShared(texts, metadata));
}

/** Replaces each text by the first equal one. Most vectors share most texts with others. */
function withShared(texts: Map<string, string>, values: Record<string, IndexedValue>): IndexedValues {
  for (const field in values) {
    const value = values[field];
    if (typeof value !== "string") continue;
    const first = texts.get(value);
    if (first === undefined) texts.set(value, value);
    else values[field] = first;
  }
  return values;
}
