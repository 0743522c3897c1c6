import type { Engram } from "@engram/sdk";
import type { Command } from "commander";
import { contextOf } from "../context.ts";
import { examples } from "../options.ts";
import { confirm } from "../terminal.ts";

/** Adds the command that deletes an item once the user has confirmed it. `remove` returns the operation. */
export function addDelete(
  parent: Command,
  { what, more = "", example }: { what: string; more?: string; example: string },
  remove: (engram: Engram, id: string, options: { forget: boolean }) => Promise<{ id: string }>,
): void {
  parent
    .command("delete")
    .description(`Delete a ${what}${more}; this cannot be undone`)
    .argument("<id>", `id of the ${what}`)
    .option("--yes", "skip the confirmation")
    .option("--forget", "refuse it from now on: nothing stores it again, such as an import")
    .addHelpText(...examples(`engram ${parent.name()} delete ${example}`))
    .action(async (id: string, options: { yes?: boolean; forget?: boolean }, command: Command) => {
      const { output, client } = contextOf(command);
      const engram = client();
      await confirm(`Delete ${id}${more}?`, options);
      const operation = await remove(engram, id, { forget: options.forget ?? false });
      output.data(operation, () => {
        return `Deleted ${id}. \`engram api getOperation --operation-id ${operation.id}\` shows when the data is removed for good.`;
      });
    });
}
