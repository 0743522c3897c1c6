import { CONVERSATION_CANDIDATES, type KeywordScores, RETRIEVER_CANDIDATES } from "./bm25.ts";
import { conversationOf, rowKeyOf } from "./matches.ts";
import { type Background, type Calibration, estimateRelevance, type Signs } from "./relevance.ts";
import { topIndexes } from "./top-k.ts";

/** Added to the score of a message that has a quoted phrase. For comparison, the best score of a retriever is 1. */
export const PHRASE_WEIGHT = 1;

export interface ChunkMatch {
  chunkId: string;
  conversationRowKey: number;
  startSequence: number;
  endSequence: number;
  score: number;
}

/**
 * The score of a message by each retriever (ranking method), from 0 to 1. `answer` is the score of the message before
 * it, if that is a question.
 */
export interface Parts {
  message: number;
  window: number;
  conversation: number;
  chunk: number;
  answer: number;
}

export interface Candidate {
  rowKey: number;
  score: number;
  /** Null if the message was found only by its words. */
  chunkId: string | null;
  parts: Parts;
}

/**
 * A message that is among the best of no retriever scores less than this, so that it ranks below all messages that are.
 */
const FILLER_OFFSET = -10;
const NO_PARTS: Parts = { message: 0, window: 0, conversation: 0, chunk: 0, answer: 0 };

export interface Candidates {
  top: Candidate[];
  /** Messages with a term of the query that are not in `top`, which they rank below. They may not match the filter. */
  others(): Candidate[];
  relevanceOf(rowKey: number): number;
}

/**
 * Adds up the scores of all retrievers. Each is scaled to 0–1 over its own best candidates, so no retriever's unit
 * dominates. Rank fusion gives worse results than keywords alone when one retriever is weak. The weights are equal, but
 * that of the conversations is lower if there are few: of two, the scale puts one at 1 and the other at 0.
 *
 * A memory is a conversation of a single message, so the three keyword retrievers (messages, windows, conversations)
 * all return the same score. `scaleTermsByCoverage` weights them by the share of the query's terms that the best
 * keyword match has. A query that shares few words with its answer then relies on meaning.
 *
 * A message without a query term can be a candidate because of its neighbors' terms, unless `termsOnly`. Other messages
 * with a query term, scored below zero, follow the candidates, in case several of these end up in one result.
 */
export function fuse(
  keywords: KeywordScores | null,
  chunks: ChunkMatch[],
  options: {
    termsOnly: boolean;
    scaleTermsByCoverage: boolean;
    answerWeight: number;
    /** Null if meaning was not searched. */
    unrelatedCosine: number | null;
    calibration: Calibration;
  },
): Candidates {
  const messages = scale(keywords?.messages, RETRIEVER_CANDIDATES);
  const windows = scale(keywords?.windows, RETRIEVER_CANDIDATES);
  const conversations = scale(keywords?.conversations, CONVERSATION_CANDIDATES);
  const [topByTerms] = messages.keys();
  const termsWeight =
    options.scaleTermsByCoverage && keywords !== null && topByTerms !== undefined
      ? keywords.coverageOf(topByTerms)
      : 1;
  const conversationWeight = termsWeight * (conversations.size / CONVERSATION_CANDIDATES);
  const byChunk = scaleChunks(chunks);
  const signsOf = (rowKey: number): Signs => ({
    coverage: keywords === null ? null : keywords.coverageOf(rowKey),
    cosine: options.unrelatedCosine === null ? null : byChunk.get(rowKey)?.cosine,
  });
  const background: Background = {
    unrelatedCosine: options.unrelatedCosine ?? 0,
    calibration: options.calibration,
    terms: keywords?.background ?? null,
  };
  const retrieved = new Set([...byChunk.keys(), ...messages.keys(), ...windows.keys()]);
  const top = [...retrieved]
    .filter((rowKey) => !options.termsOnly || keywords?.messages.has(rowKey))
    .map((rowKey): Candidate => {
      const parts: Parts = {
        message: termsWeight * (messages.get(rowKey) ?? 0),
        window: termsWeight * (windows.get(rowKey) ?? 0),
        conversation: conversationWeight * (conversations.get(conversationOf(rowKey)) ?? 0),
        chunk: byChunk.get(rowKey)?.score ?? 0,
        // The message before this one has its row key minus 1. For the first message of a conversation, no message
        // has that row key.
        answer: keywords?.questions.has(rowKey - 1) ? (messages.get(rowKey - 1) ?? 0) : 0,
      };
      const { message, window, conversation, chunk, answer } = parts;
      const score = message + window + conversation + chunk + options.answerWeight * answer;
      const chunkId = byChunk.get(rowKey)?.chunkId ?? null;
      return { rowKey, score, chunkId, parts };
    });
  const filler = (rowKey: number, score: number): Candidate => ({
    rowKey,
    score,
    chunkId: null,
    parts: NO_PARTS,
  });
  const fillers = [...(keywords?.messages ?? [])]
    .filter(([rowKey]) => !retrieved.has(rowKey))
    // BM25 scores are above 0, so the new score grows with them and stays below that of any candidate.
    .map(([rowKey, score]) => filler(rowKey, FILLER_OFFSET - 1 / (1 + score)));
  return {
    top: [...top, ...fillers].sort((a, b) => b.score - a.score || a.rowKey - b.rowKey),
    others: () =>
      (keywords?.others() ?? [])
        .filter((rowKey) => !retrieved.has(rowKey))
        .map((rowKey, index) => filler(rowKey, FILLER_OFFSET - 2 - index)),
    relevanceOf: (rowKey) => estimateRelevance(signsOf(rowKey), background),
  };
}

export function scale<Key>(scores: Map<Key, number> | undefined, count: number): Map<Key, number> {
  const keys = [...(scores ?? new Map<Key, number>()).keys()];
  const values = Float64Array.from(scores?.values() ?? []);
  const top = topIndexes(values, count);
  const high = values[top[0] ?? -1] ?? 0;
  const low = values[top.at(-1) ?? -1] ?? 0;
  const span = high - low;
  return new Map(
    top.map((index) => [keys[index] as Key, span === 0 ? 1 : ((values[index] ?? 0) - low) / span]),
  );
}

function scaleChunks(chunks: ChunkMatch[]): Map<number, { score: number; cosine: number; chunkId: string }> {
  const byId = new Map(chunks.map((chunk) => [chunk.chunkId, chunk]));
  const scaled = scale(new Map(chunks.map((chunk) => [chunk.chunkId, chunk.score])), RETRIEVER_CANDIDATES);
  const messages = new Map<number, { score: number; cosine: number; chunkId: string }>();
  for (const [chunkId, score] of scaled) {
    const chunk = byId.get(chunkId);
    if (chunk === undefined) continue;
    for (let sequence = chunk.startSequence; sequence <= chunk.endSequence; sequence++) {
      const rowKey = rowKeyOf(chunk.conversationRowKey, sequence);
      if (!messages.has(rowKey)) messages.set(rowKey, { score, cosine: chunk.score, chunkId });
    }
  }
  return messages;
}
