import {
  CONTEXT_MEMORIES_MAX,
  CONTEXT_RESULTS_MAX,
  type ContextAnswer,
  type ContextMemory,
  type ContextRequest,
  type Corpus,
  KEEP_BEST_FOR_MODELS,
  MESSAGE_PAGE_MAX,
  MIN_RELEVANCE_FOR_MODELS,
  SEARCH_PRIORS,
  type Visibility,
} from "@engram/spec";
import { conversationById } from "../conversations/queries.ts";
import { notFound } from "../errors.ts";
import { readMoment } from "../filters/moments.ts";
import type { Moment } from "../filters/moments-queries.ts";
import { narrowedVisibility } from "../filters/queries.ts";
import type { KeyCaller } from "../invocation.ts";
import { hasEnded, isHeld } from "../memories/fields.ts";
import { selectMemories } from "../memories/queries.ts";
import { messageSlice } from "../messages/pages-queries.ts";
import { toTimestamp } from "../platform/batch.ts";
import { interceptCalls } from "../platform/database-calls.ts";
import { gatherReads } from "../platform/gathered-reads.ts";
import { batch } from "../platform/sql.ts";
import { prepareQuery } from "../search/prepared-query.ts";
import { type FoundGroups, searchTogether } from "../search/service.ts";
import { newestSummaries } from "../summaries/queries.ts";
import { inNoSteps } from "../text/pace.ts";
import { type ContextBudget, type ContextParts, toBlock } from "./block.ts";
import { toContextMemory, toContextMessage } from "./results.ts";
import { besides, budgetBesides, joined, openHead, readPrevious } from "./stable.ts";

/** Fewest tokens of a message's line: its number, time, speaker and a word. */
const LINE_TOKENS_MIN = 24;
/** A longer message may be cut to about as many tokens. If all that were read fit, earlier ones are read, too. */
const CONTENT_TOKENS_COUNTED = 100;
/** Messages that a search returns on each side of a match. */
const NEIGHBORS = 2;
/** Mode of both searches. */
const MODE = "hybrid";

export interface ContextInput extends ContextBudget {
  query: string | undefined;
  conversationId: string | undefined;
  /** Id or external id of a conversation that is not searched. */
  excludeConversation: string | undefined;
  userId: string | undefined;
  visibility: Visibility[] | undefined;
  agentId: string | undefined;
  metadata: Record<string, string | number | boolean> | undefined;
  asOf: string | undefined;
  /** Undefined for that of models, below which the best memories are kept. */
  minRelevance: number | undefined;
  /** Time at which memories should hold. Undefined for now. */
  validAt: string | undefined;
  layout: "single" | "stable";
  /** Id of the stable part that is continued. */
  previous: string | null | undefined;
}

/** The input of a request body. */
export const toInput = (body: ContextRequest): ContextInput => ({
  query: body.query,
  conversationId: body.conversation_id,
  excludeConversation: body.exclude_conversation,
  userId: body.user_id,
  visibility: body.visibility,
  agentId: body.agent_id,
  metadata: body.metadata,
  tokensMax: body.max_tokens,
  shares: body.shares,
  minRelevance: body.min_relevance,
  validAt: body.valid_at,
  asOf: body.as_of,
  layout: body.layout,
  previous: body.previous,
});

/**
 * Reads the newest messages, the newest memories and what both searches need at the same time, and puts what fits into
 * one text.
 *
 * @throws {ApiError} `not_found` for an unknown conversation, and for one of another user or agent than the input names.
 */
export async function getContext(keyCaller: KeyCaller, input: ContextInput): Promise<ContextAnswer> {
  const caller = { ...keyCaller, db: interceptCalls(keyCaller.db, gatherReads()) };
  const moment = await readMoment(caller, input.asOf);
  const validAt = input.validAt ?? toTimestamp(moment?.atMs ?? caller.runtime.nowMs());
  const validAtMs = Date.parse(validAt);
  const stable = input.layout === "stable" ? { ...input, previous: input.previous ?? null } : null;
  const [newest, memories, { conversations, remembered }, previous] = await Promise.all([
    readNewest(caller, input, moment),
    readMemories(caller, input, { moment, validAtMs }),
    searchParts(caller, { ...input, validAt }, moment),
    stable && readPrevious(caller, stable, moment),
  ]);
  const found = memoriesOf(remembered);
  const head =
    stable && previous && (await openHead(caller, stable, previous, { ...newest, memories, validAtMs }));
  const toParts = (messages: typeof newest): ContextParts => {
    const parts = {
      ...messages,
      validAtMs,
      memories: heldFirst(withoutRepeats([...found, ...memories]), validAtMs),
      results: conversations.answer.results,
      highlight: conversations.highlight,
    };
    return head === null ? parts : besides(head, parts);
  };
  const budget = head === null ? input : budgetBesides(head, input);
  const block =
    (await caller.pace.run(toBlock(toParts(newest), budget))) ??
    (await caller.pace.run(toBlock(toParts(await readNewest(caller, input, moment, "all")), budget)));
  if (block === null) throw new Error("a context lacks messages although all were read");
  const { omitted, below_min_relevance } = conversations.answer;
  const whole = head === null ? block : joined(head, block, found);
  return {
    ...whole,
    memories: { ...whole.memories, omitted: whole.memories.omitted + remembered.answer.omitted },
    results: { ...whole.results, omitted: whole.results.omitted + omitted, below_min_relevance },
    degraded: [...new Set([...conversations.degraded, ...remembered.degraded])],
    pending: Math.max(conversations.pending, remembered.pending),
  };
}

