import { Command, Option } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { DEFAULT_URL } from "./connection.ts";
import { printable } from "./output.ts";

export type WriteError = (text: string) => void;

/** The program with the options of all commands, and without commands. */
export const createBase = (
  writeError: WriteError = (text) => void process.stderr.write(printable(text)),
): Command =>
  new Command("engram")
    .description("Memory for AI agents: search, import and export conversations, capture and find notes.")
    .version(packageJson.version)
    .option("--url <url>", `URL of the service; default ENGRAM_URL, the profile, ${DEFAULT_URL}`)
    .option(
      "--api-key <key>",
      "API key; prefer ENGRAM_API_KEY or a profile, since other users can see arguments",
    )
    .option("--profile <name>", "profile to use; default the one set with `engram use`")
    .option("--json", "print the result as JSON")
    .exitOverride()
    .configureOutput({ writeErr: writeError })
    // Options after the name of a command are its own: a webhook can have a `--url`. See `addGlobals`.
    .enablePositionalOptions()
    .showHelpAfterError("Run with `--help` for usage.");

export function withCommands(program: Command, adds: readonly ((program: Command) => void)[]): Command {
  for (const add of adds) add(program);
  for (const command of program.commands) addGlobals(command, program.options);
  return program;
}

/** Gives each command these options too, unless it has one of that name itself. */
function addGlobals(command: Command, globals: readonly Option[]): void {
  for (const { flags, long } of globals)
    if (long !== "--version" && command.options.every((own) => own.long !== long))
      command.addOption(new Option(flags).hideHelp());
  for (const each of command.commands) addGlobals(each, globals);
}
