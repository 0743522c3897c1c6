import type { ConversationSearchBody, MessagesResult } from "@engram/sdk";
import { NEIGHBORS_MAX } from "@engram/sdk/limits";
import { type Command, Option } from "commander";
import { contextOf } from "../context.ts";
import { addSearching, type Searching, toSearching } from "../filters.ts";
import { shortened } from "../importers/text-cuts.ts";
import { examples, wholeNumber } from "../options.ts";
import { type Output, oneLine, shownTime } from "../output.ts";
import { caveats, excerpt } from "../results.ts";

const NEIGHBOUR_CHARACTERS = 120;
const ROLES = ["user", "assistant", "system", "tool"];

interface SearchOptions extends Searching {
  neighbors: number;
  conversation?: string;
  role?: NonNullable<ConversationSearchBody["roles"]>;
}

export function addSearch(program: Command): void {
  const search = program.command("search").description("Search messages by meaning and by words, best first");
  addSearching(search, "in conversations", "match")
    .option(
      "--neighbors <n>",
      `messages shown before and after each match, 0 to ${NEIGHBORS_MAX}`,
      wholeNumber(0, NEIGHBORS_MAX),
      2,
    )
    .option("--conversation <id>", "only in this conversation")
    .addOption(new Option("--role <role...>", "only messages with these roles").choices(ROLES))
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
      const answer = await client().search(toBody(words, options));
      output.data(answer, () => answer.results.map((result, i) => block(result, i + 1, output)).join("\n\n"));
      if (answer.results.length === 0) output.note("No results.");
      for (const note of caveats(answer, "messages")) output.note(note);
    });
}

const toBody = (words: string[], { neighbors, conversation, role, ...options }: SearchOptions) =>
  ({
    ...toSearching(words, options),
    neighbors: { before: neighbors, after: neighbors },
    conversation_id: conversation,
    roles: role,
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
