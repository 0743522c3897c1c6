import type { SearchAnswer, SearchResult } from "@engram/sdk";
import { storedList } from "./stored-list.ts";

/** The message or memory that answers a query. */
export type Expected = { conversation_id: string; sequence: number } | { memory_id: string };

/** A query with its right answer, kept in this browser alone. */
export interface SavedQuery {
  id: string;
  /** The search as the page's URL has it, with its filters. */
  search: string;
  expected: Expected;
  /** Place of the right answer among the results when it was saved. Null if it was not among them. */
  rank_when_saved: number | null;
  saved_at: string;
}

const { items, keep } = storedList("engram.queries", isSavedQuery);
export const savedQueries = items;

export function saveQuery(query: Omit<SavedQuery, "id" | "saved_at">): void {
  const others = savedQueries.value.filter(({ search }) => search !== query.search);
  keep([{ ...query, id: crypto.randomUUID(), saved_at: new Date().toISOString() }, ...others]);
}

export const removeQuery = (id: string): void => keep(savedQueries.value.filter((query) => query.id !== id));

function isSavedQuery(value: unknown): value is SavedQuery {
  const { id, search, expected, saved_at } = (value ?? {}) as Partial<SavedQuery>;
  return [id, search, saved_at].every((text) => typeof text === "string") && isExpected(expected);
}

function isExpected(value: unknown): value is Expected {
  if (typeof value !== "object" || value === null) return false;
  if ("memory_id" in value) return typeof value.memory_id === "string";
  return "conversation_id" in value && "sequence" in value && typeof value.sequence === "number";
}

/** Reads a link of the console to a message or memory, or their ids: `conv_… 12`, `mem_…`. Null for anything else. */
export function expectedIn(text: string): Expected | null {
  const memory_id = /\bmem_\w+/.exec(text)?.[0];
  if (memory_id !== undefined) return { memory_id };
  const [, conversation_id, sequence] = /\b(conv_\w+)(?:\?at=|[\s#,:/]+)(\d+)/.exec(text) ?? [];
  return conversation_id === undefined ? null : { conversation_id, sequence: Number(sequence) };
}

/** Place of the expected message or memory among the results, from 1. Null if it is not among them. */
export function rankOf(expected: Expected, { results }: Pick<SearchAnswer, "results">): number | null {
  const index = results.findIndex((result) => holds(result, expected));
  return index === -1 ? null : index + 1;
}

function holds(result: SearchResult, expected: Expected): boolean {
  if (result.type === "memory") return "memory_id" in expected && result.memory.id === expected.memory_id;
  return (
    "sequence" in expected &&
    result.conversation_id === expected.conversation_id &&
    result.start_sequence <= expected.sequence &&
    expected.sequence <= result.end_sequence
  );
}

export interface Score {
  queries: number;
  /** Queries whose first result is the right answer. */
  first: number;
  /** Queries with the right answer among the first ten results. */
  firstTen: number;
  /** Mean of 1 / rank, with 0 for what was not found. */
  reciprocalRank: number;
}

export function scoreOf(ranks: readonly (number | null)[]): Score {
  const sum = ranks.reduce<number>((total, rank) => total + (rank === null ? 0 : 1 / rank), 0);
  return {
    queries: ranks.length,
    first: ranks.filter((rank) => rank === 1).length,
    firstTen: ranks.filter((rank) => rank !== null && rank <= 10).length,
    reciprocalRank: ranks.length === 0 ? 0 : sum / ranks.length,
  };
}
