import { ApiError, type Engram } from "@engram/sdk";
import { type Ledger, type ReadBack, whatBroke } from "./ledger.ts";
import { type MemoryLedger, whatMemoriesBroke } from "./memory-ledger.ts";

const PAGE_MESSAGES = 1_000;
const PAGE_MEMORIES = 100;

/** Reads a conversation, and says what it breaks of what was requested. */
export async function checkConversation(client: Engram, ledger: Ledger) {
  const readBack = await read(client, ledger.id);
  const unanswered = ledger.appends.filter(({ answer }) => answer === undefined);
  const contents = new Set(readBack?.messages.map(({ content }) => content));
  const kept = unanswered.filter((append) => contents.has(append.contents[0] ?? "")).length;
  return { broken: whatBroke(ledger, readBack), unanswered: unanswered.length, kept };
}

async function read(client: Engram, id: string): Promise<ReadBack> {
  try {
    const { last_sequence } = await client.conversations.get(id, { message_limit: 1 });
    const messages = [];
    for await (const message of client.messages.list(id, { limit: PAGE_MESSAGES })) messages.push(message);
    return { lastSequence: last_sequence, messages };
  } catch (error) {
    if (error instanceof ApiError && error.code === "not_found") return null;
    throw error;
  }
}

export async function checkMemories(client: Engram, ledger: MemoryLedger): Promise<string[]> {
  const memories = [];
  const query = { source: ledger.source, limit: PAGE_MEMORIES };
  for await (const memory of client.memories.list(query)) memories.push(memory);
  return whatMemoriesBroke(ledger, memories);
}
