import type { Embedder } from "../../../../local/src/embedder/embedder.ts";
import { type Matrix, recallOf, scoreRows, toMatrix } from "./vectors.ts";
import type { Line, Talk, Workload } from "./workload.ts";

/** Engram's windows: five messages each, starting every three messages. */
const WINDOW_LINES = 5;
const WINDOW_STRIDE = 3;

/** Number of results that each search requests. */
export const FOUND = 10;

/** Exact scores: for a query, the score of every line of a workload. */
export type Exact = (query: string) => Float32Array;

/** One vector per line, as stored by systems that embed texts as they are given. */
export const lineMatrix = (talks: readonly Talk[], embedder: Embedder): Matrix =>
  toMatrix(talks.flatMap(({ lines }) => lines.map(({ content }) => embedder.embed(content))));

/** Scores every line by its own vector. */
export function exactLines(matrix: Matrix, embedder: Embedder): Exact {
  return (query) => scoreRows(matrix, embedder.embed(query));
}

/** Scores every line by its best window, as Engram embeds them. */
export function exactWindows(talks: readonly Talk[], embedder: Embedder): { exact: Exact; windows: number } {
  const windows = talks.flatMap(({ lines }) => toWindows(lines));
  const matrix = toMatrix(windows.map((lines) => embedder.embed(toText(lines))));
  const count = talks.reduce((sum, { lines }) => sum + lines.length, 0);
  const exact = (query: string) => {
    const scores = scoreRows(matrix, embedder.embed(query));
    const best = new Float32Array(count).fill(Number.NEGATIVE_INFINITY);
    for (const [row, lines] of windows.entries()) {
      for (const { place } of lines) best[place] = Math.max(best[place] ?? 0, scores[row] ?? 0);
    }
    return best;
  };
  return { exact, windows: windows.length };
}

/** Mean share of the exact top results that the answers contain. */
export function meanRecall(answers: readonly number[][], { queries }: Workload, exact: Exact): number {
  const recalls = answers.map((found, i) => recallOf(found, exact(queries[i] ?? ""), FOUND));
  return recalls.reduce((sum, recall) => sum + recall, 0) / recalls.length;
}

/** Skips a last window that would add no line to the one before. */
function toWindows(lines: readonly Line[]): Line[][] {
  const overlap = WINDOW_LINES - WINDOW_STRIDE;
  const windows: Line[][] = [];
  for (let start = 0; start === 0 || start + overlap < lines.length; start += WINDOW_STRIDE) {
    windows.push(lines.slice(start, start + WINDOW_LINES));
  }
  return windows;
}

const toText = (lines: readonly Line[]): string =>
  lines.map(({ name, content }) => `[${name}]: ${content}`).join("\n");
