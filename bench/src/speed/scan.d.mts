import type { Matrix } from "./vectors.ts";

/**
 * A scan of all rows as fast as memory gives them: the dot products of Engram's local store, with nothing
 * around them.
 *
 * @returns For a query, so many of its best rows, best first.
 */
export function createScan(matrix: Matrix, found: number): (query: Float32Array) => number[];
