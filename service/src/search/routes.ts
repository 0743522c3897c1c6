import type * as contracts from "@engram/spec";
import type { SearchPrior } from "@engram/spec";
import { toEntityKeys } from "../entities/service.ts";
import type { Handler } from "../http/handler.ts";
import { toMs } from "../http/headers.ts";
import * as searching from "./service.ts";

export const search: Handler<typeof contracts.search> = async (c) => {
  const body = c.req.valid("json");
  const answer = await searching.search(c.var.caller, {
    query: body.query,
    exclude: body.exclude ?? [],
    mode: body.mode,
    limit: body.limit,
    filter: {
      corpora: [...new Set(body.in)],
      conversationId: body.conversation_id,
      agentId: body.agent_id,
      userId: body.user_id,
      tagsAny: body.tags_any,
      tagsAll: body.tags_all,
      roles: body.roles,
      names: body.names,
      entities: body.entities && (await toEntityKeys(body.entities)),
      metadata: body.metadata,
      saidAfterMs: toMs(body.created_after),
      saidBeforeMs: toMs(body.created_before),
    },
    neighbors: body.neighbors,
    priors: body.priors,
    explain: body.explain,
    rerank: body.rerank,
    minRelevance: body.min_relevance,
    keepBest: body.keep_best,
    maxTokens: body.max_tokens,
  });
  return c.json(answer, 200);
};

/**
 * Priors (properties that rank a message higher or lower) for memories. The others do not apply: a memory has no
 * speaker and no preceding question.
 */
const MEMORY_PRIORS: SearchPrior[] = ["time", "number", "date"];

export const searchMemories: Handler<typeof contracts.searchMemories> = async (c) => {
  const body = c.req.valid("json");
  const answer = await searching.search(c.var.caller, {
    query: body.query,
    exclude: body.exclude ?? [],
    mode: body.mode,
    limit: body.limit,
    filter: {
      corpora: ["memories"],
      agentId: body.agent_id,
      userId: body.user_id,
      kind: body.kind,
      source: body.source,
      tagsAny: body.tags_any,
      tagsAll: body.tags_all,
      metadata: body.metadata,
      saidAfterMs: toMs(body.created_after),
      saidBeforeMs: toMs(body.created_before),
    },
    neighbors: { before: 0, after: 0 },
    priors: MEMORY_PRIORS,
    explain: body.explain,
    rerank: body.rerank,
    minRelevance: body.min_relevance,
    keepBest: body.keep_best,
    maxTokens: body.max_tokens,
  });
  const results = answer.results.filter((result) => result.type === "memory");
  return c.json({ ...answer, results }, 200);
};
