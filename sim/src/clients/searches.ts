import type { AnsweredMessage } from "../model/judge.ts";
import type { MessageModel } from "../model/model.ts";
import { mustShowMessage, possibleContents } from "../model/presence.ts";
import type { Span } from "../model/write.ts";
import { expect } from "../violation.ts";
import type { Client } from "./client.ts";
import { pickMessage } from "./messages.ts";
import { wordOf } from "./texts.ts";

interface Result {
  messages: AnsweredMessage[];
  matches: { message_id: string }[];
}

/** Looks for one message, by a word that it alone holds, or by meaning; all that comes back is judged. */
export async function search(client: Client): Promise<void> {
  const { random } = client;
  const message = pickMessage(client);
  if (message === null) return;
  const mode = random.pick(["keyword", "hybrid", "semantic"] as const);
  const body = {
    query: random.chance(0.8) ? wordOf(message.marker) : "when does the refund order reach the bank",
    mode,
    limit: 10,
    ...(random.chance(0.3) ? { conversation_id: message.conversation.id } : {}),
    ...(random.chance(0.1) ? { rerank: true } : {}),
  };
  const { answer, span } = await client.ask({
    name: `search ${mode}`,
    method: "POST",
    path: "/v1/search",
    body,
  });
  if (answer?.status !== 200) return;
  const found = judgeResults(client, answer.body.results, span);
  if (mode === "semantic" || !isFoundBy(message, wordOf(message.marker), span)) return;
  if (body.query !== wordOf(message.marker)) return;
  expect(found.has(message), "findable", () => `${message.id} is not found by ${body.query} in ${mode} mode`);
}

/** Whether words must find a message: it is there, and in whichever edition it holds the word. */
function isFoundBy(message: MessageModel, word: string, span: Span): boolean {
  return (
    mustShowMessage(message, span) &&
    possibleContents(message, span).every((content) => content.includes(word))
  );
}

/** Judges every message of some results; answers those that matched. @throws {Violation} */
export function judgeResults(client: Client, results: Result[], span: Span): Set<MessageModel> {
  const matched = new Set<MessageModel>();
  const shown = new Set<string>();
  for (const { messages, matches } of results) {
    const ids = new Set(matches.map(({ message_id }) => message_id));
    for (const message of messages) {
      expect(!shown.has(message.id), "lists", () => `${message.id} stands in two results`);
      shown.add(message.id);
      const known = client.judge.message(message, span);
      if (ids.delete(message.id)) matched.add(known);
    }
    expect(ids.size === 0, "lists", () => `${[...ids]} match and are not shown`);
  }
  return matched;
}
