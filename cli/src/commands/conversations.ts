import type { Conversation, ListConversationsQuery, Message } from "@engram/sdk";
import { type Command, Option } from "commander";
import { contextOf } from "../context.ts";
import { addFilters, type Filters, toFilters } from "../filters.ts";
import { PAGE_ITEMS_MAX } from "../generated/limits.ts";
import { shortened } from "../importers/text-cuts.ts";
import { examples, wholeNumber } from "../options.ts";
import { count, oneLine, printable, shownTime } from "../output.ts";
import { addDelete } from "./deletion.ts";

const TITLE_CHARACTERS = 60;

interface ListOptions extends Filters {
  limit: number;
  externalId?: string;
  sort: NonNullable<ListConversationsQuery["sort"]>;
  order: NonNullable<ListConversationsQuery["order"]>;
}

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
    (engram, id) => engram.conversations.delete(id),
  );
}

function addList(conversations: Command): void {
  addFilters(
    conversations
      .command("list", { isDefault: true })
      .description("List conversations, most recently changed first")
      .option("--limit <n>", "maximum number of conversations", wholeNumber(1, 100_000), 20),
    "conversations",
  )
    .option("--external-id <id>", "only the conversation with this external id")
    .addOption(
      new Option("--sort <field>", "sort field")
        .choices(["created_at", "updated_at", "message_count"])
        .default("updated_at"),
    )
    .addOption(
      new Option("--order <order>", "ascending or descending").choices(["asc", "desc"]).default("desc"),
    )
    .addHelpText(
      ...examples(
        "engram conversations",
        "engram conversations list --tag chatgpt --sort message_count --limit 5",
      ),
    )
    .action(async (options: ListOptions, command: Command) => {
      const { output, client } = contextOf(command);
      const found = await client().conversations.list(toQuery(options)).toArray({ max: options.limit });
      output.data({ items: found }, () =>
        output.list(["ID", "CHANGED", "MESSAGES", "TITLE"], found.map(row)),
      );
      if (found.length === 0) output.note("No conversations found.");
    });
}

const toQuery = (options: ListOptions) =>
  ({
    limit: Math.min(options.limit, PAGE_ITEMS_MAX),
    ...toFilters(options),
    external_id: options.externalId,
    sort: options.sort,
    order: options.order,
  }) as ListConversationsQuery;

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
