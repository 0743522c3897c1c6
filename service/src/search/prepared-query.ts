import type { KeyCaller } from "../invocation.ts";
import { retryIfBusy } from "../platform/backoff.ts";
import { type Query, readQuery, readWords } from "../text/query.ts";
import { countUsage } from "../usage/service.ts";
import { meanCosine, meanDirection, UNRELATED_TEXTS } from "./ranking/relevance.ts";

/**
 * Time limit of a call to the embedding model or the vector store. If it is exceeded, `hybrid` mode searches by
 * keywords only.
 */
export const SEARCH_TIMEOUT_MS = 4_000;

interface QueryVector {
  vector: number[];
  /** Mean cosine similarity of the query and unrelated texts. */
  unrelatedCosine: number;
}

/** What searches of one query in one request share. */
export interface PreparedQuery {
  read: Query;
  /** Embeds the query at the first call. */
  embed(): Promise<QueryVector>;
}

export function prepareQuery(
  caller: KeyCaller,
  { query, mode }: { query: string; mode: "hybrid" | "semantic" | "keyword" },
): PreparedQuery {
  const { stem } = caller.caches;
  const read = mode === "semantic" ? readWords(stem, query) : readQuery(stem, query);
  let embedded: Promise<QueryVector> | undefined;
  return {
    read,
    embed() {
      embedded ??= embedQuery(caller, read.text);
      return embedded;
    },
  };
}

/**
 * The first call for an embedding model in this isolate also embeds unrelated texts, with which queries are compared.
 */
async function embedQuery(caller: KeyCaller, text: string): Promise<QueryVector> {
  const { embedder, principal, runtime } = caller;
  const { queryVectors, unrelatedDirections } = caller.caches;
  const query = { organizationId: principal.organizationId, model: embedder.model, text };
  const known = unrelatedDirections.get(embedder.model);
  const kept = await queryVectors.get(query);
  if (kept !== undefined && known !== undefined) {
    return { vector: kept, unrelatedCosine: meanCosine(kept, known) };
  }
  const texts = known === undefined ? [text, ...UNRELATED_TEXTS] : [text];
  const [vector, ...unrelated] = await retryIfBusy(runtime, SEARCH_TIMEOUT_MS, (timeoutMs) =>
    embedder.embed(texts, timeoutMs),
  );
  if (vector === undefined) throw new Error("the embedder answered no vector");
  countUsage(caller, { embeddings: 1 });
  const direction = known ?? meanDirection(unrelated);
  unrelatedDirections.set(embedder.model, direction);
  await queryVectors.set(query, vector);
  return { vector, unrelatedCosine: meanCosine(vector, direction) };
}
