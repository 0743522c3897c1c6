import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";
import type { z } from "zod";
import { DeployError } from "./deploy-error.ts";

/** The last lines of a failed command say the reason. */
const SHOWN_LINES_MAX = 40;

export interface WranglerResult {
  /**
   * Null if a signal ended the command. 0 does not prove success: wrangler's launcher also exits with 0 if
   * wrangler was killed.
   */
  code: number | null;
  stdout: string;
  stderr: string;
  /**
   * What wrangler writes to the file `WRANGLER_OUTPUT_FILE_PATH`: one JSON object per line. May be empty.
   */
  report: string;
}

export type Wrangler = (
  args: readonly string[],
  env?: Readonly<Record<string, string>>,
) => Promise<WranglerResult>;

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
          // wrangler puts NODE_ENV into the bundle, which must not depend on the user's shell.
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

/** @throws {DeployError} If the command fails. The message contains the command's output. */
export async function runWrangler(wrangler: Wrangler, args: readonly string[]): Promise<WranglerResult> {
  const result = await wrangler(args);
  if (result.code !== 0) throw failed(args, result);
  return result;
}

/**
 * Runs a command that prints JSON.
 *
 * @throws {DeployError} If the command fails, or its output does not match the schema.
 */
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

/** Undefined if `json` is not valid JSON, or its value does not match the schema. */
export function parseJson<T>(json: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}

export function failed(args: readonly string[], { code, stdout, stderr }: WranglerResult): DeployError {
  const lines = `${stdout}\n${stderr}`.split("\n").filter((line) => line.trim() !== "");
  const output = lines.slice(-SHOWN_LINES_MAX).join("\n") || "(nothing)";
  const how = code === 0 ? "did not do what it should" : code === null ? "was killed" : `ended with ${code}`;
  return new DeployError(`\`wrangler ${args.join(" ")}\` ${how}. It printed:\n\n${output}`);
}

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
