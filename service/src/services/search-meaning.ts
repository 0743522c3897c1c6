import type { RequestContext } from "../context.ts";
import { readVectorId } from "../indexing/chunk-ids.ts";
import { slices } from "../ports/calls.ts";
import {
  FILTER_CONVERSATIONS_MAX,
  QUERY_MATCHES_MAX,
  toDay,
  toVectorText,
  type VectorFilter,
} from "../ports/vectors.ts";
import { selectFilteredConversations } from "../queries/search.ts";
import type { SearchScope } from "../queries/search-filters.ts";
import type { ChunkMatch } from "../ranking/fusion.ts";
import { toRelevance, toUnrelatedCosine, UNRELATED_TEXTS } from "../ranking/relevance.ts";
import type { Search } from "./search-input.ts";
import { countUsage } from "./usage.ts";

/** Vector queries that one search may ask side by side. */
const SLICES_MAX = 5;
/** How long somebody who searches waits for a model, and for the store, before words must do. */
export const SEARCH_TIMEOUT_MS = 4_000;

/** What the vector store says of a query. */
export interface SemanticLeg {
  chunks: ChunkMatch[];
  /** Cosine of what has nothing to do with the query, in this model. */
  unrelatedCosine: number;
  /** Whether every conversation that the filter allows could be asked for. */
  complete: boolean;
  /** Whether the vector store had more to offer than one answer of it holds. */
  cut: boolean;
}

/**
 * The chunks nearest to a query.
 *
 * @throws what the model or the store threw.
 */
export async function searchMeaning(ctx: RequestContext, { read, scope }: Search): Promise<SemanticLeg> {
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
  ctx: RequestContext,
  text: string,
): Promise<{ vector: number[]; unrelatedCosine: number }> {
  const { embedder } = ctx;
  const known = unrelatedCosines.get(embedder.model);
  const texts = known === undefined ? [text, ...UNRELATED_TEXTS] : [text];
  const [vector, ...unrelated] = await embedder.embed(texts, SEARCH_TIMEOUT_MS);
  if (vector === undefined) throw new Error("the embedder answered no vector");
  // What the model is measured by is nobody's.
  countUsage(ctx, { embeddings: 1 });
  const unrelatedCosine = known ?? toUnrelatedCosine(unrelated);
  unrelatedCosines.set(embedder.model, unrelatedCosine);
  return { vector, unrelatedCosine };
}

/**
 * What the vector store is asked for, one filter a query.
 *
 * It knows conversation, agent, user and days. Everything else about a conversation is resolved in D1,
 * beside the embedding, into slices of ids that fit into a filter. What is about single messages (roles, names,
 * the time of day) D1 decides in the last step; so it does for kind `note`, which most memories are. Where more
 * conversations are allowed than slices hold, the last slice gives way to a query without ids: many of what is
 * nearest are allowed then.
 */
async function toVectorFilters(
  ctx: RequestContext,
  scope: SearchScope,
): Promise<{ filters: VectorFilter[]; complete: boolean }> {
  const { filter } = scope;
  const agentId = ctx.principal.agentId ?? filter.agentId;
  const [corpus, ...others] = filter.corpora ?? ["conversations"];
  const base: VectorFilter = {
    ...(others.length > 0 ? {} : { kind: corpus === "memories" ? "memory" : "conversation" }),
    model: await toVectorText(ctx.embedder.model),
    ...(agentId === undefined ? {} : { agent: await toVectorText(agentId) }),
    ...(filter.userId === undefined ? {} : { user: await toVectorText(filter.userId) }),
    ...(filter.conversationId === undefined
      ? {}
      : { conversation_id: await toVectorText(filter.conversationId) }),
    ...(filter.saidAfterMs === undefined ? {} : { last_day: { $gte: toDay(filter.saidAfterMs) } }),
    ...(filter.saidBeforeMs === undefined ? {} : { day: { $lte: toDay(filter.saidBeforeMs) } }),
  };
  const { tagsAny, tagsAll, metadata, source, kind } = filter;
  const isNarrow =
    kind === "summary" || [tagsAny, tagsAll, metadata, source].some((value) => value !== undefined);
  if (!isNarrow) return { filters: [base], complete: true };
  const most = SLICES_MAX * FILTER_CONVERSATIONS_MAX;
  const found = await selectFilteredConversations(ctx.db, scope, most, ctx.limits);
  const complete = found.isWhole;
  const sliced = complete ? found.allowed : found.allowed.slice(0, most - FILTER_CONVERSATIONS_MAX);
  const hashes = await Promise.all(sliced.map(toVectorText));
  const filters = slices(hashes, FILTER_CONVERSATIONS_MAX).map(($in) => ({
    ...base,
    conversation_id: { $in },
  }));
  return { filters: complete ? filters : [base, ...filters], complete };
}

/** The most that what lies behind the nearest chunks, and holds no word, can be relevant. */
export function unaskedRelevance({ chunks, unrelatedCosine }: SemanticLeg, hasWords: boolean): number {
  const cosine = Math.min(...chunks.map(({ score }) => score));
  return toRelevance({ coverage: hasWords ? 0 : null, cosine }, unrelatedCosine);
}
