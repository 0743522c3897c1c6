/** Metrics in the order of the tables. proof/bench/README.md defines them. */
export const METRICS = [
  "s_any@1",
  "s_any@5",
  "s_any@10",
  "s_all@5",
  "s_all@10",
  "t@5",
  "t@10",
  "t@20",
  "b500",
  "b1000",
  "b2000",
  "b4000",
  "r@10",
  "mrr",
  "ndcg@10",
] as const;
export type Metric = (typeof METRICS)[number];

/** One value per metric: 0 to 1 for a single question, percent for a mean. */
export type Scores = Record<Metric, number>;

export interface RankedTurn {
  key: string;
  sessionKey: string;
  words: number;
}

/** Search results, best first, each with its turns in reading order. */
export type Ranking = readonly (readonly RankedTurn[])[];

/** Keys of the turns that answer a question, at least one, and of the sessions that contain them. */
export interface Evidence {
  evidenceTurns: ReadonlySet<string>;
  evidenceSessions: ReadonlySet<string>;
}

/** Average tokens per word. */
export const TOKENS_PER_WORD = 1.3;

/** Every metric of one question, 0 to 1. */
export function scoreQuestion(ranking: Ranking, evidence: Evidence): Scores {
  const { evidenceTurns, evidenceSessions } = evidence;
  const turns = ranking.flat();
  const turnKeys = [...new Set(keysOf(turns))];
  const sessionKeys = [...new Set(turns.map((turn) => turn.sessionKey))];
  const inSessions = (count: number) => {
    const first = new Set(sessionKeys.slice(0, count));
    return [...evidenceSessions].map((key) => first.has(key));
  };
  const anyOf = (count: number) => (inSessions(count).includes(true) ? 1 : 0);
  const allOf = (count: number) => (inSessions(count).includes(false) ? 0 : 1);
  const inItems = (count: number) => shareOf(evidenceTurns, keysOf(ranking.slice(0, count).flat()));
  const inTokens = (budget: number) => shareOf(evidenceTurns, keysOf(takeTokens(turns, budget)));
  return {
    "s_any@1": anyOf(1),
    "s_any@5": anyOf(5),
    "s_any@10": anyOf(10),
    "s_all@5": allOf(5),
    "s_all@10": allOf(10),
    "t@5": inItems(5),
    "t@10": inItems(10),
    "t@20": inItems(20),
    b500: inTokens(500),
    b1000: inTokens(1_000),
    b2000: inTokens(2_000),
    b4000: inTokens(4_000),
    "r@10": shareOf(evidenceTurns, turnKeys.slice(0, 10)),
    mrr: reciprocalRank(turnKeys, evidenceTurns),
    "ndcg@10": ndcg(turnKeys, evidenceTurns, 10),
  };
}

/** Mean of each metric over questions, in percent; NaN without questions. */
export function meanScores(scores: readonly Scores[]): Scores {
  const mean = (metric: Metric) => (100 * scores.reduce((sum, row) => sum + row[metric], 0)) / scores.length;
  // The keys are METRICS, but `fromEntries` loses that type.
  return Object.fromEntries(METRICS.map((metric) => [metric, mean(metric)])) as Scores;
}

const keysOf = (turns: readonly RankedTurn[]) => turns.map((turn) => turn.key);

function shareOf(wanted: ReadonlySet<string>, keys: readonly string[]): number {
  const found = new Set(keys);
  return [...wanted].filter((key) => found.has(key)).length / wanted.size;
}

/**
 * The first turns that together cost at most `budget` tokens: whole turns, up to the first that does not fit.
 */
function takeTokens(turns: readonly RankedTurn[], budget: number): RankedTurn[] {
  let words = 0;
  const end = turns.findIndex((turn) => {
    words += turn.words;
    return words * TOKENS_PER_WORD > budget;
  });
  return end === -1 ? [...turns] : turns.slice(0, end);
}

/** 1 divided by the position of the first wanted key, from 1; 0 without one. */
function reciprocalRank(keys: readonly string[], wanted: ReadonlySet<string>): number {
  const index = keys.findIndex((key) => wanted.has(key));
  return index === -1 ? 0 : 1 / (index + 1);
}

/**
 * Discounted gain of the first `count` keys, relative to the best possible order. Each wanted key counts 1.
 */
function ndcg(keys: readonly string[], wanted: ReadonlySet<string>, count: number): number {
  const discount = (index: number) => 1 / Math.log2(index + 2);
  const gain = keys
    .slice(0, count)
    .reduce((sum, key, index) => sum + (wanted.has(key) ? discount(index) : 0), 0);
  const places = Array.from({ length: Math.min(wanted.size, count) }, (_, index) => discount(index));
  return gain / places.reduce((sum, value) => sum + value, 0);
}
