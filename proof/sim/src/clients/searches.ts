import type { AnsweredConversation, AnsweredMessage } from "../model/judge.ts";
import type { AnsweredMemory } from "../model/memory-judge.ts";
import type { MemoryModel, MessageModel } from "../model/model.ts";
import { mustHold, mustShowMessage, possibleContents } from "../model/presence.ts";
import { mayRead } from "../model/sharing.ts";
import type { Span } from "../model/write.ts";
import { expect } from "../violation.ts";
import type { Client } from "./client.ts";
import { latestContent, pickMemory } from "./memories.ts";
import { pickMessage } from "./messages.ts";
import { wordIn, wordOf } from "./texts.ts";

interface MessagesResult {
  type: "messages";
  conversation_id: string;
  conversation: Omit<AnsweredConversation, "id" | "metadata">;
  messages: AnsweredMessage[];
  matches: { message_id: string }[];
}
type Result = MessagesResult | { type: "memory"; memory: AnsweredMemory };

export const MODES = ["keyword", "hybrid", "semantic"] as const;
const MEANING = "when does the refund order reach the bank";

/** Searches for one message by its unique word or by meaning, and checks every result. */
export async function search(client: Client): Promise<void> {
  const { random } = client;
  const message = pickMessage(client);
  if (message === null) return;
  const mode = random.pick(MODES);
  const body = {
    query: random.chance(0.8) ? wordOf(message.marker) : MEANING,
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
  const { messages: found } = judgeResults(client, answer.body.results, span);
  if (mode === "semantic" || hasLateWords(answer.body) || !isFoundBy(message, wordOf(message.marker), span))
    return;
  if (body.query !== wordOf(message.marker)) return;
  expect(found.has(message), "findable", () => `${message.id} is not found by ${body.query} in ${mode} mode`);
}

/** Searches for one memory in the same way, among memories only or together with messages. */
export async function searchMemories(client: Client): Promise<void> {
  const { random } = client;
  const memory = pickMemory(client);
  if (memory === null) return;
  const content = latestContent(memory);
  const mode = random.pick(MODES);
  const isWord = random.chance(0.8);
  const inBoth = random.chance(0.5) ? { in: ["conversations", "memories"] } : undefined;
  const { answer, span } = await client.ask({
    name: `search memories ${mode}`,
    method: "POST",
    path: inBoth === undefined ? "/v1/memories/search" : "/v1/search",
    body: { query: isWord ? wordIn(content) : MEANING, mode, limit: 10, ...inBoth },
  });
  if (answer?.status !== 200) return;
  const { memories: found } = judgeResults(client, answer.body.results, span);
  if (mode === "semantic" || !isWord || hasLateWords(answer.body) || !mustHold(memory, content, span)) return;
  // One that has ended comes after all others.
  if (memory.successor.possible(span).some((one) => one !== null)) return;
  expect(found.has(memory), "findable", () => `${memory.id} is not found by its word in ${mode} mode`);
}

/**
 * Whether words of a large write are not inserted yet. Without filters, these few messages allow no other reason for
 * `keyword_partial`.
 */
const hasLateWords = ({ degraded }: { degraded: string[] }): boolean => degraded.includes("keyword_partial");

/** Whether a keyword search must find the message: it exists, and every possible content has the word. */
function isFoundBy(message: MessageModel, word: string, span: Span): boolean {
  return (
    mustShowMessage(message, span) &&
    possibleContents(message, span).every((content) => content.includes(word))
  );
}

/** Checks every message and memory of the results, and returns those that matched. @throws {Violation} */
export function judgeResults(
  client: Client,
  results: Result[],
  span: Span,
): { messages: Set<MessageModel>; memories: Set<MemoryModel> } {
  const messages = new Set<MessageModel>();
  const memories = new Set<MemoryModel>();
  const shown = new Set<string>();
  const showOnce = (id: string) => {
    expect(!shown.has(id), "lists", () => `${id} stands in two results`);
    shown.add(id);
  };
  for (const result of results) {
    if (result.type === "memory") {
      showOnce(result.memory.id);
      memories.add(client.memoryJudge.memory(result.memory, span));
      continue;
    }
    const ids = new Set(result.matches.map(({ message_id }) => message_id));
    const place = client.judge.place({ id: result.conversation_id, ...result.conversation }, span);
    // Conversations in the simulator have no agent.
    expect(
      client.agentId === undefined && mayRead({ userId: client.userId }, place, span),
      "isolation",
      () => `a bound key finds messages of ${place.id}`,
    );
    for (const message of result.messages) {
      showOnce(message.id);
      const known = client.judge.message(message, span);
      if (ids.delete(message.id)) messages.add(known);
    }
    expect(ids.size === 0, "lists", () => `${[...ids]} match and are not shown`);
  }
  return { messages, memories };
}
