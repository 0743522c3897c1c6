interface Item {
  index?: unknown;
  embedding?: unknown;
}

/**
 * Reads the vectors of `count` texts, in the order of the texts, from an endpoint's response. Some endpoints
 * return vectors in another order; then `index` says to which text each belongs. Some omit `index`.
 *
 * @returns A string says what is wrong with the response.
 */
export function readVectors(text: string, count: number): Float32Array[] | string {
  let answer: { data?: unknown } | null;
  try {
    answer = JSON.parse(text);
  } catch {
    return "an answer that is not JSON";
  }
  const data = answer?.data;
  if (!Array.isArray(data)) return "an answer without a list `data`";
  if (data.length !== count) return `${data.length} vectors for ${count} texts`;
  const vectors: Float32Array[] = [];
  for (const [at, item] of (data as (Item | null)[]).entries()) {
    const index = item?.index ?? at;
    if (typeof index !== "number" || !(index in data) || vectors[index] !== undefined) {
      return "an answer whose `index` does not number its vectors";
    }
    const vector = toVector(item?.embedding);
    if (vector === undefined) return "an `embedding` that is not a list of finite numbers";
    vectors[index] = vector;
  }
  const [dimensions] = vectors.map((vector) => vector.length);
  if (vectors.some((vector) => vector.length !== dimensions)) return "vectors of different dimensions";
  return vectors;
}

/** Undefined if the value is not a list of numbers that are finite as float32. */
function toVector(embedding: unknown): Float32Array | undefined {
  if (!Array.isArray(embedding) || embedding.length === 0) return undefined;
  if (!embedding.every((value) => typeof value === "number")) return undefined;
  const vector = Float32Array.from(embedding);
  return vector.every(Number.isFinite) ? vector : undefined;
}
