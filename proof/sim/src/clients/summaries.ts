import type { ContextSummary, Summary } from "@engram/spec";
import type { ConversationModel } from "../model/model.ts";
import { mayShowMessage, possibleContents } from "../model/presence.ts";
import type { Span } from "../model/write.ts";
import { expect } from "../violation.ts";
import type { Client } from "./client.ts";
import { judgeAbsence, pickConversation } from "./conversations.ts";

/** Has a conversation summarized up to its last message. */
export async function summarize(client: Client): Promise<void> {
  const conversation = pickConversation(client);
  if (conversation === null) return;
  const { answer, span } = await client.ask({
    name: "summarize",
    method: "POST",
    path: pathOf(conversation),
    isRepeatable: true,
  });
  judgeAbsence(client, conversation, answer, span);
}

/** Reads the summaries of a conversation, none of which may say what no message says any more. */
export async function listSummaries(
  client: Client,
  conversation: ConversationModel | null = pickConversation(client),
): Promise<void> {
  if (conversation === null) return;
  const path = `${pathOf(conversation)}?limit=100`;
  const { answer, span } = await client.ask({ name: "list summaries", method: "GET", path });
  judgeAbsence(client, conversation, answer, span);
  if (answer?.status !== 200) return;
  for (const summary of answer.body.items as Summary[]) judgeSummary(conversation, summary, span);
}

const pathOf = ({ id }: ConversationModel): string => `/v1/conversations/${id}/summaries`;

/** What it says stands in messages of its range that are neither edited nor deleted. */
export function judgeSummary(conversation: ConversationModel, summary: ContextSummary, span: Span): void {
  const { from_sequence: from, to_sequence: to } = summary;
  for (const { text, cites } of summary.sentences)
    for (const { message_id: id, sequence, start, end } of cites) {
      expect(sequence >= from && sequence <= to, "summaries", () => `${id} is outside of ${from} to ${to}`);
      // The id may be unknown, if no response has shown it.
      const message = conversation.messages.find((one) => one.id === id);
      if (message === undefined) continue;
      expect(
        mayShowMessage(message, span),
        "summaries",
        () => `${id} is deleted, and a summary says ${text}`,
      );
      expect(
        possibleContents(message, span).some((content) => content.slice(start ?? 0, end ?? 0) === text),
        "summaries",
        () => `${id} does not say ${JSON.stringify(text)}`,
      );
    }
}
