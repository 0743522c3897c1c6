import type { Engram } from "@engram/sdk";
import type { Sentence } from "../sentences.ts";
import type { Deletion, Stored } from "./stored.ts";

/** Conversations per share, and messages per conversation. */
const CONVERSATIONS = 7;
const MESSAGES = 10;
const MEMORIES = 7;
/** Conversations, and memories, that one filter deletes. */
const FILTERED = 2;
/** Conversations deleted whole, and memories deleted one by one. */
const WHOLE = 1;
const SINGLE = 2;
const INDEXED_TIMEOUT_MS = 60_000;

/** Conversations and memories, and their planned deletions, which are mostly of single messages. */
export interface Share {
  stored: Stored[];
  deletions: Deletion[];
}

/** Store a share. Its filters match `name`. */
export async function fillShare(
  client: Engram,
  texts: Iterator<Sentence, never>,
  name: string,
): Promise<Share> {
  const conversations: Stored[][] = [];
  for (let i = 0; i < CONVERSATIONS; i++)
    conversations.push(await fillConversation(client, texts, i < FILTERED ? { user_id: name } : {}));
  const memories = await captureMemories(client, texts, name);
  return {
    stored: [...conversations.flat(), ...memories],
    // Rare kinds come first, so that a few deletions cover every kind.
    deletions: [
      ...deletionsOfConversations(conversations, name),
      ...deletionsOfMemories(memories, name),
    ].sort((a, b) => Number(a.of === "messages") - Number(b.of === "messages")),
  };
}

function deletionsOfConversations(conversations: Stored[][], name: string): Deletion[] {
  const filtered = conversations.slice(0, FILTERED);
  const whole = conversations.slice(FILTERED, FILTERED + WHOLE);
  const others = conversations.slice(FILTERED + WHOLE);
  return [
    {
      of: "conversations by filter",
      texts: filtered.flat(),
      ids: filtered.map((said) => homeOf(said)),
      ask: (client) => client.conversations.deleteMany({ user_id: name }),
    },
    ...whole.map((said) => ({
      of: "conversations",
      texts: said,
      ids: [homeOf(said)],
      ask: (client: Engram) => client.conversations.delete(homeOf(said)),
    })),
    ...others
      .flatMap((said) => said.filter((_, i) => i % 2 === 1))
      .map((text) => ({
        of: "messages",
        texts: [text],
        ids: [text.id],
        ask: (client: Engram) => client.messages.delete(text.homeId, text.id),
      })),
  ];
}

function deletionsOfMemories(memories: Stored[], name: string): Deletion[] {
  const filtered = memories.slice(0, FILTERED);
  return [
    {
      of: "memories by filter",
      texts: filtered,
      ids: filtered.map(({ id }) => id),
      ask: (client) => client.memories.deleteMany({ source: name }),
    },
    ...memories.slice(FILTERED, FILTERED + SINGLE).map((memory) => ({
      of: "memories",
      texts: [memory],
      ids: [memory.id],
      ask: (client: Engram) => client.memories.delete(memory.id),
    })),
  ];
}

const homeOf = ([first]: Stored[]): string => first?.homeId ?? "";

async function fillConversation(
  client: Engram,
  texts: Iterator<Sentence, never>,
  body: { user_id?: string },
): Promise<Stored[]> {
  const { id: homeId } = await client.conversations.create(body);
  const said = Array.from({ length: MESSAGES }, () => texts.next().value);
  const { message_ids } = await client.messages.append(
    homeId,
    { messages: said.map(({ text }) => ({ role: "user", content: text })), wait: "indexed" },
    { timeoutMs: INDEXED_TIMEOUT_MS },
  );
  return said.map((sentence, i) => ({
    ...sentence,
    kind: "message",
    id: message_ids[i] ?? "",
    homeId,
    packed: undefined,
    writtenIn: [],
  }));
}

/** Captured without tags or summary, so that the text model writes them. */
async function captureMemories(
  client: Engram,
  texts: Iterator<Sentence, never>,
  source: string,
): Promise<Stored[]> {
  const noted = Array.from({ length: MEMORIES }, () => texts.next().value);
  const { items } = await client.memories.createMany(
    {
      memories: noted.map(({ text }, i) => ({ content: text, ...(i < FILTERED && { source }) })),
      wait: "indexed",
    },
    { timeoutMs: INDEXED_TIMEOUT_MS },
  );
  return noted.map((sentence, i) => {
    const id = items[i]?.id ?? "";
    return { ...sentence, kind: "memory", id, homeId: id, packed: undefined, writtenIn: [] };
  });
}
