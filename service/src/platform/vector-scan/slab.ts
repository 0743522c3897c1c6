import type { IndexedValues, Predicate } from "./filters.ts";
import { BLOCK_ROWS, type RowMemory } from "./row-memory.ts";
import type { TopMatches } from "./top-matches.ts";

/** The vectors of one namespace, in memory. */
export class Slab<Value> {
  readonly #memory: RowMemory<Value>;
  readonly #blocks: number[] = [];
  readonly #ids: string[] = [];
  readonly #indexed: IndexedValues[] = [];
  readonly #rows = new Map<string, number>();

  constructor(memory: RowMemory<Value>) {
    this.#memory = memory;
  }

  put(id: string, value: Value, indexed: IndexedValues): void {
    const row = this.#rows.get(id) ?? this.#append(id);
    this.#indexed[row] = indexed;
    const { block, row: rowInBlock } = this.#place(row);
    this.#memory.write(block, rowInBlock, value);
  }

  delete(id: string): void {
    const row = this.#rows.get(id);
    if (row === undefined) return;
    this.#rows.delete(id);
    const lastId = this.#ids.pop();
    const lastIndexed = this.#indexed.pop();
    const lastRow = this.#ids.length;
    // The last row moves into the gap, so that rows stay contiguous.
    if (row !== lastRow && lastId !== undefined && lastIndexed !== undefined) {
      this.#memory.copy(this.#place(lastRow), this.#place(row));
      this.#ids[row] = lastId;
      this.#indexed[row] = lastIndexed;
      this.#rows.set(lastId, row);
    }
    const isBlockEmpty = lastRow % BLOCK_ROWS === 0;
    const emptied = isBlockEmpty ? this.#blocks.pop() : undefined;
    if (emptied !== undefined) this.#memory.release(emptied);
  }

  /**
   * Offers to `top` every vector that passes the filter, unless its score is too low. The caller has written
   * the query to the memory already.
   */
  search(passes: Predicate | undefined, top: TopMatches): void {
    const count = this.#ids.length;
    for (let start = 0, block = 0; start < count; start += BLOCK_ROWS, block++) {
      const address = this.#blocks[block];
      if (address === undefined) return;
      const scores = this.#memory.scan(address, Math.min(BLOCK_ROWS, count - start));
      for (let i = 0; i < scores.length; i++) {
        const score = scores[i] ?? 0;
        // The score is compared before the filter is tested, because the filter takes longer.
        if (score < top.floor) continue;
        const indexed = this.#indexed[start + i] ?? {};
        if (passes === undefined || passes(indexed)) top.offer(this.#ids[start + i] ?? "", score);
      }
    }
  }

  #append(id: string): number {
    const row = this.#ids.length;
    if (row % BLOCK_ROWS === 0) this.#blocks.push(this.#memory.allocate());
    this.#ids.push(id);
    this.#rows.set(id, row);
    return row;
  }

  #place(row: number): { block: number; row: number } {
    const block = this.#blocks[Math.floor(row / BLOCK_ROWS)];
    if (block === undefined) throw new RangeError(`no row ${row}`);
    return { block, row: row % BLOCK_ROWS };
  }
}
