import type { Command } from "commander";
import { contextOf } from "../context.ts";

export function addRepair(program: Command): void {
  program
    .command("repair")
    .description("Rebuild the search index and retry failed jobs; needs the scope write")
    .addHelpText(
      "after",
      `
The service rebuilds the index in the background. Search keeps working, and no stored data changes.
\`engram doctor\` shows the progress.

Examples:
  $ engram repair
  $ engram repair --profile work --json
`,
    )
    .action(async (_options: unknown, command: Command) => {
      const { output, client } = contextOf(command);
      const operation = await client().index.repair();
      output.data(operation, () => `Started ${operation.id}. \`engram doctor\` shows the progress.`);
    });
}
