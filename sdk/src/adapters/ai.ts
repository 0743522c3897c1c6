/**
 * Memory for the AI SDK: persistent chats, relevant earlier messages in the prompt, and tools for searching
 * memory.
 *
 * @example
 * ```ts
 * import { Engram } from "@engram/sdk";
 * import { engramMemory, engramTools, loadChat, saveChat } from "@engram/sdk/ai";
 * import {
 *   convertToModelMessages,
 *   generateId,
 *   stepCountIs,
 *   streamText,
 *   type UIMessage,
 *   wrapLanguageModel,
 * } from "ai";
 *
 * const engram = new Engram({ apiKey: "engram_sk_live_…", baseUrl: "http://127.0.0.1:26366" });
 * type Model = Parameters<typeof wrapLanguageModel>[0]["model"];
 *
 * export async function answer(model: Model, chatId: string, message: UIMessage): Promise<Response> {
 *   const user_id = "maria";
 *   const messages = [...(await loadChat(engram, chatId, { user_id })), message];
 *   const result = streamText({
 *     // Adds what was said in other chats to the prompt.
 *     model: wrapLanguageModel({ model, middleware: engramMemory(engram, { user_id, exceptThreadId: chatId }) }),
 *     // Lets the model search for more, and then answer.
 *     tools: engramTools(engram, { user_id }),
 *     stopWhen: stepCountIs(5),
 *     messages: await convertToModelMessages(messages),
 *   });
 *   return result.toUIMessageStreamResponse({
 *     originalMessages: messages,
 *     generateMessageId: generateId,
 *     onFinish: ({ messages }) => saveChat(engram, chatId, messages, { user_id, onError: console.error }),
 *   });
 * }
 * ```
 *
 * @module
 */
import { jsonSchema, type LanguageModelMiddleware, type Tool, tool, type UIMessage } from "ai";
import type { Engram } from "../engram.ts";
import type { NewMessage } from "../generated/schema.ts";
import { wellFormed } from "../well-formed.ts";
import { type ConversationInit, ExternalConversation, lastOfEachId } from "./external-conversation.ts";
import { readableText, shortName } from "./json.ts";
import { checkOwner, ownerOf } from "./owner.ts";
import { toParts } from "./parts.ts";
import { valuesIn } from "./pieces.ts";
import { inPrompt, lastAsked, type MemoryOptions, promptContext } from "./prompt-context.ts";
import { type RecallOptions, recall } from "./recall.ts";

export type { ConversationInit, MemoryOptions, RecallOptions };

/** Fields of the conversation if `saveChat` creates it, and what happens if saving fails. */
export interface SaveOptions extends ConversationInit {
  /**
   * Called with the error if saving fails, for example because Engram is unreachable. `saveChat` then resolves, so that
   * a stream whose `onEnd` saves the chat ends as usual. By default, `saveChat` rejects with the error.
   */
  onError?: ((error: unknown) => void) | undefined;
}

/**
 * Get the messages of a saved chat, oldest first; empty for a new chat. Needs the scope `read`.
 *
 * Only messages that `saveChat` stored are returned, not those that other programs appended to the conversation.
 *
 * @param owner The chats of each user are separate, even with the same id. Pass `user_id` if `saveChat` does.
 * @throws {TypeError} when `user_id` is given but undefined.
 * @example
 * ```ts
 * import type { UIMessage } from "ai";
 *
 * const user_id = "maria";
 * const messages = await loadChat<UIMessage<{ createdAt: string }>>(engram, "chat-17", { user_id });
 * for (const { role, metadata } of messages) console.log(role, metadata?.createdAt);
 * ```
 */
export async function loadChat<Message extends UIMessage>(
  client: Engram,
  chatId: string,
  owner: { user_id?: string } = {},
): Promise<Message[]> {
  checkOwner(owner, "open the conversations of");
  return valuesIn<Message>(await new ExternalConversation(client, chatId, owner).messages());
}

/**
 * Make a chat contain exactly these messages. New ones are appended. From the first message that differs from the
 * stored one, the stored messages are replaced. Needs the scopes `read` and `write`, and `delete` to replace messages.
 *
 * Saving again changes nothing. Of several messages with the same `id`, only the last is saved. A message may have any
 * size: one of more than 500,000 bytes, such as one with an image, is stored in several messages. Values that JSON does
 * not have are converted: a date becomes ISO text, an undefined field is left out, and all others, such as NaN, a bigint
 * or a `Map`, become text, whose path and original type are in `metadata.converted` of the stored message. When two
 * saves run at once, the later one wins. It then replaces the messages of the other one, which needs the scope `delete`.
 *
 * @param chatId The conversation's `external_id`. The conversation is created with the first message.
 * @param options Fields of the conversation if it is created: `user_id`, `agent_id`, `title`, `tags`, `metadata`.
 *   The chats of each user and agent are separate, even with the same id.
 *   With `onError`, every failure is passed to it instead of being thrown.
 * @throws {TypeError} for a message that is not a `UIMessage`, and when `user_id` or `agent_id` is given but undefined.
 * @example
 * ```ts
 * import type { UIMessage } from "ai";
 *
 * const user_id = "maria";
 * const [, ...answers] = await loadChat(engram, "chat-17", { user_id });
 * const question: UIMessage = {
 *   id: "msg-1",
 *   role: "user",
 *   parts: [{ type: "text", text: "I'm allergic to peanuts. What can I order?" }],
 * };
 * // The user edited the question. Saving replaces it, and deletes the answers to its old text.
 * await saveChat(engram, "chat-17", [question], { user_id });
 * console.log(answers.length, (await loadChat(engram, "chat-17", { user_id })).length); // 1 1
 * ```
 */
