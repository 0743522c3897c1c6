import type { Memory } from "@engram/sdk";

type Of = Partial<Pick<Memory, "valid_from" | "valid_until" | "sources">>;

/** What a reader has to know before trusting a memory. */
export type MemoryState = "ended" | "notYet" | "sourceDeleted" | "sourceEdited";

/** @param nowMs The time by which it is judged whether the memory holds. */
export function statesOf({ valid_from, valid_until, sources = [] }: Of, nowMs: number): MemoryState[] {
  const has = (state: "edited" | "deleted") => sources.some((source) => source.state === state);
  const all: [MemoryState, boolean][] = [
    ["ended", valid_until != null && Date.parse(valid_until) <= nowMs],
    ["notYet", valid_from != null && Date.parse(valid_from) > nowMs],
    ["sourceDeleted", has("deleted")],
    ["sourceEdited", has("edited")],
  ];
  return all.flatMap(([state, isSo]) => (isSo ? [state] : []));
}
