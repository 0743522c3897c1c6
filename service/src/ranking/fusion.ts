import { CONVERSATION_CANDIDATES, type KeywordScores, LEG_CANDIDATES } from "./bm25.ts";
import { conversationOf, toNumber } from "./hits.ts";
import { toRelevance } from "./relevance.ts";

/** What holding a quoted phrase adds, in units of one leg's best. */
export const PHRASE_WEIGHT = 1;

/** A chunk that the vector store found near the query. */
export interface ChunkMatch {
  chunkId: string;
  conversationNumber: number;
  startSequence: number;
  endSequence: number;
  /** Cosine. */
  score: number;
}

/** What legs say of a message, each 0 to 1, and how well the question before it fits, 0 to 1. */
export interface Parts {
  message: number;
  window: number;
  conversation: number;
  chunk: number;
  answer: number;
}

/** A message that some leg offers. */
export interface Candidate {
  number: number;
  score: number;
  /** The chunk whose vector spoke for it; null for words only. */
  chunkId: string | null;
  parts: Parts;
}

/** Puts what no leg has among its best behind all that one has, whatever else speaks for it. */
const BEHIND = -10;

/** The candidates of a search. */
export interface Candidates {
  /** Best first. */
  best: Candidate[];
  /** Every other message that holds a word of the query, behind them; whether they are allowed is not known. */
  others(): Candidate[];
  /** How likely what is asked for stands there, 0 to 1. */
  relevanceOf(number: number): number;
}

/**
 * The candidates of all legs with the sum of their scaled scores, best first.
 *
 * Score fusion with equal weights: each leg is scaled to 0–1 over its own best candidates, so that no
 * leg's unit outweighs another's. Fusion by rank loses to keywords alone when one leg is weak.
 *
 * Where every conversation is a single message, as a memory is, the three keyword legs say the same three
 * times over. `wordsByCoverage` has them count as much as the best message by words holds of the query: a
 * query in other words than its answer's is then left to meaning.
 *
 * A message without a word of the query can be offered for its neighbours' words, unless `wordsOnly`.
 * Behind the best of each leg come the other messages with a word of the query, below zero: they fill
 * up when the best stand close together, and those that nobody has scored when even these do not do.
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
  // What is not among the nearest is no nearer than the last of them.
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
        // Of the first message of a conversation, the number before is nobody's.
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
    // A BM25 score is above 0, so this rises with it.
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

/** The best `count` of a leg, scaled to 0–1 between the worst and the best of them. */
export function scale<Key>(leg: Map<Key, number> | undefined, count: number): Map<Key, number> {
  const best = [...(leg ?? [])].sort(([, a], [, b]) => b - a).slice(0, count);
  const high = best[0]?.[1] ?? 0;
  const span = high - (best.at(-1)?.[1] ?? 0);
  const low = high - span;
  return new Map(best.map(([key, score]) => [key, span === 0 ? 1 : (score - low) / span]));
}

/** Each message with the best chunk that holds it, its score scaled. */
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