const NOTHING_FOUND: FoundGroups = {
  answer: { results: [], omitted: 0, below_min_relevance: 0 },
  highlight: () => inNoSteps([]),
  degraded: [],
  pending: 0,
};

/**
 * Searches the corpora that have a share. Each is searched by itself, so that the best memories are found however many
 * messages rank higher. The block chooses among whole messages; memories come cut to the part that matches.
 */
async function searchParts(
  caller: KeyCaller,
  input: ContextInput,
  moment: Moment | null,
): Promise<{ conversations: FoundGroups; remembered: FoundGroups }> {
  const { query, shares, userId, agentId, metadata, minRelevance, validAt, asOf, tokensMax } = input;
  const corpora: Corpus[] = [
    ...(shares.results === 0 ? [] : ["conversations" as const]),
    ...(shares.memories === 0 ? [] : ["memories" as const]),
  ];
  if (query === undefined || corpora.length === 0)
    return { conversations: NOTHING_FOUND, remembered: NOTHING_FOUND };
  const found = await searchTogether(
    caller,
    corpora.map((corpus) => ({
      query,
      mode: MODE,
      limit: CONTEXT_RESULTS_MAX,
      in: [corpus],
      exclude_conversation: corpus === "conversations" ? input.excludeConversation : undefined,
      agent_id: agentId,
      user_id: userId,
      visibility: input.visibility,
      metadata,
      as_of: asOf,
      neighbors: { before: NEIGHBORS, after: NEIGHBORS },
      priors: [...SEARCH_PRIORS],
      explain: false,
      rerank: false,
      valid_at: validAt,
      min_relevance: minRelevance ?? MIN_RELEVANCE_FOR_MODELS,
      keep_best: minRelevance === undefined && corpus === "memories" ? KEEP_BEST_FOR_MODELS : 0,
      max_tokens: corpus === "memories" ? tokensMax : undefined,
    })),
    { query: prepareQuery(caller, { query, mode: MODE }), moment },
  );
  const of = (corpus: Corpus) => found[corpora.indexOf(corpus)] ?? NOTHING_FOUND;
  return { conversations: of("conversations"), remembered: of("memories") };
}

async function readNewest(
  { db, principal, limits }: KeyCaller,
  { conversationId, userId, agentId, shares, tokensMax }: ContextInput,
  moment: Moment | null,
  read: "enough" | "all" = "enough",
): Promise<Pick<ContextParts, "conversationId" | "messageCount" | "messages" | "hasEarlier" | "summaries">> {
  if (conversationId === undefined)
    return { conversationId: null, messageCount: 0, messages: [], hasEarlier: false };
  const range = {
    conversationId,
    fromSequence: 1,
    toSequence: Number.MAX_SAFE_INTEGER,
    limit: Math.min(MESSAGE_PAGE_MAX, Math.ceil(tokensMax / LINE_TOKENS_MIN)),
    end: "last" as const,
    moment,
    enough:
      read === "all"
        ? undefined
        : { tokens: tokensMax, overhead: LINE_TOKENS_MIN - 1, contentMax: CONTENT_TOKENS_COUNTED },
  };
  const { found, slice, summaries } = await batch(db, {
    found: conversationById(principal, conversationId, moment),
    slice: shares.messages === 0 ? null : messageSlice(principal, range, limits),
    // Those of today say more than was known then.
    summaries:
      shares.summaries && moment === null ? newestSummaries(principal.organizationId, conversationId) : null,
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
    hasEarlier: read === "enough" && slice?.complete === false,
    summaries: summaries ?? undefined,
  };
}

/** The newest memories of the user or agent, or the shared ones. None otherwise: they would be those of all users. */
async function readMemories(
  { db, principal, limits }: KeyCaller,
  { userId, agentId, visibility, metadata, shares }: ContextInput,
  { moment, validAtMs }: { moment: Moment | null; validAtMs: number },
): Promise<ContextMemory[]> {
  const owners = [userId, agentId, principal.userId ?? undefined, principal.agentId ?? undefined];
  const isBound = owners.some((owner) => owner !== undefined) || narrowedVisibility(visibility) === "shared";
  if (shares.memories === 0 || !isBound) return [];
  const { memories } = await selectMemories(
    db,
    {
      owner: principal,
      access: "read",
      corpus: "memories",
      filter: { for_user: userId, visibility, agent_id: agentId, metadata },
      sort: "created_at",
      order: "desc",
      after: null,
      moment,
      limits,
    },
    { limit: CONTEXT_MEMORIES_MAX, withTotal: false },
    limits,
  );
  return memories.map((memory) =>
    toContextMemory(memory, { ended: hasEnded(memory, validAtMs), relevance: null }),
  );
}

const memoriesOf = ({ answer }: FoundGroups): ContextMemory[] =>
  answer.results.flatMap(({ messages: [found] }) => {
    if (!found?.foundMemory) return [];
    const { memory, ended } = found.foundMemory;
    return [toContextMemory(memory, { ended, relevance: found.relevance })];
  });

/** In the same order otherwise. */
const heldFirst = (memories: ContextMemory[], atMs: number): ContextMemory[] => [
  ...memories.filter((memory) => isHeld(memory, atMs)),
  ...memories.filter((memory) => !isHeld(memory, atMs)),
];

const withoutRepeats = (memories: ContextMemory[]): ContextMemory[] =>
  memories.filter(({ id }, i) => memories.findIndex((first) => first.id === id) === i);
