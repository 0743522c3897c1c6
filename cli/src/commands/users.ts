import type { Command } from "commander";
import { exportTo } from "./export.ts";

export function addUsers(program: Command): void {
  program
    .command("users")
    .description("Export all data of a user")
    .addHelpText(
      "after",
      `
\`engram api listUsers\` lists the users, and \`engram api deleteUser\` deletes all data of one.

Examples:
  $ engram users export maria maria.ndjson
  $ engram api deleteUser --user-id maria
`,
    )
    .command("export")
    .description("Export all conversations and memories of a user as NDJSON; needs the scope admin")
    .argument("<user_id>", "id of the user")
    .argument("[file]", "file to write; - or none is standard output")
    .addHelpText(
      "after",
      `
The lines are those of \`engram export\`. \`engram import ndjson\` imports them again, into this service or another.

Examples:
  $ engram users export maria maria.ndjson
  $ engram users export maria | gzip > maria.ndjson.gz
`,
    )
    .action((user_id: string, file: string | undefined, _options: unknown, command: Command) =>
      exportTo(file, command, (client) => client.export({ user_id })),
    );
}
