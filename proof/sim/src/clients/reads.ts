import type { AnsweredConversation, AnsweredMessage } from "../model/judge.ts";
import type { AnsweredMemory, AnsweredVersion } from "../model/memory-judge.ts";
import type { ConversationModel, MemoryModel } from "../model/model.ts";
import type { Span } from "../model/write.ts";
import { expect } from "../violation.ts";
import { AGENT, type Client } from "./client.ts";
import { judgeAbsence, pickConversation } from "./conversations.ts";
import { judgeMemoryAbsence, noteVersion, pickMemory } from "./memories.ts";
import { judgeMessageAbsence, pathOf, pickMessage } from "./messages.ts";
import { judgeOperation } from "./operations.ts";

export async function getConversation(client: Client): Promise<void> {
  const conversation = pickConversation(client);
  if (conversation === null) return;
  const { answer, span } = await client.ask({
    name: "get conversation",
    method: "GET",
    path: `/v1/conversations/${conversation.id}`,
  });
  judgeAbsence(client, conversation, answer, span);
  if (answer?.status !== 200) return;
  const { messages, ...shown } = answer.body;
  client.judge.conversation(shown, span);
  const items: AnsweredMessage[] = messages.items;
  const isWhole = messages.next_cursor === null;
  const to = isWhole ? Number.POSITIVE_INFINITY : (items.at(-1)?.sequence ?? 0);
  client.judge.range(conversation, items, { from: 1, to }, span);
  expect(
    !isWhole || items.length === shown.message_count,
    "counters",
    () => `${shown.id} counts ${shown.message_count} messages and shows ${items.length}`,
  );
  expect(
    (items.at(-1)?.sequence ?? 0) <= shown.last_sequence,
    "sequences",
    () => `${shown.id} ends at ${shown.last_sequence} and shows more`,
  );
}

/** Pages through a conversation while others write. */
export async function listMessages(
  client: Client,
  conversation: ConversationModel | null = pickConversation(client),
  limit = client.random.between(1, 40),
): Promise<void> {
  if (conversation === null) return;
  const path = `/v1/conversations/${conversation.id}/messages?limit=${limit}`;
  let cursor = "";
  for (let from = 1; ; ) {
    const { answer, span } = await client.ask({ name: "list messages", method: "GET", path: path + cursor });
    judgeAbsence(client, conversation, answer, span);
    if (answer?.status !== 200) return;
    const items: AnsweredMessage[] = answer.body.items;
    const last = items.at(-1)?.sequence ?? 0;
    const next: string | null = answer.body.next_cursor;
    expect(items.length <= limit, "lists", () => `${items.length} messages on a page of ${limit}`);
    expect(
      items.every(({ sequence }) => sequence >= from),
      "lists",
      () => `${conversation.id} goes back before ${from}`,
    );
    client.judge.range(
      conversation,
      items,
      { from, to: next === null ? Number.POSITIVE_INFINITY : last },
      span,
    );
    if (next === null) return;
    from = last + 1;
    cursor = `&cursor=${encodeURIComponent(next)}`;
  }
}

export async function getMessage(client: Client): Promise<void> {
  const message = pickMessage(client);
  if (message === null) return;
  const { id } = message;
  const outcome = await client.ask({ name: "get message", method: "GET", path: pathOf(message) });
  judgeMessageAbsence(message, id, outcome);
  if (outcome.answer?.status !== 200) return;
  const shown = client.judge.message(outcome.answer.body, outcome.span);
  expect(shown === message, "verbatim", () => `${message.id} is answered as ${shown.id}`);
}

/** Pages through all conversations while others write. */
export async function listConversations(client: Client, limit = client.random.between(2, 30)): Promise<void> {
  const all: AnsweredConversation[] = [];
  const begin = client.step;
  const query = `&sort=created_at&order=${client.random.pick(["asc", "desc"])}`;
  for (let cursor = ""; ; ) {
    const path = `/v1/conversations?limit=${limit}${query}${cursor}`;
    const { answer, span } = await client.ask({ name: "list conversations", method: "GET", path });
    if (answer?.status !== 200) return;
    for (const shown of answer.body.items) client.judge.conversation(shown, span);
    all.push(...answer.body.items);
    if (answer.body.next_cursor === null) break;
    cursor = `&cursor=${encodeURIComponent(answer.body.next_cursor)}`;
  }
  // A conversation that existed throughout is on exactly one page.
  client.judge.conversationList(all, { begin, end: client.step });
}