export async function saveChat(
  client: Engram,
  chatId: string,
  messages: UIMessage[],
  options: SaveOptions = {},
): Promise<void> {
  const { onError, ...init } = options;
  try {
    checkOwner(init, "open the conversations of");
    if (!Array.isArray(messages)) throw new TypeError("messages must be an array of UIMessages");
    const saved = lastOfEachId(messages.map(toMessage));
    await new ExternalConversation(client, chatId, init).rewrite(() => saved);
  } catch (error) {
    if (onError === undefined) throw error;
    onError(error);
  }
}

/**
 * Create a middleware that adds memories, and what was said in earlier conversations, to the prompt. It stores nothing.
 * Needs the scope `search`.
 *
 * The prompt keeps its beginning from call to call, so that the prompt cache of a provider finds it: memories of the user
 * come after the system messages at its beginning, in system messages of their own, the last of which is marked for
 * Anthropic's cache. New memories come at their end. If one in them is edited or deleted, the next prompt has no trace of
 * it. What the last message of the user asks for, such as passages of other chats, comes with that message. The
 * middleware keeps which memories came first in this process, for the last 1,000 users and chats of the client; without
 * it they begin anew.
 *
 * @param options What to add, as in `engram.context`. `user_id` restricts it to one user. `exceptThreadId` is the chat
 *   whose messages are in the prompt already. Default: 2,000 tokens in all, of which memories have at most two fifths if
 *   there are enough passages; passages with a relevance of at least 0.005. The three best memories are added even if
 *   their relevance is lower, marked "low relevance". With `onError`, the model is called without memories if Engram fails.
 *
 *   With `layout: "single"`, options are those of `engram.search`, such as `tags_any`. All that is found is one text with
 *   the last message of the user.
 * @throws {TypeError} when `user_id` or `agent_id` is given but undefined, which would search the data of all users.
 * @example
 * ```ts
 * import { generateText, wrapLanguageModel } from "ai";
 *
 * const middleware = engramMemory(engram, { user_id: "maria", max_tokens: 1_000, exceptThreadId: "chat-18" });
 * const { text } = await generateText({
 *   model: wrapLanguageModel({ model, middleware }),
 *   prompt: "What dish is there without what I'm allergic to?",
 * });
 * console.log(text); // The soup: it has no walnuts.
 * ```
 */
export function engramMemory(client: Engram, options: MemoryOptions): LanguageModelMiddleware {
  checkOwner(options, "search");
  return {
    specificationVersion: "v4",
    async transformParams({ params }) {
      const { prompt, abortSignal: signal } = params;
      const context = await promptContext(client, readableText(lastAsked(prompt)), options, { signal });
      return { ...params, prompt: inPrompt(prompt, context) };
    },
  };
}

/**
 * Create tools with which a model can search earlier conversations and memories, and store memories. Needs the scopes
 * `search` and `write`.
 *
 * A memory belongs to the `user_id` and the `agent_id` of the options.
 *
 * @param options What to search, as in `engram.search`. `user_id` restricts it to one user.
 *   Default: at most five results, 2,000 tokens in all.
 * @throws {TypeError} when `user_id` or `agent_id` is given but undefined, which would search the data of all users.
 * @example
 * ```ts
 * import { generateText, stepCountIs } from "ai";
 *
 * const { steps, text } = await generateText({
 *   model,
 *   tools: engramTools(engram, { user_id: "maria" }),
 *   stopWhen: stepCountIs(3),
 *   prompt: "What shall I order?",
 * });
 * console.log(steps.flatMap(({ toolCalls }) => toolCalls).length, text); // 1 The soup: it has no walnuts.
 * ```
 */
export function engramTools(
  client: Engram,
  options: RecallOptions,
): { searchMemories: Tool<{ query: string }, string>; addMemory: Tool<{ memory: string }, string> } {
  checkOwner(options, "search");
  return {
    searchMemories: tool({
      description:
        "Search everything said in earlier conversations, and the memories kept from them, by meaning and by words. Use it whenever the answer may depend on what was said before.",
      inputSchema: textInput("query", "What to look for: a question or words."),
      execute: async ({ query }, { abortSignal: signal }) =>
        (await recall(client, query, options, { signal })) ?? "No results.",
    }),
    addMemory: tool({
      description: "Keep something worth knowing in later conversations: a fact, a preference, a decision.",
      inputSchema: textInput("memory", "What to remember, in a sentence that is clear by itself."),
      execute: async ({ memory }) => {
        await client.memories.create({ content: wellFormed(memory), ...ownerOf(options) });
        return "Remembered.";
      },
    }),
  };
}

const textInput = <Name extends string>(name: Name, description: string) =>
  jsonSchema<Record<Name, string>>({
    type: "object",
    properties: { [name]: { type: "string", description } },
    required: [name],
    additionalProperties: false,
  });

function toMessage(message: UIMessage, i: number): NewMessage {
  if (!Array.isArray(message?.parts))
    throw new TypeError(`messages[${i}].parts must be an array, as in a UIMessage of the AI SDK`);
  return {
    ...toParts(message),
    role: message.role,
    content: readableText(message.parts.filter(({ type }) => type === "text")),
    // The id may come from a browser. One that the service would refuse is only kept in `parts`.
    ...(shortName(message.id) === message.id && { external_id: message.id }),
  };
}
