import type { Command } from "commander";
import { contextOf } from "../context.ts";

export function addRepair(program: Command): void {
  program
    .command("repair")
    .description("Have everything indexed anew, and what was given up tried again; needs the scope write")
    .addHelpText(
      "after",
      `
The service does it in the background. Searching goes on meanwhile, and nothing stored is touched;
\`engram doctor\` tells how far it is.

Examples:
  $ engram repair
  $ engram repair --profile work --json
`,
    )
    .action(async (_options: unknown, command: Command) => {
      const { output, client } = contextOf(command);
      const operation = await client().index.repair();
      output.data(operation, () => `Begun as ${operation.id}; \`engram doctor\` tells how far it is.`);
    });
}
