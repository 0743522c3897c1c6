/**
 * A memory storage domain for Mastra, and a processor that adds memories to the prompt.
 *
 * @example
 * ```ts
 * import { Engram } from "@engram/sdk";
 * import { EngramMemoryStorage, engramMemory } from "@engram/sdk/mastra";
 * import { Agent } from "@mastra/core/agent";
 * import { Mastra } from "@mastra/core/mastra";
 * import { MastraCompositeStore } from "@mastra/core/storage";
 *
 * const engram = new Engram({ apiKey: "engram_sk_live_…", baseUrl: "http://127.0.0.1:26366" });
 * const storage = new MastraCompositeStore({
 *   id: "engram",
 *   domains: { memory: new EngramMemoryStorage(engram) },
 * });
 *
 * const concierge = new Agent({
 *   id: "concierge",
 *   name: "Concierge",
 *   instructions: "Serve the guests of a hotel.",
 *   model: "openai/gpt-5.2",
 *   // Adds memories of the resource, and what was said in its other threads.
 *   inputProcessors: [engramMemory(engram)],
 * });
 *
 * export const mastra = new Mastra({ storage, agents: { concierge } });
 * ```
 *
 * @module
 */
export { EngramMemoryStorage } from "./mastra/memory-storage.ts";
export { engramMemory } from "./mastra/processor.ts";
export type { MemoryOptions } from "./prompt-context.ts";
