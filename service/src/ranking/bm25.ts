import type { Lengths, Postings } from "../queries/postings.ts";
import { bestPlaces, nthBest } from "./best.ts";
import { conversationOf, type Hits, mergeHits, placeOf, placesOf } from "./hits.ts";

/** Messages on each side of a message in its window, for the keyword retrievers. */
export const WINDOW_REACH = 2;
const WINDOW_PLACES = 2 * WINDOW_REACH + 1;

/** Candidates per retriever. Its scores are scaled over them. */
export const LEG_CANDIDATES = 100;
export const CONVERSATION_CANDIDATES = 15;
/** Candidates whose lengths are read in the first round, per one that counts. Usually enough. */
const FIRST = 4;

/**
 * Okapi BM25 (Robertson & Zaragoza 2009). Single messages vary too much in length for strong length
 * normalization, and a repeated term says little about a message, hence the lower values for messages.
 */
const K1 = 1.2;
const MESSAGE_K1 = 0.6;
const MESSAGE_B = 0.4;
const WINDOW_B = 0.75;
const CONVERSATION_B = 0.75;

/** Scores of the three keyword retrievers: by message number, by message number, by conversation number. */
export interface KeywordScores {
  /** At least the best candidates of each retriever, plus all others that were read. */
  messages: Map<number, number>;
  windows: Map<number, number>;
  conversations: Map<number, number>;
  /** Whether messages that were not read could be among the best. */
  isPartial: boolean;
  /** Numbers of the scored messages that are short questions. */
  questions: Set<number>;
  /** Share of the query's terms in the window around a message, weighted by rarity. */
  coverageOf(number: number): number;
  /** Messages with a query term that were not scored, highest bound first. They are not checked against the filter yet. */
  others(): number[];
}

/** The items that one retriever scores, by index. */
interface Leg {
  /** Upper bound on each score, whatever the lengths are; −∞ where no match is possible. */
  bounds: Float64Array;
  count: number;
  /** Adds the rows that the score needs to `asked`. */
  need(place: number, asked: Asked): void;
  /** The score from the rows read; null when the filter excludes the item. */
  score(place: number): number | null;
  scores: Map<number, number | null>;
}

interface Asked {
  messages: Set<number>;
  conversations: Set<number>;
}

/**
 * BM25 of single messages, of the windows of ±2 around messages, and of whole conversations, from one set of
 * postings.
 *
 * Only messages that the filter allows are scored, but their windows include the terms of all neighbors. A
 * neighbor without a query term is assumed to have average length. Lengths are read only for items whose
 * upper bound can still reach the best, as in MaxScore (Turtle & Flood 1995): the best and their scores are
 * the same as after reading everything.
 *
 * @param options.readAll for a selective filter, where bounds exclude little.
 * @param options.readMax maximum number of items per retriever that are read and scored, highest bound first.
 * @param options.allows whether a message may match, as far as is known before its row is read.
 */
