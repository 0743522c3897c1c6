import {
  CONTEXT_MEMORIES_MAX,
  CONTEXT_RESULTS_MAX,
  type ContextAnswer,
  type ContextMemory,
  type Corpus,
  KEEP_BEST_FOR_MODELS,
  MESSAGE_PAGE_MAX,
  MIN_RELEVANCE_FOR_MODELS,
  SEARCH_PRIORS,
  type SearchAnswer,
} from "@engram/spec";
import { conversationById } from "../conversations/queries.ts";
import { notFound } from "../errors.ts";
import { readMoment } from "../filters/moments.ts";
import type { Moment } from "../filters/moments-queries.ts";
import type { KeyCaller } from "../invocation.ts";
import { hasEnded, isHeld } from "../memories/fields.ts";
import { selectMemories } from "../memories/queries.ts";
import { messageSlice } from "../messages/pages-queries.ts";
import { toTimestamp } from "../platform/batch.ts";
import { batch } from "../platform/sql.ts";
import { type PreparedQuery, prepareQuery } from "../search/prepared-query.ts";
import { search } from "../search/service.ts";
import { type ContextBudget, type ContextParts, toBlock, toContextMessage } from "./block.ts";

/** Fewest tokens of a message's line: its number, time, speaker and a word. */
const LINE_TOKENS_MIN = 24;
/** Messages that a search returns on each side of a match. */
const NEIGHBORS = 2;
/** Mode of both searches. */
const MODE = "hybrid";

export interface ContextInput extends ContextBudget {
  query: string | undefined;
  conversationId: string | undefined;
  userId: string | undefined;
  agentId: string | undefined;
  metadata: Record<string, string | number | boolean> | undefined;
  asOf: string | undefined;
  /** Undefined for that of models, below which the best memories are kept. */
  minRelevance: number | undefined;
  /** Time at which memories should hold. Undefined for now. */
  validAt: string | undefined;
}

/**
 * Reads the newest messages, the newest memories and the search results at the same time, and puts what fits into one
 * text.
 *
 * @throws {ApiError} `not_found` for an unknown conversation, and for one of another user or agent than the input names.
 */
export async function getContext(caller: KeyCaller, input: ContextInput): Promise<ContextAnswer> {
  const moment = await readMoment(caller, input.asOf);
  const validAt = input.validAt ?? toTimestamp(moment?.atMs ?? caller.runtime.nowMs());
  const validAtMs = Date.parse(validAt);
  const query = input.query === undefined ? null : prepareQuery(caller, { query: input.query, mode: MODE });
  const [newest, memories, found, remembered] = await Promise.all([
    readNewest(caller, input, moment),
    readMemories(caller, input, { moment, validAtMs }),
    searchShared(caller, { ...input, validAt }, query, "conversations"),
    searchShared(caller, { ...input, validAt }, query, "memories"),
  ]);
  const parts: ContextParts = {
    ...newest,
    validAtMs,
    memories: heldFirst(withoutRepeats([...memoriesOf(remembered), ...memories]), validAtMs),
    results: found.results.filter((result) => result.type === "messages"),
  };
  const block = await caller.pace.run(toBlock(parts, input));
  const { omitted, below_min_relevance } = found;
  return {
    ...block,
    memories: { ...block.memories, omitted: block.memories.omitted + remembered.omitted },
    results: { ...block.results, omitted: block.results.omitted + omitted, below_min_relevance },
    degraded: [...new Set([...found.degraded, ...remembered.degraded])],
    pending: Math.max(found.pending, remembered.pending),
  };
}

type Found = Pick<SearchAnswer, "results" | "degraded" | "pending" | "omitted" | "below_min_relevance">;

const NOTHING_FOUND: Found = { results: [], degraded: [], pending: 0, omitted: 0, below_min_relevance: 0 };

/**
 * Searches a corpus that has a share. Each is searched by itself, so that the best memories are found however many
 * messages rank higher.
 */
