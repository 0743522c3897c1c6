import type { Command } from "commander";
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
import { examples } from "./options.ts";
import { createBase, type WriteError, withCommands } from "./program-base.ts";

/** Creates the program, which throws for an invalid command line instead of ending the process. */
export function createProgram(writeError?: WriteError): Command {
  return withCommands(
    createBase(writeError).addHelpText(
      ...examples(
        "engram start",
        "engram login",
        "engram import chatgpt ~/Downloads/conversations.json",
        'engram search "When was the refund sent?"',
        "engram capture decisions.md --tags billing",
      ),
    ),
    COMMANDS,
  );
}

const COMMANDS = [
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
];
