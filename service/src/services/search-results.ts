import {
  HIGHLIGHTS_MAX,
  type Message,
  RESULT_MESSAGES_MAX,
  type SearchExplanation,
  type SearchPrior,
} from "@engram/spec";
import type { RequestContext } from "../context.ts";
import { toTimestamp } from "../queries/batch.ts";
import { comparesJson } from "../queries/conversation-filters.ts";
import { toMessage } from "../queries/messages.ts";
import {
  type FoundRow,
  rangeOfTraits,
  selectOffered,
  type TraitValue,
  type TraitWeights,
} from "../queries/search.ts";
import { isNarrowed } from "../queries/search-filters.ts";
import type { Candidate, Candidates } from "../ranking/fusion.ts";
import {
  countForResults,
  type FoundMessage,
  replaceScores,
  toResults,
  withinResults,
} from "../ranking/results.ts";
import { createWordFinder } from "../text/words.ts";
import type { Search } from "./search-input.ts";
import { SEARCH_TIMEOUT_MS } from "./search-meaning.ts";

/**
 * Candidates loaded from D1 per result wanted. Some may be deleted by then, and features change the order.
 */
const SPARE = 1.5;
/** Minimum number of candidates loaded when a filter on messages may exclude most of them. */
const NARROWED_OFFERS_MIN = 1_000;
/** Maximum number of candidates per statement, at 45 bytes of JSON each. */
const OFFERS_MAX = 30_000;
/** Factor by which a further read is larger when the first gave too few results. */
const MORE = 4;
/** Highlights cover only the start of a message, up to this length. */
const HIGHLIGHTED_CHARACTERS = 100_000;
/**
 * Upper bound on reranked matches, and on the text of each for the model, in UTF-16 units. The model reads
 * 512 tokens.
 */
const RERANKED_MAX = 50;
const RERANKED_CHARACTERS = 1_500;

export type Weights = Record<SearchPrior | TraitValue, number>;

/**
 * Loads the best candidates that D1 confirms, as results. One read is usually enough. It reads again with
 * more candidates when too many of the best fall into the same results.
 */
export async function readResults(
  ctx: RequestContext,
  asked: Search,
  { best, others, relevanceOf }: Candidates,
  traits: TraitWeights & { weights: Weights; holdsPhrase: (number: number) => boolean },
): Promise<{ answer: ReturnType<typeof toResults>; reranked: boolean }> {
  const { limit, context, scope } = asked;
  const findWords = createWordFinder(new Set(traits.words), HIGHLIGHTS_MAX);
  const mark = (content: string) => findWords(content.slice(0, HIGHLIGHTED_CHARACTERS));
  const extent = { ...context, limit };
  const shape = {
    ...extent,
    messagesMax: RESULT_MESSAGES_MAX,
    bytesMax: ctx.limits.searchAnswerBytes,
    mark,
  };
  const remembers = scope.filter.corpora?.includes("memories") ?? false;
  const toSpoken = ({ number, chunkId }: Candidate): [number, string][] =>
    chunkId === null ? [] : [[number, chunkId]];
  const offeredResults = Math.ceil(SPARE * limit);
  let keep = countForResults(best, { ...extent, limit: offeredResults });
  if (asked.rerank) keep = Math.max(keep, RERANKED_MAX);
  const range = rangeOfTraits(traits.weights);
  const offersMin = isNarrowed(scope) ? NARROWED_OFFERS_MIN : 0;
  // Each candidate may be in a different conversation that has to be checked against the filter.
  const offersMax = comparesJson(scope.filter) ? ctx.limits.filteredConversations : OFFERS_MAX;
  let candidates = best;
  for (let all: Candidate[] | null = null; ; keep *= MORE) {
    const offered = Math.max(offersMin, SPARE * keep, countInReach(candidates, keep, range));
    const offers = candidates.slice(0, Math.min(offersMax, offered));
    const offer = {
      offers: offers.map(({ number, score }) => ({ number, score, holdsPhrase: traits.holdsPhrase(number) })),
      keep,
      results: offeredResults,
      ...context,
      traits,
      chunks: remembers ? offers.flatMap(toSpoken) : [],
    };
    const { matched, ...found } = await selectOffered(ctx.db, scope, offer, ctx.limits);
    // A reranking model has to see every match.
    const rows = asked.rerank ? found.rows : withinResults(found.rows, found.unread, extent);
    const messages = await toFoundMessages(rows, candidates, {
      relevanceOf,
      weights: asked.explain ? traits.weights : null,
    });
    const answer = toResults(messages, found.unread, shape, asked.maxTokens);
    const isFull = answer.results.length + answer.omitted >= limit;
    if (!isFull) all ??= [...best, ...others()];
    const isRead = candidates.length === all?.length && offers.length === Math.min(offersMax, all.length);
    if (isFull || (isRead && (matched < keep || keep >= offers.length))) {
      if (!asked.rerank) return { answer, reranked: true };
      const scores = await rerank(ctx, asked.read.text, messages);
      if (scores === null) return { answer, reranked: false };
      const [read, unread] = replaceScores([messages, found.unread], scores);
      return { answer: toResults(read, unread, shape, asked.maxTokens), reranked: true };
    }
    candidates = all ?? best;
  }
}

