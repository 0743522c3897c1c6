import type { SearchAnswer, SearchExplanation, SearchPrior } from "@engram/spec";
import type { RequestContext } from "../context.ts";
import { ApiError } from "../errors.ts";
import { readVectorId } from "../indexing/chunks.ts";
import { slices } from "../ports/calls.ts";
import {
  FILTER_CONVERSATIONS_MAX,
  QUERY_MATCHES_MAX,
  toDay,
  toVectorText,
  type VectorFilter,
} from "../ports/vectors.ts";
import { toTimestamp } from "../queries/batch.ts";
import { toMessage } from "../queries/messages.ts";
import { selectLengths, selectPostings } from "../queries/postings.ts";
import {
  type Found,
  type FoundRow,
  rangeOfTraits,
  selectFilteredConversations,
  selectOffered,
  type TraitValue,
  type TraitWeights,
} from "../queries/search.ts";
import { isNarrowed, type SearchFilter, type SearchScope } from "../queries/search-filters.ts";
import { selectSearchState } from "../queries/search-state.ts";
import { scoreKeywords } from "../ranking/bm25.ts";
import { type Candidate, type Candidates, type ChunkMatch, fuse, PHRASE_WEIGHT } from "../ranking/fusion.ts";
import { priorWeights, readIntent } from "../ranking/priors.ts";
import { toRelevance, toUnrelatedCosine, UNRELATED_TEXTS } from "../ranking/relevance.ts";
import {
  countForResults,
  type FoundMessage,
  replaceScores,
  toResults,
  withinResults,
} from "../ranking/results.ts";
import { type Query, readQuery, readWords } from "../text/query.ts";
import { createWordFinder } from "../text/words.ts";
import { countUnshownMessages } from "./unshown-vectors.ts";

/** Results that D1 is asked to have content for, per result wanted: some offers are gone by then, or change places. */
const SPARE = 1.5;
/** Offers that D1 decides about at least, when a filter on messages may leave few of them. */
const NARROWED_OFFERS_MIN = 1_000;
/** Offers that one statement can take. */
const OFFERS_MAX = 40_000;
/** How many times as many are read when the first were too few. */
const MORE = 4;
/** Vector queries that one search may ask side by side. */
const SLICES_MAX = 5;
/** How many words are marked in a message, and how far into it. */
const HIGHLIGHTS_MAX = 100;
const HIGHLIGHTED_CHARACTERS = 100_000;
/** Matches that are ranked again, and how much a model is shown of each, in UTF-16 units: it reads 512 tokens. */
const RERANKED_MAX = 50;
const RERANKED_CHARACTERS = 1_500;
const RETRY_AFTER_SECONDS = 5;
/** How long somebody who searches waits for the model, and for the store, before words must do. */
const SEARCH_TIMEOUT_MS = 4_000;

export interface SearchInput {
  query: string;
  mode: "hybrid" | "semantic" | "keyword";
  limit: number;
  filter: SearchFilter;
  context: { before: number; after: number };
  /** What may speak for a message beside words and meaning, in hybrid mode. */
  priors: SearchPrior[];
  explain: boolean;
  rerank: boolean;
  minRelevance: number | undefined;
  maxTokens: number | undefined;
}

type Weights = Record<SearchPrior | TraitValue, number>;

/** A search with its query read, and with the filter that the query adds to. */
interface Search extends SearchInput {
  read: Query;
  scope: SearchScope;
}

interface SemanticLeg {
  chunks: ChunkMatch[];
  /** Cosine of what has nothing to do with the query, in this model. */
  unrelatedCosine: number;
  /** Whether every conversation that the filter allows could be asked for. */
  complete: boolean;
  /** Whether the vector store had more to offer than one answer of it holds. */
  cut: boolean;
}

/**
 * Find messages by meaning and by words, best first, in three steps one after the other: words beside
 * the query's vector, the vector store, one read from D1.
 *
 * The vector store lags and may still name what is deleted, so D1 has the last word: what it does not
 * return is dropped. A leg that failed is named in `degraded`, never passed over.
 *
 * @throws {ApiError} `unavailable` when only meaning was asked for and cannot be searched.
 */
