import { textTable } from "../command/tables.ts";
import type { Metric } from "../recall/metrics.ts";
import type { ScopeReport } from "../recall/report.ts";
import { LANGUAGES } from "./load.ts";

const COLUMNS: readonly Metric[] = ["s_any@1", "s_any@5", "t@10", "mrr", "ndcg@10"];

/** Formats a table for each mode: a row for each language, with its distance from English in points of nDCG@10. */
export function formatLanguages({ baselines = {}, ...first }: ScopeReport): string {
  return [first, ...Object.values(baselines)]
    .map(({ mode, by_category }) => {
      const english = by_category.en?.metrics["ndcg@10"] ?? Number.NaN;
      const rows = [...LANGUAGES].flatMap(([tag, name]) => {
        const metrics = by_category[tag]?.metrics;
        if (metrics === undefined) return [];
        const cells = COLUMNS.map((metric) => metrics[metric].toFixed(1));
        return [[name, ...cells, (metrics["ndcg@10"] - english).toFixed(1)]];
      });
      return textTable([[mode.padEnd(10), ...COLUMNS, "to English"], ...rows], 12);
    })
    .join("\n\n");
}