export async function scoreKeywords(
  postings: Postings,
  readLengths: (asked: { messages: number[]; conversations: number[] }) => Promise<Lengths>,
  { readAll, readMax, allows }: { readAll: boolean; readMax: number; allows: (number: number) => boolean },
): Promise<KeywordScores> {
  const hits = mergeHits(postings.words);
  const idf = {
    messages: postings.words.map((list) => toIdf(countMessages(list), postings.messages)),
    windows: postings.words.map((list) => toIdf(countWindows(list), postings.messages)),
    conversations: postings.words.map((list) => toIdf(countConversations(list), postings.conversations)),
  };
  const lengths: Lengths = { messages: new Map(), conversations: new Map() };
  const averages = {
    message: postings.tokens / Math.max(1, postings.messages),
    conversation: postings.tokens / Math.max(1, postings.conversations),
  };
  const messages = messageLeg(hits, idf.messages, averages.message, lengths, allows);
  const windows = windowLeg(hits, idf.windows, averages.message, lengths, allows);
  const conversations = conversationLeg(hits, idf.conversations, averages.conversation, lengths, allows);
  const legs = [messages.leg, windows.leg, conversations.leg];
  const fitting = createFitting(legs, readMax);
  let wanted = fitting.take(
    legs.map(({ bounds, count }) =>
      (readAll ? [...bounds.keys()] : bestPlaces(bounds, FIRST * count)).filter((place) =>
        isPossible(bounds, place),
      ),
    ),
  );
  while (wanted.some((places) => places.length > 0)) {
    await read(legs, wanted, lengths, readLengths);
    wanted = fitting.take(legs.map(stillPossible));
  }
  const scored = scoresOf(messages.leg, (place) => hits.numbers[place] ?? 0);
  const all = idf.messages.reduce((sum, weight) => sum + weight, 0);
  return {
    messages: scored,
    isPartial: fitting.isCut(),
    windows: scoresOf(windows.leg, (place) => windows.centres[place] ?? 0),
    conversations: scoresOf(conversations.leg, (place) => conversations.numbers[place] ?? 0),
    questions: new Set([...scored.keys()].filter((number) => lengths.messages.get(number)?.isQuestion)),
    coverageOf: (number) => coverAround(hits, number, idf.messages) / all,
    others: () =>
      [...hits.numbers.keys()]
        .filter((place) => !messages.leg.scores.has(place) && allows(hits.numbers[place] ?? 0))
        .sort((a, b) => (messages.leg.bounds[b] ?? 0) - (messages.leg.bounds[a] ?? 0) || a - b)
        .map((place) => hits.numbers[place] ?? 0),
  };
}

/** Limits each retriever to `readMax` items over all rounds, those with the highest bounds. */
function createFitting(legs: readonly Leg[], readMax: number) {
  const left = legs.map(() => readMax);
  let isCut = false;
  return {
    take: (wanted: number[][]): number[][] =>
      wanted.map((places, i) => {
        const room = left[i] ?? 0;
        const bounds = legs[i]?.bounds;
        if (places.length > room) isCut = true;
        const taken =
          places.length <= room
            ? places
            : places.sort((a, b) => (bounds?.[b] ?? 0) - (bounds?.[a] ?? 0) || a - b).slice(0, room);
        left[i] = room - taken.length;
        return taken;
      }),
    isCut: () => isCut,
  };
}

/** Reads the rows that these items of each retriever need, and scores them. */
async function read(
  legs: readonly Leg[],
  wanted: readonly number[][],
  lengths: Lengths,
  readLengths: (asked: { messages: number[]; conversations: number[] }) => Promise<Lengths>,
): Promise<void> {
  const asked: Asked = { messages: new Set(), conversations: new Set() };
  for (const [i, leg] of legs.entries()) for (const place of wanted[i] ?? []) leg.need(place, asked);
  // Windows of a later round contain messages that an earlier round has read.
  const unread = {
    messages: [...asked.messages].filter((number) => !lengths.messages.has(number)),
    conversations: [...asked.conversations].filter((number) => !lengths.conversations.has(number)),
  };
  if (unread.messages.length > 0 || unread.conversations.length > 0) {
    const found = await readLengths(unread);
    for (const [number, length] of found.messages) lengths.messages.set(number, length);
    for (const [number, tokens] of found.conversations) lengths.conversations.set(number, tokens);
  }
  for (const [i, leg] of legs.entries())
    for (const place of wanted[i] ?? []) leg.scores.set(place, leg.score(place));
}

const isPossible = (bounds: Float64Array, place: number): boolean =>
  bounds[place] !== Number.NEGATIVE_INFINITY;

function stillPossible({ bounds, count, scores }: Leg): number[] {
  const known = Float64Array.from([...scores.values()].filter((score) => score !== null));
  const least = nthBest(known, count);
  const possible: number[] = [];
  for (let place = 0; place < bounds.length; place++)
    if ((bounds[place] ?? 0) >= least && isPossible(bounds, place) && !scores.has(place))
      possible.push(place);
  return possible;
}

/** Scores by number, in index order. */
function scoresOf({ scores }: Leg, numberAt: (place: number) => number): Map<number, number> {
  const known = [...scores].filter((entry): entry is [number, number] => entry[1] !== null);
  return new Map(known.sort(([a], [b]) => a - b).map(([place, score]) => [numberAt(place), score]));
}

