import {
  conversationOf,
  indexAtOrAfter,
  type Matches,
  mergeMatches,
  rowKeyRange,
  WINDOW_PLACES,
  WINDOW_REACH,
} from "./matches.ts";
import type { Lengths, Postings } from "./postings.ts";
import type { Background } from "./relevance.ts";
import { hasKnownWord, termInformation, termWeights } from "./term-weights.ts";
import { nthHighest, topIndexes } from "./top-k.ts";

/**
 * Number of candidates of one retriever, such as the ranking of messages, or of windows (a message with its neighbors). The
 * scores of a retriever are scaled between its best and its worst candidate.
 */
export const RETRIEVER_CANDIDATES = 100;
/** Number of candidates of the retriever that ranks whole conversations. */
export const CONVERSATION_CANDIDATES = 15;
/**
 * In the first round, each retriever reads its number of candidates times this factor. A second round is rarely needed.
 */
const FIRST_ROUND_FACTOR = 4;

/** `count` is the number of candidates. `k1` and `b` are the parameters of Okapi BM25 (Robertson & Zaragoza 2009). */
interface Parameters {
  count: number;
  k1: number;
  b: number;
}

/**
 * Single short messages vary too much in length for strong length normalization, and a repeated term says little about
 * them, hence the lower values.
 */
const SHORT_MESSAGES: Parameters = { count: RETRIEVER_CANDIDATES, k1: 0.6, b: 0.4 };
/** Long messages, such as the answers of an assistant, are texts of the kind that the usual values were fitted for. */
const LONG_MESSAGES: Parameters = { count: RETRIEVER_CANDIDATES, k1: 1.2, b: 1 };
const WINDOWS: Parameters = { count: RETRIEVER_CANDIDATES, k1: 1.2, b: 0.75 };
const CONVERSATIONS: Parameters = { count: CONVERSATION_CANDIDATES, k1: 1.2, b: 0.75 };

/** Average terms up to which messages are short, and from which they are long. */
const SHORT_TERMS = 60;
const LONG_TERMS = 180;

const toShareOfLong = (averageTerms: number): number =>
  Math.min(1, Math.max(0, (averageTerms - SHORT_TERMS) / (LONG_TERMS - SHORT_TERMS)));

const mixParameters = (short: Parameters, long: Parameters, share: number): Parameters => ({
  count: short.count,
  k1: short.k1 + share * (long.k1 - short.k1),
  b: short.b + share * (long.b - short.b),
});

/**
 * `messages` and `windows` have scores by the row key of the message, `conversations` by the row key of the
 * conversation.
 */
export interface KeywordScores {
  /** Scores of at least the best candidates, and of all others that were read. */
  messages: Map<number, number>;
  windows: Map<number, number>;
  conversations: Map<number, number>;
  isPartial: boolean;
  /** Scored messages that are short questions. */
  questions: Set<number>;
  /** How long the messages are that are searched: 0 for chats of people, 1 for long answers of assistants. */
  shareOfLong: number;
  /** Share of the query's information in the terms that occur in the window around a message, 0 to 1. */
  coverageOf(rowKey: number): number;
  background: NonNullable<Background["terms"]>;
  /**
   * Messages with a term that were not scored, those with the highest possible score first. They may not match the
   * filter.
   */
  others(): number[];
}

/** The texts that one retriever ranks. A text is one or more consecutive messages. */
interface Texts {
  /** Row key of the message or conversation of each text. */
  keys: ArrayLike<number>;
  /** Text `i` has the matches from index `from[i]` up to, but not including, index `to[i]`. */
  from: ArrayLike<number>;
  to: ArrayLike<number>;
  /** Terms of an average text. */
  averageTokens: number;
  allows(index: number): boolean;
  /** Terms that a text is assumed to have in messages whose lengths are never read. */
  assumedTokens(index: number): number;
  need(index: number, toRead: RowsToRead): void;
  /** Terms of a text whose lengths were read. Null when the filter excludes the text. */
  tokens(index: number): number | null;
}

interface Retriever extends Pick<Texts, "keys" | "need"> {
  /** The highest score that each text can have, whatever its length; −∞ if it cannot match. */
  bounds: Float64Array;
  count: number;
  /** −∞ when the filter excludes the text. */
  score(index: number): number;
  /** NaN for each text that was not scored. */
  scores: Float64Array;
}

interface RowsToRead {
  messages: Set<number>;
  conversations: Set<number>;
}

