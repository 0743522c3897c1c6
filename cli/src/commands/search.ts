import type { ConversationSearchBody, MessagesResult } from "@engram/sdk";
import { type Command, Option } from "commander";
import { contextOf } from "../context.ts";
import { addFilters, type Filters, toFilters } from "../filters.ts";
import { NEIGHBORS_MAX, SEARCH_RESULTS_MAX } from "../generated/limits.ts";
import { shortened } from "../importers/text-cuts.ts";
import { collect, examples, wholeNumber } from "../options.ts";
import { type Output, oneLine, shownTime } from "../output.ts";
import { caveats, excerpt } from "../results.ts";

const NEIGHBOUR_CHARACTERS = 120;

interface SearchOptions extends Filters {
  mode: NonNullable<ConversationSearchBody["mode"]>;
  exclude?: string[];
  limit: number;
  neighbors: number;
  conversation?: string;
  role?: NonNullable<ConversationSearchBody["roles"]>;
}

export function addSearch(program: Command): void {
  const command = program
    .command("search")
    .description("Search messages by meaning and by words, best first")
    .argument("<query...>", 'text to search for; "quotes" match a phrase')
    .addOption(
      new Option("--mode <mode>", "search by meaning and words, by meaning, or by words")
        .choices(["hybrid", "semantic", "keyword"])
        .default("hybrid"),
    )
    .option("--exclude <text>", "no match with this word or phrase; repeat to exclude several", collect)
    .option(
      "--limit <n>",
      `maximum number of results, 1 to ${SEARCH_RESULTS_MAX}`,
      wholeNumber(1, SEARCH_RESULTS_MAX),
      10,
    )
    .option(
      "--neighbors <n>",
      `messages shown before and after each match, 0 to ${NEIGHBORS_MAX}`,
      wholeNumber(0, NEIGHBORS_MAX),
      2,
    )
    .option("--conversation <id>", "only in this conversation")
    .addOption(
      new Option("--role <role...>", "only messages with these roles").choices([
        "user",
        "assistant",
        "system",
        "tool",
      ]),
    );
  addFilters(command, "in conversations")
    .addHelpText(
      ...examples(
        "engram search When was the refund sent",
        "engram search --mode keyword --after 2026-11-01 --exclude cancelled '\"order 1029\"'",
        "engram search -- rm -rf dist",
        "engram search --tag chatgpt --limit 3 --json \"sourdough\" | jq '.results[].messages[].content'",
      ),
    )
    .action(async (words: string[], options: SearchOptions, command: Command) => {
      const { output, client } = contextOf(command);
      const answer = await client().search(toBody(words.join(" "), options));
      output.data(answer, () => answer.results.map((result, i) => block(result, i + 1, output)).join("\n\n"));
      if (answer.results.length === 0) output.note("No results.");
      for (const note of caveats(answer, "messages")) output.note(note);
    });
}

const toBody = (query: string, options: SearchOptions) =>
  ({
    query,
    exclude: options.exclude,
    mode: options.mode,
    limit: options.limit,
    neighbors: { before: options.neighbors, after: options.neighbors },
    conversation_id: options.conversation,
    ...toFilters(options),
    roles: options.role,
  }) as ConversationSearchBody;

function block(result: MessagesResult, place: number, { paint }: Output): string {
  const { title, created_at } = result.conversation;
  const name = title === null ? "Untitled" : shortened(oneLine(title), 80);
  const head = [
    paint("bold", `${place}. ${name}`),
    paint(
      "dim",
      `   ${shownTime(created_at)}  ${result.conversation_id}  relevance ${result.relevance.toFixed(2)}`,
    ),
  ];
  const highlights = new Map(result.matches.map((match) => [match.message_id, match.highlights]));
  const messages = result.messages.map((message) => {
    const matched = highlights.get(message.id);
    const speaker = `${matched === undefined ? " " : ">"} ${message.sequence} ${oneLine(message.name ?? message.role)}`;
    const who = `${speaker}, ${shownTime(message.created_at)}`;
    if (matched === undefined) {
      return paint("dim", `   ${who}: ${shortened(oneLine(message.content), NEIGHBOUR_CHARACTERS)}`);
    }
    return `   ${paint("cyan", who)}: ${excerpt(message.content, matched, (word) => paint(["bold", "yellow"], word))}`;
  });
  return [...head, ...messages].join("\n");
}