export async function search(ctx: RequestContext, input: SearchInput): Promise<SearchAnswer> {
  const asked = readSearch(ctx, input);
  const [state, byWords, byMeaning] = await Promise.allSettled([
    readState(ctx, input.mode),
    input.mode === "semantic" ? null : searchKeywords(ctx, asked),
    input.mode === "keyword" ? null : searchMeaning(ctx, asked),
  ]);
  if (state.status === "rejected") throw state.reason;
  if (byWords.status === "rejected") throw byWords.reason;
  if (byMeaning.status === "rejected" && input.mode === "semantic") {
    throw new ApiError(
      "unavailable",
      "Meaning cannot be searched just now; words can, with another `mode`.",
      {
        cause: byMeaning.reason,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      },
    );
  }
  const semantic = byMeaning.status === "fulfilled" ? byMeaning.value : null;
  const { text, words, phrases } = asked.read;
  const intent = readIntent(text, ctx.runtime.nowMs());
  const isHybrid = input.mode === "hybrid";
  const weights: Weights = {
    ...priorWeights(isHybrid ? input.priors : [], intent),
    phrase: isHybrid && phrases.length > 0 ? PHRASE_WEIGHT : 0,
  };
  const { minRelevance = 0 } = input;
  const fused = fuse(byWords.value, semantic?.chunks ?? [], {
    wordsOnly: input.mode === "keyword",
    answerWeight: weights.answer,
    unrelatedCosine: semantic?.unrelatedCosine ?? 0,
  });
  const isRelevant = ({ number }: Candidate) =>
    minRelevance === 0 || fused.relevanceOf(number) >= minRelevance;
  const candidates: Candidates = {
    ...fused,
    best: fused.best.filter(isRelevant),
    others: () => fused.others().filter(isRelevant),
  };
  const { found, answer, reranked } = await readResults(ctx, asked, candidates, {
    weights,
    words,
    phrases,
    dates: intent.dates,
  });
  const degraded: SearchAnswer["degraded"] = [];
  if (byMeaning.status === "rejected") {
    degraded.push("semantic");
    ctx.log.error("search degraded", byMeaning.reason);
  }
  const cut = semantic?.cut === true && unaskedRelevance(semantic, byWords.value !== null) >= minRelevance;
  const short = cut && answer.results.length + answer.omitted < input.limit;
  if (short || semantic?.complete === false) degraded.push("semantic_partial");
  if (state.value.otherModels) degraded.push("model_mismatch");
  if (!reranked) degraded.push("rerank");
  return { ...answer, omitted: answer.omitted + found.unread, degraded, pending: state.value.pending };
}

/** What this search cannot see by meaning; what the store does not show counts only when it is asked. */
async function readState(ctx: RequestContext, mode: SearchInput["mode"]) {
  const { db, embedder, log, principal, runtime, vectors } = ctx;
  const now = { model: embedder.model, nowMs: runtime.nowMs() };
  const { pending, otherModels, takings } = await selectSearchState(db, principal, now);
  if (mode === "keyword") return { pending, otherModels: false };
  const unshown = await countUnshownMessages(vectors, takings, SEARCH_TIMEOUT_MS).catch((error: unknown) => {
    // A store that does not answer cannot be searched either, which the answer says.
    log.error("vectors not counted", error);
    return 0;
  });
  return { pending: pending + unshown, otherModels };
}

/** The most that what lies behind the nearest chunks, and holds no word, can be relevant. */
function unaskedRelevance({ chunks, unrelatedCosine }: SemanticLeg, hasWords: boolean): number {
  const cosine = Math.min(...chunks.map(({ score }) => score));
  return toRelevance({ coverage: hasWords ? 0 : null, cosine }, unrelatedCosine);
}

/** By words alone a phrase must stand in a match; beside meaning it only counts. */
function readSearch({ principal }: RequestContext, input: SearchInput): Search {
  const read = input.mode === "semantic" ? readWords(input.query) : readQuery(input.query);
  const filter = {
    ...input.filter,
    phrases: input.mode === "keyword" ? read.phrases : undefined,
    excluded: read.excluded,
  };
  const { organizationNumber } = principal;
  return { ...input, read, scope: { owner: principal, organizationNumber, filter } };
}