/**
 * Computes BM25 scores of single messages, of windows (a message and two messages on each side), and of whole
 * conversations.
 *
 * For example, a message of 8 terms among short messages has `kettle` once and `red` three times, whose weights are 2 and 0.5. If messages
 * have 10 terms on average, its length counts as 1 − b + b × 8 / 10 = 0.92, and its score is
 *
 *     kettle  2 × 1 × (k1 + 1) / (1 + k1 × 0.92)    = 2.06
 *     red     0.5 × 3 × (k1 + 1) / (3 + k1 × 0.92)  = 0.68   together 2.74
 *
 * Its upper bound is the score of a message without length, 0.6 in place of 0.92: 3.07. If a hundred messages are known
 * to have a score above that, the length of this one is not read.
 *
 * Windows include the terms of neighbors that the filter excludes. A neighbor without a query term is assumed to have
 * average length. Lengths are read only for items whose upper bound can still reach the best, as in MaxScore (Turtle &
 * Flood 1995): the best items and their scores are the same as after reading everything, unless `readMax` is reached.
 *
 * @param options.readAll reads all items in the first round. For a search with filters, which most of the items with
 *   the highest bounds may not match.
 * @param options.readMax the maximum number of items read for each retriever, those with the highest bounds first.
 */
export async function scoreKeywords(
  postings: Postings,
  readLengths: (unread: { messages: number[]; conversations: number[] }) => Promise<Lengths>,
  { readAll, readMax, allows }: { readAll: boolean; readMax: number; allows: (rowKey: number) => boolean },
): Promise<KeywordScores> {
  const matches = mergeMatches(postings.terms);
  const idf = termWeights(postings);
  const lengths: Lengths = { messages: new Map(), conversations: new Map() };
  // At least one: when everything is deleted but not purged yet, the counters are 0 and the postings still there.
  const averageTokens = (texts: number) => Math.max(1, postings.tokens / Math.max(1, texts));
  const averages = {
    message: averageTokens(postings.messages),
    conversation: averageTokens(postings.conversations),
  };
  const source = { matches, lengths, allows };
  const shareOfLong = toShareOfLong(averages.message);
  const messages = createRetriever(
    matches,
    messageTexts(source, averages.message),
    idf.messages,
    mixParameters(SHORT_MESSAGES, LONG_MESSAGES, shareOfLong),
  );
  const windows = createRetriever(matches, windowTexts(source, averages.message), idf.windows, WINDOWS);
  const conversations = createRetriever(
    matches,
    conversationTexts(source, averages.conversation),
    idf.conversations,
    CONVERSATIONS,
  );
  const retrievers = [messages, windows, conversations];
  const budget = createReadBudget(retrievers, readMax);
  let wanted = budget.take(
    retrievers.map(({ bounds, count }) =>
      (readAll ? [...bounds.keys()] : topIndexes(bounds, FIRST_ROUND_FACTOR * count)).filter((index) =>
        isPossible(bounds, index),
      ),
    ),
  );
  while (wanted.some((indexes) => indexes.length > 0)) {
    await readRows(retrievers, wanted, lengths, readLengths);
    wanted = budget.take(retrievers.map(stillPossible));
  }
  const scored = scoresOf(messages);
  const information = termInformation(postings);
  const all = information.reduce((sum, each) => sum + each, 0);
  return {
    messages: scored,
    isPartial: budget.isExceeded(),
    windows: scoresOf(windows),
    conversations: scoresOf(conversations),
    questions: new Set([...scored.keys()].filter((rowKey) => lengths.messages.get(rowKey)?.isQuestion)),
    shareOfLong,
    coverageOf: (rowKey) => coverageAround(matches, rowKey, information) / all,
    background: {
      messages: postings.messages,
      information: all,
      isKnown: hasKnownWord(postings),
    },
    others: () =>
      [...matches.rowKeys.keys()]
        .filter((index) => !isScored(messages, index) && allows(matches.rowKeys[index] ?? 0))
        .sort((a, b) => (messages.bounds[b] ?? 0) - (messages.bounds[a] ?? 0) || a - b)
        .map((index) => matches.rowKeys[index] ?? 0),
  };
}

/**
 * Limits how many items each retriever reads in all rounds together. Beyond the limit, those with the highest bounds
 * are read.
 */
function createReadBudget(retrievers: readonly Retriever[], readMax: number) {
  const remaining = retrievers.map(() => readMax);
  let isExceeded = false;
  return {
    take: (wanted: number[][]): number[][] =>
      wanted.map((indexes, i) => {
        const room = remaining[i] ?? 0;
        const bounds = retrievers[i]?.bounds;
        if (indexes.length > room) isExceeded = true;
        const withinBudget =
          indexes.length <= room
            ? indexes
            : indexes.sort((a, b) => (bounds?.[b] ?? 0) - (bounds?.[a] ?? 0) || a - b).slice(0, room);
        remaining[i] = room - withinBudget.length;
        return withinBudget;
      }),
    isExceeded: () => isExceeded,
  };
}

