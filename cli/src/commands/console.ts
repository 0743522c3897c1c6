import type { Command } from "commander";
import { contextOf } from "../context.ts";
import { examples } from "../options.ts";

export function addConsole(program: Command): void {
  program
    .command("console")
    .description("Print a link that signs in to the console, once and within an hour; needs the scope admin")
    .addHelpText(...examples("engram console", 'xdg-open "$(engram console)"'))
    .action(async (_options: unknown, command: Command) => {
      const { output, client, connection } = contextOf(command);
      const { code, expires_at } = await client().signInCodes.create();
      const url = `${connection.url}/#/sign-in/${code}`;
      output.data({ url, expires_at }, () => url);
    });
}
