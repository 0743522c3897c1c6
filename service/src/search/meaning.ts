import { type ConversationFilter, comparesJson, narrowedVisibility } from "../filters/queries.ts";
import type { KeyCaller } from "../invocation.ts";
import { slices } from "../platform/calls.ts";
import { readVectorId } from "../platform/chunk-ids.ts";
import {
  FILTER_CONVERSATIONS_MAX,
  QUERY_MATCHES_MAX,
  SHARED_VECTORS,
  toDay,
  toVectorText,
  type VectorFilter,
} from "../platform/vectors.ts";
import { selectExcludedConversations, selectFilteredConversations } from "./conversations-queries.ts";
import type { SearchScope } from "./filters-queries.ts";
import type { SearchRequest } from "./input.ts";
import { SEARCH_TIMEOUT_MS } from "./prepared-query.ts";
import type { ChunkMatch } from "./ranking/fusion.ts";

const SLICES_MAX = 5;
export interface SemanticCandidates {
  chunks: ChunkMatch[];
  /** Mean cosine similarity of the query and unrelated texts. */
  unrelatedCosine: number;
  /** False if the queries of the vector store could not list all conversations that match the filter. */
  complete: boolean;
  /** Whether a response of the vector store has the maximum number of matches, so that it may have left out others. */
  isBounded: boolean;
}

/**
 * Null if the model does not read the language of the query, for which its vector is zero.
 *
 * @throws the error of the embedding model, the vector store or D1.
 */
export async function searchMeaning(
  caller: KeyCaller,
  { query, scope }: SearchRequest,
): Promise<SemanticCandidates | null> {
  const { principal } = caller;
  const [{ vector, unrelatedCosine }, filters] = await Promise.all([
    query.embed(),
    toVectorFilters(caller, scope),
  ]);
  if (vector.every((value) => value === 0)) return null;
  const answers = await Promise.all(
    filters.filters.map((filter) =>
      caller.vectors.query(principal.organizationId, vector, filter, SEARCH_TIMEOUT_MS),
    ),
  );
  const chunks = answers.flat().flatMap(({ id, score }) => {
    const place = readVectorId(id);
    // The vector of a chunk is zero too if the model does not read its language.
    return place === null || score === 0 ? [] : [{ ...place, score }];
  });
  const isBounded = answers.some((matches) => matches.length === QUERY_MATCHES_MAX);
  return { chunks, unrelatedCosine, complete: filters.complete, isBounded };
}

/** The vectors of one user, of what is shared, of both, or of all that is not shared. */
async function toUserFilter(
  userId: string | undefined,
  visibility: ConversationFilter["visibility"],
): Promise<Pick<VectorFilter, "user">> {
  const only = narrowedVisibility(visibility);
  if (only === "shared") return { user: SHARED_VECTORS };
  if (userId === undefined) return only === null ? {} : { user: { $nin: [SHARED_VECTORS] } };
  const own = await toVectorText(userId);
  return { user: only === "own" ? own : { $in: [own, SHARED_VECTORS] } };
}

/**
 * The vector store can filter by conversation, by an excluded one, agent, user and days. For other properties, D1 finds the conversations
 * that match, and their ids are split into slices that each fit into a filter. If there are too many, a query without
 * ids replaces the last slice. D1 checks properties of single messages later. It also checks the kind `note` later,
 * because most memories are notes, so a filter here would exclude few.
 */
async function toVectorFilters(
  caller: KeyCaller,
  scope: SearchScope,
): Promise<{ filters: VectorFilter[]; complete: boolean }> {
  const { filter } = scope;
  const { created_after, created_before } = scope.messages;
  const agentId = caller.principal.agentId ?? filter.agent_id;
  const [corpus, ...others] = filter.corpora ?? ["conversations"];
  const excluded = await selectExcludedConversations(caller.db, scope, FILTER_CONVERSATIONS_MAX);
  const base: VectorFilter = {
    ...(others.length > 0 ? {} : { kind: corpus === "memories" ? "memory" : "conversation" }),
    model: await toVectorText(caller.embedder.model),
    ...(agentId === undefined ? {} : { agent: await toVectorText(agentId) }),
    ...(await toUserFilter(caller.principal.userId ?? filter.for_user, filter.visibility)),
    ...(excluded.length === 0
      ? {}
      : { conversation_id: { $nin: await Promise.all(excluded.map(toVectorText)) } }),
    ...(filter.conversation_id === undefined
      ? {}
      : { conversation_id: await toVectorText(filter.conversation_id) }),
    ...(created_after === undefined ? {} : { last_day: { $gte: toDay(Date.parse(created_after)) } }),
    ...(created_before === undefined ? {} : { day: { $lte: toDay(Date.parse(created_before)) } }),
  };
  const isNarrow = filter.kind === "summary" || filter.source !== undefined || comparesJson(filter);
  if (!isNarrow) return { filters: [base], complete: true };
  const most = SLICES_MAX * FILTER_CONVERSATIONS_MAX;
  const found = await selectFilteredConversations(caller.db, scope, most, caller.limits);
  const complete = found.isWhole;
  const sliced = complete ? found.allowed : found.allowed.slice(0, most - FILTER_CONVERSATIONS_MAX);
  const hashes = await Promise.all(sliced.map(toVectorText));
  const filters = slices(hashes, FILTER_CONVERSATIONS_MAX).map(($in) => ({
    ...base,
    conversation_id: { $in },
  }));
  return { filters: complete ? filters : [base, ...filters], complete };
}