function messageLeg(
  hits: Hits,
  idf: number[],
  averageTokens: number,
  lengths: Lengths,
  allows: (number: number) => boolean,
): { leg: Leg } {
  const { numbers } = hits;
  const score = (place: number, norm: number) => {
    let sum = 0;
    for (let at = hits.starts[place] ?? 0; at < (hits.starts[place + 1] ?? 0); at++)
      sum += bm25(idf[hits.words[at] ?? 0] ?? 0, hits.counts[at] ?? 0, norm, MESSAGE_K1);
    return sum;
  };
  return {
    leg: {
      bounds: toBounds(numbers.length, (place) =>
        allows(numbers[place] ?? 0) ? score(place, 1 - MESSAGE_B) : Number.NEGATIVE_INFINITY,
      ),
      count: LEG_CANDIDATES,
      need: (place, asked) => asked.messages.add(numbers[place] ?? 0),
      score(place) {
        const length = lengths.messages.get(numbers[place] ?? 0);
        if (length?.eligible !== true) return null;
        return score(place, 1 - MESSAGE_B + (MESSAGE_B * length.tokens) / averageTokens);
      },
      scores: new Map(),
    },
  };
}

/** Windows around every possible message within `WINDOW_REACH` of a hit. */
function windowLeg(
  hits: Hits,
  idf: number[],
  averageTokens: number,
  lengths: Lengths,
  allows: (number: number) => boolean,
): { leg: Leg; centres: number[] } {
  const { numbers } = hits;
  const centres: number[] = [];
  /** Range of the hits inside each window, as indexes. */
  const from: number[] = [];
  const to: number[] = [];
  let conversation = placesOf(-1);
  let last = 0;
  let [low, high] = [0, 0];
  for (let hit = 0; hit < numbers.length; hit++) {
    const number = numbers[hit] ?? 0;
    if (number > conversation.last) conversation = placesOf(conversationOf(number));
    const end = Math.min(conversation.last, number + WINDOW_REACH);
    for (
      let centre = Math.max(conversation.first, number - WINDOW_REACH, last + 1);
      centre <= end;
      centre++
    ) {
      last = centre;
      const first = Math.max(conversation.first, centre - WINDOW_REACH);
      const beyond = Math.min(conversation.last, centre + WINDOW_REACH);
      while ((numbers[low] ?? first) < first) low++;
      if (high < low) high = low;
      while ((numbers[high] ?? Number.POSITIVE_INFINITY) <= beyond) high++;
      centres.push(centre);
      from.push(low);
      to.push(high);
    }
  }
  const counts = createCounts(hits, idf);
  const score = (place: number, tokens: number) =>
    counts.score(
      from[place] ?? 0,
      to[place] ?? 0,
      1 - WINDOW_B + (WINDOW_B * tokens) / (WINDOW_PLACES * averageTokens),
    );
  const unseen = (place: number) => (WINDOW_PLACES - (to[place] ?? 0) + (from[place] ?? 0)) * averageTokens;
  return {
    centres,
    leg: {
      bounds: toBounds(centres.length, (place) =>
        allows(centres[place] ?? 0) ? score(place, unseen(place)) : Number.NEGATIVE_INFINITY,
      ),
      count: LEG_CANDIDATES,
      need(place, asked) {
        for (let hit = from[place] ?? 0; hit < (to[place] ?? 0); hit++) asked.messages.add(numbers[hit] ?? 0);
      },
      score(place) {
        let tokens = unseen(place);
        for (let hit = from[place] ?? 0; hit < (to[place] ?? 0); hit++) {
          const length = lengths.messages.get(numbers[hit] ?? 0);
          // Nothing is known yet about messages without a hit. D1 drops those that do not exist or are not
          // allowed.
          if (length === undefined || (numbers[hit] === centres[place] && !length.eligible)) return null;
          tokens += length.tokens;
        }
        return score(place, tokens);
      },
      scores: new Map(),
    },
  };
}

