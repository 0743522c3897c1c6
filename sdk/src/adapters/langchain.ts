/**
 * A chat history for LangChain and a store for LangGraph.
 *
 * @example
 * ```ts
 * import { Engram } from "@engram/sdk";
 * import { EngramChatMessageHistory, EngramStore } from "@engram/sdk/langchain";
 * import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
 * import { RunnableWithMessageHistory } from "@langchain/core/runnables";
 *
 * const engram = new Engram({ apiKey: "engram_sk_live_…", baseUrl: "http://127.0.0.1:26366" });
 *
 * export const remember = (model: BaseChatModel) =>
 *   new RunnableWithMessageHistory({
 *     runnable: model,
 *     getMessageHistory: (sessionId: string) => new EngramChatMessageHistory(engram, sessionId),
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
export { EngramStore, type StoreOwner } from "./langchain/store.ts";
