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
 *   type LanguageModel,
 *   streamText,
 *   toUIMessageStream,
 *   type UIMessage,
 *   wrapLanguageModel,
 * } from "ai";
 *
 * const engram = new Engram({ apiKey: "engram_sk_live_…", baseUrl: "http://127.0.0.1:26366" });
 *
 * export async function answer(model: Exclude<LanguageModel, string>, chatId: string, message: UIMessage) {
 *   const user_id = "maria";
 *   const messages = [...(await loadChat(engram, chatId)), message];
 *   const { stream } = streamText({
 *     // Adds what was said in other chats to the prompt.
 *     model: wrapLanguageModel({ model, middleware: engramMemory(engram, { user_id, exceptThreadId: chatId }) }),
 *     // Lets the model search for more.
 *     tools: engramTools(engram, { user_id }),
 *     messages: await convertToModelMessages(messages),
 *   });
 *   return toUIMessageStream({
 *     stream,
 *     originalMessages: messages,
 *     onEnd: ({ messages }) => saveChat(engram, chatId, messages, { user_id }),
 *   });
 * }
 * ```
 *
 * @module
 */
import { jsonSchema, type LanguageModelMiddleware, type Tool, tool, type UIMessage } from "ai";
import type { Engram } from "../engram.ts";
import type { NewMessage } from "../generated/schema.ts";
import { type ConversationInit, ExternalConversation } from "./external-conversation.ts";
import { exactJson, readableText } from "./json.ts";
import { memoriesOf, type RecallOptions, recall } from "./recall.ts";

export type { ConversationInit, RecallOptions };

/**
 * Get the messages of a saved chat, oldest first; empty for a new chat. Needs the scope `read`.
 *
 * Only messages that `saveChat` stored are returned, not those that other programs appended to the conversation.
 *
 * @example
 * ```ts
 * import type { UIMessage } from "ai";
 *
 * const messages = await loadChat<UIMessage<{ createdAt: string }>>(engram, "chat-17");
 * for (const { role, metadata } of messages) console.log(role, metadata?.createdAt);
 * ```
 */
export async function loadChat<Message extends UIMessage>(
  client: Engram,
  chatId: string,
): Promise<Message[]> {
  const messages = await new ExternalConversation(client, chatId).messages();
  return messages.flatMap(({ parts }) => (parts === null ? [] : (parts as unknown as Message)));
}

/**
 * Make a chat contain exactly these messages. New ones are appended. From the first message that differs from the
 * stored one, the stored messages are replaced. Needs the scopes `read`, `write` and `delete`.
 *
 * Saving again changes nothing. When two saves run at once, the later one wins.
 *
 * @param chatId The conversation's `external_id`. The conversation is created with the first message.
 * @param init Fields of the conversation if it is created: `user_id`, `agent_id`, `title`, `tags`, `metadata`.
 * @throws {TypeError} for a message that JSON cannot represent exactly, such as one with a date in
 *   `metadata`. Nothing is stored then.
 * @example
 * ```ts
 * import type { UIMessage } from "ai";
 *
 * const [, ...answers] = await loadChat(engram, "chat-17");
 * const question: UIMessage = {
 *   id: "msg-1",
 *   role: "user",
 *   parts: [{ type: "text", text: "I'm allergic to peanuts. What can I order?" }],
 * };
 * // The user edited the question. Saving replaces it, and deletes the answers to its old text.
 * await saveChat(engram, "chat-17", [question], { user_id: "maria" });
 * console.log(answers.length, (await loadChat(engram, "chat-17")).length); // 1 1
 * ```
 */
export async function saveChat(
  client: Engram,
  chatId: string,
  messages: UIMessage[],
  init: ConversationInit = {},
): Promise<void> {
  const saved = messages.map(toMessage);
  await new ExternalConversation(client, chatId, init).rewrite(() => saved);
}

/**
 * Create a middleware that searches earlier conversations for the text of the user's latest message and adds the
 * results to the prompt, after the system messages at its beginning. It stores nothing. Needs the scope `search`.
 *
 * @param options What to search, as in `engram.search`. `user_id` restricts it to conversations with one user.
 *   Default: at most five results, 2,000 tokens in all. Results are added even if the user's message is not a
 *   question; `min_relevance` leaves out those that match badly. `exceptThreadId` excludes a chat whose
 *   messages are in the prompt already.
 * @example
 * ```ts
 * import { generateText, wrapLanguageModel } from "ai";
 *
 * const middleware = engramMemory(engram, { user_id: "maria", limit: 3, exceptThreadId: "chat-18" });
 * const { text } = await generateText({
 *   model: wrapLanguageModel({ model, middleware }),
 *   prompt: "What dish is there without what I'm allergic to?",
 * });
 * console.log(text); // The soup: it has no walnuts.
 * ```
 */
export function engramMemory(client: Engram, options: RecallOptions): LanguageModelMiddleware {
  return {
    specificationVersion: "v4",
    async transformParams({ params }) {
      const { prompt, abortSignal: signal } = params;
      const asked = prompt.filter(({ role }) => role === "user").at(-1);
      const memories = await recall(client, readableText(asked?.content), options, { signal });
      if (memories === null) return params;
      const systemEnd = prompt.findIndex(({ role }) => role !== "system");
      const system = { role: "system" as const, content: memories };
      return { ...params, prompt: [...prompt.slice(0, systemEnd), system, ...prompt.slice(systemEnd)] };
    },
  };
}

/**
 * Create tools with which a model can search earlier conversations and store memories. Needs the scopes `search`
 * and `write`.
 *
 * Each memory is stored as a message. There is one conversation of memories for each pair of `user_id` and `agent_id`.
 *
 * @param options What to search, as in `engram.search`. `user_id` restricts it to conversations with one user.
 *   Default: at most five results, 2,000 tokens in all.
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
  const memories = memoriesOf(client, options);
  return {
    searchMemories: tool({
      description:
        "Search everything said in earlier conversations, by meaning and by words. Use it whenever the answer may depend on what was said before.",
      inputSchema: textInput("query", "What to look for: a question or words."),
      execute: async ({ query }, { abortSignal: signal }) =>
        (await recall(client, query, options, { signal })) ?? "No results.",
    }),
    addMemory: tool({
      description: "Keep something worth knowing in later conversations: a fact, a preference, a decision.",
      inputSchema: textInput("memory", "What to remember, in a sentence that is clear by itself."),
      execute: async ({ memory }) => {
        await memories.append([{ role: "assistant", content: memory }]);
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

function toMessage(message: UIMessage): NewMessage {
  return {
    parts: { ...exactJson(message, "The message") },
    role: message.role,
    content: readableText(message.parts.filter(({ type }) => type === "text")),
    ...(message.id !== "" && { external_id: message.id }),
  };
}
