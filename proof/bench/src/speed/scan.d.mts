import type { Matrix } from "./vectors.ts";

/**
 * A scan of all rows at the speed of memory: the dot products of Engram's local store, without anything
 * around them.
 *
 * @returns A function that returns the `found` best rows for a query, best first.
 */
export function createScan(matrix: Matrix, found: number): (query: Float32Array) => number[];
