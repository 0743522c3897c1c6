import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { ReadStream, WriteStream } from "node:tty";
import type { Step } from "./steps.ts";

const TITLE_WIDTH = 18;

export interface Progress {
  planned(step: Step): void;
  started(step: Step): void;
  done(step: Step, text: string): void;
  failed(step: Step): void;
}

export function showProgress(output: Pick<WriteStream, "isTTY" | "write">): Progress {
  const line = (mark: string, { title }: Step, text: string) =>
    `  ${mark} ${title.padEnd(TITLE_WIDTH)}${text}`;
  const over = output.isTTY ? "\r\x1b[K" : "";
  const write = (text: string) => output.write(`${over}${text}\n`);
  const writeNote = ({ note }: Step) => {
    if (note !== undefined) write(`  ! ${note.replaceAll("\n", "\n    ")}`);
  };
  return {
    planned(step) {
      writeNote(step);
      write(line(step.change === undefined ? "✓" : "+", step, step.text));
    },
    started(step) {
      // The note is printed before the change, because it may warn about it.
      writeNote(step);
      // This line must fit in one row: of a wrapped line, only the last row can be replaced.
      if (output.isTTY && step.change !== undefined) output.write(line("…", step, ""));
    },
    done: (step, text) => write(line("✓", step, text)),
    failed: (step) => write(line("✗", step, step.text)),
  };
}

/** Asks the user a question. A secret answer is not shown while it is typed. */
export type Ask = (question: string, isSecret?: boolean) => Promise<string>;

/** A function that asks at a terminal. If the input ends, the answer is an empty string. */
export function askAt(input: ReadStream, output: WriteStream, signal: AbortSignal): Ask {
  return async (question, isSecret = false) => {
    output.write(`\r\x1b[K${isSecret ? question : ""}`);
    const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
    const lines = createInterface({ input, output: isSecret ? hidden : output, terminal: true });
    // In this mode readline receives Ctrl-C, so it has to be passed on to the process as a signal.
    lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
    try {
      const closed = new Promise<string>((answer) => lines.once("close", () => answer("")));
      return (await Promise.race([lines.question(question, { signal }), closed])).trim();
    } finally {
      lines.close();
      if (isSecret) output.write("\n");
    }
  };
}
