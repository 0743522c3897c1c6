import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { ReadStream, WriteStream } from "node:tty";

const TITLE_WIDTH = 18;

export interface Progress {
  note(text: string): void;
  /**
   * Prints a step after its change, with the text that the change resolves to. In a dry run, prints `text` and
   * changes nothing. Without a change, `text` describes a state that is right already.
   */
  step(title: string, text: string, change?: () => Promise<string>): Promise<void>;
}

export function showProgress(
  output: Pick<WriteStream, "isTTY" | "write">,
  { isDryRun, signal }: { isDryRun: boolean; signal: AbortSignal },
): Progress {
  const over = output.isTTY ? "\r\x1b[K" : "";
  const print = (mark: string, title: string, text: string) =>
    output.write(`${over}  ${mark} ${title.padEnd(TITLE_WIDTH)}${text}\n`);
  return {
    note: (text) => void output.write(`${over}  ! ${text.replaceAll("\n", "\n    ")}\n`),
    async step(title, text, change) {
      if (isDryRun || change === undefined) {
        print(change === undefined ? "✓" : "+", title, text);
        return;
      }
      // This line must fit in one row: of a wrapped line, only the last row can be replaced.
      if (output.isTTY) output.write(`${over}  … ${title}`);
      try {
        signal.throwIfAborted();
        print("✓", title, await change());
      } catch (error) {
        print("✗", title, text);
        throw error;
      }
    },
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
