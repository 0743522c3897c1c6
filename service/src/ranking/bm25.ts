import type { Postings } from "../queries/search.ts";

/** Messages on each side that a window of the keyword legs takes in. */
export const WINDOW_REACH = 2;

/** Okapi BM25 (Robertson & Zaragoza 2009); short messages vary too much in length to be judged hard by it. */
const K1 = 1.2;
const MESSAGE_B = 0.4;
const WINDOW_B = 0.75;
const CONVERSATION_B = 0.75;

/** Sequence numbers are the low 24 bits of a message's number. */
export const toNumber = (conversation: number, sequence: number): number => conversation * 2 ** 24 + sequence;
export const conversationOf = (number: number): number => Math.floor(number / 2 ** 24);

/** Scores of the three keyword legs: by message number, by message number, by conversation number. */
export interface KeywordScores {
  messages: Map<number, number>;
  windows: Map<number, number>;
  conversations: Map<number, number>;
  /** By message number: the share of the query that stands in the window around it, each word by its rarity. */
  coverage: Map<number, number>;
  /** Numbers of the scored messages that are short questions. */
  questions: Set<number>;
}

interface Hit {
  eligible: boolean;
  sequence: number;
  tokens: number;
  isQuestion: boolean;
  counts: [word: number, count: number][];
}

/**
 * BM25 of single messages, of the windows of ±2 around messages, and of whole conversations, from one
 * set of postings.
 *
 * Only messages that the filter allows are scored; their neighbours lend words. A neighbour without a
 * word of the query is taken to be of average length, so a window needs no further read.
 */
export function scoreKeywords(postings: Postings): KeywordScores {
  const scores: KeywordScores = {
    messages: new Map(),
    windows: new Map(),
    conversations: new Map(),
    coverage: new Map(),
    questions: new Set(),
  };
  const messageTokens = postings.tokens / Math.max(1, postings.messages);
  const conversationTokens = postings.tokens / Math.max(1, postings.conversations);
  const idf = {
    messages: idfs(postings, "messages", postings.messages),
    windows: idfs(postings, "windows", postings.messages),
    conversations: idfs(postings, "conversations", postings.conversations),
  };
  const absent = (postings.wordCount - postings.words.size) * toIdf(0, postings.messages);
  const asked = [...idf.messages.values()].reduce((sum, weight) => sum + weight, absent);
  for (const { conversation, tokens, packed } of postings.found) {
    const hits = unpack(packed);
    const eligible = hits.some((hit) => hit.eligible);
    for (const hit of hits) {
      if (!hit.eligible) continue;
      const norm = 1 - MESSAGE_B + (MESSAGE_B * hit.tokens) / messageTokens;
      const number = toNumber(conversation, hit.sequence);
      scores.messages.set(number, bm25(hit.counts, idf.messages, norm));
      if (hit.isQuestion) scores.questions.add(number);
    }
    scoreWindows(hits, messageTokens, idf.windows, (sequence, score, counts) => {
      const number = toNumber(conversation, sequence);
      scores.windows.set(number, score);
      let covered = 0;
      for (const word of counts.keys()) covered += idf.messages.get(word) ?? 0;
      scores.coverage.set(number, covered / asked);
    });
    if (eligible) {
      const norm = 1 - CONVERSATION_B + (CONVERSATION_B * tokens) / conversationTokens;
      scores.conversations.set(conversation, bm25(sumCounts(hits), idf.conversations, norm));
    }
  }
  return scores;
}

function idfs(
  postings: Postings,
  unit: "messages" | "windows" | "conversations",
  total: number,
): Map<number, number> {
  return new Map(
    [...postings.words].map(([word, counts]) => {
      // What is deleted but not yet purged still counts in the index: never more units than there are.
      const containing = Math.min(counts[unit], total);
      return [word, toIdf(containing, total)];
    }),
  );
}

const toIdf = (containing: number, total: number): number =>
  Math.log(1 + (total - containing + 0.5) / (containing + 0.5));

function bm25(counts: Iterable<[number, number]>, idf: Map<number, number>, norm: number): number {
  let score = 0;
  for (const [word, count] of counts)
    score += ((idf.get(word) ?? 0) * count * (K1 + 1)) / (count + K1 * norm);
  return score;
}

/** Windows around every place within reach of a hit that a message can stand at and be eligible. */
function scoreWindows(
  hits: Hit[],
  messageTokens: number,
  idf: Map<number, number>,
  emit: (sequence: number, score: number, counts: Map<number, number>) => void,
): void {
  const bySequence = new Map(hits.map((hit) => [hit.sequence, hit]));
  const centres = new Set<number>();
  for (const { sequence } of hits) {
    for (let centre = sequence - WINDOW_REACH; centre <= sequence + WINDOW_REACH; centre++)
      centres.add(centre);
  }
  for (const centre of centres) {
    // Of places without a hit nothing is known yet: D1 drops those that are empty or not allowed.
    if (centre < 1 || bySequence.get(centre)?.eligible === false) continue;
    const inside: Hit[] = [];
    for (let place = centre - WINDOW_REACH; place <= centre + WINDOW_REACH; place++) {
      const hit = bySequence.get(place);
      if (hit !== undefined) inside.push(hit);
    }
    const places = 2 * WINDOW_REACH + 1;
    const tokens =
      inside.reduce((sum, hit) => sum + hit.tokens, 0) + (places - inside.length) * messageTokens;
    const counts = sumCounts(inside);
    const norm = 1 - WINDOW_B + (WINDOW_B * tokens) / (places * messageTokens);
    emit(centre, bm25(counts, idf, norm), counts);
  }
}

function sumCounts(hits: Hit[]): Map<number, number> {
  const sums = new Map<number, number>();
  for (const { counts } of hits)
    for (const [word, count] of counts) sums.set(word, (sums.get(word) ?? 0) + count);
  return sums;
}

function unpack(packed: string): Hit[] {
  return packed.split(",").map((text) => {
    const numbers = text.split(" ").map(Number);
    const [eligible = 0, sequence = 0, tokens = 0, isQuestion = 0] = numbers;
    const counts: Hit["counts"] = [];
    for (let i = 4; i + 1 < numbers.length; i += 2) counts.push([numbers[i] ?? 0, numbers[i + 1] ?? 0]);
    return { eligible: eligible === 1, sequence, tokens, isQuestion: isQuestion === 1, counts };
  });
}
