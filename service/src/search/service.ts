import type { MemorySearchAnswer, SearchAnswer, SearchPrior } from "@engram/spec";
import { ApiError } from "../errors.ts";
import type { Moment } from "../filters/moments-queries.ts";
import type { KeyCaller } from "../invocation.ts";
import { batch, type Results } from "../platform/sql.ts";
import { searchedWords } from "../text/query.ts";
import { countUsage } from "../usage/service.ts";
import { chooseConversations } from "./conversations.ts";
import { isNarrowed } from "./filters-queries.ts";
import { readSearch, type SearchInput, type SearchRequest } from "./input.ts";
import { searchMeaning } from "./meaning.ts";
import { findPhrases, type PhraseOutcome } from "./phrases.ts";
import { firstPostings, selectLengths, selectPostings } from "./postings-queries.ts";
import { type PreparedQuery, SEARCH_TIMEOUT_MS } from "./prepared-query.ts";
import { type KeywordScores, scoreKeywords } from "./ranking/bm25.ts";
import { type Candidate, type Candidates, fuse, PHRASE_WEIGHT } from "./ranking/fusion.ts";
import { priorWeights, readIntent, VALIDITY_WEIGHT } from "./ranking/priors.ts";
import { calibrationOf } from "./ranking/relevance.ts";
import { type ResultGroup, type ResultShape, toGroups, toResults } from "./ranking/results.ts";
import { type Counted, readResults, type ToResults, type Weights } from "./results.ts";
import { type SearchState, searchState } from "./state-queries.ts";
import { withSummaries } from "./summaries.ts";
import { countInvisibleMessages } from "./visibility-lag.ts";

const RETRY_AFTER_SECONDS = 5;

/**
 * Searches by keywords and by meaning at the same time, then reads the best candidates from D1. The vector store may
 * still return deleted messages; D1 leaves them out.
 *
 * @throws {ApiError} `validation_failed` for a phrase that is too long in `keyword` mode; `unavailable` if `semantic`
 *   mode cannot search by meaning.
 */
export async function search(caller: KeyCaller, input: SearchInput): Promise<SearchAnswer> {
  const request = await readSearch(caller, input);
  const first = readFirst(caller, [request]);
  const { answer, degraded, pending } = await find(caller, request, firstOf(first, 0), toResults);
  const found = { ...answer, degraded, pending };
  return input.in.includes("summaries") ? withSummaries(caller, found, input.max_tokens) : found;
}

/**
 * Checks that a search could run. Searches nothing.
 *
 * @param path of the body in the request, for `errors`.
 * @throws {ApiError} `validation_failed`.
 */
export async function assertSearchable(caller: KeyCaller, input: SearchInput, path: string): Promise<void> {
  try {
    await readSearch(caller, input);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const errors = (error.errors ?? []).map((one) => ({ ...one, path: `${path}.${one.path}` }));
    throw new ApiError(error.code, error.message, { cause: error, errors });
  }
}

interface Found<Made> extends Pick<SearchAnswer, "degraded" | "pending"> {
  answer: Made;
  /** Finds the places of a content that match the query. */
  highlight: ResultShape["highlight"];
}

/** Results that the caller packs together with other texts. */
export type FoundGroups = Found<
  { results: ResultGroup[] } & Pick<SearchAnswer, "omitted" | "below_min_relevance">
>;

/**
 * Runs searches of one query, such as one in each corpus. They share the query, the moment and what they read first.
 * Each has the same results as by itself.
 */
export async function searchTogether(
  caller: KeyCaller,
  inputs: SearchInput[],
  shared: { query: PreparedQuery; moment: Moment | null },
): Promise<FoundGroups[]> {
  const requests = await Promise.all(inputs.map((input) => readSearch(caller, input, shared)));
  const first = readFirst(caller, requests);
  return Promise.all(requests.map((request, i) => find(caller, request, firstOf(first, i), toGroups)));
}

