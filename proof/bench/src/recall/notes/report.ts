import { quantile } from "../../../../support/statistics.ts";
import { textTable } from "../../command/tables.ts";
import type { Mode } from "../args.ts";
import { MODE_NAMES, rounded, UNLIKELY } from "../report.ts";
import type { AskedNoteQuery } from "./ask.ts";
import { meanNoteScores, NOTE_METRICS, type NoteScores, scoreNotes } from "./metrics.ts";
import { KINDS } from "./notes.ts";

/** Figures over some queries, in percent with one decimal. */
export interface NoteFigures {
  queries: number;
  metrics: NoteScores;
  /** By kind, without unanswered queries and kinds without queries. */
  by_kind: Record<string, { queries: number; metrics: NoteScores }>;
}

/** Results of one mode, as in the JSON file. */
export interface NoteModeReport extends NoteFigures {
  mode: Mode;
  /**
   * Percent of the unanswered queries without a result above the threshold in the contract; null without such
   * queries.
   */
  relevance: { unanswerable: number | null };
  degraded: number;
  /** Milliseconds per search, with 4 concurrent searches. */
  search_ms: { p50: number; p95: number };
}

export interface NoteReport extends NoteModeReport {
  /** The same queries with plain BM25 over the notes. */
  words_alone: NoteFigures;
  /** The same queries in other modes; only with `--baselines`. */
  baselines?: Record<string, NoteModeReport>;
}

export function figuresOfNotes(
  asked: readonly Pick<AskedNoteQuery, "kind" | "relevant" | "found">[],
): NoteFigures {
  const scored = asked
    .filter(({ kind }) => kind !== "unanswered")
    .map(({ kind, relevant, found }) => ({ kind, scores: scoreNotes(found, relevant) }));
  const figures = (some: typeof scored) => ({
    queries: some.length,
    metrics: meanNoteScores(some.map(({ scores }) => scores)),
  });
  const kinds = KINDS.map((kind) => [kind, scored.filter((one) => one.kind === kind)] as const);
  return {
    ...figures(scored),
    by_kind: Object.fromEntries(
      kinds.flatMap(([kind, some]) => (some.length === 0 ? [] : [[kind, figures(some)]])),
    ),
  };
}

export function reportNotes(mode: Mode, asked: readonly AskedNoteQuery[]): NoteModeReport {
  const searchMs = asked.map((query) => query.searchMs);
  const unanswered = asked.filter(({ kind }) => kind === "unanswered");
  const silent = unanswered.filter(({ relevance }) => relevance < UNLIKELY.unanswerable);
  return {
    mode,
    ...figuresOfNotes(asked),
    relevance: {
      unanswerable: unanswered.length === 0 ? null : rounded((100 * silent.length) / unanswered.length),
    },
    degraded: asked.filter(({ degraded }) => degraded).length,
    search_ms: { p50: rounded(quantile(searchMs, 0.5)), p95: rounded(quantile(searchMs, 0.95)) },
  };
}

export function formatNotes({ words_alone, baselines = {}, ...first }: NoteReport): string {
  const searches: [string, NoteFigures][] = [
    [MODE_NAMES[first.mode], first],
    ["words alone (BM25)", words_alone],
    ...Object.values(baselines).map((report): [string, NoteFigures] => [MODE_NAMES[report.mode], report]),
  ];
  const rows = [
    ["", "queries", ...NOTE_METRICS],
    ...searches.flatMap(([name, { by_kind, ...all }]) =>
      [
        [name, all] as const,
        ...Object.entries(by_kind).map(([kind, some]) => [`  ${kind}`, some] as const),
      ].map(([label, { queries, metrics }]) => [
        label,
        String(queries),
        ...NOTE_METRICS.map((metric) => metrics[metric].toFixed(1)),
      ]),
    ),
  ];
  return textTable(rows, 11);
}

export function describeNotes({ mode, relevance, degraded, search_ms }: NoteModeReport): string {
  return [
    `${mode}: a search took ${search_ms.p50} ms at the median and ${search_ms.p95} ms at the 95th percentile.`,
    ...(relevance.unanswerable === null
      ? []
      : [
          `Of queries that no note answers, ${relevance.unanswerable} % get nothing with a relevance of ${UNLIKELY.unanswerable} or more.`,
        ]),
    ...(degraded === 0 ? [] : [`${degraded} queries were answered in part only (degraded).`]),
  ].join(" ");
}