/**
 * The best candidates that D1 confirms, as results: read once as a rule, and again with more of them when
 * what speaks for the best put so many side by side that they are fewer results than wanted.
 */
async function readResults(
  ctx: RequestContext,
  asked: Search,
  { best, others, relevanceOf }: Candidates,
  traits: TraitWeights & { weights: Weights },
): Promise<{ found: Found; answer: ReturnType<typeof toResults>; reranked: boolean }> {
  const { limit, context, scope } = asked;
  const findWords = createWordFinder(new Set(traits.words), HIGHLIGHTS_MAX);
  const mark = (content: string) => findWords(content.slice(0, HIGHLIGHTED_CHARACTERS));
  const cut = (messages: FoundMessage[]) => toResults(messages, { limit, ...context, mark }, asked.maxTokens);
  let keep = countForResults(best, { ...context, limit: Math.ceil(SPARE * limit) });
  if (asked.rerank) keep = Math.max(keep, RERANKED_MAX);
  const range = rangeOfTraits(traits.weights);
  const offersMin = isNarrowed(scope) ? NARROWED_OFFERS_MIN : 0;
  let candidates = best;
  for (let all: Candidate[] | null = null; ; keep *= MORE) {
    const offered = Math.max(offersMin, SPARE * keep, countInReach(candidates, keep, range));
    const offers = candidates.slice(0, Math.min(OFFERS_MAX, offered));
    const found = await selectOffered(ctx.db, scope, {
      offers,
      keep,
      ...context,
      traits,
    });
    // A model that ranks again has to see every match.
    const rows = asked.rerank ? found.rows : withinResults(found.rows, { limit, ...context });
    const messages = await toFoundMessages(rows, candidates, {
      relevanceOf,
      weights: asked.explain ? traits.weights : null,
    });
    const answer = cut(messages);
    const isFull = answer.results.length + answer.omitted >= limit;
    if (!isFull) all ??= [...best, ...others()];
    const isRead = candidates.length === all?.length && offers.length === Math.min(OFFERS_MAX, all.length);
    if (isFull || (isRead && (found.matched < keep || keep >= offers.length))) {
      if (!asked.rerank) return { found, answer, reranked: true };
      const ordered = await rerank(ctx, asked.read.text, messages);
      return { found, answer: ordered === null ? answer : cut(ordered), reranked: ordered !== null };
    }
    candidates = all ?? best;
  }
}

/** How many candidates, best first, can be among the best `keep` of them once their traits are known. */
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

/** Messages with the scores of a model that reads query and text together; null when it does not answer. */
async function rerank(
  ctx: RequestContext,
  query: string,
  messages: FoundMessage[],
): Promise<FoundMessage[] | null> {
  const best = messages
    .filter(({ score }) => score !== null)
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0))
    .slice(0, RERANKED_MAX);
  if (best.length === 0) return messages;
  const texts = best.map(({ message: { name, content } }) =>
    `${name === null ? "" : `${name}: `}${content}`.slice(0, RERANKED_CHARACTERS).toWellFormed(),
  );
  try {
    const scores = await ctx.reranker.rerank(query, texts, SEARCH_TIMEOUT_MS);
    return replaceScores(messages, new Map(best.map(({ number }, i) => [number, scores[i] ?? 0])));
  } catch (error) {
    ctx.log.error("search degraded", error);
    return null;
  }
}

async function searchKeywords(ctx: RequestContext, { read, scope }: Search) {
  if (read.words.length === 0) return null;
  return scoreKeywords(
    await selectPostings(ctx.db, scope, read.words),
    (asked) => selectLengths(ctx.db, scope, asked),
    isNarrowed(scope),
  );
}

async function searchMeaning(ctx: RequestContext, { read, scope }: Search): Promise<SemanticLeg> {
  const { principal } = ctx;
  const [{ vector, unrelatedCosine }, filters] = await Promise.all([
    embedQuery(ctx, read.text),
    toVectorFilters(ctx, scope),
  ]);
  const answers = await Promise.all(
    filters.filters.map((filter) =>
      ctx.vectors.query(principal.organizationId, vector, filter, SEARCH_TIMEOUT_MS),
    ),
  );
  const chunks = answers.flat().flatMap(({ id, score }) => {
    const place = readVectorId(id);
    return place === null ? [] : [{ ...place, score }];
  });
  const cut = answers.some((matches) => matches.length === QUERY_MATCHES_MAX);
  return { chunks, unrelatedCosine, complete: filters.complete, cut };
}

