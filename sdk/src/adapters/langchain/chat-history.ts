import { BaseListChatMessageHistory } from "@langchain/core/chat_history";
import {
  type BaseMessage,
  mapStoredMessageToChatMessage,
  type StoredMessage,
} from "@langchain/core/messages";
import type { Engram } from "../../engram.ts";
import type { NewMessage } from "../../generated/schema.ts";
import { wellFormed } from "../../well-formed.ts";
import { type ConversationInit, ExternalConversation, lastOfEachId } from "../external-conversation.ts";
import { shortName } from "../json.ts";
import { checkOwner } from "../owner.ts";
import { toParts } from "../parts.ts";
import { valuesIn } from "../pieces.ts";

const ROLES = new Map<string, NewMessage["role"]>([
  ["human", "user"],
  ["ai", "assistant"],
  ["system", "system"],
  ["developer", "system"],
  ["tool", "tool"],
  ["function", "tool"],
]);

/**
 * The messages of one session. A `BaseMessageChunk` (a part of a streamed message) is returned as a message.
 *
 * Needs the scopes `read` and `write`; `clear` also needs `delete`.
 */
export class EngramChatMessageHistory extends BaseListChatMessageHistory {
  /** The name of this class for LangChain's serializer. */
  lc_namespace = ["engram", "chat_history"];
  readonly #conversation: ExternalConversation;

  /**
   * Open a new or existing session. Nothing is sent before the first call.
   *
   * @param sessionId The conversation's `external_id`. The conversation is created with the first message.
   * @param init Fields of the conversation if it is created: `user_id`, `agent_id`, `title`, `tags`, `metadata`.
   *   The sessions of each user and agent are separate, even with the same id.
   * @throws {TypeError} when `user_id` or `agent_id` is given but undefined.
   * @example
   * ```ts
   * const history = new EngramChatMessageHistory(engram, "chat-18", { user_id: "maria", title: "Dinner" });
   * await history.addUserMessage("A table for two, please.");
   * await history.addAIMessage("At eight?");
   * ```
   */
  constructor(client: Engram, sessionId: string, init: ConversationInit = {}) {
    super();
    this.#conversation = new ExternalConversation(
      client,
      sessionId,
      checkOwner(init, "open the conversations of"),
    );
  }

  /**
   * Get the messages, oldest first. Only messages that this class stored are returned, not those that other programs
   * appended to the conversation.
   *
   * @example
   * ```ts
   * import { HumanMessage } from "@langchain/core/messages";
   *
   * const messages = [...(await history.getMessages()), new HumanMessage("And cold?")];
   * const answer = await model.invoke(messages);
   * console.log(messages.length, answer.text); // 3 Then the salad.
   * ```
   */
  async getMessages(): Promise<BaseMessage[]> {
    const messages = await this.#conversation.messages();
    return valuesIn<StoredMessage>(messages).map(mapStoredMessageToChatMessage);
  }

  /**
   * Add one message, with the same rules as `addMessages`.
   *
   * @example
   * ```ts
   * import { AIMessage } from "@langchain/core/messages";
   *
   * const answer = new AIMessage({ id: "run-1", content: "The salad has none either." });
   * await history.addMessage(answer);
   * await history.addMessage(answer); // has the same `id`: nothing is added
   * console.log((await history.getMessages()).length); // 3
   * ```
   */
  async addMessage(message: BaseMessage): Promise<void> {
    await this.addMessages([message]);
  }

  /**
   * Add messages, oldest first. A message that is already in the session with the same `id` is not added again. Of
   * several with the same `id` in one call, only the last is added.
   *
   * A message may have any size: one of more than 500,000 bytes, such as one with an image, is stored in several.
   * Values that JSON does not have are converted: a date becomes ISO text, and all others, such as NaN or a bigint,
   * become text, whose path and original type are in `metadata.converted` of the stored message.
   *
   * @throws {Error} for a message type that
   *   cannot be stored, such as `RemoveMessage`. Nothing is stored then. {ApiError} `external_id_conflict`
   *   when the session has a different message with the same `id`.
   * @example
   * ```ts
   * import { AIMessage, ToolMessage } from "@langchain/core/messages";
   *
   * await history.addMessages([
   *   new AIMessage({ content: "", tool_calls: [{ id: "call-1", name: "book", args: { guests: 2 } }] }),
   *   new ToolMessage({ tool_call_id: "call-1", name: "book", content: "Table 4, at eight" }),
   * ]);
   * console.log((await history.getMessages()).at(-1)?.text); // Table 4, at eight
   * ```
   */
  override async addMessages(messages: BaseMessage[]): Promise<void> {
    await this.#conversation.append(lastOfEachId(messages.map(toMessage)));
  }

  /**
   * Delete the conversation. The next message creates a new one with the same `external_id`.
   *
   * @example
   * ```ts
   * await history.clear(); // the guest wants it forgotten
   * console.log((await history.getMessages()).length); // 0
   * ```
   */
  override async clear(): Promise<void> {
    await this.#conversation.delete();
  }
}

function toMessage(message: BaseMessage): NewMessage {
  // LangChain's own `toDict` leaves out fields that are set after a message is created, such as its id and its
  // token usage.
  const fields = Object.entries(message).filter(([name]) => !name.startsWith("lc_"));
  const stored = { type: message.getType(), data: Object.fromEntries(fields) };
  const { role, name, tool_call_id } = stored.data as StoredMessage["data"];
  // Throws for a type of message that `getMessages` could not restore.
  mapStoredMessageToChatMessage(stored as StoredMessage);
  const messageRole = ROLES.get(role ?? stored.type) ?? "user";
  const speaker = shortName(messageRole === "tool" ? name : (name ?? role));
  const call = shortName(tool_call_id);
  return {
    ...toParts(stored),
    role: messageRole,
    content: wellFormed(message.text),
    ...(message.id && { external_id: wellFormed(message.id) }),
    ...(speaker && { [messageRole === "tool" ? "tool_name" : "name"]: speaker }),
    ...(call && { tool_call_id: call }),
  };
}
