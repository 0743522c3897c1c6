import { writeFile } from "node:fs/promises";
import { isEngramError } from "@engram/sdk";
import { CommandError, UsageError } from "./options.ts";
import { createProgress, type Progress } from "./progress.ts";

/** What a command runs with. */
export interface Command {
  argv: string[];
  /** What relative paths on the command line start from. */
  workingDirectory: string;
  progress: Progress;
  print(text: string): void;
  /** Undo this when the command ends, whichever way it does. */
  atEnd(cleanup: () => Promise<void>): void;
  /** Aborts when the command is told to end. */
  signal: AbortSignal;
}

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * Run a command, undo what it started, and exit: with its code, with 2 when its command line cannot be
 * obeyed, with 1 when it fails.
 */
export async function runCommand(usage: string, main: (command: Command) => Promise<number>): Promise<never> {
  const { show: progress, clear } = createProgress(process.stderr);
  const ending = new AbortController();
  const cleanups: (() => Promise<void>)[] = [];
  let code: number | undefined;
  const cleanUp = async () => {
    for (const cleanup of cleanups.splice(0)) {
      await cleanup().catch((error: unknown) => process.stderr.write(`${explain(error, usage)}\n`));
    }
  };
  for (const [signal, exitCode] of Object.entries(SIGNALS)) {
    process.once(signal, () => {
      code ??= exitCode;
      ending.abort();
      void cleanUp();
    });
  }
  const print = (text: string) => {
    clear();
    process.stdout.write(`${text}\n`);
  };
  try {
    const result = await main({
      argv: process.argv.slice(2),
      // npm runs scripts in the package; INIT_CWD is where the person stands.
      workingDirectory: process.env.INIT_CWD ?? process.cwd(),
      progress,
      print,
      atEnd: (cleanup) => void cleanups.push(cleanup),
      signal: ending.signal,
    });
    code ??= result;
  } catch (error) {
    clear();
    // What fails because we are ending is no news.
    if (!ending.signal.aborted) process.stderr.write(`${explain(error, usage)}\n`);
    code ??= error instanceof UsageError ? 2 : 1;
  }
  clear();
  await cleanUp();
  process.exit(code);
}

/** Write figures to a file, if one was asked for. */
export async function writeJson(file: string | undefined, figures: unknown): Promise<void> {
  if (file !== undefined) await writeFile(file, `${JSON.stringify(figures, null, 2)}\n`);
}

/** What went wrong: a sentence for what people can change, the stack for the rest. */
function explain(error: unknown, usage: string): string {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`;
  if (error instanceof CommandError) return error.message;
  if (isEngramError(error)) return `The service failed: ${error.message} (${error.code})`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
