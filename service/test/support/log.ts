import { onTestFinished } from "vitest";

export type Line = Record<string, unknown> & { event: string };

/** Captures the parsed log lines until the end of the test, including errors. */
export function captureLog(): Line[] {
  const lines: Line[] = [];
  const { log, error } = console;
  const capture = (line: unknown, ...more: unknown[]) => {
    if (more.length > 0) throw new Error("a line of the log is one text");
    lines.push(JSON.parse(String(line)));
  };
  Object.assign(console, { log: capture, error: capture });
  onTestFinished(() => {
    Object.assign(console, { log, error });
  });
  return lines;
}
