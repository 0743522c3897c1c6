import { conversationOf, type KeywordScores, toNumber } from "./bm25.ts";

/** Best candidates that a leg is scaled over and that it offers. */
const LEG_CANDIDATES = 100;
const CONVERSATION_CANDIDATES = 15;

/** A chunk that the vector store found near the query. */
export interface ChunkMatch {
  chunkId: string;
  conversationNumber: number;
  startSequence: number;
  endSequence: number;
  /** Cosine. */
  score: number;
}

/** A message that some leg offers. */
export interface Candidate {
  number: number;
  score: number;
  /** The chunk whose vector spoke for it; null for words only. */
  chunkId: string | null;
}

/**
 * The candidates of all legs with the sum of their scaled scores, best first.
 *
 * Score fusion with equal weights: each leg is scaled to 0–1 over its own best candidates, so that no
 * leg's unit outweighs another's. Fusion by rank loses to keywords alone when one leg is weak.
 *
 * A message without a word of the query can be offered for its neighbours' words, unless `wordsOnly`.
 * Behind the best of each leg come the other messages with a word of the query, below zero: they fill
 * up when the best stand close together.
 */
export function fuse(
  keywords: KeywordScores | null,
  chunks: ChunkMatch[],
  options: { wordsOnly: boolean },
): Candidate[] {
  const scores = new Map<number, number>();
  const add = (number: number, score: number) => {
    if (options.wordsOnly && keywords?.messages.has(number) !== true) return;
    scores.set(number, (scores.get(number) ?? 0) + score);
  };
  const chunkIds = new Map<number, string>();
  for (const [number, { score, chunkId }] of scaleChunks(chunks)) {
    add(number, score);
    chunkIds.set(number, chunkId);
  }
  for (const leg of [keywords?.messages, keywords?.windows]) {
    for (const [number, score] of scale(leg, LEG_CANDIDATES)) add(number, score);
  }
  const conversations = scale(keywords?.conversations, CONVERSATION_CANDIDATES);
  const best = [...scores].map(([number, score]) => ({
    number,
    score: score + (conversations.get(conversationOf(number)) ?? 0),
    chunkId: chunkIds.get(number) ?? null,
  }));
  const others = [...(keywords?.messages ?? [])]
    .filter(([number]) => !scores.has(number))
    // A BM25 score is above 0, so this is below it and rises with it.
    .map(([number, score]) => ({ number, score: -1 / (1 + score), chunkId: null }));
  return [...best, ...others].sort((a, b) => b.score - a.score || a.number - b.number);
}

/** The best `count` of a leg, scaled to 0–1 between the worst and the best of them. */
export function scale<Key>(leg: Map<Key, number> | undefined, count: number): Map<Key, number> {
  const best = [...(leg ?? [])].sort(([, a], [, b]) => b - a).slice(0, count);
  const high = best[0]?.[1] ?? 0;
  const span = high - (best.at(-1)?.[1] ?? 0);
  const low = high - span;
  return new Map(best.map(([key, score]) => [key, span === 0 ? 1 : (score - low) / span]));
}

/** Each message with the best scaled score of the chunks that hold it. */
function scaleChunks(chunks: ChunkMatch[]): Map<number, { score: number; chunkId: string }> {
  const byId = new Map(chunks.map((chunk) => [chunk.chunkId, chunk]));
  const scaled = scale(new Map(chunks.map((chunk) => [chunk.chunkId, chunk.score])), LEG_CANDIDATES);
  const messages = new Map<number, { score: number; chunkId: string }>();
  for (const [chunkId, score] of scaled) {
    const chunk = byId.get(chunkId);
    if (chunk === undefined) continue;
    for (let sequence = chunk.startSequence; sequence <= chunk.endSequence; sequence++) {
      const number = toNumber(chunk.conversationNumber, sequence);
      // Scaled scores come best first.
      if (!messages.has(number)) messages.set(number, { score, chunkId });
    }
  }
  return messages;
}
