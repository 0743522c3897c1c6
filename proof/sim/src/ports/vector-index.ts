import type { CheckedOptions } from "../../../../local/src/vectorize/checks.ts";
import { compileFilter } from "../../../../local/src/vectorize/filters.ts";
import type { IndexedValues } from "../../../../service/src/platform/vector-scan/filters.ts";

export interface StoredRow {
  id: string;
  namespace: string;
  values: Float32Array;
  /** JSON of all metadata. */
  metadata: string | null;
  /** JSON of the metadata that filters see. */
  indexed: string;
}

export type Mutation = { kind: "upsert"; rows: StoredRow[] } | { kind: "delete"; ids: string[] };

/** Vectorize's upper bound on the visibility lag: two minutes. */
export const LAG_MAX_MS = 120_000;

/** The only vector index. It accepts mutations at once and makes them visible later, in the same order. */
export class VectorIndex {
  readonly #taken: { visibleAtMs: number; mutation: Mutation }[] = [];
  readonly #visible = new Map<string, StoredRow>();

  take(mutation: Mutation, visibleAtMs: number): void {
    const last = this.#taken.at(-1)?.visibleAtMs ?? 0;
    this.#taken.push({ mutation, visibleAtMs: Math.max(last, visibleAtMs) });
  }

  /** The vectors that queries see at a moment. */
  visible(nowMs: number): ReadonlyMap<string, StoredRow> {
    while (this.#taken[0] !== undefined && this.#taken[0].visibleAtMs <= nowMs) {
      const mutation = this.#taken.shift()?.mutation;
      if (mutation?.kind === "delete") for (const id of mutation.ids) this.#visible.delete(id);
      if (mutation?.kind === "upsert") for (const row of mutation.rows) this.#visible.set(row.id, row);
    }
    return this.#visible;
  }

  /** The nearest vectors by cosine similarity, best first. */
  query(vector: Float32Array, options: CheckedOptions, nowMs: number): { id: string; score: number }[] {
    const passes = options.filter && compileFilter(options.filter);
    return [...this.visible(nowMs).values()]
      .filter(({ namespace }) => options.namespace === undefined || namespace === options.namespace)
      .filter(({ indexed }) => passes === undefined || passes(JSON.parse(indexed) as IndexedValues))
      .map(({ id, values }) => ({ id, score: cosine(vector, values) }))
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      .slice(0, options.topK);
  }
}

function cosine(a: Float32Array, b: Float32Array): number {
  let [product, left, right] = [0, 0, 0];
  for (const [i, value] of a.entries()) {
    const other = b[i] ?? 0;
    product += value * other;
    left += value * value;
    right += other * other;
  }
  return product / Math.sqrt(left * right);
}
