import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { CommandError, UsageError } from "./command-error.ts";
import { printable } from "./output.ts";

/** Whether somebody is there to be asked. */
export const isInteractive = (): boolean => Boolean(process.stdin.isTTY && process.stderr.isTTY);

/** Ask for a line on the terminal; a secret is not shown while it is typed. */
async function ask(question: string, output: NodeJS.WritableStream): Promise<string> {
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  // Now that the terminal itself no longer shows what is typed.
  process.stderr.write(printable(question));
  // The interface takes Ctrl-C for itself.
  lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    const closed = new Promise<string>((answer) => lines.once("close", () => answer("")));
    return (await Promise.race([lines.question(""), closed])).trim();
  } finally {
    lines.close();
  }
}

/** Read a secret: typed unseen on a terminal, else all of standard input. @throws {CommandError} for none. */
export async function readSecret(name: string): Promise<string> {
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const secret = isInteractive() ? await ask(`${name}: `, hidden) : (await text(process.stdin)).trim();
  if (isInteractive()) process.stderr.write("\n");
  if (secret === "") throw new CommandError(`No ${name.toLowerCase()} was given.`);
  return secret;
}

/**
 * Have somebody agree to what cannot be undone, unless they did on the command line.
 *
 * @throws {UsageError} without `--yes` where nobody can be asked; {CommandError} when they say no.
 */
export async function confirm(question: string, { yes }: { yes?: boolean }): Promise<void> {
  if (yes) return;
  if (!isInteractive()) throw new UsageError("Nobody can be asked here. Say --yes to go on without asking.");
  const answer = await ask(`${question} [y/N] `, process.stderr);
  if (!/^y(es)?$/i.test(answer)) throw new CommandError("Nothing was changed.");
}
