import type { Conversation, ListConversationsQuery, Message } from "@engram/sdk";
import type { Command } from "commander";
import { contextOf } from "../context.ts";
import { addListing, type Listing, toListing } from "../filters.ts";
import { shortened } from "../importers/text-cuts.ts";
import { examples } from "../options.ts";
import { count, oneLine, printable, shownTime } from "../output.ts";
import { addDelete } from "./deletion.ts";

const TITLE_CHARACTERS = 60;

export function addConversations(program: Command): void {
  const conversations = program
    .command("conversations")
    .description("List, show and delete conversations")
    .addHelpText(...examples("engram conversations", "engram conversations show conv_06e3tqz8m1k4v9x2c7d0"));
  addList(conversations);
  addShow(conversations);
  addDelete(
    conversations,
    { what: "conversation", more: " and all its messages", example: "conv_06e3tqz8m1k4v9x2c7d0" },
    (engram, id, options) => engram.conversations.delete(id, options),
  );
}

function addList(conversations: Command): void {
  const list = conversations
    .command("list", { isDefault: true })
    .description("List conversations, most recently changed first");
  addListing(list, "conversations", ["updated_at", "last_message_at", "created_at"])
    .option("--external-id <id>", "only the conversation with this external id")
    .addHelpText(
      ...examples(
        "engram conversations",
        "engram conversations list --tag chatgpt --sort last_message_at --limit 5",
      ),
    )
    .action(async ({ externalId, ...options }: Listing & { externalId?: string }, command: Command) => {
      const { output, client } = contextOf(command);
      const query = { ...toListing(options), external_id: externalId } as ListConversationsQuery;
      const found = await client().conversations.list(query).toArray({ max: options.limit });
      output.data({ items: found }, () =>
        output.list(["ID", "CHANGED", "MESSAGES", "TITLE"], found.map(row)),
      );
      if (found.length === 0) output.note("No conversations found.");
    });
}

const row = ({ id, updated_at, message_count, title }: Conversation): string[] => [
  id,
  shownTime(updated_at),
  count(message_count).padStart(8),
  shortened(oneLine(title ?? "Untitled"), TITLE_CHARACTERS),
];

function addShow(conversations: Command): void {
  conversations
    .command("show")
    .description("Show a conversation with all its messages")
    .argument("<id>", "id of the conversation")
    .addHelpText(...examples("engram conversations show conv_06e3tqz8m1k4v9x2c7d0 | less"))
    .action(async (id: string, _options: unknown, command: Command) => {
      const { output, client } = contextOf(command);
      const engram = client();
      const { messages: _, ...conversation } = await engram.conversations.get(id, { message_limit: 0 });
      if (output.json) {
        const messages: Message[] = [];
        for await (const message of engram.messages.list(id)) messages.push(message);
        return output.data({ ...conversation, messages }, String);
      }
      output.data(conversation, () => output.paint("bold", oneLine(conversation.title ?? "Untitled")));
      // Printed page by page, because a conversation may not fit in memory.
      for await (const { name, role, sequence, created_at, content } of engram.messages.list(id)) {
        const head = `${sequence} ${oneLine(name ?? role)}, ${shownTime(created_at)}`;
        output.data(null, () => `\n${output.paint("cyan", head)}\n${printable(content)}`);
      }
    });
}
