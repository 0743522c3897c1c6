/** What speaks for a message. */
export interface Signs {
  /** Share of the query's information in the terms near the message, 0 to 1. Null if terms were not searched. */
  coverage: number | null;
  /**
   * Cosine similarity of the message's chunk and the query. Undefined if the chunk is not among the nearest; null if
   * meaning was not searched.
   */
  cosine: number | null | undefined;
}

/** What the signs of all messages of a search are judged by. */
export interface Background {
  /** Mean cosine similarity of the query and unrelated texts. For some models it is 0, for others 0.6. */
  unrelatedCosine: number;
  calibration: Calibration;
  /** What the search by terms knows; null if terms were not searched. */
  terms: {
    /** Messages that were searched. */
    messages: number;
    /** Information of all terms of the query, in nats. */
    information: number;
    /** Whether any term is a word that the messages have or that English often uses. */
    isKnown: boolean;
  } | null;
}

/**
 * Coefficients of logistic regressions that predict whether an answer is within two messages of a message. They were
 * fitted on the ten best results of questions with and without an answer. proof/bench/README.md has the figures.
 */
const ANSWER_BY_BOTH = { bias: -4.8, coverage: 5.1, nearness: 2.1 };
const ANSWER_BY_TERMS = { bias: -4.2, coverage: 5.5, nearness: 0 };
const ANSWER_BY_MEANING = { bias: -3.9, coverage: 0, nearness: 6 };

/**
 * Coefficients of logistic regressions that predict whether the stored messages have any answer, by the signs of one of
 * them. They were fitted on messages that answer a question, and on all results of unrelated questions. The more
 * messages there are, the more of a query is near some of them by chance, hence the logarithm. The coefficient
 * of the logarithm was fixed, so that unrelated results stay below 0.25 in large stores too.
 */
const FOUND_BY_TERMS = { bias: -5, information: 0.9, nearness: 0, logMessages: -0.65 };
const FOUND_BY_MEANING = { bias: -5.7, information: 0, nearness: 16.9, logMessages: 0 };

/** What differs between embedding models although the cosine of unrelated texts is subtracted. */
export interface Calibration {
  /** Coefficients if terms and meaning were searched. */
  found: { bias: number; information: number; nearness: number; logMessages: number };
  /** What a chunk counts with that is not among the nearest: the median of the last ones that are. */
  nearnessBeyond: number;
}

/** Fitted on the model of words. Also for models on which nothing was fitted. */
export const GENERAL_CALIBRATION: Calibration = {
  found: { bias: -7, information: 0.8, nearness: 17, logMessages: -0.93 },
  nearnessBeyond: 0.25,
};
/** Unrelated texts are further from a query than in the model of words, so nearness says more. */
const SENTENCES_CALIBRATION: Calibration = {
  found: { bias: -10.9, information: 0.5, nearness: 27, logMessages: -0.3 },
  nearnessBeyond: 0.15,
};

/** @param model Id of the embedding model. */
export const calibrationOf = (model: string): Calibration =>
  model.includes("all-minilm-l6-v2") ? SENTENCES_CALIBRATION : GENERAL_CALIBRATION;

/** Information of the longest queries that the coefficients fit, in nats. */
const INFORMATION_MAX = 40;
/** Greatest number of messages of which the coefficients were fitted. */
const MESSAGES_MAX = 30_000;

const toProbability = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

function nearnessOf(
  { cosine }: Signs,
  { unrelatedCosine, calibration }: Pick<Background, "unrelatedCosine" | "calibration">,
): number {
  if (cosine === undefined) return calibration.nearnessBeyond;
  return cosine === null ? 0 : Math.max(0, (cosine - unrelatedCosine) / (1 - unrelatedCosine));
}

/**
 * Estimates the relevance of a message, from 0 to 1, comparable between searches: the geometric mean of the probability
 * that the stored messages have an answer at all, as far as this message shows, and that the answer is near it. It does
 * not depend on what else is found, so it is the same whatever the limit, and with filters that keep the message.
 */
export const estimateRelevance = (signs: Signs, background: Background): number =>
  Math.sqrt(probabilityOfFinding(signs, background) * probabilityOfAnswer(signs, background));

function probabilityOfFinding(signs: Signs, background: Background): number {
  const { coverage, cosine } = signs;
  const { calibration, terms } = background;
  if (terms?.isKnown === false) return 0;
  const weights = terms === null ? FOUND_BY_MEANING : cosine === null ? FOUND_BY_TERMS : calibration.found;
  const information = (coverage ?? 0) * Math.min(INFORMATION_MAX, terms?.information ?? 0);
  const logMessages = Math.log(Math.min(MESSAGES_MAX, terms?.messages ?? 0) + 1);
  return toProbability(
    weights.bias +
      weights.information * information +
      weights.nearness * nearnessOf(signs, background) +
      weights.logMessages * logMessages,
  );
}

function probabilityOfAnswer(signs: Signs, background: Background): number {
  const { coverage, cosine } = signs;
  const weights = coverage === null ? ANSWER_BY_MEANING : cosine === null ? ANSWER_BY_TERMS : ANSWER_BY_BOTH;
  const nearness = nearnessOf(signs, background);
  return toProbability(weights.bias + weights.coverage * (coverage ?? 0) + weights.nearness * nearness);
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
  "I would rather paint the fence green than white.",
  "The museum is closed on Mondays.",
  "Please send me the invoice by Friday.",
  "My grandmother grew up on a farm near the lake.",
  "The bus was late again, so we took a taxi.",
  "Can you explain how a fridge keeps food cold?",
  "They won the match in the last minute.",
  "I have an appointment at the bank at nine.",
  "The battery of my phone does not last a day.",
  "She wants to study chemistry in the autumn.",
  "What is a good name for a small bakery?",
  "The printer is out of paper and prints nothing.",
];

/** Mean of the directions of the vectors. Its dot product with a direction is the mean of their cosine similarities. */
export function meanDirection(vectors: readonly number[][]): number[] {
  const directions = vectors.map(toDirection);
  return (directions[0] ?? []).map(
    (_, at) => directions.reduce((sum, direction) => sum + (direction[at] ?? 0), 0) / directions.length,
  );
}

/** Mean cosine similarity of a vector and those of which `mean` is the mean direction, at most 0.95. */
export const meanCosine = (vector: readonly number[], mean: readonly number[]): number =>
  Math.min(
    0.95,
    toDirection(vector).reduce((sum, value, at) => sum + value * (mean[at] ?? 0), 0),
  );

function toDirection(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / (length || 1));
}