async function readRows(
  retrievers: readonly Retriever[],
  wanted: readonly number[][],
  lengths: Lengths,
  readLengths: (toRead: { messages: number[]; conversations: number[] }) => Promise<Lengths>,
): Promise<void> {
  const toRead: RowsToRead = { messages: new Set(), conversations: new Set() };
  for (const [i, retriever] of retrievers.entries())
    for (const index of wanted[i] ?? []) retriever.need(index, toRead);
  // Leaves out what an earlier round has read: windows overlap.
  const unread = {
    messages: [...toRead.messages].filter((rowKey) => !lengths.messages.has(rowKey)),
    conversations: [...toRead.conversations].filter((rowKey) => !lengths.conversations.has(rowKey)),
  };
  if (unread.messages.length > 0 || unread.conversations.length > 0) {
    const found = await readLengths(unread);
    for (const [rowKey, length] of found.messages) lengths.messages.set(rowKey, length);
    for (const [rowKey, tokens] of found.conversations) lengths.conversations.set(rowKey, tokens);
  }
  for (const [i, retriever] of retrievers.entries())
    for (const index of wanted[i] ?? []) retriever.scores[index] = retriever.score(index);
}

const isPossible = (bounds: Float64Array, index: number): boolean =>
  bounds[index] !== Number.NEGATIVE_INFINITY;

const isScored = ({ scores }: Retriever, index: number): boolean => !Number.isNaN(scores[index]);

function stillPossible(retriever: Retriever): number[] {
  const { bounds, count, scores } = retriever;
  const least = nthHighest(
    scores.filter((score) => score > Number.NEGATIVE_INFINITY),
    count,
  );
  const possible: number[] = [];
  for (let index = 0; index < bounds.length; index++)
    if ((bounds[index] ?? 0) >= least && isPossible(bounds, index) && !isScored(retriever, index))
      possible.push(index);
  return possible;
}

function scoresOf({ scores, keys }: Retriever): Map<number, number> {
  const found = new Map<number, number>();
  for (let index = 0; index < scores.length; index++) {
    const score = scores[index] ?? Number.NaN;
    if (score > Number.NEGATIVE_INFINITY) found.set(keys[index] ?? 0, score);
  }
  return found;
}

function createRetriever(
  matches: Matches,
  texts: Texts,
  weights: number[],
  { count, k1, b }: Parameters,
): Retriever {
  const { keys, from, to, averageTokens } = texts;
  const scorer = createScorer(matches, weights, k1);
  const score = (index: number, tokens: number) =>
    scorer.score(from[index] ?? 0, to[index] ?? 0, 1 - b + (b * tokens) / averageTokens);
  const bounds = new Float64Array(keys.length);
  for (let index = 0; index < bounds.length; index++)
    bounds[index] = texts.allows(index) ? score(index, texts.assumedTokens(index)) : Number.NEGATIVE_INFINITY;
  return {
    keys,
    bounds,
    count,
    need: texts.need,
    score(index) {
      const tokens = texts.tokens(index);
      return tokens === null ? Number.NEGATIVE_INFINITY : score(index, tokens);
    },
    scores: new Float64Array(keys.length).fill(Number.NaN),
  };
}

interface Source {
  matches: Matches;
  /** The lengths that were read so far. */
  lengths: Lengths;
  allows(rowKey: number): boolean;
}

function messageTexts({ matches: { rowKeys }, lengths, allows }: Source, averageTokens: number): Texts {
  const indexes = Array.from({ length: rowKeys.length + 1 }, (_, index) => index);
  const keyAt = (index: number) => rowKeys[index] ?? 0;
  return {
    keys: rowKeys,
    from: indexes,
    to: indexes.slice(1),
    averageTokens,
    allows: (index) => allows(keyAt(index)),
    assumedTokens: () => 0,
    need: (index, toRead) => toRead.messages.add(keyAt(index)),
    tokens(index) {
      const length = lengths.messages.get(keyAt(index));
      return length?.eligible === true ? length.tokens : null;
    },
  };
}

