import type { Measured } from "./measure.ts";

/** Limit of the time for which one search may occupy the database, on two cores. */
const OCCUPIED_MS_MAX = 500;
const SHOWN = 8;

export function formatReport(measured: Measured[]): string {
  const line = (cells: (string | number)[]) => `| ${cells.join(" | ")} |`;
  const rows = [...Map.groupBy(measured, ({ store }) => store)].flatMap(([store, of]) =>
    of
      .toSorted((a, b) => b.occupiedMs - a.occupiedMs)
      .slice(0, SHOWN)
      .map(({ query, occupiedMs, ms, rowsRead, results, degraded }) =>
        line([
          store,
          query,
          occupiedMs,
          ms.toFixed(0),
          rowsRead.toLocaleString("en"),
          results,
          degraded.join(", "),
        ]),
      ),
  );
  const head = ["store", "query", "database, ms", "search, ms", "rows read", "results", "degraded"];
  return [
    line(head),
    line(head.map((_, i) => (i > 1 && i < 6 ? "---:" : "---"))),
    ...rows,
    "",
    `${measured.length} queries, the slowest ${Math.max(...measured.map(({ occupiedMs }) => occupiedMs))} ms of the database.`,
  ].join("\n");
}

export const findSlow = (measured: Measured[]): string[] =>
  measured
    .filter(({ occupiedMs }) => occupiedMs > OCCUPIED_MS_MAX)
    .map(
      ({ store, query, occupiedMs }) =>
        `${query} occupies the database for ${occupiedMs} ms over a store with ${store}.`,
    );
