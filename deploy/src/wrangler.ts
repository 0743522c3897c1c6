import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";
import type { z } from "zod";
import { DeployError } from "./deploy-error.ts";

/** Most lines of a failed command's output that are shown: its end, where the reason stands. */
const SHOWN_LINES_MAX = 40;

export interface WranglerResult {
  /** Null when a signal ended it. 0 proves little: wrangler's launcher also ends so when wrangler is killed. */
  code: number | null;
  stdout: string;
  stderr: string;
  /** What it tells programs, one JSON object a line; empty when the command has nothing to tell. */
  report: string;
}

/** Runs one wrangler command, without colours and without anybody to answer questions. */
export type Wrangler = (
  args: readonly string[],
  env?: Readonly<Record<string, string>>,
) => Promise<WranglerResult>;

/** The wrangler that PATH names, else the repository's own; an abort ends what it runs. */
export function spawnWrangler(root: string, signal: AbortSignal): Wrangler {
  const path = [process.env.PATH ?? "", join(root, "node_modules/.bin")].join(delimiter);
  const isWindows = process.platform === "win32";
  return async (args, env) => {
    const folder = mkdtempSync(join(tmpdir(), "engram-deploy-"));
    const reportFile = join(folder, "report.ndjson");
    try {
      const child = spawn("wrangler", isWindows ? args.map(quoted) : [...args], {
        cwd: root,
        env: {
          ...process.env,
          PATH: path,
          // Else the bundle would differ with the shell that deploys: wrangler writes this into it.
          NODE_ENV: "production",
          FORCE_COLOR: "0",
          WRANGLER_HIDE_BANNER: "true",
          WRANGLER_LOG: "log",
          WRANGLER_OUTPUT_FILE_PATH: reportFile,
          NODE_COMPILE_CACHE: join(root, "node_modules/.cache/engram"),
          ...env,
        },
        stdio: ["ignore", "pipe", "pipe"],
        shell: isWindows,
        signal,
      });
      const [stdout, stderr, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, "close"),
      ]);
      return {
        code,
        stdout: stripVTControlCharacters(stdout),
        stderr: stripVTControlCharacters(stderr),
        report: readIfThere(reportFile),
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
}

/** Run a command that must succeed. @throws {DeployError} With its output when it does not. */
export async function runWrangler(wrangler: Wrangler, args: readonly string[]): Promise<WranglerResult> {
  const result = await wrangler(args);
  if (result.code !== 0) throw failed(args, result);
  return result;
}

/** What a command prints as JSON. @throws {DeployError} With its output when it prints anything else. */
export async function readJson<T>(
  wrangler: Wrangler,
  args: readonly string[],
  schema: z.ZodType<T>,
): Promise<T> {
  const result = await wrangler(args);
  const value = result.code === 0 ? parseJson(result.stdout, schema) : undefined;
  if (value === undefined) throw failed(args, result);
  return value;
}

/** A JSON text as a schema has it, or undefined when it is neither. */
export function parseJson<T>(json: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}

/** The error that shows what a command printed. */
export function failed(args: readonly string[], { code, stdout, stderr }: WranglerResult): DeployError {
  const lines = `${stdout}\n${stderr}`.split("\n").filter((line) => line.trim() !== "");
  const output = lines.slice(-SHOWN_LINES_MAX).join("\n") || "(nothing)";
  const how = code === 0 ? "did not do what it should" : code === null ? "was killed" : `ended with ${code}`;
  return new DeployError(`\`wrangler ${args.join(" ")}\` ${how}. It printed:\n\n${output}`);
}

/** An argument as one word of cmd.exe. */
function quoted(arg: string): string {
  return /^[\w./:\\=-]+$/.test(arg) ? arg : `"${arg}"`;
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
