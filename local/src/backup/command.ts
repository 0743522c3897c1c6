import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { StartError } from "../start/start-error.ts";
import { backUp, restore } from "./backup.ts";

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const COMMANDS = { backup: backUp, restore: (data: string, file: string) => restore(file, data) };

/** Whether the first argument of this program is one of these commands. */
export const isBackupCommand = ([command = ""]: string[]): boolean => Object.hasOwn(COMMANDS, command);

/**
 * Runs `backup FILE` or `restore FILE`, with the option `--data` for the directory, and prints one line.
 *
 * @param fallback the directory without the option and without `ENGRAM_DATA`.
 * @returns The exit code.
 */
export async function runBackupCommand(
  [command = "", ...rest]: string[],
  env: NodeJS.ProcessEnv,
  fallback: string,
): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      options: { data: { type: "string" } },
      allowPositionals: true,
    });
    const [file] = positionals;
    if (file === undefined || positionals.length > 1) throw new TypeError(`Name one file: ${command} FILE`);
    const data = resolve(values.data ?? (env.ENGRAM_DATA || fallback));
    const { files, bytes } = await COMMANDS[command as keyof typeof COMMANDS](data, resolve(file));
    process.stdout.write(`${JSON.stringify({ file: resolve(file), data, files, bytes })}\n`);
    return 0;
  } catch (error) {
    const isExpected = error instanceof StartError || (error as NodeJS.ErrnoException).code !== undefined;
    const text = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${isExpected || error instanceof TypeError ? text : (error as Error).stack}\n`);
    return error instanceof TypeError ? EXIT_USAGE : EXIT_FAILED;
  }
}
