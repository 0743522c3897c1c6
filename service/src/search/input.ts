import type { SearchPrior } from "@engram/spec";
import { PHRASE_WORDS_MAX } from "@engram/spec";
import type { KeyCaller } from "../context.ts";
import { ApiError } from "../errors.ts";
import { toTermPrefix } from "../text/index-terms.ts";
import { type Query, readQuery, readWords } from "../text/query.ts";
import type { SearchFilter, SearchScope } from "./filters-queries.ts";

export interface SearchInput {
  query: string;
  mode: "hybrid" | "semantic" | "keyword";
  limit: number;
  filter: SearchFilter;
  context: { before: number; after: number };
  /** Properties that rank a message higher or lower. They are applied in hybrid mode only. */
  priors: SearchPrior[];
  explain: boolean;
  rerank: boolean;
  minRelevance: number | undefined;
  maxTokens: number | undefined;
}

export interface SearchRequest extends SearchInput {
  read: Query;
  scope: SearchScope;
}

/** @throws {ApiError} `validation_failed` if `mode` is `keyword` and a quoted phrase is too long. */
export function readSearch({ principal, caches: { stem } }: KeyCaller, input: SearchInput): SearchRequest {
  const read = input.mode === "semantic" ? readWords(stem, input.query) : readQuery(stem, input.query);
  if (read.isPhraseTooLong && input.mode === "keyword") {
    const message = `A quoted phrase may have at most ${PHRASE_WORDS_MAX} words in \`keyword\` mode.`;
    throw new ApiError("validation_failed", message, { errors: [{ path: "query", message }] });
  }
  const { filter } = input;
  const termPrefixes = (filter.corpora ?? ["conversations"]).map((corpus) =>
    toTermPrefix(principal.organizationNumber, corpus),
  );
  return { ...input, read, scope: { owner: principal, termPrefixes, filter } };
}