async function searchShared(
  caller: KeyCaller,
  input: ContextInput,
  prepared: PreparedQuery | null,
  corpus: Corpus,
): Promise<Found> {
  const { query, shares, userId, agentId, metadata, minRelevance, validAt, asOf, tokensMax } = input;
  const share = corpus === "memories" ? shares.memories : shares.results;
  if (query === undefined || prepared === null || share === 0) return NOTHING_FOUND;
  return search(
    caller,
    {
      query,
      mode: MODE,
      limit: CONTEXT_RESULTS_MAX,
      in: [corpus],
      agent_id: agentId,
      user_id: userId,
      metadata,
      as_of: asOf,
      neighbors: { before: NEIGHBORS, after: NEIGHBORS },
      priors: [...SEARCH_PRIORS],
      explain: false,
      rerank: false,
      valid_at: validAt,
      min_relevance: minRelevance ?? MIN_RELEVANCE_FOR_MODELS,
      keep_best: minRelevance === undefined && corpus === "memories" ? KEEP_BEST_FOR_MODELS : 0,
      max_tokens: tokensMax,
    },
    prepared,
  );
}

async function readNewest(
  { db, principal, limits }: KeyCaller,
  { conversationId, userId, agentId, shares, tokensMax }: ContextInput,
  moment: Moment | null,
): Promise<Pick<ContextParts, "conversationId" | "messageCount" | "messages">> {
  if (conversationId === undefined) return { conversationId: null, messageCount: 0, messages: [] };
  const range = {
    conversationId,
    fromSequence: 1,
    toSequence: Number.MAX_SAFE_INTEGER,
    limit: Math.min(MESSAGE_PAGE_MAX, Math.ceil(tokensMax / LINE_TOKENS_MIN)),
    end: "last" as const,
    moment,
  };
  const { found, slice } = await batch(db, {
    found: conversationById(principal, conversationId, moment),
    slice: shares.messages === 0 ? null : messageSlice(principal, range, limits),
  });
  const isOther = (own: string | null, wanted: string | undefined) =>
    own !== null && wanted !== undefined && own !== wanted;
  if (
    found === null ||
    isOther(found.conversation.user_id, userId) ||
    isOther(found.conversation.agent_id, agentId)
  )
    throw notFound("conversation");
  return {
    conversationId,
    messageCount: found.conversation.message_count,
    messages: (slice?.messages ?? []).map(toContextMessage),
  };
}

/** The newest memories of the user or agent. None without either: they would be those of all users. */
async function readMemories(
  { db, principal, limits }: KeyCaller,
  { userId, agentId, metadata, shares }: ContextInput,
  { moment, validAtMs }: { moment: Moment | null; validAtMs: number },
): Promise<ContextMemory[]> {
  const owners = [userId, agentId, principal.userId ?? undefined, principal.agentId ?? undefined];
  if (shares.memories === 0 || owners.every((owner) => owner === undefined)) return [];
  const { memories } = await selectMemories(
    db,
    {
      owner: principal,
      corpus: "memories",
      filter: { user_id: userId, agent_id: agentId, metadata },
      sort: "created_at",
      order: "desc",
      after: null,
      moment,
      limits,
    },
    { limit: CONTEXT_MEMORIES_MAX, withTotal: false },
    limits,
  );
  return memories.map((memory) => {
    const { id, content, sources, valid_from, valid_until, created_at } = memory;
    const ended = hasEnded(memory, validAtMs);
    return { id, content, sources, valid_from, valid_until, created_at, ended, relevance: null };
  });
}

const memoriesOf = ({ results }: Found): ContextMemory[] =>
  results.flatMap((result) => {
    if (result.type !== "memory") return [];
    const { id, content, content_start, content_end, content_length, sources } = result.memory;
    const { valid_from, valid_until, created_at } = result.memory;
    const part = content_start !== undefined && { content_start, content_end, content_length };
    const { ended, relevance } = result;
    return [{ id, content, ...part, sources, valid_from, valid_until, created_at, ended, relevance }];
  });

/** In the same order otherwise. */
const heldFirst = (memories: ContextMemory[], atMs: number): ContextMemory[] => [
  ...memories.filter((memory) => isHeld(memory, atMs)),
  ...memories.filter((memory) => !isHeld(memory, atMs)),
];

const withoutRepeats = (memories: ContextMemory[]): ContextMemory[] =>
  memories.filter(({ id }, i) => memories.findIndex((first) => first.id === id) === i);
