import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { CommandError, UsageError } from "./command-error.ts";
import { printable } from "./output.ts";

export const isInteractive = (): boolean => Boolean(process.stdin.isTTY && process.stderr.isTTY);

async function ask(question: string, output: NodeJS.WritableStream): Promise<string> {
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  // `createInterface` has switched the terminal's own echo off, so a secret is not shown.
  process.stderr.write(printable(question));
  // `createInterface` receives Ctrl-C instead of the process.
  lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    const closed = new Promise<string>((answer) => lines.once("close", () => answer("")));
    return (await Promise.race([lines.question(""), closed])).trim();
  } finally {
    lines.close();
  }
}

/** Without echo from a terminal, or else all of standard input. @throws {CommandError} when it is empty. */
export async function readSecret(name: string): Promise<string> {
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const secret = isInteractive() ? await ask(`${name}: `, hidden) : (await text(process.stdin)).trim();
  if (isInteractive()) process.stderr.write("\n");
  if (secret === "") throw new CommandError(`No ${name.toLowerCase()} given.`);
  return secret;
}

/** @throws {UsageError} without `--yes` when there is no terminal; {CommandError} when the user declines. */
export async function confirm(question: string, { yes }: { yes?: boolean }): Promise<void> {
  if (yes) return;
  if (!isInteractive())
    throw new UsageError("This needs confirmation, and there is no terminal. Pass --yes to confirm.");
  const answer = await ask(`${question} [y/N] `, process.stderr);
  if (!/^y(es)?$/i.test(answer)) throw new CommandError("Nothing was changed.");
}
