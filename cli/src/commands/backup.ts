import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { type Command, Option } from "commander";
import { CommandError } from "../command-error.ts";
import { shownPath, xdgDirectory } from "../config.ts";
import { contextOf } from "../context.ts";
import { findLocalProgram } from "../local-package.ts";
import { count, oneLine } from "../output.ts";

/** In a checkout of the repository, this file runs instead of the package. */
const SOURCE = join(import.meta.dirname, "../../../local/src/start.ts");

interface Result {
  file: string;
  data: string;
  files: number;
  bytes: number;
}

export function addBackup(program: Command): void {
  const data = xdgDirectory(process.env, "XDG_DATA_HOME", ".local/share");
  const dataOption = () =>
    new Option("--data <directory>", "directory of the data").default(data, shownPath(data));
  program
    .command("backup")
    .description("Copy all data of a service on this machine into one file, also while it serves")
    .argument("<file>", "file to write, a tar file; an earlier one is replaced once the new one is complete")
    .addOption(dataOption())
    .addHelpText(
      "after",
      `
The file has all organizations, their archives, and a key with every scope: keep it as safe as the data. Only you
can read it. \`engram restore\` reads it.

Examples:
  $ engram backup engram-backup.tar
  $ engram backup /mnt/backups/engram.tar --data ~/notes/engram
`,
    )
    .action(async (file: string, options: { data: string }, command: Command) => {
      const { output } = contextOf(command);
      const result = await runLocal("backup", file, options.data);
      output.data(
        result,
        () => `Wrote ${count(result.files)} files with ${count(result.bytes)} bytes to ${oneLine(file)}.`,
      );
    });
  program
    .command("restore")
    .description("Put the data of a backup back, into a directory without data")
    .argument("<file>", "file that `engram backup` wrote")
    .addOption(dataOption())
    .addHelpText(
      "after",
      `
Stop the service, and move its directory away first: a restore replaces nothing. A damaged backup changes nothing.

Examples:
  $ engram restore engram-backup.tar
  $ engram restore engram-backup.tar --data ./restored
`,
    )
    .action(async (file: string, options: { data: string }, command: Command) => {
      const { output } = contextOf(command);
      const result = await runLocal("restore", file, options.data);
      output.data(
        result,
        () =>
          `Restored ${count(result.files)} files with ${count(result.bytes)} bytes to ${oneLine(options.data)}.`,
      );
    });
}

/** Runs a command of the service's program, which knows its data. @throws {CommandError} with what it says. */
async function runLocal(command: "backup" | "restore", file: string, data: string): Promise<Result> {
  const program = existsSync(SOURCE) ? SOURCE : await findLocalProgram();
  const child = spawn(process.execPath, [program, command, resolve(file), "--data", resolve(data)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((done, reject) => {
    child.once("error", reject);
    child.once("close", done);
  });
  const [code, printed, errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (code !== 0) throw new CommandError(errors.trim() || `The program of the service exited with ${code}.`);
  return JSON.parse(printed) as Result;
}
