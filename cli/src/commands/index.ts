import type { IndexStatus } from "@engram/sdk";
import type { Command } from "commander";
import { contextOf } from "../context.ts";
import { count, shownTime, table } from "../output.ts";

export function addIndex(program: Command): void {
  const index = program
    .command("index")
    .description("Show and repair the search index")
    .addHelpText(
      "after",
      `
Examples:
  $ engram index
  $ engram index repair
`,
    );
  addStatus(index);
  addRepair(index);
}

function addStatus(index: Command): void {
  index
    .command("status", { isDefault: true })
    .description("Show how many messages and memories are indexed for search by meaning")
    .option("--conversation <id>", "count only messages of this conversation")
    .addHelpText(
      "after",
      `
Search by words finds everything at once. Needs the scope read.

Examples:
  $ engram index
  $ engram index status --conversation conv_06e3tqz8m1k4v9x2c7d0 --json
`,
    )
    .action(async (options: { conversation?: string }, command: Command) => {
      const { output, client } = contextOf(command);
      const status = await client().index.status(queryOf(options));
      output.data(status, () => table(rows(status)));
    });
}

const queryOf = ({ conversation }: { conversation?: string }) =>
  conversation === undefined ? {} : { conversation_id: conversation };

function rows({ model, last_error, complete, ...counts }: IndexStatus): string[][] {
  const least = complete ? "" : "at least ";
  const number = (n: number) => `${least}${count(n)}`;
  return [
    ["model", `${model}, ${counts.dimensions} dimensions`],
    ["messages and memories", number(counts.messages)],
    ["pending", number(counts.pending)],
    ["failed", number(counts.failed)],
    ["vectors", number(counts.chunks)],
    ["vectors of other models", number(counts.chunks_of_other_models)],
    ["deletions pending", number(counts.deletions_pending)],
    ["last error", last_error === null ? "none" : `${last_error.message}, ${shownTime(last_error.at)}`],
  ];
}

function addRepair(index: Command): void {
  index
    .command("repair")
    .description("Rebuild the search index and retry failed jobs; needs the scope write")
    .option("--conversation <id>", "repair only this conversation")
    .addHelpText(
      "after",
      `
The service rebuilds the index in the background. Search keeps working, and no stored data changes.
\`engram operations get\` shows the progress.

Examples:
  $ engram index repair
  $ engram index repair --profile work --json
`,
    )
    .action(async (options: { conversation?: string }, command: Command) => {
      const { output, client } = contextOf(command);
      const operation = await client().index.repair(queryOf(options));
      output.data(operation, () => {
        return `Started ${operation.id}. \`engram operations get ${operation.id}\` shows the progress.`;
      });
    });
}
