/** The places of the highest of these values, `count` of them or all, highest first; of equal ones the earlier. */
export function bestPlaces(values: Float64Array, count: number): number[] {
  const least = nthBest(values, count);
  const places: number[] = [];
  for (let place = 0; place < values.length; place++) if ((values[place] ?? 0) >= least) places.push(place);
  return places.sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b).slice(0, count);
}

/** The value that `count` of these reach; −∞ when there are fewer. */
export function nthBest(values: Float64Array, count: number): number {
  if (values.length < count) return Number.NEGATIVE_INFINITY;
  // A heap of the best so far, its least on top: most values are looked at once.
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
