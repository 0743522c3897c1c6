/** Minimum time between two updates of the bar. */
const INTERVAL_MS = 100;
const BAR_WIDTH = 24;

export interface Progress {
  /**
   * Show progress. Both functions are called only when the bar is redrawn.
   *
   * @param done Returns the completed fraction, from 0 to 1. Omit it when the total is unknown.
   */
  show(text: () => string, done?: () => number): void;
  /** Remove the bar before other output is written. */
  clear(): void;
}

/** A progress bar that is redrawn in place; prints nothing without a terminal. */
export function createProgress(
  output: { isTTY?: boolean; columns?: number; write(text: string): unknown },
  nowMs: () => number = Date.now,
): Progress {
  let shownAtMs = Number.NEGATIVE_INFINITY;
  return {
    show(text, done) {
      if (!output.isTTY || nowMs() - shownAtMs < INTERVAL_MS) return;
      shownAtMs = nowMs();
      const line = done === undefined ? text() : `${bar(Math.min(done(), 1))}  ${text()}`;
      // Only the last row of a wrapped line could be redrawn.
      output.write(`\r\x1b[K${line.slice(0, (output.columns ?? 80) - 1)}`);
    },
    clear() {
      if (output.isTTY) output.write("\r\x1b[K");
    },
  };
}

function bar(done: number): string {
  const filled = Math.round(done * BAR_WIDTH);
  const percent = `${Math.floor(done * 100)}%`.padStart(4);
  return `${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)}${percent}`;
}
