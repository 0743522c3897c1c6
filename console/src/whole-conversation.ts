import type { Conversation, Message } from "@engram/sdk";
import { MESSAGE_PAGE_MAX } from "@engram/sdk/limits";
import { engram } from "./session.ts";

/** A conversation with all its messages, as the API returns them. */
export async function wholeConversation(id: string): Promise<Conversation & { messages: Message[] }> {
  const { messages: _, ...conversation } = await engram().conversations.get(id, { message_limit: 0 });
  const messages = await engram()
    .messages.list(id, { limit: MESSAGE_PAGE_MAX })
    .toArray({ max: Number.POSITIVE_INFINITY });
  return { ...conversation, messages };
}
