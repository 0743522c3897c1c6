import { cutText } from "./importers/text-cuts.ts";

const INTERVAL_MS = 100;
const BAR_WIDTH = 24;

export interface Progress {
  /**
   * `text` and `done` are called only when the bar is drawn. Omit `done` (0 to 1) if the total is unknown.
   */
  show(text: () => string, done?: () => number): void;
  /** Removes the bar. Call this before other output is written. */
  clear(): void;
}

/** Shows progress in one line of a terminal. If `output` is not a terminal, nothing is printed. */
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
      // The line is cut to the terminal's width: of a wrapped line, only the last row could be replaced.
      output.write(`\r\x1b[K${cutText(line, (output.columns ?? 80) - 1)}`);
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
