import type { SearchAnswer } from "@engram/spec";
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
import {
  type Found,
  type SearchFilter,
  selectFilteredConversations,
  selectOffered,
  selectPostings,
} from "../queries/search.ts";
import { scoreKeywords } from "../ranking/bm25.ts";
import { type Candidate, type ChunkMatch, fuse } from "../ranking/fusion.ts";
import { countForResults, type FoundMessage, toResults } from "../ranking/results.ts";
import { queryWords } from "../text/words.ts";

/** Results that D1 is asked to have content for, per result wanted: some offers are gone by then. */
const SPARE = 1.5;
/** Offers that D1 decides about at least: filters on messages may leave few of them. */
const OFFERS_MIN = 1_000;
/** Vector queries that one search may ask side by side. */
const SLICES_MAX = 5;
const RETRY_AFTER_SECONDS = 5;
/** How long somebody who searches waits for the model, and for the store, before words must do. */
const SEARCH_TIMEOUT_MS = 4_000;

export interface SearchInput {
  query: string;
  mode: "hybrid" | "semantic" | "keyword";
  limit: number;
  filter: SearchFilter;
  context: { before: number; after: number };
  maxTokens: number | undefined;
}

interface SemanticLeg {
  chunks: ChunkMatch[];
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
  const [byWords, byMeaning] = await Promise.allSettled([
    input.mode === "semantic" ? null : searchKeywords(ctx, input),
    input.mode === "keyword" ? null : searchMeaning(ctx, input),
  ]);
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
  const candidates = fuse(byWords.value, semantic?.chunks ?? [], { wordsOnly: input.mode === "keyword" });
  const shape = { limit: input.limit, ...input.context };
  const keep = countForResults(candidates, { ...shape, limit: Math.ceil(SPARE * input.limit) });
  const found = await selectOffered(ctx.db, {
    owner: ctx.principal,
    filter: input.filter,
    offers: candidates.slice(0, Math.max(OFFERS_MIN, SPARE * keep)),
    keep,
    ...input.context,
    model: ctx.embedder.model,
  });
  const degraded: SearchAnswer["degraded"] = [];
  if (byMeaning.status === "rejected") {
    degraded.push("semantic");
    ctx.log.error("search degraded", byMeaning.reason);
  }
  const answer = toResults(await toFoundMessages(found, candidates), shape, input.maxTokens);
  const short = semantic?.cut === true && answer.results.length + answer.omitted < input.limit;
  if (short || semantic?.complete === false) degraded.push("semantic_partial");
  if (input.mode !== "keyword" && found.otherModels) degraded.push("model_mismatch");
  return { ...answer, omitted: answer.omitted + found.unread, degraded, pending: found.pending };
}

async function searchKeywords(ctx: RequestContext, input: SearchInput) {
  const words = queryWords(input.query);
  if (words.length === 0) return null;
  const { principal } = ctx;
  const { organizationNumber } = principal;
  return scoreKeywords(
    await selectPostings(ctx.db, { owner: principal, organizationNumber, words, filter: input.filter }),
  );
}

async function searchMeaning(ctx: RequestContext, input: SearchInput): Promise<SemanticLeg> {
  const { principal } = ctx;
  const [[vector], filters] = await Promise.all([
    ctx.embedder.embed([input.query], SEARCH_TIMEOUT_MS),
    toVectorFilters(ctx, input.filter),
  ]);
  if (vector === undefined) throw new Error("the embedder answered no vector");
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
  return { chunks, complete: filters.complete, cut };
}

/**
 * What the vector store is asked for, one filter a query.
 *
 * It knows conversation, agent, user and days. Everything else about a conversation is resolved in D1,
 * beside the embedding, into slices of ids that fit into a filter; what is about single messages
 * (roles, the time of day) D1 decides in the last step.
 */
async function toVectorFilters(
  ctx: RequestContext,
  filter: SearchFilter,
): Promise<{ filters: VectorFilter[]; complete: boolean }> {
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
  if (filter.tagsAny === undefined && filter.tagsAll === undefined)
    return { filters: [base], complete: true };
  const most = SLICES_MAX * FILTER_CONVERSATIONS_MAX;
  const ids = await selectFilteredConversations(ctx.db, { owner: ctx.principal, filter, limit: most + 1 });
  const hashes = await Promise.all(ids.slice(0, most).map(toVectorText));
  return {
    filters: slices(hashes, FILTER_CONVERSATIONS_MAX).map(($in) => ({ ...base, conversation_id: { $in } })),
    complete: ids.length <= most,
  };
}

async function toFoundMessages(found: Found, candidates: Candidate[]): Promise<FoundMessage[]> {
  const chunkIds = new Map(candidates.map(({ number, chunkId }) => [number, chunkId]));
  return Promise.all(
    found.rows.map(async (row) => ({
      number: row.number,
      message: await toMessage(row),
      score: row.score,
      chunkId: chunkIds.get(row.number) ?? null,
      conversation: {
        title: row.title,
        external_id: row.conversation_external_id,
        agent_id: row.agent_id,
        user_id: row.user_id,
        tags: JSON.parse(row.tags) as string[],
        created_at: toTimestamp(row.conversation_created_at_ms),
      },
    })),
  );
}
