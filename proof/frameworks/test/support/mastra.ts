import { randomUUID } from "node:crypto";
import { EngramMemoryStorage } from "@engram/sdk/mastra";
import type { MastraDBMessage } from "@mastra/core/agent";
import { InMemoryDB, InMemoryMemory, type MemoryStorage } from "@mastra/core/storage";
import { client } from "./client.ts";

export const MINUTE_MS = 60_000;
export const at = (minute: number) => new Date(Date.parse("2026-11-02T09:00:00.000Z") + minute * MINUTE_MS);
export const ids = (items: { id: string }[]) => items.map(({ id }) => id);

/** Mastra's own storage must pass too: it defines the expected behavior. */
export const STORAGES: [string, () => MemoryStorage][] = [
  ["InMemoryMemory", () => new InMemoryMemory({ db: new InMemoryDB() })],
  ["EngramMemoryStorage", () => new EngramMemoryStorage(client)],
];

/** Saves a thread of a new resource; `message` creates messages for it. */
export async function newThread(storage: MemoryStorage, more: object = {}) {
  const thread = {
    ...{ id: randomUUID(), resourceId: randomUUID(), title: "Order 1029", metadata: { key: "value" } },
    ...{ createdAt: at(0), updatedAt: at(0) },
    ...more,
  };
  await storage.saveThread({ thread: structuredClone(thread) });
  const { id: threadId, resourceId } = thread;
  const message = (
    minute: number,
    { text = `${minute}`, ...others }: Partial<MastraDBMessage> & { text?: string } = {},
  ): MastraDBMessage => ({
    ...{ id: randomUUID(), role: "user", type: "text", createdAt: at(minute), threadId, resourceId },
    content: { format: 2, parts: [{ type: "text", text }] },
    ...others,
  });
  const updatedAtMs = async () => Number((await storage.getThreadById({ threadId }))?.updatedAt);
  const messages = async () => (await storage.listMessages({ threadId, perPage: false })).messages;
  return { thread, threadId, resourceId, message, messages, updatedAtMs };
}
