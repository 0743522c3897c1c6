import type { ListOperationsQuery, Operation } from "@engram/sdk";
import { type Command, Option } from "commander";
import { contextOf } from "../context.ts";
import { wholeNumber } from "../options.ts";
import { count, oneLine, shownTime, table } from "../output.ts";

const PAGE_MAX = 100;
const TYPES: NonNullable<ListOperationsQuery["type"]>[] = [
  "delete_conversation",
  "delete_conversations",
  "delete_message",
  "delete_memory",
  "delete_memories",
  "delete_user",
  "delete_organization",
  "repair_index",
  "enrich_memories",
  "import",
];
const STATUSES: NonNullable<ListOperationsQuery["status"]>[] = ["running", "succeeded", "failed", "canceled"];

interface ListOptions {
  limit: number;
  type?: ListOperationsQuery["type"];
  status?: ListOperationsQuery["status"];
}

export function addOperations(program: Command): void {
  const operations = program
    .command("operations")
    .description("List, show and cancel work that the service does in the background, such as imports")
    .addHelpText(
      "after",
      `
Examples:
  $ engram operations
  $ engram operations get op_06e3tqz8m1k4v9x2c7d0
`,
    );
  addList(operations);
  addGet(operations);
  addCancel(operations);
}

function addList(operations: Command): void {
  operations
    .command("list", { isDefault: true })
    .description("List operations, newest first; needs the scope read")
    .option("--limit <n>", "maximum number of operations", wholeNumber(1, 100_000), 20)
    .addOption(new Option("--type <type>", "only operations of this type").choices(TYPES))
    .addOption(new Option("--status <status>", "only operations with this status").choices(STATUSES))
    .addHelpText(
      "after",
      `
Examples:
  $ engram operations
  $ engram operations list --type import --status running
`,
    )
    .action(async ({ limit, type, status }: ListOptions, command: Command) => {
      const { output, client } = contextOf(command);
      const query = { limit: Math.min(limit, PAGE_MAX), type, status } as ListOperationsQuery;
      const found = await client().operations.list(query).toArray({ max: limit });
      output.data({ items: found }, () =>
        output.list(["ID", "CREATED", "TYPE", "STATUS", "DONE"], found.map(row)),
      );
      if (found.length === 0) output.note("No operations found.");
    });
}

const row = (operation: Operation): string[] => [
  operation.id,
  shownTime(operation.created_at),
  operation.type,
  operation.status,
  progressOf(operation),
];

/** Empty for an operation of one step. */
function progressOf(operation: Operation): string {
  if (!("progress" in operation)) return "";
  const { done, total } = operation.progress;
  return total === null ? count(done) : `${count(done)} of ${count(total)}`;
}

function addGet(operations: Command): void {
  operations
    .command("get")
    .description("Show an operation with its progress; needs the scope read")
    .argument("<id>", "id of the operation")
    .addHelpText(
      "after",
      `
For a deletion, it also says when database rows and vectors were removed for good.

Examples:
  $ engram operations get op_06e3tqz8m1k4v9x2c7d0
`,
    )
    .action(async (id: string, _options: unknown, command: Command) => {
      const { output, client } = contextOf(command);
      const operation = await client().operations.get(id);
      output.data(operation, () =>
        table(Object.entries(operation).map(([name, value]) => [name, oneLine(shownValue(value))])),
      );
    });
}

function shownValue(value: unknown): string {
  if (value === null) return "-";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function addCancel(operations: Command): void {
  operations
    .command("cancel")
    .description("Cancel the rest of an operation; needs the scope write")
    .argument("<id>", "id of the operation")
    .addHelpText(
      "after",
      `
What is done already stays: deleted items stay deleted, and imported items stay stored.

Examples:
  $ engram operations cancel op_06e3tqz8m1k4v9x2c7d0
`,
    )
    .action(async (id: string, _options: unknown, command: Command) => {
      const { output, client } = contextOf(command);
      const operation = await client().operations.cancel(id);
      output.data(operation, () => `Canceled ${operation.id}.`);
    });
}
