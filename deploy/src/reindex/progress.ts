import type { WriteStream } from "node:tty";
import type { IndexStatus } from "@engram/sdk";
import { count } from "./reindex.ts";

const PLAIN_INTERVAL_MS = 10_000;

export interface Progress {
  show(status: IndexStatus): void;
  /** Removes the progress line. Call this before other output is written. */
  clear(): void;
}

export function showProgress(
  output: Pick<WriteStream, "isTTY" | "write"> & { columns?: number },
  nowMs: () => number,
): Progress {
  let shownAtMs = Number.NEGATIVE_INFINITY;
  return {
    show(status) {
      // The text is cut to the terminal's width: of a wrapped line, only the last row could be replaced.
      if (output.isTTY) output.write(`\r\x1b[K${line(status).slice(0, (output.columns ?? 80) - 1)}`);
      else if (nowMs() - shownAtMs >= PLAIN_INTERVAL_MS) {
        shownAtMs = nowMs();
        output.write(`${line(status)}\n`);
      }
    },
    clear() {
      if (output.isTTY) output.write("\r\x1b[K");
    },
  };
}

function line({ messages, pending, failed, chunks_of_other_models, last_error }: IndexStatus): string {
  return [
    `  ${count(pending)} of ${count(messages)} messages to go`,
    ...(chunks_of_other_models > 0 ? [`${count(chunks_of_other_models)} chunks of another model left`] : []),
    ...(failed > 0 ? [`${count(failed)} failed`] : []),
    ...(last_error === null ? [] : [`last error: ${last_error.message.replaceAll(/\s+/g, " ")}`]),
  ].join(", ");
}
