import type { SearchAnswer } from "@engram/spec";
import type { RequestContext } from "../context.ts";
import { ApiError } from "../errors.ts";
import { selectLengths, selectPostings } from "../queries/postings.ts";
import { isNarrowed } from "../queries/search-filters.ts";
import { selectSearchState } from "../queries/search-state.ts";
import { type KeywordScores, scoreKeywords } from "../ranking/bm25.ts";
import { type Candidate, type Candidates, fuse, PHRASE_WEIGHT } from "../ranking/fusion.ts";
import { priorWeights, readIntent } from "../ranking/priors.ts";
import { chooseConversations } from "./search-conversations.ts";
import { readSearch, type Search, type SearchInput } from "./search-input.ts";
import { SEARCH_TIMEOUT_MS, searchMeaning, unaskedRelevance } from "./search-meaning.ts";
import { type FoundPhrases, findPhrases, NO_PHRASES } from "./search-phrases.ts";
import { readResults, type Weights } from "./search-results.ts";
import { countUnshownMessages } from "./unshown-vectors.ts";
import { countUsage } from "./usage.ts";

const RETRY_AFTER_SECONDS = 5;

/**
 * Finds messages by meaning and by words, best first, in three sequential steps:
 *
 * 1. Read the keyword index and embed the query, concurrently.
 * 2. Query the vector store.
 * 3. Load the best candidates from D1 in one read.
 *
 * The vector store lags and may still return deleted messages. D1 decides: a candidate that it does not
 * return is dropped. A retriever that failed is listed in `degraded`.
 *
 * @throws {ApiError} `validation_failed` for a phrase that is too long in `keyword` mode; `unavailable` when
 *   `semantic` mode cannot search by meaning.
 */
export async function search(ctx: RequestContext, input: SearchInput): Promise<SearchAnswer> {
  const asked = readSearch(ctx, input);
  const [state, byWords, byMeaning] = await Promise.allSettled([
    readState(ctx, input.mode),
    input.mode === "semantic" ? NO_WORDS : searchKeywords(ctx, asked),
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
  const { scores, isPartial, ...phrasesFound } = byWords.value;
  const intent = readIntent(text, ctx.runtime.nowMs());
  const isHybrid = input.mode === "hybrid";
  const weights: Weights = {
    ...priorWeights(isHybrid ? input.priors : [], intent),
    phrase: isHybrid && phrases.length > 0 ? PHRASE_WEIGHT : 0,
  };
  const { minRelevance = 0 } = input;
  const fused = fuse(scores, semantic?.chunks ?? [], {
    wordsOnly: input.mode === "keyword",
    wordsByCoverage: asked.filter.corpora?.every((corpus) => corpus === "memories") ?? false,
    answerWeight: weights.answer,
    unrelatedCosine: semantic?.unrelatedCosine ?? 0,
  });
  const mayMatch = ({ number }: Candidate) =>
    phrasesFound.allows(number) && (minRelevance === 0 || fused.relevanceOf(number) >= minRelevance);
  const candidates: Candidates = {
    ...fused,
    best: fused.best.filter(mayMatch),
    others: () => fused.others().filter(mayMatch),
  };
  const { answer, reranked } = await readResults(ctx, asked, candidates, {
    weights,
    words,
    dates: intent.dates,
    holdsPhrase: phrasesFound.holdsPhrase,
  });
  const degraded: SearchAnswer["degraded"] = [];
  if (byMeaning.status === "rejected") {
    degraded.push("semantic");
    ctx.log.error("search degraded", byMeaning.reason);
  }
  const cut = semantic?.cut === true && unaskedRelevance(semantic, scores !== null) >= minRelevance;
  const short = cut && answer.results.length + answer.omitted < input.limit;
  if (short || semantic?.complete === false) degraded.push("semantic_partial");
  if (isPartial) degraded.push("keyword_partial");
  if (asked.read.isPhraseTooLong) degraded.push("phrase_too_long");
  if (state.value.otherModels) degraded.push("model_mismatch");
  if (!reranked) degraded.push("rerank");
  countUsage(ctx, { searches: 1 });
  return { ...answer, degraded, pending: state.value.pending };
}

/**
 * Counts the messages that this search cannot find by meaning. Queries the vector store only if the mode uses
 * it.
 */
async function readState(ctx: RequestContext, mode: SearchInput["mode"]) {
  const { db, embedder, limits, log, principal, runtime, vectors } = ctx;
  const { pending, otherModels, takings } = await selectSearchState(db, principal, {
    model: embedder.model,
    nowMs: runtime.nowMs(),
    rows: limits.searchStateRows,
  });
  if (mode === "keyword") return { pending, otherModels: false };
  const unshown = await countUnshownMessages(vectors, takings, SEARCH_TIMEOUT_MS).catch((error: unknown) => {
    // A store that does not answer cannot be searched either, which the answer reports.
    log.error("vectors not counted", error);
    return 0;
  });
  return { pending: pending + unshown, otherModels };
}

interface FoundWords extends FoundPhrases {
  /** Null when the query has no terms. */
  scores: KeywordScores | null;
}

const NO_WORDS: FoundWords = { ...NO_PHRASES, scores: null };

async function searchKeywords(ctx: RequestContext, asked: Search): Promise<FoundWords> {
  const { read, scope } = asked;
  if (read.words.length === 0) return NO_WORDS;
  const [phrases, postings] = await Promise.all([
    findPhrases(ctx, asked),
    selectPostings(ctx.db, scope, read.words, ctx.limits.searchPostings),
  ]);
  const reach = await chooseConversations(ctx, asked, postings);
  const scores = await scoreKeywords(postings, (unread) => selectLengths(ctx.db, scope, unread), {
    readAll: isNarrowed(scope),
    readMax: ctx.limits.searchScoredMessages,
    allows: (number) => phrases.allows(number) && reach.allows(number),
  });
  const isPartial = phrases.isPartial || postings.isPartial || reach.isPartial || scores.isPartial;
  return { ...phrases, scores, isPartial };
}
