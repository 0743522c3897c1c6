import { onTestFinished } from "vitest";
import { answeredRequests } from "./client.ts";

export type Line = Record<string, unknown> & { event: string };

/**
 * Captures the parsed log lines until the end of the test, including errors. Leaves out those of requests that got
 * their response before, because their background work may take long.
 */
export function captureLog(): Line[] {
  const lines: Line[] = [];
  const earlier = new Set<unknown>(answeredRequests);
  const { log, error } = console;
  const capture = (line: unknown, ...more: unknown[]) => {
    if (more.length > 0) throw new Error("a line of the log is one text");
    const parsed = JSON.parse(String(line));
    if (!earlier.has(parsed.request_id)) lines.push(parsed);
  };
  Object.assign(console, { log: capture, error: capture });
  onTestFinished(() => {
    Object.assign(console, { log, error });
  });
  return lines;
}
