import type { EvaluationRun, SearchAnswer } from "@engram/spec";

type Scores = Pick<EvaluationRun, "ranks" | "any" | "ndcg">;

const DIGITS = 6;

/** Where a search found the expected items, and how well the first `depth` results do. */
export function scoresOf(
  results: SearchAnswer["results"],
  { expected, depth }: { expected: readonly string[]; depth: number },
): Scores {
  const rankOf = new Map<string, number>();
  for (const [place, result] of results.entries()) {
    const ids = result.type === "memory" ? [result.memory.id] : result.messages.map(({ id }) => id);
    for (const id of ids) if (!rankOf.has(id)) rankOf.set(id, place + 1);
  }
  const ranks = expected.map((id) => ({ id, rank: rankOf.get(id) ?? null }));
  const found = ranks.flatMap(({ rank }) => (rank !== null && rank <= depth ? [rank] : []));
  const gain = found.reduce((sum, rank) => sum + gainAt(rank), 0);
  const best = expected.slice(0, depth).reduce((sum, _, place) => sum + gainAt(place + 1), 0);
  return { ranks, any: found.length > 0, ndcg: Number(Math.min(1, gain / best).toPrecision(DIGITS)) };
}

const gainAt = (rank: number): number => 1 / Math.log2(rank + 1);
