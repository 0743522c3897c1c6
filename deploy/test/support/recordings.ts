import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { WranglerResult } from "../../src/wrangler.ts";

/** The output of the real wrangler, one command per line; `vitest run -u` rewrites it. */
export const RECORDINGS_FILE = join(import.meta.dirname, "../recordings.ndjson");

export interface Recording extends WranglerResult {
  /** The state of the account: "empty", "deployed", … */
  when: string;
  args: string[];
}

/** Of these a deployment reads only whether they succeeded. */
const UNREAD = /^(d1 create|d1 execute DB --remote --yes|vectorize create|vectorize create-metadata-index) /;

/** Files that have another name in each run. */
const FILES: [pattern: RegExp, name: string][] = [
  [/^.*\.upload$/, "SECRETS_FILE"],
  [/^.*\.sql$/, "MIGRATIONS_FILE"],
  [/^.*wrangler\.deploy-.*\.json$/, "CONFIG_FILE"],
];

/** What of a result will be the same next time, without what no part of a deployment reads. */
export function toRecording(when: string, args: readonly string[], result: WranglerResult): Recording {
  const command = args.join(" ");
  const hasFailed = result.code !== 0;
  return {
    when,
    args: args.map((arg) => FILES.reduce((text, [pattern, name]) => text.replace(pattern, name), arg)),
    code: result.code,
    stdout: steadyOutput(command, result.stdout),
    stderr: hasFailed ? result.stderr.replaceAll(/^.*Logs were written to.*\n?/gm, "") : "",
    report: result.report
      .split("\n")
      .filter((line) => line.startsWith('{"type":"deploy"'))
      .map(steadyReport)
      .join("\n"),
  };
}

export function readRecordings(): Recording[] {
  const lines = readFileSync(RECORDINGS_FILE, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

function steadyOutput(command: string, stdout: string): string {
  if (UNREAD.test(command)) return "";
  // The rest are sizes and durations.
  if (command.startsWith("deploy")) return /^Worker Startup Time.*$/m.exec(stdout)?.[0] ?? "";
  // Migrations that are written later come from the stand-in.
  if (command.startsWith("d1 execute") && stdout.startsWith("[")) {
    const [answer] = JSON.parse(stdout);
    return JSON.stringify([{ ...answer, results: answer.results.slice(0, 1) }]);
  }
  return stdout;
}

function steadyReport(line: string): string {
  const { timestamp: _, ...report } = JSON.parse(line);
  return JSON.stringify({ ...report, bundle_size: { raw_bytes: 1_600_000, gzip_bytes: 300_000 } });
}