/** Number of leading candidates that can be among the best `keep` once their features are known. */
function countInReach(
  candidates: Candidate[],
  keep: number,
  { least, most }: { least: number; most: number },
): number {
  const last = candidates[keep - 1];
  if (last === undefined) return candidates.length;
  const behind = candidates.findIndex(({ score }) => score + most < last.score + least);
  return behind < 0 ? candidates.length : behind;
}

/** Scores of the best matches from a reranking model; null when it does not answer. */
async function rerank(
  ctx: RequestContext,
  query: string,
  messages: FoundMessage[],
): Promise<ReadonlyMap<number, number> | null> {
  const best = messages
    .filter(({ score }) => score !== null)
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0))
    .slice(0, RERANKED_MAX);
  if (best.length === 0) return new Map();
  const texts = best.map(({ message: { name, content } }) =>
    `${name === null ? "" : `${name}: `}${content}`.slice(0, RERANKED_CHARACTERS).toWellFormed(),
  );
  try {
    const scores = await ctx.reranker.rerank(query, texts, SEARCH_TIMEOUT_MS);
    return new Map(best.map(({ number }, i) => [number, scores[i] ?? 0]));
  } catch (error) {
    ctx.log.error("search degraded", error);
    return null;
  }
}

/** Rows as messages. Matches include the components of their score if weights are given. */
async function toFoundMessages(
  rows: FoundRow[],
  candidates: Candidate[],
  { relevanceOf, weights }: Pick<Candidates, "relevanceOf"> & { weights: Weights | null },
): Promise<FoundMessage[]> {
  const byNumber = new Map(candidates.map((candidate) => [candidate.number, candidate]));
  return Promise.all(
    rows.map(async (row) => {
      const candidate = row.score === null ? undefined : byNumber.get(row.number);
      const message = await toMessage(row);
      return {
        number: row.number,
        message,
        score: row.score,
        chunkId: candidate?.chunkId ?? null,
        relevance: row.score === null ? 0 : relevanceOf(row.number),
        ...(candidate && weights ? { explanation: explain(candidate, row, weights) } : {}),
        conversation: row.tags === null ? null : toConversationSummary(row, row.tags),
        remembered: toRemembered(row, message, candidate?.chunkId ?? null),
      };
    }),
  );
}

const toConversationSummary = (row: FoundRow, tags: string): FoundMessage["conversation"] => ({
  title: row.title,
  external_id: row.conversation_external_id,
  agent_id: row.agent_id,
  user_id: row.user_id,
  tags: JSON.parse(tags) as string[],
  created_at: toTimestamp(row.conversation_created_at_ms),
});

/** The memory of a row, with the part that its chunk covers; null for a message of a conversation. */
function toRemembered(
  row: FoundRow,
  { conversation_id: id, content }: Message,
  chunkId: string | null,
): FoundMessage["remembered"] {
  if (row.kind === null || row.kind === "conversation") return null;
  const {
    chunk_ordinal: ordinal,
    chunk_start: start,
    chunk_end: end,
    chunk_overlap_start: overlap_start,
  } = row;
  const isKnown =
    chunkId !== null && ordinal !== null && start !== null && end !== null && overlap_start !== null;
  return {
    memory: {
      id,
      kind: row.kind,
      content,
      source: row.source,
      agent_id: row.agent_id,
      tags: JSON.parse(row.tags ?? "[]") as string[],
      summary: row.summary,
      metadata: JSON.parse(row.memory_metadata ?? "{}") as Record<string, unknown>,
      enriched_by: row.enriched_by,
      content_hash: row.content_hash ?? "",
      created_at: toTimestamp(row.conversation_created_at_ms),
      updated_at: toTimestamp(row.conversation_updated_at_ms),
    },
    chunk: isKnown ? { id: chunkId, ordinal, start, end, overlap_start } : null,
  };
}

function explain({ parts }: Candidate, row: FoundRow, weights: Weights): SearchExplanation {
  const { message, window, conversation, chunk } = parts;
  const weigh = (trait: TraitValue) => weights[trait] * (row[`trait_${trait}`] ?? 0);
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
    phrase: weigh("phrase"),
  };
}
