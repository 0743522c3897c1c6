import {
  HIGHLIGHTS_MAX,
  type Message,
  RESULT_MESSAGES_MAX,
  type SearchExplanation,
  type SearchPrior,
} from "@engram/spec";
import { comparesJson } from "../filters/queries.ts";
import type { KeyCaller } from "../invocation.ts";
import { hasEnded, isHeld, toMemoryOf, toSources } from "../memories/fields.ts";
import { toMessage } from "../messages/fields.ts";
import { retryIfBusy } from "../platform/backoff.ts";
import { toTimestamp } from "../platform/batch.ts";
import type { Steps } from "../text/pace.ts";
import { createWordFinder, type TextRange } from "../text/words.ts";
import {
  type Feature,
  type FeatureWeights,
  type FoundRow,
  featureRange,
  isOfMemory,
  loadCandidates,
} from "./candidates-queries.ts";
import { isNarrowed } from "./filters-queries.ts";
import type { SearchRequest } from "./input.ts";
import { SEARCH_TIMEOUT_MS } from "./prepared-query.ts";
import type { Candidate, Candidates } from "./ranking/fusion.ts";
import {
  type Answer,
  countForResults,
  type FoundMessage,
  type ResultShape,
  replaceScores,
  type Scored,
  withinResults,
} from "./ranking/results.ts";

/**
 * Candidates read for each one wanted. Some may be deleted, and their features (such as containing a number), which are
 * known only after reading, change the order.
 */
const SPARE_FACTOR = 1.5;
/** Minimum number of candidates read if the search has a filter, which most of them may not match. */
const NARROWED_CANDIDATES_MIN = 1_000;
/** Maximum candidates in one statement. Each takes 45 bytes as JSON, and D1 limits the size of a string. */
const CANDIDATES_MAX = 30_000;
const GROWTH_FACTOR = 4;
/** Only this part of a message, from its start, gets highlights. */
const HIGHLIGHTED_CHARACTERS = 100_000;
/** Maximum matches that the reranking model gets. */
const RERANKED_MAX = 50;
/** Characters of each match that the reranking model gets. It reads 512 tokens. */
const RERANKED_CHARACTERS = 1_500;

export type Weights = Record<SearchPrior | Feature, number>;

/** Makes results of messages. */
export type ToResults<Made> = (
  found: FoundMessage[],
  unread: Scored[],
  shape: ResultShape,
  maxTokens?: number,
) => Steps<Made>;
/** What every answer of a search counts. */
export type Counted = Pick<Answer, "omitted" | "below_min_relevance"> & { results: unknown[] };

/**
 * Reads the best candidates and makes results of them. Fewer results than requested mean that candidates were deleted,
 * do not match the filter, or became one result together. Then it reads again, with more candidates.
 */
