/** Between two drawings: more often nobody could read. */
const INTERVAL_MS = 100;
const BAR_WIDTH = 24;

export interface Progress {
  /**
   * Both are asked for only when the bar is drawn.
   *
   * @param done How much of the whole, 0 to 1; nothing when that is not known.
   */
  show(text: () => string, done?: () => number): void;
  /** Take the bar away before something else is written. */
  clear(): void;
}

/** A bar that is redrawn in place; nothing at all where there is no terminal. */
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
      // Of a line that wraps only the end could be drawn over.
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
