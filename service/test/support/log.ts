import { onTestFinished } from "vitest";

/** A line of the Worker's log. */
export type Line = Record<string, unknown> & { event: string };

/** The lines that are written from now on to the end of the test, parsed; errors among them. */
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
