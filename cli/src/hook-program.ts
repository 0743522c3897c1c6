import type { Command } from "commander";
import { addHookRun } from "./commands/hook-run.ts";
import { createBase, type WriteError, withCommands } from "./program-base.ts";

/** The program with the command that clients run as a hook, and no other. It is loaded in a third of the time. */
export const createProgram = (writeError?: WriteError): Command =>
  withCommands(createBase(writeError), [(program) => addHookRun(program.command("hooks"))]);
