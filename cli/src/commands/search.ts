import type { SearchAnswer, SearchBody, SearchResult } from "@engram/sdk";
import { type Command, Option } from "commander";
import { contextOf } from "../context.ts";
import { collect, moment, wholeNumber } from "../options.ts";
import { count, type Output, oneLine, shortened, shownTime } from "../output.ts";

/** How much of a message is shown: of one that matched, and of its neighbours. */
const MATCH_CHARACTERS = 480;
const NEIGHBOUR_CHARACTERS = 120;
/** What stands before the first highlight when the beginning is cut off. */
const LEAD_CHARACTERS = 120;

interface SearchOptions {
  mode: NonNullable<SearchBody["mode"]>;
  limit: number;
  context: number;
  conversation?: string;
  agent?: string;
  user?: string;
  tag?: string[];
  role?: NonNullable<SearchBody["roles"]>;
  after?: string;
  before?: string;
}

export function addSearch(program: Command): void {
  program
    .command("search")
    .description("Find messages by meaning and by words, best first, with their neighbours")
    .argument("<query...>", 'what to look for; "quoted" words must stand so, -word leaves out')
    .addOption(
      new Option("--mode <mode>", "by meaning and words, meaning only, or words only")
        .choices(["hybrid", "semantic", "keyword"])
        .default("hybrid"),
    )
    .option("--limit <n>", "most results, 1 to 50", wholeNumber(1, 50), 10)
    .option("--context <n>", "neighbours shown on each side of a match, 0 to 20", wholeNumber(0, 20), 2)
    .option("--conversation <id>", "only in this conversation")
    .option("--agent <id>", "only in conversations of this agent")
    .option("--user <id>", "only in conversations with this person")
    .option("--tag <tag>", "only in conversations with this tag; repeat it for all of several", collect)
    .addOption(
      new Option("--role <role...>", "only messages of these roles").choices([
        "user",
        "assistant",
        "system",
        "tool",
      ]),
    )
    .option("--after <time>", "only messages said then or later", moment)
    .option("--before <time>", "only messages said before then", moment)
    .addHelpText(
      "after",
      `
Examples:
  $ engram search When was the refund sent
  $ engram search --mode keyword --after 2026-11-01 '"order 1029" -cancelled'
  $ engram search --tag chatgpt --limit 3 --json "sourdough" | jq '.results[].messages[].content'
`,
    )
    .action(async (words: string[], options: SearchOptions, command: Command) => {
      const { output, client } = contextOf(command);
      const answer = await client().search(toBody(words.join(" "), options));
      output.data(answer, () => answer.results.map((result, i) => block(result, i + 1, output)).join("\n\n"));
      if (answer.results.length === 0) output.note("Nothing was found.");
      for (const note of notes(answer)) output.note(note);
    });
}

/** Fields of undefined value are left out of the request. */
const toBody = (query: string, options: SearchOptions) =>
  ({
    query,
    mode: options.mode,
    limit: options.limit,
    context: { before: options.context, after: options.context },
    conversation_id: options.conversation,
    agent_id: options.agent,
    user_id: options.user,
    tags_all: options.tag,
    roles: options.role,
    created_after: options.after,
    created_before: options.before,
  }) as SearchBody;

/** One result: the conversation, then its messages, those that matched marked and at greater length. */
function block(result: SearchResult, place: number, { paint }: Output): string {
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

/** The part of a message around its first highlight, each highlight marked. */
export function excerpt(
  content: string,
  highlights: { start: number; end: number }[],
  mark: (word: string) => string,
): string {
  const first = highlights[0]?.start ?? 0;
  const from = first + LEAD_CHARACTERS < MATCH_CHARACTERS ? 0 : first - LEAD_CHARACTERS;
  const to = Math.min(content.length, from + MATCH_CHARACTERS);
  let text = from > 0 ? "…" : "";
  let at = from;
  for (const { start, end } of highlights) {
    if (end > to) break;
    text += oneLine(content.slice(at, start)) + mark(oneLine(content.slice(start, end)));
    at = end;
  }
  return text + oneLine(content.slice(at, to)) + (to < content.length ? "…" : "");
}

const DEGRADED: Record<SearchAnswer["degraded"][number], string> = {
  semantic: "Meaning was not searched: the embedding model or the vector store did not answer.",
  semantic_partial: "Meaning was searched in part only.",
  model_mismatch: "Some messages were searched by words only: their vectors are of an earlier model.",
  rerank: "The order is that without a reranking model.",
};

/** What the answer does not cover. */
function notes({ degraded, pending, omitted }: SearchAnswer): string[] {
  return [
    ...degraded.map((what) => DEGRADED[what]),
    ...(pending > 0
      ? [`${count(pending)} messages can be found by their words only until their vectors are in.`]
      : []),
    ...(omitted > 0 ? [`${count(omitted)} results were left out for their size.`] : []),
  ];
}