/** By model, as measured once in the life of this isolate. */
const unrelatedCosines = new Map<string, number>();

/** A query's vector; the first of an isolate brings along what its model is measured by. */
async function embedQuery(
  { embedder }: RequestContext,
  text: string,
): Promise<{ vector: number[]; unrelatedCosine: number }> {
  const known = unrelatedCosines.get(embedder.model);
  const texts = known === undefined ? [text, ...UNRELATED_TEXTS] : [text];
  const [vector, ...unrelated] = await embedder.embed(texts, SEARCH_TIMEOUT_MS);
  if (vector === undefined) throw new Error("the embedder answered no vector");
  const unrelatedCosine = known ?? toUnrelatedCosine(unrelated);
  unrelatedCosines.set(embedder.model, unrelatedCosine);
  return { vector, unrelatedCosine };
}

/**
 * What the vector store is asked for, one filter a query.
 *
 * It knows conversation, agent, user and days. Everything else about a conversation is resolved in D1,
 * beside the embedding, into slices of ids that fit into a filter; what is about single messages
 * (roles, names, the time of day) D1 decides in the last step.
 */
async function toVectorFilters(
  ctx: RequestContext,
  scope: SearchScope,
): Promise<{ filters: VectorFilter[]; complete: boolean }> {
  const { filter } = scope;
  const agentId = ctx.principal.agentId ?? filter.agentId;
  const base: VectorFilter = {
    kind: "conversation",
    model: await toVectorText(ctx.embedder.model),
    ...(agentId === undefined ? {} : { agent: await toVectorText(agentId) }),
    ...(filter.userId === undefined ? {} : { user: await toVectorText(filter.userId) }),
    ...(filter.conversationId === undefined
      ? {}
      : { conversation_id: await toVectorText(filter.conversationId) }),
    ...(filter.saidAfterMs === undefined ? {} : { last_day: { $gte: toDay(filter.saidAfterMs) } }),
    ...(filter.saidBeforeMs === undefined ? {} : { day: { $lte: toDay(filter.saidBeforeMs) } }),
  };
  const { tagsAny, tagsAll, metadata } = filter;
  if (tagsAny === undefined && tagsAll === undefined && metadata === undefined)
    return { filters: [base], complete: true };
  const most = SLICES_MAX * FILTER_CONVERSATIONS_MAX;
  const ids = await selectFilteredConversations(ctx.db, scope, most + 1);
  const hashes = await Promise.all(ids.slice(0, most).map(toVectorText));
  return {
    filters: slices(hashes, FILTER_CONVERSATIONS_MAX).map(($in) => ({ ...base, conversation_id: { $in } })),
    complete: ids.length <= most,
  };
}

/** Rows as messages; each match with what its score is made of when weights are given. */
async function toFoundMessages(
  rows: FoundRow[],
  candidates: Candidate[],
  { relevanceOf, weights }: Pick<Candidates, "relevanceOf"> & { weights: Weights | null },
): Promise<FoundMessage[]> {
  const byNumber = new Map(candidates.map((candidate) => [candidate.number, candidate]));
  return Promise.all(
    rows.map(async (row) => {
      const candidate = row.score === null ? undefined : byNumber.get(row.number);
      return {
        number: row.number,
        message: await toMessage(row),
        score: row.score,
        chunkId: candidate?.chunkId ?? null,
        relevance: row.score === null ? 0 : relevanceOf(row.number),
        ...(candidate && weights ? { explanation: explain(candidate, row, weights) } : {}),
        conversation: {
          title: row.title,
          external_id: row.conversation_external_id,
          agent_id: row.agent_id,
          user_id: row.user_id,
          tags: JSON.parse(row.tags) as string[],
          created_at: toTimestamp(row.conversation_created_at_ms),
        },
      };
    }),
  );
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
