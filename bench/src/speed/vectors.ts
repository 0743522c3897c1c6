/** Vectors of one length, one after the other in memory. */
export interface Matrix {
  dimensions: number;
  rows: number;
  values: Float32Array;
}

/** All vectors in one piece of memory. */
export function toMatrix(vectors: readonly Float32Array[]): Matrix {
  const dimensions = vectors[0]?.length ?? 0;
  const values = new Float32Array(vectors.length * dimensions);
  vectors.forEach((vector, row) => {
    values.set(vector, row * dimensions);
  });
  return { dimensions, rows: vectors.length, values };
}

/** The dot product of a query with every row. */
export function scoreRows({ dimensions, rows, values }: Matrix, query: Float32Array): Float32Array {
  const scores = new Float32Array(rows);
  for (let row = 0, at = 0; row < rows; row++) {
    // Four sums that do not wait for each other: twice as fast as one.
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (let i = 0; i < dimensions; i += 4, at += 4) {
      a += (values[at] as number) * (query[i] as number);
      b += (values[at + 1] as number) * (query[i + 1] as number);
      c += (values[at + 2] as number) * (query[i + 2] as number);
      d += (values[at + 3] as number) * (query[i + 3] as number);
    }
    scores[row] = a + b + c + d;
  }
  return scores;
}

/** The rows with the best scores, best first; of equal ones the earlier. */
export function bestRows(scores: Float32Array, count: number): number[] {
  const best: number[] = [];
  for (let row = 0; row < scores.length; row++) {
    const score = scores[row] as number;
    if (best.length === count && score <= (scores[best[count - 1] as number] as number)) continue;
    let place = best.length;
    while (place > 0 && (scores[best[place - 1] as number] as number) < score) place -= 1;
    best.splice(place, 0, row);
    if (best.length > count) best.pop();
  }
  return best;
}

/** Two computations of one cosine differ by less, and answers may take either of two that are so close. */
const TIE = 1e-5;

/**
 * The share of the best `count` rows that an answer holds, 0 to 1.
 *
 * A row counts when its exact score is no worse than that of the last of the best, so that it does not
 * matter which of several equal ones an answer takes.
 */
export function recallOf(found: readonly number[], scores: Float32Array, count: number): number {
  const best = bestRows(scores, count);
  const worst = (scores[best.at(-1) ?? 0] ?? 0) - TIE;
  const right = [...new Set(found)].filter((row) => (scores[row] ?? Number.NEGATIVE_INFINITY) >= worst);
  return Math.min(1, right.length / best.length);
}
