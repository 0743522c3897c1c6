/**
 * A chat history and memories for LangChain, and a store for LangGraph.
 *
 * @example
 * ```ts
 * import { Engram } from "@engram/sdk";
 * import { EngramChatMessageHistory, EngramStore, engramMemory } from "@engram/sdk/langchain";
 * import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
 * import { RunnableWithMessageHistory } from "@langchain/core/runnables";
 *
 * const engram = new Engram({ apiKey: "engram_sk_live_…", baseUrl: "http://127.0.0.1:26366" });
 *
 * const user_id = "maria";
 * export const remember = (model: BaseChatModel, sessionId: string) =>
 *   new RunnableWithMessageHistory({
 *     // Adds memories, and what was said in other sessions.
 *     runnable: engramMemory(engram, { user_id, exceptThreadId: sessionId }).pipe(model),
 *     getMessageHistory: (id: string) => new EngramChatMessageHistory(engram, id, { user_id }),
 *   });
 *
 * const store = new EngramStore(engram); // for `compile({ store })` of a graph
 * await store.put(["guests", "maria"], "diet", { text: "Allergic to walnuts" });
 * const [item] = await store.search(["guests", "maria"], { query: "What can she not eat?" });
 * console.log(item?.value.text);
 * ```
 *
 * @module
 */
export type { ConversationInit } from "./external-conversation.ts";
export { EngramChatMessageHistory } from "./langchain/chat-history.ts";
export { engramMemory } from "./langchain/memory.ts";
export { EngramStore, type StoreOwner } from "./langchain/store.ts";
export type { MemoryOptions } from "./prompt-context.ts";
