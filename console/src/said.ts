import type { Message } from "@engram/sdk";
import { engram } from "./session.ts";

/** A message, with the title of its conversation. */
export interface Said {
  message: Message;
  title: string | null;
}

export type ReadSaid = (conversationId: string, messageId: string) => Promise<Said>;

/** Reads messages with the titles of their conversations, each message and each conversation once. */
export function createReader(): ReadSaid {
  const kept = new Map<string, Promise<unknown>>();
  const once = <T>(id: string, load: () => Promise<T>): Promise<T> => {
    const loaded = (kept.get(id) as Promise<T> | undefined) ?? load();
    kept.set(id, loaded);
    return loaded;
  };
  return async (conversationId, messageId) => {
    const [message, { title }] = await Promise.all([
      once(messageId, async () => engram().messages.get(conversationId, messageId)),
      once(conversationId, async () => engram().conversations.get(conversationId, { message_limit: 1 })),
    ]);
    return { message, title };
  };
}
