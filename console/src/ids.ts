import { MESSAGES } from "./messages.ts";
import type { Query } from "./route.ts";
import { engram } from "./session.ts";

const texts = MESSAGES.palette;

/** A place in the console, with the text of a link to it. */
export interface LabeledPlace {
  label: string;
  path: readonly string[];
  query?: Query;
}

/** Where an id leads, by its prefix. */
const BY_PREFIX: Record<string, (id: string) => LabeledPlace> = {
  conv: (id) => ({ label: texts.conversation(id), path: ["conversations", id] }),
  msg: (id) => ({ label: texts.message(id), path: ["messages", id] }),
  mem: (id) => ({ label: texts.memory(id), path: ["memories", id] }),
  ent: (id) => ({ label: texts.entity(id), path: ["entities", id] }),
  rcl: (id) => ({ label: texts.receipt(id), path: ["receipts", id] }),
  op: (id) => ({ label: texts.operation(id), path: ["operations", id] }),
  wh: (id) => ({ label: texts.webhook(id), path: ["webhooks", id] }),
  key: (id) => ({ label: texts.usageOfKey(id), path: ["usage"], query: { key_id: id } }),
  req: (id) => ({ label: texts.traceOfRequest(id), path: ["trace", id] }),
};

/** Where a text leads if it is an id. */
export function placeOfId(text: string): LabeledPlace | undefined {
  const [, prefix = ""] = /^([a-z]+)_\w+$/.exec(text) ?? [];
  return Object.hasOwn(BY_PREFIX, prefix) ? BY_PREFIX[prefix]?.(text) : undefined;
}

/** The conversation of a message, and its number there. Null if the key sees no such message. */
export async function findMessage(
  id: string,
  signal?: AbortSignal,
): Promise<{ conversation_id: string; sequence: number } | null> {
  const options = signal && { signal };
  const { items } = await engram().conversations.list({ message_id: id, limit: 1 }, options).page();
  const [conversation] = items;
  if (conversation === undefined) return null;
  const { conversation_id, sequence } = await engram().messages.get(conversation.id, id, {}, options);
  return { conversation_id, sequence };
}