interface AnsweredChunk {
  ordinal: number;
  start: number;
  end: number;
  overlap_start: number;
  indexed: boolean;
}

/** Reads a memory with its chunks, which must cover all of it. */
export async function getMemory(
  client: Client,
  memory: MemoryModel | null = pickMemory(client),
): Promise<void> {
  if (memory === null) return;
  const path = `/v1/memories/${memory.id}`;
  const { answer, span } = await client.ask({ name: "get memory", method: "GET", path });
  judgeMemoryAbsence(memory, answer, span);
  if (answer?.status !== 200) return;
  const shown = client.memoryJudge.memory(answer.body, span);
  expect(shown === memory, "verbatim", () => `${memory.id} is answered as ${shown.id}`);
  noteVersion(memory, answer);
  const chunks: AnsweredChunk[] = answer.body.chunks;
  expect(
    chunks.every(
      ({ ordinal, start, overlap_start }, i) =>
        ordinal === i && start === (chunks[i - 1]?.end ?? 0) && overlap_start <= start,
    ) && chunks.at(-1)?.end === answer.body.content.length,
    "verbatim",
    () => `the chunks of ${memory.id} are ${JSON.stringify(chunks)}`,
  );
  expect(
    !client.isClear || chunks.every(({ indexed }) => indexed),
    "findable",
    () => `${memory.id} is not indexed: ${JSON.stringify(chunks)}`,
  );
}

/** Pages through all memories, or those of an agent, while others write. */
export async function listMemories(client: Client, limit = client.random.between(2, 20)): Promise<void> {
  const { random } = client;
  const asked = random.chance(0.3) ? AGENT : undefined;
  const owner = { agentId: client.agentId ?? asked, userId: client.userId };
  const all: AnsweredMemory[] = [];
  const begin = client.step;
  const query = `&order=${random.pick(["asc", "desc"])}${asked === undefined ? "" : `&agent_id=${asked}`}`;
  for (let cursor = ""; ; ) {
    const path = `/v1/memories?limit=${limit}${query}${cursor}`;
    const { answer, span } = await client.ask({ name: "list memories", method: "GET", path });
    if (answer?.status !== 200) return;
    for (const shown of answer.body.items) client.memoryJudge.memory(shown, span);
    all.push(...answer.body.items);
    if (answer.body.next_cursor === null) break;
    cursor = `&cursor=${encodeURIComponent(answer.body.next_cursor)}`;
  }
  client.memoryJudge.list(all, owner, { begin, end: client.step });
}

/** Pages through the versions of a memory while others change it. */
export async function listVersions(
  client: Client,
  memory: MemoryModel | null = pickMemory(client),
  limit = client.random.between(1, 5),
): Promise<void> {
  if (memory === null) return;
  const all: AnsweredVersion[] = [];
  let first: Span | undefined;
  for (let cursor = ""; ; ) {
    const path = `/v1/memories/${memory.id}/versions?limit=${limit}${cursor}`;
    const { answer, span } = await client.ask({ name: "list versions", method: "GET", path });
    judgeMemoryAbsence(memory, answer, span);
    if (answer?.status !== 200) return;
    first ??= span;
    all.push(...answer.body.items);
    if (answer.body.next_cursor === null) break;
    cursor = `&cursor=${encodeURIComponent(answer.body.next_cursor)}`;
  }
  client.memoryJudge.versions(memory, all, first);
}

export async function getReceipt(client: Client): Promise<void> {
  const receipts = client.model.receipts.filter(({ organization }) => organization === client.organization);
  const receipt = receipts[client.random.between(0, receipts.length - 1)];
  if (receipt === undefined) return;
  const path = `/v1/operations/${receipt.operationId}`;
  const { answer } = await client.ask({ name: "get receipt", method: "GET", path });
  if (answer === null || answer.status === 401) return;
  expect(
    answer.status === 200 && answer.body.target_id === receipt.targetId,
    "receipts",
    () => `${receipt.operationId} answers ${JSON.stringify(answer.body)}`,
  );
  judgeOperation(answer.body);
}

export async function getIndexStatus(client: Client): Promise<void> {
  await client.ask({ name: "get index status", method: "GET", path: "/v1/index" });
}
