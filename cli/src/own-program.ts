import { realpathSync } from "node:fs";
import { profileNamed, readConfig } from "./config.ts";
import type { Globals } from "./context.ts";

const PACKAGE = "@engram/cli";

/** A command as settings of other programs have it. */
export interface ProgramCommand {
  command: string;
  args: string[];
}

/**
 * The command that starts this program. If npx runs it, its copy may be deleted later, so the command uses npx too.
 */
export function ownProgram(args: string[]): ProgramCommand {
  const program = realpathSync(process.argv[1] ?? "");
  return /[\\/]_npx[\\/]/.test(program)
    ? { command: "npx", args: ["-y", PACKAGE, ...args] }
    : { command: process.execPath, args: [program, ...args] };
}

/** The profile that another program is to use. @throws {CommandError} If it does not exist. */
export function profileOf({ profile }: Globals): string {
  const config = readConfig(process.env);
  const name = profile ?? config.current;
  profileNamed(config, name);
  return name;
}
