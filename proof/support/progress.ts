const PLAIN_INTERVAL_MS = 5_000;

export type Progress = (text: string) => void;

/**
 * A progress line. On a terminal it is rewritten in place; otherwise it is printed at most every five
 * seconds.
 *
 * @returns `show` to set it, and `clear` to remove it before other output.
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