async function find<Made extends Counted>(
  caller: KeyCaller,
  request: SearchRequest,
  first: First,
  toAnswer: ToResults<Made>,
): Promise<Found<Made>> {
  const { read } = request.query;
  const [state, keywordOutcome, semanticOutcome] = await Promise.allSettled([
    first.state,
    searchKeywords(caller, request, first.postings),
    request.mode === "keyword" ? null : searchMeaning(caller, request),
  ]);
  if (state.status === "rejected") throw state.reason;
  if (keywordOutcome.status === "rejected") throw keywordOutcome.reason;
  if (semanticOutcome.status === "rejected" && request.mode === "semantic") {
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
  const { text, phrases } = read;
  const { scores, isPartial, ...phraseMatches } = keywordOutcome.value;
  // A search of the past is read as it was meant then.
  const { created_before } = request.scope.messages;
  const nowMs = request.scope.moment?.atMs ?? request.askedAtMs ?? caller.runtime.nowMs();
  const intent = readIntent(text, created_before ? Math.min(nowMs, Date.parse(created_before)) : nowMs);
  const isHybrid = request.mode === "hybrid";
  const weights: Weights = {
    ...priorWeights(
      isHybrid ? request.priors : request.priors.filter((prior) => prior === "hidden"),
      intent,
      scores?.shareOfLong ?? 0,
    ),
    phrase: isHybrid && phrases.length > 0 ? PHRASE_WEIGHT : 0,
    validity: state.value.hasValidity && request.in.includes("memories") ? VALIDITY_WEIGHT : 0,
  };
  const fused = fuse(scores, semantic?.chunks ?? [], {
    termsOnly: request.mode === "keyword",
    scaleTermsByCoverage: request.in.every((corpus) => corpus === "memories"),
    answerWeight: weights.answer,
    unrelatedCosine: semantic?.unrelatedCosine ?? null,
    calibration: calibrationOf(caller.embedder.model),
  });
  const isAllowed = ({ rowKey }: Candidate) => phraseMatches.allows(rowKey);
  const candidates: Candidates = {
    ...fused,
    top: fused.top.filter(isAllowed),
    others: () => fused.others().filter(isAllowed),
  };
  const features = {
    weights,
    terms: searchedWords(read),
    dates: intent.dates,
    validAtMs: request.validAtMs,
    holdsPhrase: phraseMatches.holdsPhrase,
  };
  const { answer, reranked, highlight } = await readResults(caller, request, candidates, features, toAnswer);
  const degraded: SearchAnswer["degraded"] = [];
  if (semanticOutcome.status === "rejected") {
    degraded.push("semantic");
    caller.log.error("search degraded", semanticOutcome.reason);
  }
  const { results, omitted, below_min_relevance } = answer;
  const isShort =
    semantic?.isBounded === true && results.length + omitted + below_min_relevance < request.limit;
  if (isShort || semantic?.complete === false) degraded.push("semantic_partial");
  if (isPartial || (state.value.hasLateWords && request.mode !== "semantic"))
    degraded.push("keyword_partial");
  if (read.isPhraseTooLong) degraded.push("phrase_too_long");
  if (state.value.otherModels) degraded.push("model_mismatch");
  if (!reranked) degraded.push("rerank");
  countUsage(caller, { searches: 1 });
  return { answer, highlight, degraded, pending: state.value.pending };
}

/**
 * Priors (properties that rank a message higher or lower) for memories. The others do not apply: a memory has no
 * speaker and no preceding question.
 */
const MEMORY_PRIORS: SearchPrior[] = ["time", "number", "date"];

/** Searches memories alone. @throws {ApiError} as `search`. */
export async function searchMemories(
  caller: KeyCaller,
  input: Omit<SearchInput, "in" | "neighbors" | "priors">,
): Promise<MemorySearchAnswer> {
  const answer = await search(caller, {
    ...input,
    in: ["memories"],
    neighbors: { before: 0, after: 0 },
    priors: MEMORY_PRIORS,
  });
  return { ...answer, results: answer.results.filter((result) => result.type === "memory") };
}

type Postings = Results<ReturnType<typeof firstPostings>>;

interface First {
  state: ReturnType<typeof readState>;
  /** Null if the query has no terms to search for. */
  postings: Promise<Postings | null>;
}

/** Reads the state, and the first postings of each search, in one call. The searches have the same mode. */
function readFirst(caller: KeyCaller, requests: SearchRequest[]) {
  const { db, embedder, limits, principal, runtime } = caller;
  const results = batch(db, {
    state: searchState(principal, {
      model: embedder.model,
      nowMs: runtime.nowMs(),
      rows: limits.searchStateRows,
    }),
    postings: requests.map((request) =>
      usesTerms(request) ? firstPostings(request.scope, request.query.read, limits.searchPostings) : null,
    ),
  });
  const isKeyword = requests.every(({ mode }) => mode === "keyword");
  return { state: readState(caller, isKeyword, results), results };
}

const firstOf = ({ state, results }: ReturnType<typeof readFirst>, place: number): First => ({
  state,
  postings: results.then(({ postings }) => postings[place] ?? null),
});

const usesTerms = ({ mode, query }: SearchRequest): boolean =>
  mode !== "semantic" && query.read.terms.length > 0;

async function readState(
  { vectors, log, caches, principal }: KeyCaller,
  isKeyword: boolean,
  first: Promise<{ state: SearchState }>,
) {
  const { pending, otherModels, hasLateWords, hasValidity, recentUpserts } = (await first).state;
  if (isKeyword) return { pending, otherModels: false, hasLateWords, hasValidity };
  const { organizationId } = principal;
  const invisible = await countInvisibleMessages(
    vectors,
    caches.visibleUpserts,
    { organizationId, recentUpserts },
    SEARCH_TIMEOUT_MS,
  ).catch((error: unknown) => {
    // The search in the vector store is then likely to fail too, which the response reports in `degraded`.
    log.error("vectors not counted", error);
    return 0;
  });
  return { pending: pending + invisible, otherModels, hasLateWords, hasValidity };
}

interface KeywordOutcome extends PhraseOutcome {
  /** Null if the query has no terms, or if the mode is `semantic`, in which only exclusions are searched. */
  scores: KeywordScores | null;
}

async function searchKeywords(
  caller: KeyCaller,
  request: SearchRequest,
  first: Promise<Postings | null>,
): Promise<KeywordOutcome> {
  const { scope } = request;
  const { read } = request.query;
  const [phrases, firstRead] = await Promise.all([findPhrases(caller, request), first]);
  if (firstRead === null) return { ...phrases, scores: null };
  const postings = await selectPostings(caller.db, scope, read, caller.limits.searchPostings, firstRead);
  const conversations = await chooseConversations(caller, request, postings);
  const scores = await scoreKeywords(postings, (toRead) => selectLengths(caller.db, scope, toRead), {
    readAll: isNarrowed(scope),
    readMax: caller.limits.searchScoredMessages,
    allows: (rowKey) => phrases.allows(rowKey) && conversations.allows(rowKey),
  });
  const isPartial = phrases.isPartial || postings.isPartial || conversations.isPartial || scores.isPartial;
  return { ...phrases, scores, isPartial };
}
