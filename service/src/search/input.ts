import type { SearchPrior } from "@engram/spec";
import { PHRASE_WORDS_MAX } from "@engram/spec";
import { ApiError } from "../errors.ts";
import type { KeyCaller } from "../invocation.ts";
import { toTermPrefix } from "../text/index-terms.ts";
import { readPhrase } from "../text/query.ts";
import type { SearchFilter, SearchScope } from "./filters-queries.ts";
import { type PreparedQuery, prepareQuery } from "./prepared-query.ts";

export interface SearchInput {
  query: string;
  /** Words and phrases that no match may contain. */
  exclude: string[];
  mode: "hybrid" | "semantic" | "keyword";
  limit: number;
  filter: SearchFilter;
  neighbors: { before: number; after: number };
  /** Properties that rank a message higher or lower. All but `hidden` are applied in hybrid mode only. */
  priors: SearchPrior[];
  explain: boolean;
  rerank: boolean;
  minRelevance: number | undefined;
  /** Number of best results that are kept although their relevance is lower. */
  keepBest: number;
  maxTokens: number | undefined;
}

export interface SearchRequest extends Omit<SearchInput, "query"> {
  query: PreparedQuery;
  /** The exclusions, as lists of terms. */
  excluded: string[][];
  scope: SearchScope;
}

/**
 * @param query of the same text and mode, if another search has prepared it.
 * @throws {ApiError} `validation_failed` if `mode` is `keyword` and a quoted phrase is too long, or if an exclusion has
 *   too many words or none.
 */
export function readSearch(
  caller: KeyCaller,
  input: SearchInput,
  query: PreparedQuery = prepareQuery(caller, input),
): SearchRequest {
  const { principal, caches } = caller;
  if (query.read.isPhraseTooLong && input.mode === "keyword") {
    const message = `A quoted phrase may have at most ${PHRASE_WORDS_MAX} words in \`keyword\` mode.`;
    throw new ApiError("validation_failed", message, { errors: [{ path: "query", message }] });
  }
  const excluded = input.exclude.map((text, i) => {
    const words = readPhrase(caches.stem, text);
    if (words.length > 0 && words.length <= PHRASE_WORDS_MAX) return words;
    const message =
      words.length === 0
        ? "An exclusion must have a letter or a digit."
        : `An exclusion may have at most ${PHRASE_WORDS_MAX} words.`;
    throw new ApiError("validation_failed", message, { errors: [{ path: `exclude.${i}`, message }] });
  });
  const { filter } = input;
  const termPrefixes = (filter.corpora ?? ["conversations"]).map((corpus) =>
    toTermPrefix(principal.organizationNumber, corpus),
  );
  return { ...input, query, excluded, scope: { owner: principal, termPrefixes, filter } };
}
