import type { Entity, EntityKind, ListEntitiesQuery, ListMentionsQuery, Mention } from "@engram/sdk";
import { type Command, Option } from "commander";
import { contextOf } from "../context.ts";
import { wholeNumber } from "../options.ts";
import { count, oneLine, shownTime } from "../output.ts";

const PAGE_MAX = 100;
const KINDS: EntityKind[] = [
  "amount",
  "command",
  "date",
  "email",
  "error_code",
  "file",
  "quoted_name",
  "symbol",
  "ticket",
  "url",
  "version",
];

export function addEntities(program: Command): void {
  const entities = program
    .command("entities")
    .description("List the files, errors, links, dates and other entities that messages mention, and where")
    .addHelpText(
      "after",
      `
Examples:
  $ engram entities
  $ engram entities --kind file --prefix src/
  $ engram entities mentions ent_5f0c1e7ab3d94c2688e1f6a07b52d913
`,
    );
  addList(entities);
  addMentions(entities);
}

interface Filters {
  limit: number;
  conversation?: string;
  agent?: string;
  user?: string;
}

const addFilters = (command: Command, items: string): Command =>
  command
    .option("--conversation <id>", `only ${items} in this conversation`)
    .option("--agent <id>", `only ${items} in conversations of this agent`)
    .option("--user <id>", `only ${items} in conversations with this user`)
    .option("--limit <n>", `maximum number of ${items}`, wholeNumber(1, 100_000), 20);

const toFilters = ({ limit, conversation, agent, user }: Filters) => ({
  limit: Math.min(limit, PAGE_MAX),
  ...(conversation !== undefined && { conversation_id: conversation }),
  ...(agent !== undefined && { agent_id: agent }),
  ...(user !== undefined && { user_id: user }),
});

function addList(entities: Command): void {
  const command = entities
    .command("list", { isDefault: true })
    .description("List entities with their number of mentions, by kind and value; needs the scope read")
    .addOption(new Option("--kind <kind>", "only entities of this kind").choices(KINDS))
    .option("--prefix <text>", "only entities whose value starts with this text");
  addFilters(command, "entities")
    .addHelpText(
      "after",
      `
Examples:
  $ engram entities --kind error_code
  $ engram entities list --user maria --json | jq -r '.items[].value'
`,
    )
    .action(async (options: Filters & { kind?: EntityKind; prefix?: string }, command: Command) => {
      const { output, client } = contextOf(command);
      const { kind, prefix } = options;
      const query: ListEntitiesQuery = {
        ...toFilters(options),
        ...(kind !== undefined && { kind }),
        ...(prefix !== undefined && { prefix }),
      };
      const found = await client().entities.list(query).toArray({ max: options.limit });
      output.data({ items: found }, () =>
        output.list(["ID", "KIND", "LAST SEEN", "MENTIONS", "VALUE"], found.map(entityRow)),
      );
      if (found.length === 0) output.note("No entities found.");
    });
}

const entityRow = ({ id, kind, value, mention_count, last_seen_at }: Entity): string[] => [
  id,
  kind,
  shownTime(last_seen_at),
  // The service does not count the mentions of an entity that a thousand messages mention.
  (mention_count === null ? "many" : count(mention_count)).padStart(8),
  oneLine(value),
];

function addMentions(entities: Command): void {
  const command = entities
    .command("mentions")
    .description("List where messages mention an entity, by conversation, oldest first; needs the scope read")
    .argument("<entity_id>", "id of the entity");
  addFilters(command, "mentions")
    .addHelpText(
      "after",
      `
The columns START and END are places in the content of the message, in UTF-16 code units.

Examples:
  $ engram entities mentions ent_5f0c1e7ab3d94c2688e1f6a07b52d913 --limit 100
`,
    )
    .action(async (entityId: string, options: Filters, command: Command) => {
      const { output, client } = contextOf(command);
      const query: ListMentionsQuery = toFilters(options);
      const found = await client().entities.mentions(entityId, query).toArray({ max: options.limit });
      output.data({ items: found }, () =>
        output.list(["CONVERSATION", "SEQUENCE", "START", "END", "SAID", "TEXT"], found.map(mentionRow)),
      );
      if (found.length === 0) output.note("No mentions found.");
    });
}

const mentionRow = ({ conversation_id, sequence, start, end, created_at, text }: Mention): string[] => [
  conversation_id,
  count(sequence).padStart(8),
  String(start).padStart(5),
  String(end).padStart(5),
  shownTime(created_at),
  oneLine(text),
];
