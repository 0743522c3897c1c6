const PLAIN_INTERVAL_MS = 5_000;

/** Where a long job tells how far it is. */
export type Progress = (text: string) => void;

/**
 * A progress line: rewritten in place on a terminal, else a line at most every five seconds.
 *
 * @returns `show` to set it, and `clear` to take it away before other output.
 */
export function createProgress(
  stream: { isTTY?: boolean; write(text: string): unknown },
  now: () => number = Date.now,
): { show: Progress; clear: () => void } {
  const terminal = stream.isTTY === true;
  let shownAtMs = Number.NEGATIVE_INFINITY;
  const show = (text: string) => {
    if (terminal) return void stream.write(`\r\u001b[K${text}`);
    if (now() - shownAtMs < PLAIN_INTERVAL_MS) return;
    shownAtMs = now();
    stream.write(`${text}\n`);
  };
  return { show, clear: () => void (terminal && stream.write("\r\u001b[K")) };
}
