export interface Signs {
  /** Share of the query's terms near the message, where rare terms count more. Null if terms were not searched. */
  coverage: number | null;
  /** Cosine similarity of the message's chunk and the query; null if meaning was not searched. */
  cosine: number | null;
}

/**
 * Coefficients of logistic regressions that predict whether an answer is within two messages of a result. They were
 * fitted on the ten best results of questions with and without an answer, in LoCoMo's dialogues and chats with an
 * assistant. proof/bench/README.md has the figures.
 */
const BY_BOTH = { bias: -4.8, coverage: 5.1, nearness: 2.1 };
const BY_WORDS = { bias: -4.2, coverage: 5.5, nearness: 0 };
const BY_MEANING = { bias: -3.9, coverage: 0, nearness: 6 };

/**
 * Relevance from 0 to 1, comparable between searches.
 *
 * @param unrelatedCosine mean cosine similarity of unrelated texts. For some models it is 0, for others 0.6.
 */
export function toRelevance({ coverage, cosine }: Signs, unrelatedCosine: number): number {
  const { bias, ...weights } = coverage === null ? BY_MEANING : cosine === null ? BY_WORDS : BY_BOTH;
  const nearness = Math.max(0, ((cosine ?? 0) - unrelatedCosine) / (1 - unrelatedCosine));
  return 1 / (1 + Math.exp(-(bias + weights.coverage * (coverage ?? 0) + weights.nearness * nearness)));
}

export const UNRELATED_TEXTS = [
  "When does the train to the coast leave?",
  "The cake needs three eggs and a pinch of salt.",
  "Our server ran out of memory last night.",
  "Who painted the ceiling of the chapel?",
  "She plays the violin in a small orchestra.",
  "The contract ends in March unless we renew it.",
  "How do I sort a list of numbers?",
  "My knee hurts after long runs.",
  "The dog is afraid of thunder.",
  "What did the committee decide about taxes?",
  "Rain is expected in the mountains.",
  "He bought a used car for his daughter.",
];

/** Mean cosine similarity of all pairs of the vectors, at most 0.95. */
export function toUnrelatedCosine(vectors: number[][]): number {
  const directions = vectors.map((vector) => {
    const length = Math.hypot(...vector);
    return vector.map((value) => value / (length || 1));
  });
  let sum = 0;
  for (const [i, a] of directions.entries()) {
    for (const b of directions.slice(0, i))
      sum += a.reduce((dot, value, at) => dot + value * (b[at] ?? 0), 0);
  }
  const pairs = (vectors.length * (vectors.length - 1)) / 2;
  return Math.min(0.95, sum / Math.max(1, pairs));
}
