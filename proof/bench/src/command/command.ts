import { writeFile } from "node:fs/promises";
import { isEngramError } from "@engram/sdk";
import { createProgress, type Progress } from "../../../support/progress.ts";
import { type ServiceProcess, startServiceProcess } from "../../../support/service-process.ts";
import { CommandError, UsageError } from "./options.ts";

export interface Command {
  argv: string[];
  /** Base of relative paths on the command line. */
  workingDirectory: string;
  progress: Progress;
  print(text: string): void;
  /** Start the service with a new database. It is stopped when the command ends. */
  startService(): Promise<ServiceProcess>;
  /** Register a cleanup that runs when the command ends for any reason. */
  atEnd(cleanup: () => Promise<void>): void;
  /** Aborts when the process receives a signal to end. */
  signal: AbortSignal;
}

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * Run a command, clean up, and exit with its code, with 2 for an invalid command line, or with 1 when it
 * fails.
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
  const atEnd = (cleanup: () => Promise<void>) => void cleanups.push(cleanup);
  try {
    const result = await main({
      argv: process.argv.slice(2),
      // npm runs scripts in the package's folder; INIT_CWD is the user's folder.
      workingDirectory: process.env.INIT_CWD ?? process.cwd(),
      progress,
      print,
      atEnd,
      startService() {
        progress("starting the service");
        const starting = startServiceProcess();
        // Registered before the service is ready, so that a signal during the start also stops it.
        atEnd(async () => (await starting.catch(() => undefined))?.stop());
        return starting;
      },
      signal: ending.signal,
    });
    code ??= result;
  } catch (error) {
    clear();
    // Errors caused by ending early are not reported.
    if (!ending.signal.aborted) process.stderr.write(`${explain(error, usage)}\n`);
    code ??= error instanceof UsageError ? 2 : 1;
  }
  clear();
  await cleanUp();
  process.exit(code);
}

export async function writeJson(file: string | undefined, figures: unknown): Promise<void> {
  if (file !== undefined) await writeFile(file, `${JSON.stringify(figures, null, 2)}\n`);
}

/** The error's text: only its message if the user can resolve it, otherwise the stack. */
function explain(error: unknown, usage: string): string {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`;
  if (error instanceof CommandError) return error.message;
  if (isEngramError(error)) return `The service failed: ${error.message} (${error.code})`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
