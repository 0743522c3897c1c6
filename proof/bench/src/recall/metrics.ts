/** What the metrics of one question are computed from, each by how many sessions, results, tokens or turns count. */
interface Counts {
  /** 1 if a session with evidence, or all of them, are among the first ones; otherwise 0. */
  any(sessions: number): number;
  all(sessions: number): number;
  /** Share of the evidence in the first results, or in the first tokens of them. */
  results(count: number): number;
  tokens(budget: number): number;
  keys: readonly string[];
  wanted: ReadonlySet<string>;
}

/** The metrics in the order of the tables. proof/bench/README.md defines them. */
const FORMULAS = {
  "s_any@1": ({ any }) => any(1),
  "s_any@5": ({ any }) => any(5),
  "s_any@10": ({ any }) => any(10),
  "s_all@5": ({ all }) => all(5),
  "s_all@10": ({ all }) => all(10),
  "t@5": ({ results }) => results(5),
  "t@10": ({ results }) => results(10),
  "t@20": ({ results }) => results(20),
  b500: ({ tokens }) => tokens(500),
  b1000: ({ tokens }) => tokens(1_000),
  b2000: ({ tokens }) => tokens(2_000),
  b4000: ({ tokens }) => tokens(4_000),
  "r@10": ({ wanted, keys }) => shareOf(wanted, keys.slice(0, 10)),
  mrr: ({ wanted, keys }) => reciprocalRank(keys, wanted),
  "ndcg@10": ({ wanted, keys }) => ndcg(keys, wanted, 10),
} satisfies Record<string, (counts: Counts) => number>;
export type Metric = keyof typeof FORMULAS;
export const METRICS = Object.keys(FORMULAS) as Metric[];

/** One value per metric: 0 to 1 for a single question, percent for a mean. */
export type Scores = Record<Metric, number>;

/** The value of each of some metrics. */
export const scoresOf = <Name extends string>(names: readonly Name[], of: (metric: Name) => number) =>
  // `fromEntries` loses the type of the keys.
  Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, number>;

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
  const counts: Counts = {
    any: (count) => (inSessions(count).includes(true) ? 1 : 0),
    all: (count) => (inSessions(count).includes(false) ? 0 : 1),
    results: (count) => shareOf(evidenceTurns, keysOf(ranking.slice(0, count).flat())),
    tokens: (budget) => shareOf(evidenceTurns, keysOf(takeTokens(turns, budget))),
    keys: turnKeys,
    wanted: evidenceTurns,
  };
  return scoresOf(METRICS, (metric) => FORMULAS[metric](counts));
}

/** Mean of each metric over questions, in percent; NaN without questions. */
export const meanScores = (scores: readonly Scores[]): Scores =>
  scoresOf(METRICS, (metric) => (100 * scores.reduce((sum, row) => sum + row[metric], 0)) / scores.length);

const keysOf = (turns: readonly RankedTurn[]) => turns.map((turn) => turn.key);

/** Share of the wanted keys that are found. */
export function shareOf(wanted: ReadonlySet<string>, keys: Iterable<string>): number {
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