function windowTexts({ matches: { rowKeys }, lengths, allows }: Source, averageTokens: number): Texts {
  const centres: number[] = [];
  const from: number[] = [];
  const to: number[] = [];
  let conversation = rowKeyRange(-1);
  let last = 0;
  let [low, high] = [0, 0];
  for (let match = 0; match < rowKeys.length; match++) {
    const rowKey = rowKeys[match] ?? 0;
    if (rowKey > conversation.last) conversation = rowKeyRange(conversationOf(rowKey));
    const end = Math.min(conversation.last, rowKey + WINDOW_REACH);
    for (
      let centre = Math.max(conversation.windowFirst, rowKey - WINDOW_REACH, last + 1);
      centre <= end;
      centre++
    ) {
      last = centre;
      const windowFirst = Math.max(conversation.windowFirst, centre - WINDOW_REACH);
      const windowLast = Math.min(conversation.last, centre + WINDOW_REACH);
      while ((rowKeys[low] ?? windowFirst) < windowFirst) low++;
      if (high < low) high = low;
      while ((rowKeys[high] ?? Number.POSITIVE_INFINITY) <= windowLast) high++;
      centres.push(centre);
      from.push(low);
      to.push(high);
    }
  }
  const assumedTokens = (index: number) =>
    (WINDOW_PLACES - (to[index] ?? 0) + (from[index] ?? 0)) * averageTokens;
  return {
    keys: centres,
    from,
    to,
    averageTokens: WINDOW_PLACES * averageTokens,
    allows: (index) => allows(centres[index] ?? 0),
    assumedTokens,
    need(index, toRead) {
      for (let match = from[index] ?? 0; match < (to[index] ?? 0); match++)
        toRead.messages.add(rowKeys[match] ?? 0);
    },
    tokens(index) {
      let tokens = assumedTokens(index);
      for (let match = from[index] ?? 0; match < (to[index] ?? 0); match++) {
        const length = lengths.messages.get(rowKeys[match] ?? 0);
        // The row of a centre without a query term was not read. D1 later drops the centre if it does not exist or is
        // not allowed.
        if (length === undefined || (rowKeys[match] === centres[index] && !length.eligible)) return null;
        tokens += length.tokens;
      }
      return tokens;
    },
  };
}

function conversationTexts({ matches, lengths, allows }: Source, averageTokens: number): Texts {
  const keys: number[] = [];
  const starts: number[] = [];
  for (const [index, rowKey] of matches.rowKeys.entries()) {
    const conversation = conversationOf(rowKey);
    if (conversation === keys.at(-1)) continue;
    keys.push(conversation);
    starts.push(index);
  }
  starts.push(matches.rowKeys.length);
  const hasMessage = (index: number, isEligible: (rowKey: number) => boolean): boolean => {
    for (let match = starts[index] ?? 0; match < (starts[index + 1] ?? 0); match++)
      if (isEligible(matches.rowKeys[match] ?? 0)) return true;
    return false;
  };
  return {
    keys,
    from: starts,
    to: starts.slice(1),
    averageTokens,
    allows: (index) => hasMessage(index, allows),
    assumedTokens: () => 0,
    need: (index, toRead) => toRead.conversations.add(keys[index] ?? 0),
    tokens(index) {
      const tokens = lengths.conversations.get(keys[index] ?? 0);
      // A message whose length was not read counts as eligible. A search with a filter for messages sets `readAll`, so
      // all are read.
      const isEligible = (rowKey: number) =>
        allows(rowKey) && lengths.messages.get(rowKey)?.eligible !== false;
      return tokens !== undefined && hasMessage(index, isEligible) ? tokens : null;
    },
  };
}

function createScorer(matches: Matches, idf: number[], k1: number) {
  const counts = new Float64Array(idf.length);
  const touched = new Uint8Array(idf.length);
  return {
    /** BM25 score of the matches from index `from` up to, but not including, `to`, taken together as one text. */
    score(from: number, to: number, norm: number): number {
      let size = 0;
      const end = matches.starts[to] ?? 0;
      for (let at = matches.starts[from] ?? 0; at < end; at++) {
        const term = matches.terms[at] ?? 0;
        if (counts[term] === 0) touched[size++] = term;
        counts[term] = (counts[term] ?? 0) + (matches.counts[at] ?? 0);
      }
      let sum = 0;
      for (let i = 0; i < size; i++) {
        const term = touched[i] ?? 0;
        sum += bm25(idf[term] ?? 0, counts[term] ?? 0, norm, k1);
        counts[term] = 0;
      }
      return sum;
    },
  };
}

const bm25 = (idf: number, count: number, norm: number, k1: number): number =>
  (idf * count * (k1 + 1)) / (count + k1 * norm);

function coverageAround(matches: Matches, rowKey: number, information: number[]): number {
  const { windowFirst, last } = rowKeyRange(conversationOf(rowKey));
  const from = indexAtOrAfter(matches, Math.max(windowFirst, rowKey - WINDOW_REACH));
  const to = indexAtOrAfter(matches, Math.min(last, rowKey + WINDOW_REACH) + 1);
  const terms = matches.terms.subarray(matches.starts[from], matches.starts[to]);
  return [...new Set(terms)].reduce((sum, term) => sum + (information[term] ?? 0), 0);
}
