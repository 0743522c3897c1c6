import type { ListMemoriesQuery, Memory, MemoryResult, SearchMemoriesBody } from "@engram/sdk";
import type { Command } from "commander";
import { contextOf } from "../context.ts";
import {
  addListing,
  addSearching,
  type Listing,
  type Searching,
  toListing,
  toSearching,
} from "../filters.ts";
import { shortened } from "../importers/text-cuts.ts";
import { examples } from "../options.ts";
import { type Output, oneLine, printable, shownTime } from "../output.ts";
import { caveats, excerpt } from "../results.ts";
import { addDelete } from "./deletion.ts";

const CONTENT_CHARACTERS = 80;

/** The filter that only memories have. */
interface OfSource {
  source?: string;
}

export function addMemories(program: Command): void {
  const memories = program
    .command("memories")
    .description("List, get, search and delete memories")
    .addHelpText(
      ...examples(
        "engram memories",
        "engram memories search How does Maria want refunds",
        "engram memories get mem_06e3tqz8m1k4v9x2c7d0",
      ),
    );
  addList(memories);
  addGet(memories);
  addSearch(memories);
  addDelete(memories, { what: "memory", example: "mem_06e3tqz8m1k4v9x2c7d0" }, (engram, id, options) =>
    engram.memories.delete(id, options),
  );
}

const ofSource = (command: Command): Command => command.option("--source <name>", "only from this source");

function addList(memories: Command): void {
  const list = memories.command("list", { isDefault: true }).description("List memories, newest first");
  ofSource(addListing(list, "memories", ["created_at", "updated_at"]))
    .option("--cites <id>", "only memories that cite this conversation or message")
    .addHelpText(
      ...examples(
        "engram memories",
        "engram memories list --user maria",
        "engram memories list --source obsidian --tag project --limit 5",
        "engram memories list --cites conv_06e3tqz8m1k4v9x2c7d0",
      ),
    )
    .action(async ({ source, cites, ...options }: Listing & OfSource & Citing, command: Command) => {
      const { output, client } = contextOf(command);
      const query = { ...toListing(options), source, ...toCited(cites) } as ListMemoriesQuery;
      const found = await client().memories.list(query).toArray({ max: options.limit });
      output.data({ items: found }, () => output.list(["ID", "CREATED", "TAGS", "CONTENT"], found.map(row)));
      if (found.length === 0) output.note("No memories found.");
    });
}

/** The filter of a list by what a memory cites. */
interface Citing {
  cites?: string;
}

const toCited = (id: string | undefined) =>
  id?.startsWith("msg_") ? { source_message_id: id } : { source_conversation_id: id };

const row = ({ id, created_at, tags, content }: Memory): string[] => [
  id,
  shownTime(created_at),
  shortened(oneLine(tags.join(",")), 30),
  shortened(oneLine(content), CONTENT_CHARACTERS),
];

function addGet(memories: Command): void {
  memories
    .command("get")
    .description("Print the content of a memory")
    .argument("<id>", "id of the memory")
    .addHelpText(
      "after",
      `
On a terminal, control characters are removed. --json also prints tags, summary and all other fields.

Examples:
  $ engram memories get mem_06e3tqz8m1k4v9x2c7d0 > note.md
`,
    )
    .action(async (id: string, _options: unknown, command: Command) => {
      const { output, client } = contextOf(command);
      const memory = await client().memories.get(id);
      if (output.json) output.data(memory, String);
      // A file or pipe gets no line break after the content, so that it stays byte for byte.
      else process.stdout.write(process.stdout.isTTY ? `${printable(memory.content)}\n` : memory.content);
    });
}

function addSearch(memories: Command): void {
  const search = memories
    .command("search")
    .description("Search memories by meaning and by words, best first");
  ofSource(addSearching(search, "memories", "memory"))
    .addHelpText(
      ...examples(
        "engram memories search How does Maria want refunds",
        "engram memories search --source obsidian --tag project \"deadline\" --json | jq '.results[].memory.content'",
      ),
    )
    .action(async (words: string[], { source, ...options }: Searching & OfSource, command: Command) => {
      const { output, client } = contextOf(command);
      const body = { ...toSearching(words, options), source } as SearchMemoriesBody;
      const answer = await client().memories.search(body);
      output.data(answer, () => answer.results.map((result, i) => block(result, i + 1, output)).join("\n\n"));
      if (answer.results.length === 0) output.note("No results.");
      for (const note of caveats(answer, "memories")) output.note(note);
    });
}

function block(
  { memory, relevance, highlights, chunk }: MemoryResult,
  place: number,
  { paint }: Output,
): string {
  const { id, created_at, source, tags, content } = memory;
  const from = [...(source === null ? [] : [source]), ...tags.map((tag) => `#${tag}`)].join(" ");
  const about = [shownTime(created_at), id, `relevance ${relevance.toFixed(2)}`, oneLine(from)];
  // Without highlights, the excerpt shows the start of the chunk (a part of the content) that matches best.
  const start = chunk?.start ?? 0;
  const marks = highlights.length > 0 ? highlights : [{ start, end: start }];
  return [
    `${paint("bold", `${place}.`)} ${paint("dim", about.join("  ").trimEnd())}`,
    `   ${excerpt(content, marks, (word) => paint(["bold", "yellow"], word))}`,
  ].join("\n");
}
