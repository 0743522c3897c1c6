import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What the benchmarks of the repository have measured on one machine. Undefined if a document has no such figure. */
export interface LocalFigures {
  appendP50Ms: number | undefined;
  searchP50Ms: number | undefined;
  searchP99Ms: number | undefined;
  /** One call at a time. */
  appendsPerSecond: number | undefined;
  /** For each message, with what the sweep writes for it later. */
  rowsWritten: number | undefined;
  rowsWrittenInBatches: number | undefined;
  /** The tables of FTS5, which the local D1 does not count. */
  ftsRowsWritten: number | undefined;
  ftsRowsWrittenInBatches: number | undefined;
}

/** Rows that the local D1 reports for an append of one message, without its indexing. A test compares it. */
export const LOCAL_APPEND_ROWS = 11;

/** Reads the figures from the tables in which the benchmarks write them. */
export function readLocalFigures(root: string): LocalFigures {
  const speed = readFileSync(join(root, "proof/bench/results/speed.md"), "utf8");
  const costs = readFileSync(join(root, "docs/deploy.md"), "utf8");
  const [appendsPerSecond, , , , searchP50Ms, , searchP99Ms] = cells(speed, "Engram over HTTP");
  const rows = cells(costs, "D1 rows written");
  const fts = cells(costs, "rows written to FTS5's own tables");
  return {
    appendP50Ms: cells(speed, "append of one message into a conversation")[0],
    searchP50Ms,
    searchP99Ms,
    appendsPerSecond,
    rowsWritten: rows[0],
    rowsWrittenInBatches: rows[2],
    ftsRowsWritten: fts[0],
    ftsRowsWrittenInBatches: fts[2],
  };
}

/** The cells of the first row of a table that begins with this text. Undefined for a cell that is no number. */
function cells(markdown: string, start: string): (number | undefined)[] {
  const line = markdown.split("\n").find((each) => each.startsWith(`| ${start}`)) ?? "";
  return line
    .split("|")
    .slice(2, -1)
    .map((cell) => (/^\s*[\d,.]+\s*$/.test(cell) ? Number(cell.replaceAll(",", "")) : undefined));
}
