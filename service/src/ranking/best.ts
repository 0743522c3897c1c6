/** Indexes of the `count` highest values, highest first. Ties go to the earlier index. */
export function bestPlaces(values: Float64Array, count: number): number[] {
  const least = nthBest(values, count);
  const places: number[] = [];
  for (let place = 0; place < values.length; place++) if ((values[place] ?? 0) >= least) places.push(place);
  return places.sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b).slice(0, count);
}

/** The `count`-th highest value; −∞ when there are fewer values. */
export function nthBest(values: Float64Array, count: number): number {
  if (values.length < count) return Number.NEGATIVE_INFINITY;
  // A min-heap of the best so far: most values need only one comparison.
  const heap = values.slice(0, count).sort();
  for (let next = count; next < values.length; next++) {
    const value = values[next] ?? 0;
    if (value <= (heap[0] ?? 0)) continue;
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      const right = left + 1;
      const least = right < count && (heap[right] ?? 0) < (heap[left] ?? 0) ? right : left;
      if (least >= count || (heap[least] ?? 0) >= value) break;
      heap[place] = heap[least] ?? 0;
      place = least;
    }
    heap[place] = value;
  }
  return heap[0] ?? Number.NEGATIVE_INFINITY;
}
