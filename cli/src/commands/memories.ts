import type { ListMemoriesQuery, Memory, MemoryResult, SearchMemoriesBody } from "@engram/sdk";
import { type Command, Option } from "commander";
import { contextOf } from "../context.ts";
import { addFilters, type Filters, toFilters } from "../filters.ts";
import { PAGE_ITEMS_MAX, SEARCH_RESULTS_MAX } from "../generated/limits.ts";
import { shortened } from "../importers/text-cuts.ts";
import { collect, examples, wholeNumber } from "../options.ts";
import { type Output, oneLine, printable, shownTime } from "../output.ts";
import { caveats, excerpt } from "../results.ts";
import { addDelete } from "./deletion.ts";

const CONTENT_CHARACTERS = 80;

interface MemoryFilters extends Filters {
  limit: number;
  source?: string;
}
interface ListOptions extends MemoryFilters {
  sort: NonNullable<ListMemoriesQuery["sort"]>;
  order: NonNullable<ListMemoriesQuery["order"]>;
}
interface SearchOptions extends MemoryFilters {
  exclude?: string[];
  mode: NonNullable<SearchMemoriesBody["mode"]>;
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
  addDelete(memories, { what: "memory", example: "mem_06e3tqz8m1k4v9x2c7d0" }, (engram, id) =>
    engram.memories.delete(id),
  );
}

const filtered = (command: Command): Command =>
  addFilters(command, "memories").option("--source <name>", "only from this source");

function addList(memories: Command): void {
  filtered(
    memories
      .command("list", { isDefault: true })
      .description("List memories, newest first")
      .option("--limit <n>", "maximum number of memories", wholeNumber(1, 100_000), 20),
  )
    .addOption(
      new Option("--sort <field>", "sort field").choices(["created_at", "updated_at"]).default("created_at"),
    )
    .addOption(
      new Option("--order <order>", "ascending or descending").choices(["asc", "desc"]).default("desc"),
    )
    .addHelpText(
      ...examples(
        "engram memories",
        "engram memories list --user maria",
        "engram memories list --source obsidian --tag project --limit 5",
      ),
    )
    .action(async (options: ListOptions, command: Command) => {
      const { output, client } = contextOf(command);
      const { limit, sort, order } = options;
      const query = {
        ...toFilters(options),
        source: options.source,
        limit: Math.min(limit, PAGE_ITEMS_MAX),
        sort,
        order,
      };
      const found = await client()
        .memories.list(query as ListMemoriesQuery)
        .toArray({ max: limit });
      output.data({ items: found }, () => output.list(["ID", "CREATED", "TAGS", "CONTENT"], found.map(row)));
      if (found.length === 0) output.note("No memories found.");
    });
}

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
  filtered(
    memories
      .command("search")
      .description("Search memories by meaning and by words, best first")
      .argument("<query...>", 'text to search for; "quotes" match a phrase')
      .addOption(
        new Option("--mode <mode>", "search by meaning and words, by meaning, or by words")
          .choices(["hybrid", "semantic", "keyword"])
          .default("hybrid"),
      )
      .option("--exclude <text>", "no memory with this word or phrase; repeat to exclude several", collect)
      .option(
        "--limit <n>",
        `maximum number of results, 1 to ${SEARCH_RESULTS_MAX}`,
        wholeNumber(1, SEARCH_RESULTS_MAX),
        10,
      ),
  )
    .addHelpText(
      ...examples(
        "engram memories search How does Maria want refunds",
        "engram memories search --source obsidian --tag project \"deadline\" --json | jq '.results[].memory.content'",
      ),
    )
    .action(async (words: string[], options: SearchOptions, command: Command) => {
      const { output, client } = contextOf(command);
      const { mode, limit, exclude } = options;
      const body = {
        ...toFilters(options),
        source: options.source,
        query: words.join(" "),
        exclude,
        mode,
        limit,
      };
      const answer = await client().memories.search(body as SearchMemoriesBody);
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
