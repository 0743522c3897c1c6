import type { SearchAnswer } from "@engram/spec";
import type { KeyCaller } from "../context.ts";
import { ApiError } from "../errors.ts";
import { countUsage } from "../usage/service.ts";
import { chooseConversations } from "./conversations.ts";
import { isNarrowed } from "./filters-queries.ts";
import { readSearch, type SearchInput, type SearchRequest } from "./input.ts";
import { SEARCH_TIMEOUT_MS, searchMeaning } from "./meaning.ts";
import { findPhrases, type PhraseOutcome } from "./phrases.ts";
import { selectLengths, selectPostings } from "./postings-queries.ts";
import { type KeywordScores, scoreKeywords } from "./ranking/bm25.ts";
import { type Candidate, type Candidates, fuse, PHRASE_WEIGHT } from "./ranking/fusion.ts";
import { priorWeights, readIntent } from "./ranking/priors.ts";
import { readResults, type Weights } from "./results.ts";
import { selectSearchState } from "./state-queries.ts";
import { countInvisibleMessages } from "./visibility-lag.ts";

const RETRY_AFTER_SECONDS = 5;

/**
 * Searches by keywords and by meaning at the same time, then reads the best candidates from D1. The vector store may
 * still return deleted messages; D1 leaves them out.
 *
 * @throws {ApiError} `validation_failed` for a phrase that is too long in `keyword` mode; `unavailable` if `semantic`
 *   mode cannot search by meaning.
 */
export async function search(ctx: KeyCaller, input: SearchInput): Promise<SearchAnswer> {
  const request = readSearch(ctx, input);
  const [state, keywordOutcome, semanticOutcome] = await Promise.allSettled([
    readState(ctx, input.mode),
    searchKeywords(ctx, request),
    input.mode === "keyword" ? null : searchMeaning(ctx, request),
  ]);
  if (state.status === "rejected") throw state.reason;
  if (keywordOutcome.status === "rejected") throw keywordOutcome.reason;
  if (semanticOutcome.status === "rejected" && input.mode === "semantic") {
    throw new ApiError(
      "unavailable",
      "Semantic search is not available at the moment. Try again later, or use another `mode`.",
      {
        cause: semanticOutcome.reason,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      },
    );
  }
  const semantic = semanticOutcome.status === "fulfilled" ? semanticOutcome.value : null;
  const { text, terms, phrases } = request.read;
  const { scores, isPartial, ...phraseMatches } = keywordOutcome.value;
  const intent = readIntent(text, ctx.runtime.nowMs());
  const isHybrid = input.mode === "hybrid";
  const weights: Weights = {
    ...priorWeights(isHybrid ? input.priors : input.priors.filter((prior) => prior === "hidden"), intent),
    phrase: isHybrid && phrases.length > 0 ? PHRASE_WEIGHT : 0,
  };
  const fused = fuse(scores, semantic?.chunks ?? [], {
    termsOnly: input.mode === "keyword",
    scaleTermsByCoverage: request.filter.corpora?.every((corpus) => corpus === "memories") ?? false,
    answerWeight: weights.answer,
    unrelatedCosine: semantic?.unrelatedCosine ?? 0,
  });
  const isAllowed = ({ rowKey }: Candidate) => phraseMatches.allows(rowKey);
  const candidates: Candidates = {
    ...fused,
    top: fused.top.filter(isAllowed),
    others: () => fused.others().filter(isAllowed),
  };
  const { answer, reranked } = await readResults(ctx, request, candidates, {
    weights,
    terms,
    dates: intent.dates,
    holdsPhrase: phraseMatches.holdsPhrase,
  });
  const degraded: SearchAnswer["degraded"] = [];
  if (semanticOutcome.status === "rejected") {
    degraded.push("semantic");
    ctx.log.error("search degraded", semanticOutcome.reason);
  }
  const { results, omitted, below_min_relevance } = answer;
  const isShort =
    semantic?.isBounded === true && results.length + omitted + below_min_relevance < input.limit;
  if (isShort || semantic?.complete === false) degraded.push("semantic_partial");
  if (isPartial || (state.value.hasLateWords && input.mode !== "semantic")) degraded.push("keyword_partial");
  if (request.read.isPhraseTooLong) degraded.push("phrase_too_long");
  if (state.value.otherModels) degraded.push("model_mismatch");
  if (!reranked) degraded.push("rerank");
  countUsage(ctx, { searches: 1 });
  return { ...answer, degraded, pending: state.value.pending };
}

async function readState(ctx: KeyCaller, mode: SearchInput["mode"]) {
  const { db, embedder, limits, log, principal, runtime, vectors } = ctx;
  const { pending, otherModels, hasLateWords, recentUpserts } = await selectSearchState(db, principal, {
    model: embedder.model,
    nowMs: runtime.nowMs(),
    rows: limits.searchStateRows,
  });
  if (mode === "keyword") return { pending, otherModels: false, hasLateWords };
  const invisible = await countInvisibleMessages(vectors, recentUpserts, SEARCH_TIMEOUT_MS).catch(
    (error: unknown) => {
      // The search in the vector store is then likely to fail too, which the response reports in `degraded`.
      log.error("vectors not counted", error);
      return 0;
    },
  );
  return { pending: pending + invisible, otherModels, hasLateWords };
}

interface KeywordOutcome extends PhraseOutcome {
  /** Null if the query has no terms, or if the mode is `semantic`, in which only exclusions are searched. */
  scores: KeywordScores | null;
}

async function searchKeywords(ctx: KeyCaller, request: SearchRequest): Promise<KeywordOutcome> {
  const { mode, read, scope } = request;
  if (mode === "semantic" || read.terms.length === 0)
    return { ...(await findPhrases(ctx, request)), scores: null };
  const [phrases, postings] = await Promise.all([
    findPhrases(ctx, request),
    selectPostings(ctx.db, scope, read.terms, ctx.limits.searchPostings),
  ]);
  const conversations = await chooseConversations(ctx, request, postings);
  const scores = await scoreKeywords(postings, (toRead) => selectLengths(ctx.db, scope, toRead), {
    readAll: isNarrowed(scope),
    readMax: ctx.limits.searchScoredMessages,
    allows: (rowKey) => phrases.allows(rowKey) && conversations.allows(rowKey),
  });
  const isPartial = phrases.isPartial || postings.isPartial || conversations.isPartial || scores.isPartial;
  return { ...phrases, scores, isPartial };
}
