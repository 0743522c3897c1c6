import {
  type Corpus,
  type MemorySearchFilters,
  PHRASE_WORDS_MAX,
  type SearchBody,
  type SearchFilters,
} from "@engram/spec";
import { toEntityKeys } from "../entities/service.ts";
import { ApiError } from "../errors.ts";
import { readMoment } from "../filters/moments.ts";
import type { Moment } from "../filters/moments-queries.ts";
import { narrowedVisibility } from "../filters/queries.ts";
import type { KeyCaller } from "../invocation.ts";
import { toTermPrefix } from "../text/index-terms.ts";
import { readPhrase } from "../text/query.ts";
import { type SearchScope, splitFilters } from "./filters-queries.ts";
import { type PreparedQuery, prepareQuery } from "./prepared-query.ts";

/** The body of a search. Those of memories have some filters of their own. */
export type SearchInput = Omit<SearchBody, "record"> &
  MemorySearchFilters & {
    /** Time from which relative dates of the query count. Default: now. */
    askedAtMs?: number;
  };

export interface SearchRequest extends Omit<SearchInput, "query" | "in" | "valid_at" | keyof SearchFilters> {
  in: Corpus[];
  query: PreparedQuery;
  /** The exclusions, as lists of terms. */
  excluded: string[][];
  scope: SearchScope;
  /** Time at which memories should hold. */
  validAtMs: number;
}

/**
 * @param shared what another part of the same request has read already.
 * @throws {ApiError} `validation_failed` if `mode` is `keyword` and a quoted phrase is too long, or if an exclusion has
 *   too many words or none.
 */
export async function readSearch(
  caller: KeyCaller,
  { valid_at, ...input }: SearchInput,
  shared?: { query: PreparedQuery; moment: Moment | null },
): Promise<SearchRequest> {
  const query = shared?.query ?? prepareQuery(caller, input);
  const { principal, caches, runtime } = caller;
  const { exclude = [], mode, in: searched, entities } = input;
  if (query.read.isPhraseTooLong && mode === "keyword") {
    const message = `A quoted phrase may have at most ${PHRASE_WORDS_MAX} words in \`keyword\` mode.`;
    throw new ApiError("validation_failed", message, { errors: [{ path: "query", message }] });
  }
  const excluded = exclude.map((text, i) => {
    const words = readPhrase(caches.stem, text);
    if (words.length > 0 && words.length <= PHRASE_WORDS_MAX) return words;
    const message =
      words.length === 0
        ? "An exclusion must have a letter or a digit."
        : `An exclusion may have at most ${PHRASE_WORDS_MAX} words.`;
    throw new ApiError("validation_failed", message, { errors: [{ path: `exclude.${i}`, message }] });
  });
  if (searched.includes("summaries") && input.as_of !== undefined) {
    const message = "must not have `summaries` with `as_of`, because they are those of today";
    throw new ApiError("validation_failed", `\`in\` ${message}.`, { errors: [{ path: "in", message }] });
  }
  const corpora = [...new Set(searched.map((one) => (one === "summaries" ? "conversations" : one)))];
  const moment = shared === undefined ? await readMoment(caller, input.as_of) : shared.moment;
  const { filter, messages } = splitFilters({
    ...input,
    user_id: undefined,
    for_user: input.user_id,
    visibility: narrowedVisibility(input.visibility) === null ? undefined : input.visibility,
    entities: entities && (await toEntityKeys(entities)),
  });
  return {
    ...input,
    in: corpora,
    query,
    excluded,
    validAtMs: valid_at === undefined ? (moment?.atMs ?? runtime.nowMs()) : Date.parse(valid_at),
    scope: {
      owner: principal,
      termPrefixes: corpora.map((corpus) => toTermPrefix(principal.organizationNumber, corpus)),
      filter: { ...filter, corpora },
      messages,
      moment,
    },
  };
}
