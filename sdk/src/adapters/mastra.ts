/**
 * A memory storage domain for Mastra.
 *
 * @example
 * ```ts
 * import { Engram } from "@engram/sdk";
 * import { EngramMemoryStorage } from "@engram/sdk/mastra";
 * import { Mastra } from "@mastra/core/mastra";
 * import { MastraCompositeStore } from "@mastra/core/storage";
 *
 * const engram = new Engram({ apiKey: "engram_sk_live_…", baseUrl: "http://127.0.0.1:26366" });
 * const storage = new MastraCompositeStore({
 *   id: "engram",
 *   domains: { memory: new EngramMemoryStorage(engram) },
 * });
 *
 * export const mastra = new Mastra({ storage });
 * ```
 *
 * @module
 */
export { EngramMemoryStorage } from "./mastra/memory-storage.ts";
