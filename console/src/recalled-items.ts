import type { Recall, RecalledItem } from "@engram/sdk";
import { ApiError } from "@engram/sdk";
import { firstWords } from "./format.ts";
import { MESSAGES } from "./messages.ts";
import { createReader } from "./said.ts";
import { engram } from "./session.ts";

/** An item of an answer as it is now. */
export interface ItemNow {
  state: "intact" | "edited" | "deleted";
  /** The first words of its content. Undefined if it is deleted. */
  text?: string;
  /** The title of the conversation of a message. */
  title?: string | null;
}

export type ReadItem = (item: RecalledItem) => Promise<ItemNow>;

/** Reads items of a receipt as they are now, each once. An item that the key does not see counts as deleted. */
export function createItemReader({ created_at }: Pick<Recall, "created_at">): ReadItem {
  const readSaid = createReader();
  const kept = new Map<string, Promise<ItemNow>>();
  const readMessage = async ({ conversation_id, id, updated_at }: RecalledItem): Promise<ItemNow> => {
    const { message, title } = await readSaid(conversation_id ?? "", id);
    const text = firstWords(message.content) || MESSAGES.conversation.partsOnly;
    return { text, title, state: message.updated_at === updated_at ? "intact" : "edited" };
  };
  const readMemory = async ({ id, version }: RecalledItem): Promise<ItemNow> => {
    const { items } = await engram().memories.listVersions(id, { limit: 1 }).page();
    const [now] = items;
    // The number also grows without a change, when the same content is captured again.
    const isSame = now?.version === version || (now?.stored_at ?? "") <= created_at;
    return {
      text: firstWords(now?.content ?? "") || MESSAGES.memories.without,
      state: isSame ? "intact" : "edited",
    };
  };
  return (item) => {
    const read = async () => (item.type === "message" ? readMessage(item) : readMemory(item));
    const asked = kept.get(item.id) ?? read().catch(deletedIfAbsent);
    kept.set(item.id, asked);
    return asked;
  };
}

function deletedIfAbsent(error: unknown): ItemNow {
  if (error instanceof ApiError && error.code === "not_found") return { state: "deleted" };
  throw error;
}

/** The place of an item in the console. */
export const placeOfItem = ({ type, id, conversation_id, sequence }: RecalledItem) =>
  type === "memory"
    ? { path: ["memories", id], query: {} }
    : { path: ["conversations", conversation_id ?? ""], query: { at: String(sequence) } };
