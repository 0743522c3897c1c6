// A Mastra agent with its threads in Engram. Needs a running service.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { EngramMemoryStorage } from "@engram/sdk/mastra";
import { Agent } from "@mastra/core/agent";
import { MockMemory } from "@mastra/core/memory";
import { MastraCompositeStore } from "@mastra/core/storage";
import { MockLanguageModelV4 } from "ai/test";
import { engram } from "./client.ts";
import { answer } from "./model.ts";

const storage = new MastraCompositeStore({
  id: "engram",
  domains: { memory: new EngramMemoryStorage(engram) },
});
// `Memory` of @mastra/memory accepts the same storage.
const memory = new MockMemory();
memory.setStorage(storage);

const usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};
const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => ({
    content: [{ type: "text", text: answer(prompt) }],
    finishReason: { unified: "stop", raw: undefined },
    usage,
    warnings: [],
  }),
});
const concierge = new Agent({
  id: "concierge",
  name: "Concierge",
  instructions: "Serve the guests of a hotel.",
  // The mock's types come from another version of the provider package.
  model: model as never,
  memory,
});

const stay = { thread: `stay-${randomUUID()}`, resource: "maria" };
await concierge.generate("I'm allergic to walnuts, badly.", { memory: stay });
const { text } = await concierge.generate("Could you book me a table for dinner?", { memory: stay });
console.log(`agent: ${text}`);
assert.equal(text, "Booked for eight. I told the kitchen about your allergy to walnuts.");

const thread = await new EngramMemoryStorage(engram).listMessages({ threadId: stay.thread });
assert.equal(thread.total, 4);
