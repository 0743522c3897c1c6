import { scoresOf, shareOf } from "../metrics.ts";

/** Metrics in the order of the tables. proof/bench/README.md defines them. */
export const NOTE_METRICS = ["success@1", "success@3", "success@5", "recall@10", "mrr"] as const;
export type NoteMetric = (typeof NOTE_METRICS)[number];

/** One value per metric: 0 to 1 for a single query, percent for a mean. */
export type NoteScores = Record<NoteMetric, number>;

/** Number of notes requested per query: as many as the metrics use. */
export const NOTES_ASKED = 10;

/**
 * Every metric of one query, 0 to 1.
 *
 * @param ids Notes found, best first.
 * @param relevant Ids of the notes that answer it, at least one.
 */
export function scoreNotes(ids: readonly string[], relevant: ReadonlySet<string>): NoteScores {
  const found = ids.slice(0, NOTES_ASKED);
  const first = found.findIndex((id) => relevant.has(id));
  const success = (count: number) => (first !== -1 && first < count ? 1 : 0);
  return {
    "success@1": success(1),
    "success@3": success(3),
    "success@5": success(5),
    "recall@10": shareOf(relevant, found),
    mrr: first === -1 ? 0 : 1 / (first + 1),
  };
}

/** Mean of each metric over queries, in percent with one decimal; NaN without queries. */
export const meanNoteScores = (scores: readonly NoteScores[]): NoteScores =>
  scoresOf(
    NOTE_METRICS,
    (metric) => Math.round((1_000 * scores.reduce((sum, row) => sum + row[metric], 0)) / scores.length) / 10,
  );
