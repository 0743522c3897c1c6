import type { SearchPrior } from "@engram/spec";
import { PHRASE_WORDS_MAX } from "@engram/spec";
import type { RequestContext } from "../context.ts";
import { ApiError } from "../errors.ts";
import type { SearchFilter, SearchScope } from "../queries/search-filters.ts";
import { toMark } from "../text/index-words.ts";
import { type Query, readQuery, readWords } from "../text/query.ts";

export interface SearchInput {
  query: string;
  mode: "hybrid" | "semantic" | "keyword";
  limit: number;
  filter: SearchFilter;
  context: { before: number; after: number };
  /** Features that may raise a score besides terms and meaning, in hybrid mode. */
  priors: SearchPrior[];
  explain: boolean;
  rerank: boolean;
  minRelevance: number | undefined;
  maxTokens: number | undefined;
}

export interface Search extends SearchInput {
  read: Query;
  scope: SearchScope;
}

/** @throws {ApiError} `validation_failed` for a phrase that is too long in `keyword` mode. */
export function readSearch({ principal }: RequestContext, input: SearchInput): Search {
  const read = input.mode === "semantic" ? readWords(input.query) : readQuery(input.query);
  if (read.isPhraseTooLong && input.mode === "keyword") {
    const message = `A quoted phrase has at most ${PHRASE_WORDS_MAX} words in \`keyword\` mode.`;
    throw new ApiError("validation_failed", message, { errors: [{ path: "query", message }] });
  }
  const { filter } = input;
  const marks = (filter.corpora ?? ["conversations"]).map((corpus) =>
    toMark(principal.organizationNumber, corpus),
  );
  return { ...input, read, scope: { owner: principal, marks, filter } };
}
