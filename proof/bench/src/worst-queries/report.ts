import type { Measured } from "./measure.ts";

/** Upper bound on the total time of D1 calls for one search, on two cores. */
const D1_MS_MAX = 500;
const SHOWN = 8;

export function formatReport(measured: Measured[]): string {
  const line = (cells: (string | number)[]) => `| ${cells.join(" | ")} |`;
  const rows = [...Map.groupBy(measured, ({ store }) => store)].flatMap(([store, of]) =>
    of
      .toSorted((a, b) => b.d1Ms - a.d1Ms)
      .slice(0, SHOWN)
      .map(({ query, d1Ms, ms, rowsRead, results, degraded }) =>
        line([
          store,
          query,
          d1Ms,
          ms.toFixed(0),
          rowsRead.toLocaleString("en"),
          results,
          degraded.join(", "),
        ]),
      ),
  );
  const head = ["store", "query", "D1, ms", "search, ms", "rows read", "results", "degraded"];
  return [
    line(head),
    line(head.map((_, i) => (i > 1 && i < 6 ? "---:" : "---"))),
    ...rows,
    "",
    `${measured.length} queries, the slowest ${Math.max(...measured.map(({ d1Ms }) => d1Ms))} ms of D1.`,
  ].join("\n");
}

export const findSlow = (measured: Measured[]): string[] =>
  measured
    .filter(({ d1Ms }) => d1Ms > D1_MS_MAX)
    .map(({ store, query, d1Ms }) => `${query} takes ${d1Ms} ms over a store with ${store}.`);
