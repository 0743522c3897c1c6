import type { DeleteUserOperation, ListUsersQuery, User } from "@engram/sdk";
import type { Command } from "commander";
import { contextOf } from "../context.ts";
import { wholeNumber } from "../options.ts";
import { count, oneLine, shownTime, whenRemoved } from "../output.ts";
import { confirm } from "../terminal.ts";
import { exportTo } from "./export.ts";

const PAGE_MAX = 100;

export function addUsers(program: Command): void {
  const users = program
    .command("users")
    .description("List the users of conversations and memories, and delete or export all data of one")
    .addHelpText(
      "after",
      `
Examples:
  $ engram users
  $ engram users export maria maria.ndjson
  $ engram users delete maria
`,
    );
  addList(users);
  addDelete(users);
  addExport(users);
}

function addList(users: Command): void {
  users
    .command("list", { isDefault: true })
    .description("List users with their number of conversations and memories, by id; needs the scope read")
    .option("--limit <n>", "maximum number of users", wholeNumber(1, 100_000), 20)
    .addHelpText(
      "after",
      `
The service counts up to 1,000 conversations and 1,000 memories of each user. A key that is bound to an
agent or a user cannot list users.

Examples:
  $ engram users
  $ engram users list --limit 1000 --json | jq -r '.items[].id'
`,
    )
    .action(async ({ limit }: { limit: number }, command: Command) => {
      const { output, client } = contextOf(command);
      const query: ListUsersQuery = { limit: Math.min(limit, PAGE_MAX) };
      const found = await client().users.list(query).toArray({ max: limit });
      output.data({ items: found }, () =>
        output.list(["ID", "LAST SEEN", "CONVERSATIONS", "MEMORIES"], found.map(row)),
      );
      if (found.length === 0) output.note("No users found.");
    });
}

const row = ({ id, conversation_count, memory_count, last_seen_at }: User): string[] => [
  oneLine(id),
  last_seen_at === null ? "-" : shownTime(last_seen_at),
  shownCount(conversation_count).padStart(13),
  shownCount(memory_count).padStart(8),
];

/** The service returns null instead of a greater number. */
const COUNTED_MAX = 1_000;
const shownCount = (n: number | null): string => (n === null ? `>${count(COUNTED_MAX)}` : count(n));

function addDelete(users: Command): void {
  users
    .command("delete")
    .description("Delete all conversations and memories of a user; this cannot be undone")
    .argument("<user_id>", "id of the user")
    .option("--yes", "skip the confirmation")
    .addHelpText(
      "after",
      `
Needs the scope delete. Up to 1,000 conversations and 1,000 memories are deleted at once, the others in
the background. The command prints the id of the deletion's operation. \`engram api getOperation\` shows its
progress, and when rows and vectors were removed for good.

Examples:
  $ engram users delete maria
  $ engram users delete maria --yes --json | jq -r .id
`,
    )
    .action(async (userId: string, options: { yes?: boolean }, command: Command) => {
      const { output, client } = contextOf(command);
      const engram = client();
      await confirm(`Delete all conversations and memories of ${userId}?`, options);
      const receipt = await engram.users.delete(userId);
      output.data(receipt, () => shownReceipt(receipt));
    });
}

function addExport(users: Command): void {
  users
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

function shownReceipt({ id, target_id, soft_deleted, progress }: DeleteUserOperation): string {
  const isWhole = progress.total !== null && soft_deleted >= progress.total;
  return [
    `Deleted ${count(soft_deleted)} conversations and memories of ${oneLine(target_id)}.`,
    ...(isWhole ? [] : ["The others are deleted in the background."]),
    whenRemoved(id),
  ].join(" ");
}
