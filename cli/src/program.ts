import { Command, Option } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { addApi } from "./commands/api.ts";
import { addArchive } from "./commands/archive.ts";
import { addAudit } from "./commands/audit.ts";
import { addBackup } from "./commands/backup.ts";
import { addCapture } from "./commands/capture.ts";
import { addConsole } from "./commands/console.ts";
import { addConversations } from "./commands/conversations.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addEvaluate } from "./commands/evaluate.ts";
import { addExport } from "./commands/export.ts";
import { addHolds } from "./commands/holds.ts";
import { addHooks } from "./commands/hooks.ts";
import { addImport } from "./commands/import.ts";
import { addKeys } from "./commands/keys.ts";
import { addListen } from "./commands/listen.ts";
import { addLogin } from "./commands/login.ts";
import { addMcp } from "./commands/mcp.ts";
import { addMemories } from "./commands/memories.ts";
import { addRetention } from "./commands/retention.ts";
import { addSearch } from "./commands/search.ts";
import { addStart } from "./commands/start.ts";
import { addTail } from "./commands/tail.ts";
import { addUsage } from "./commands/usage.ts";
import { addUse } from "./commands/use.ts";
import { addUsers } from "./commands/users.ts";
import { DEFAULT_URL } from "./connection.ts";
import { examples } from "./options.ts";
import { printable } from "./output.ts";

/** Creates the program, which throws for an invalid command line instead of ending the process. */
export function createProgram(
  writeError = (text: string): void => void process.stderr.write(printable(text)),
): Command {
  const program = new Command("engram")
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
    .showHelpAfterError("Run with `--help` for usage.")
    .addHelpText(
      ...examples(
        "engram start",
        "engram login",
        "engram import chatgpt ~/Downloads/conversations.json",
        'engram search "When was the refund sent?"',
        "engram capture decisions.md --tags billing",
      ),
    );
  for (const add of [
    addStart,
    addBackup,
    addLogin,
    addUse,
    addSearch,
    addConversations,
    addCapture,
    addMemories,
    addUsers,
    addImport,
    addExport,
    addArchive,
    addKeys,
    addHolds,
    addRetention,
    addEvaluate,
    addUsage,
    addAudit,
    addConsole,
    addDoctor,
    addTail,
    addListen,
    addApi,
    addMcp,
    addHooks,
  ])
    add(program);
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
