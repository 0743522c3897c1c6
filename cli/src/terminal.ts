import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { CommandError, UsageError } from "./command-error.ts";
import { printable } from "./output.ts";

export const isInteractive = (): boolean => Boolean(process.stdin.isTTY && process.stderr.isTTY);

async function ask(question: string, output: NodeJS.WritableStream): Promise<string> {
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  // `createInterface` has switched the terminal's own echo off, so what the user types is shown only if
  // `output` shows it.
  process.stderr.write(printable(question));
  // `createInterface` receives Ctrl-C instead of the process, so it is passed on as a signal.
  lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    const closed = new Promise<string>((answer) => lines.once("close", () => answer("")));
    return (await Promise.race([lines.question(""), closed])).trim();
  } finally {
    lines.close();
  }
}

/** Reads a secret from the terminal without showing it. */
export async function askSecret(name: string): Promise<string> {
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const secret = await ask(`${name}: `, hidden);
  process.stderr.write("\n");
  return secret;
}

/** Reads all of standard input. Empty if it is a terminal. */
export async function readPiped(): Promise<string> {
  return process.stdin.isTTY ? "" : (await text(process.stdin)).trim();
}

/**
 * Asks the user to confirm, unless `--yes` was given.
 *
 * @throws {UsageError} If there is no terminal.
 * @throws {CommandError} If the user declines.
 */
export async function confirm(question: string, { yes }: { yes?: boolean }): Promise<void> {
  if (yes) return;
  if (!isInteractive())
    throw new UsageError("This needs confirmation, and there is no terminal. Pass --yes to confirm.");
  const answer = await ask(`${question} [y/N] `, process.stderr);
  if (!/^y(es)?$/i.test(answer)) throw new CommandError("Nothing was changed.");
}