export async function readResults<Made extends Counted>(
  caller: KeyCaller,
  request: SearchRequest,
  { top, others, relevanceOf }: Candidates,
  features: FeatureWeights & { weights: Weights; holdsPhrase: (rowKey: number) => boolean },
  toResults: ToResults<Made>,
): Promise<{ answer: Made; reranked: boolean; highlight: ResultShape["highlight"] }> {
  const { limit, neighbors, scope } = request;
  const highlight = createHighlighter(caller, features.terms);
  const extent = { ...neighbors, limit };
  const shape = {
    ...extent,
    messagesMax: RESULT_MESSAGES_MAX,
    bytesMax: caller.limits.searchAnswerBytes,
    minRelevance: request.min_relevance ?? 0,
    keepBest: request.keep_best,
    highlight,
  };
  const includesMemories = request.in.includes("memories");
  const toChunkMatch = ({ rowKey, chunkId }: Candidate): [number, string][] =>
    chunkId === null ? [] : [[rowKey, chunkId]];
  const resultsWanted = Math.ceil(SPARE_FACTOR * limit);
  let keep = countForResults(top, { ...extent, limit: resultsWanted });
  if (request.rerank) keep = Math.max(keep, RERANKED_MAX);
  const range = featureRange(features.weights);
  const candidatesMin = isNarrowed(scope) ? NARROWED_CANDIDATES_MIN : 0;
  // Each candidate may be in a different conversation that has to be checked against the filter.
  const candidatesMax = comparesJson(scope.filter) ? caller.limits.filteredConversations : CANDIDATES_MAX;
  let candidates = top;
  for (let all: Candidate[] | null = null; ; keep *= GROWTH_FACTOR) {
    const wanted = Math.max(candidatesMin, SPARE_FACTOR * keep, countContenders(candidates, keep, range));
    const batch = candidates.slice(0, Math.min(candidatesMax, wanted));
    const selection = {
      candidates: batch.map(({ rowKey, score }) => ({
        rowKey,
        score,
        holdsPhrase: features.holdsPhrase(rowKey),
      })),
      keep,
      results: resultsWanted,
      // A reranking model has to see every match, also those beyond the first `limit` results.
      runs: request.rerank ? keep : limit,
      ...neighbors,
      features,
      explain: request.explain,
      chunks: includesMemories ? batch.flatMap(toChunkMatch) : null,
    };
    const { matched, ...found } = await loadCandidates(caller.db, scope, selection, caller.limits);
    const rows = request.rerank ? found.rows : withinResults(found.rows, found.unread, extent);
    const messages = await toFoundMessages(rows, candidates, {
      relevanceOf,
      weights: request.explain ? features.weights : null,
      validAtMs: request.validAtMs,
    });
    const answer = await caller.pace.run(toResults(messages, found.unread, shape, request.max_tokens));
    const { results, omitted, below_min_relevance } = answer;
    const isFull = results.length + omitted + below_min_relevance >= limit;
    if (!isFull) all ??= [...top, ...others()];
    const isRead = candidates.length === all?.length && batch.length === Math.min(candidatesMax, all.length);
    if (isFull || (isRead && (matched < keep || keep >= batch.length))) {
      if (!request.rerank) return { answer, reranked: true, highlight };
      const isHidden = ({ message: { role, metadata } }: FoundMessage) =>
        features.weights.hidden !== 0 && role === "system" && metadata.hidden === true;
      const isUnheld = ({ foundMemory }: FoundMessage) =>
        foundMemory !== null && !isHeld(foundMemory.memory, request.validAtMs);
      const ranked = messages.filter((message) => !isHidden(message) && !isUnheld(message));
      const scores = await rerank(caller, request.query.read.text, ranked);
      if (scores === null) return { answer, reranked: false, highlight };
      const [read, unread] = replaceScores([messages, found.unread], scores);
      const reranked = await caller.pace.run(toResults(read, unread, shape, request.max_tokens));
      return { answer: reranked, reranked: true, highlight };
    }
    candidates = all ?? top;
  }
}

/** Caches the highlights of each text, because a result is built several times until its size fits. */
function createHighlighter({ caches }: KeyCaller, terms: string[]): (content: string) => Steps<TextRange[]> {
  const findWords = createWordFinder(caches.stem, new Set(terms), HIGHLIGHTS_MAX);
  const known = new Map<string, TextRange[]>();
  return function* (content) {
    const ranges = known.get(content) ?? (yield* findWords(content.slice(0, HIGHLIGHTED_CHARACTERS)));
    known.set(content, ranges);
    return ranges;
  };
}

/** Number of candidates, counted from the best, that can be among the `keep` best after their features are known. */
function countContenders(
  candidates: Candidate[],
  keep: number,
  { least, most }: { least: number; most: number },
): number {
  const last = candidates[keep - 1];
  if (last === undefined) return candidates.length;
  const end = candidates.findIndex(({ score }) => score + most < last.score + least);
  return end < 0 ? candidates.length : end;
}