function conversationLeg(
  hits: Hits,
  idf: number[],
  averageTokens: number,
  lengths: Lengths,
  allows: (number: number) => boolean,
): { leg: Leg; numbers: number[] } {
  const numbers: number[] = [];
  const starts: number[] = [];
  for (const [place, number] of hits.numbers.entries()) {
    const conversation = conversationOf(number);
    if (conversation === numbers.at(-1)) continue;
    numbers.push(conversation);
    starts.push(place);
  }
  starts.push(hits.numbers.length);
  const counts = createCounts(hits, idf);
  const score = (place: number, tokens: number) =>
    counts.score(
      starts[place] ?? 0,
      starts[place + 1] ?? 0,
      1 - CONVERSATION_B + (CONVERSATION_B * tokens) / averageTokens,
    );
  return {
    numbers,
    leg: {
      bounds: toBounds(numbers.length, (place) => {
        for (let hit = starts[place] ?? 0; hit < (starts[place + 1] ?? 0); hit++)
          if (allows(hits.numbers[hit] ?? 0)) return score(place, 0);
        return Number.NEGATIVE_INFINITY;
      }),
      count: CONVERSATION_CANDIDATES,
      need: (place, asked) => asked.conversations.add(numbers[place] ?? 0),
      score(place) {
        const tokens = lengths.conversations.get(numbers[place] ?? 0);
        if (tokens === undefined) return null;
        for (let hit = starts[place] ?? 0; hit < (starts[place + 1] ?? 0); hit++) {
          const number = hits.numbers[hit] ?? 0;
          // A message that was not read is eligible: with a filter, all are read.
          if (allows(number) && lengths.messages.get(number)?.eligible !== false) return score(place, tokens);
        }
        return null;
      },
      scores: new Map(),
    },
  };
}

function toBounds(length: number, bound: (place: number) => number): Float64Array {
  const bounds = new Float64Array(length);
  for (let place = 0; place < length; place++) bounds[place] = bound(place);
  return bounds;
}

/** Scores ranges of hits. */
function createCounts(hits: Hits, idf: number[]) {
  const counts = new Float64Array(idf.length);
  const touched = new Uint8Array(idf.length);
  return {
    /** BM25 of the hits from index `from` up to, but not including, `to`. */
    score(from: number, to: number, norm: number): number {
      let size = 0;
      const end = hits.starts[to] ?? 0;
      for (let at = hits.starts[from] ?? 0; at < end; at++) {
        const word = hits.words[at] ?? 0;
        if (counts[word] === 0) touched[size++] = word;
        counts[word] = (counts[word] ?? 0) + (hits.counts[at] ?? 0);
      }
      let sum = 0;
      for (let i = 0; i < size; i++) {
        const word = touched[i] ?? 0;
        sum += bm25(idf[word] ?? 0, counts[word] ?? 0, norm, K1);
        counts[word] = 0;
      }
      return sum;
    },
  };
}

const bm25 = (idf: number, count: number, norm: number, k1: number): number =>
  (idf * count * (k1 + 1)) / (count + k1 * norm);

function coverAround(hits: Hits, number: number, idf: number[]): number {
  const { first, last } = placesOf(conversationOf(number));
  const from = placeOf(hits, Math.max(first, number - WINDOW_REACH));
  const to = placeOf(hits, Math.min(last, number + WINDOW_REACH) + 1);
  const words = hits.words.subarray(hits.starts[from], hits.starts[to]);
  return [...new Set(words)].reduce((sum, word) => sum + (idf[word] ?? 0), 0);
}

/** The index still counts deleted messages that are not purged yet, so the count is capped at the total. */
function toIdf(containing: number, total: number): number {
  const units = Math.min(containing, total);
  return Math.log(1 + (total - units + 0.5) / (units + 0.5));
}

function countMessages(list: Float64Array): number {
  return countChanges(list, (number) => number);
}

function countConversations(list: Float64Array): number {
  return countChanges(list, conversationOf);
}

function countChanges(list: Float64Array, of: (number: number) => number): number {
  let count = 0;
  let last = -1;
  for (const number of list) {
    const value = of(number);
    if (value !== last) count++;
    last = value;
  }
  return count;
}

/**
 * Number of windows with a term. A message is in five windows, which overlap those of the previous message.
 */
function countWindows(list: Float64Array): number {
  let count = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (const number of list) {
    count += Math.min(number - last, WINDOW_PLACES);
    last = number;
  }
  return count;
}
