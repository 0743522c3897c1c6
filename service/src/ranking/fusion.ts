import { CONVERSATION_CANDIDATES, type KeywordScores, LEG_CANDIDATES } from "./bm25.ts";
import { conversationOf, toNumber } from "./hits.ts";
import { toRelevance } from "./relevance.ts";

/** Score for holding a quoted phrase, relative to a retriever's best score of 1. */
export const PHRASE_WEIGHT = 1;

export interface ChunkMatch {
  chunkId: string;
  conversationNumber: number;
  startSequence: number;
  endSequence: number;
  score: number;
}

/** The scores of each retriever, from 0 to 1, and how well the preceding question matches, from 0 to 1. */
export interface Parts {
  message: number;
  window: number;
  conversation: number;
  chunk: number;
  answer: number;
}

export interface Candidate {
  number: number;
  score: number;
  /** The chunk with the nearest vector; null for a match by words only. */
  chunkId: string | null;
  parts: Parts;
}

/**
 * Offset that ranks messages outside every retriever's best below all candidates inside, whatever their
 * features.
 */
const BEHIND = -10;

export interface Candidates {
  best: Candidate[];
  /** All other messages with a query term, which rank lower. They are not checked against the filter yet. */
  others(): Candidate[];
  /** Estimated probability that the message answers the query, from 0 to 1. */
  relevanceOf(number: number): number;
}

/**
 * The candidates of all retrievers, ordered by the sum of their scaled scores.
 *
 * Score fusion with equal weights: each retriever is scaled to 0–1 over its own best candidates, so no
 * retriever's unit dominates. Rank fusion gives worse results than keywords alone when one retriever is weak.
 *
 * A memory is a conversation of a single message, so the three keyword retrievers all return the same score.
 * `wordsByCoverage` weights them by the share of the query that the best keyword match holds. A query that
 * shares few words with its answer then relies on meaning.
 *
 * A message without a query term can be a candidate because of its neighbors' terms, unless `wordsOnly`.
 * After the best of each retriever come the other messages with a query term, with scores below zero. They
 * fill up the results when the best are close together in a conversation. If these do not suffice, messages
 * that were not scored follow.
 */
export function fuse(
  keywords: KeywordScores | null,
  chunks: ChunkMatch[],
  options: { wordsOnly: boolean; wordsByCoverage: boolean; answerWeight: number; unrelatedCosine: number },
): Candidates {
  const messages = scale(keywords?.messages, LEG_CANDIDATES);
  const windows = scale(keywords?.windows, LEG_CANDIDATES);
  const conversations = scale(keywords?.conversations, CONVERSATION_CANDIDATES);
  const byChunk = scaleChunks(chunks);
  // The k-th similarity is an upper bound for all chunks that were not returned.
  const lowest = chunks.length === 0 ? null : Math.min(...chunks.map(({ score }) => score));
  const relevanceOf = (number: number) =>
    toRelevance(
      {
        coverage: keywords === null ? null : keywords.coverageOf(number),
        cosine: byChunk.get(number)?.cosine ?? lowest,
      },
      options.unrelatedCosine,
    );
  const [bestByWords] = messages.keys();
  const wordsWeight =
    options.wordsByCoverage && keywords !== null && bestByWords !== undefined
      ? keywords.coverageOf(bestByWords)
      : 1;
  const offered = new Set([...byChunk.keys(), ...messages.keys(), ...windows.keys()]);
  const best = [...offered]
    .filter((number) => !options.wordsOnly || keywords?.messages.has(number))
    .map((number): Candidate => {
      const parts: Parts = {
        message: wordsWeight * (messages.get(number) ?? 0),
        window: wordsWeight * (windows.get(number) ?? 0),
        conversation: wordsWeight * (conversations.get(conversationOf(number)) ?? 0),
        chunk: byChunk.get(number)?.score ?? 0,
        // For the first message of a conversation, the preceding number belongs to no message.
        answer: keywords?.questions.has(number - 1) ? (messages.get(number - 1) ?? 0) : 0,
      };
      const { message, window, conversation, chunk, answer } = parts;
      const score = message + window + conversation + chunk + options.answerWeight * answer;
      const chunkId = byChunk.get(number)?.chunkId ?? null;
      return { number, score, chunkId, parts };
    });
  const behind = (number: number, score: number): Candidate => {
    const parts = { message: 0, window: 0, conversation: 0, chunk: 0, answer: 0 };
    return { number, score, chunkId: null, parts };
  };
  const fillers = [...(keywords?.messages ?? [])]
    .filter(([number]) => !offered.has(number))
    // BM25 scores are above 0, so this grows with them.
    .map(([number, score]) => behind(number, BEHIND - 1 / (1 + score)));
  return {
    best: [...best, ...fillers].sort((a, b) => b.score - a.score || a.number - b.number),
    others: () =>
      (keywords?.others() ?? [])
        .filter((number) => !offered.has(number))
        .map((number, place) => behind(number, BEHIND - 2 - place)),
    relevanceOf,
  };
}

/** Scales the best `count` scores of a retriever to 0–1, between the worst and the best of them. */
export function scale<Key>(leg: Map<Key, number> | undefined, count: number): Map<Key, number> {
  const best = [...(leg ?? [])].sort(([, a], [, b]) => b - a).slice(0, count);
  const high = best[0]?.[1] ?? 0;
  const span = high - (best.at(-1)?.[1] ?? 0);
  const low = high - span;
  return new Map(best.map(([key, score]) => [key, span === 0 ? 1 : (score - low) / span]));
}

/** For each message, the best chunk that contains it, with its scaled score. */
function scaleChunks(chunks: ChunkMatch[]): Map<number, { score: number; cosine: number; chunkId: string }> {
  const byId = new Map(chunks.map((chunk) => [chunk.chunkId, chunk]));
  const scaled = scale(new Map(chunks.map((chunk) => [chunk.chunkId, chunk.score])), LEG_CANDIDATES);
  const messages = new Map<number, { score: number; cosine: number; chunkId: string }>();
  for (const [chunkId, score] of scaled) {
    const chunk = byId.get(chunkId);
    if (chunk === undefined) continue;
    for (let sequence = chunk.startSequence; sequence <= chunk.endSequence; sequence++) {
      const number = toNumber(chunk.conversationNumber, sequence);
      // Scaled scores come best first.
      if (!messages.has(number)) messages.set(number, { score, cosine: chunk.score, chunkId });
    }
  }
  return messages;
}