/** New scores of the best matches, by row key. Null if the model does not answer. */
async function rerank(
  caller: KeyCaller,
  query: string,
  messages: FoundMessage[],
): Promise<ReadonlyMap<number, number> | null> {
  const top = messages
    .filter(({ score }) => score !== null)
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0))
    .slice(0, RERANKED_MAX);
  if (top.length === 0) return new Map();
  const texts = top.map(({ message: { name, content } }) =>
    `${name === null ? "" : `${name}: `}${content}`.slice(0, RERANKED_CHARACTERS).toWellFormed(),
  );
  try {
    const scores = await retryIfBusy(caller.runtime, SEARCH_TIMEOUT_MS, (timeoutMs) =>
      caller.reranker.rerank(query, texts, timeoutMs),
    );
    return new Map(top.map(({ rowKey }, i) => [rowKey, scores[i] ?? 0]));
  } catch (error) {
    caller.log.error("search degraded", error);
    return null;
  }
}

async function toFoundMessages(
  rows: FoundRow[],
  candidates: Candidate[],
  {
    relevanceOf,
    weights,
    validAtMs,
  }: Pick<Candidates, "relevanceOf"> & { weights: Weights | null; validAtMs: number },
): Promise<FoundMessage[]> {
  const byRowKey = new Map(candidates.map((candidate) => [candidate.rowKey, candidate]));
  return Promise.all(
    rows.map(async (row) => {
      const candidate = row.score === null ? undefined : byRowKey.get(row.rowKey);
      const message = await toMessage(row);
      return {
        rowKey: row.rowKey,
        message,
        tokens: row.model_tokens,
        score: row.score,
        chunkId: candidate?.chunkId ?? null,
        relevance: candidate ? relevanceOf(row.rowKey) : 0,
        ...(candidate && weights ? { explanation: explain(candidate, row, weights) } : {}),
        conversation: row.tags === null ? null : toConversationSummary(row, row.tags),
        foundMemory: toFoundMemory(row, message, { chunkId: candidate?.chunkId ?? null, validAtMs }),
      };
    }),
  );
}

const toConversationSummary = (row: FoundRow, tags: string): FoundMessage["conversation"] => ({
  title: row.title,
  external_id: row.conversation_external_id,
  agent_id: row.agent_id,
  user_id: row.user_id,
  shared: row.shared === 1,
  tags: JSON.parse(tags) as string[],
  created_at: toTimestamp(row.conversation_created_at_ms),
});

function toFoundMemory(
  row: FoundRow,
  message: Message,
  { chunkId, validAtMs }: { chunkId: string | null; validAtMs: number },
): FoundMessage["foundMemory"] {
  if (!isOfMemory(row)) return null;
  const {
    chunk_ordinal: ordinal,
    chunk_start: start,
    chunk_end: end,
    chunk_overlap_start: overlap_start,
  } = row;
  const isKnown =
    chunkId !== null && ordinal !== null && start !== null && end !== null && overlap_start !== null;
  const memory = toMemoryOf(
    {
      ...row,
      id: message.conversation_id,
      external_id: row.memory_external_id,
      shared: row.shared ?? 0,
      tags: row.tags ?? "[]",
      metadata: row.memory_metadata ?? "{}",
      content_hash: row.content_hash ?? "",
      created_at_ms: row.conversation_created_at_ms,
      updated_at_ms: row.conversation_updated_at_ms,
    },
    { ...message, sources: toSources(row.sources) },
  );
  return {
    memory,
    ended: hasEnded(memory, validAtMs),
    chunk: isKnown ? { id: chunkId, ordinal, start, end, overlap_start } : null,
  };
}

function explain({ parts }: Candidate, row: FoundRow, weights: Weights): SearchExplanation {
  const { message, window, conversation, chunk } = parts;
  const weigh = (trait: Feature) => weights[trait] * (row[`feature_${trait}`] ?? 0);
  return {
    message,
    window,
    conversation,
    chunk,
    answer: weights.answer * parts.answer,
    question: weigh("question"),
    time: weigh("time"),
    number: weigh("number"),
    date: weigh("date"),
    speaker: weigh("speaker"),
    hidden: weigh("hidden"),
    phrase: weigh("phrase"),
    validity: weigh("validity"),
  };
}
