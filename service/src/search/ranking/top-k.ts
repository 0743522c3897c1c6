/** Indexes of the `count` highest values, highest first. Of equal values, the one with the lower index comes first. */
export function topIndexes(values: Float64Array, count: number): number[] {
  const least = nthHighest(values, count);
  const indexes: number[] = [];
  for (let index = 0; index < values.length; index++) if ((values[index] ?? 0) >= least) indexes.push(index);
  return indexes.sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b).slice(0, count);
}

/** The value at position `count` in descending order. −∞ if there are fewer values. */
export function nthHighest(values: Float64Array, count: number): number {
  if (values.length < count) return Number.NEGATIVE_INFINITY;
  // A min-heap of the highest values so far: most values need only one comparison.
  const heap = values.slice(0, count).sort();
  for (let next = count; next < values.length; next++) {
    const value = values[next] ?? 0;
    if (value <= (heap[0] ?? 0)) continue;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const right = left + 1;
      const least = right < count && (heap[right] ?? 0) < (heap[left] ?? 0) ? right : left;
      if (least >= count || (heap[least] ?? 0) >= value) break;
      heap[index] = heap[least] ?? 0;
      index = least;
    }
    heap[index] = value;
  }
  return heap[0] ?? Number.NEGATIVE_INFINITY;
}
