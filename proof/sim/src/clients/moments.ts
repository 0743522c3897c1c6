import type { AnsweredMessage } from "../model/judge.ts";
import type { AnsweredMemory } from "../model/memory-judge.ts";
import { mustShow, mustShowMemory } from "../model/presence.ts";
import type { Span } from "../model/write.ts";
import { expect } from "../violation.ts";
import { AGENT, type Client } from "./client.ts";
import { pickConversation } from "./conversations.ts";
import { pickMemory } from "./memories.ts";

/** A moment of the past, as a parameter and in steps. */
function pickMoment({ organization, random }: Client): { asOf: string; at: Span } | null {
  if (organization.moments.length === 0) return null;
  const { atMs, step } = random.pick(organization.moments);
  return { asOf: `as_of=${new Date(atMs).toISOString()}`, at: { begin: step, end: step } };
}

/** Reads a memory in the version of a moment. */
export async function getMemoryAsOf(client: Client): Promise<void> {
  const memory = pickMemory(client);
  const moment = pickMoment(client);
  if (memory === null || moment === null) return;
  const { asOf, at } = moment;
  const path = `/v1/memories/${memory.id}?${asOf}`;
  const { answer, span } = await client.ask({ name: "get memory as of", method: "GET", path });
  if (answer?.status === 404) {
    const wasThere = memory.creation.done <= at.begin && mustShowMemory(memory, span);
    expect(!wasThere, "moments", () => `${memory.id} is answered as absent as of ${asOf}`);
  }
  if (answer?.status !== 200) return;
  const shown = client.memoryJudge.memory(answer.body, span, at);
  expect(shown === memory, "verbatim", () => `${memory.id} is answered as ${shown.id}`);
}

/** Pages through the memories of a moment, or those of an agent, while others write. */
export async function listMemoriesAsOf(client: Client): Promise<void> {
  const { random } = client;
  const moment = pickMoment(client);
  if (moment === null) return;
  const { asOf, at } = moment;
  const asked = random.chance(0.3) ? AGENT : undefined;
  const owner = { agentId: client.agentId ?? asked, userId: client.userId };
  const all: AnsweredMemory[] = [];
  const begin = client.step;
  const query = `${asOf}&limit=${random.between(2, 20)}&order=${random.pick(["asc", "desc"])}`;
  const ofAgent = asked === undefined ? "" : `&agent_id=${asked}`;
  for (let cursor = ""; ; ) {
    const path = `/v1/memories?${query}${ofAgent}${cursor}`;
    const { answer, span } = await client.ask({ name: "list memories as of", method: "GET", path });
    if (answer?.status !== 200) return;
    for (const shown of answer.body.items) client.memoryJudge.memory(shown, span, at);
    all.push(...answer.body.items);
    if (answer.body.next_cursor === null) break;
    cursor = `&cursor=${encodeURIComponent(answer.body.next_cursor)}`;
  }
  client.memoryJudge.list(all, owner, { begin, end: client.step }, at);
}

/**
 * Reads the messages of a conversation as of a moment. Not of a fork, whose messages are as old as the fork, and not of
 * an imported conversation, whose messages are older than their import.
 */
export async function listMessagesAsOf(client: Client): Promise<void> {
  const conversation = pickConversation(client);
  const moment = pickMoment(client);
  if (moment === null || conversation === null) return;
  if (conversation.origin !== null || conversation.landing !== null) return;
  const { asOf, at } = moment;
  const all: AnsweredMessage[] = [];
  const begin = client.step;
  const query = `${asOf}&limit=${client.random.between(1, 40)}`;
  for (let cursor = ""; ; ) {
    const path = `/v1/conversations/${conversation.id}/messages?${query}${cursor}`;
    const { answer, span } = await client.ask({ name: "list messages as of", method: "GET", path });
    if (answer?.status === 404) {
      const wasThere = conversation.creation.done <= at.begin && mustShow(conversation, span);
      expect(!wasThere, "moments", () => `${conversation.id} is answered as absent as of ${asOf}`);
    }
    if (answer?.status !== 200) return;
    all.push(...answer.body.items);
    if (answer.body.next_cursor === null) break;
    cursor = `&cursor=${encodeURIComponent(answer.body.next_cursor)}`;
  }
  client.judge.messagesAt(conversation, all, at, { begin, end: client.step });
}
