// A context block for Cloudflare Agents that searches Engram. Needs a running service.
//
// It needs no Durable Object, so it runs in Node as it does in an agent.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { EngramSearchProvider } from "@engram/sdk/cloudflare-agents";
import { ContextBlocks } from "agents/context";
import { generateText, stepCountIs } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { engram } from "./client.ts";
import { answer } from "./model.ts";

const user_id = `maria-${randomUUID()}`;

await talk({
  tool: "set_context",
  input: { label: "memory", content: "The guest is allergic to walnuts.", metadata: { title: "diet" } },
});
const { text } = await talk(
  {
    tool: "search_context",
    input: { label: "memory", query: "What can the guest not eat? Allergic to something?" },
  },
  "Could you book me a table for dinner?",
);
console.log(`agent: ${text}`);
assert.equal(text, "Booked for eight. I told the kitchen about your allergy to walnuts.");

/** One turn of an agent whose model calls a tool and then answers with the result. */
async function talk(
  { tool, input }: { tool: string; input: object },
  prompt = "I'm allergic to walnuts, badly.",
) {
  const provider = new EngramSearchProvider(engram, { user_id });
  const context = new ContextBlocks([{ label: "memory", description: "Facts about guests", provider }]);
  const usage = {
    inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 0, text: 0, reasoning: 0 },
  };
  const call = { type: "tool-call" as const, toolCallId: "1", toolName: tool, input: JSON.stringify(input) };
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const called = prompt.at(-1)?.role === "tool";
      if (called && /Error: /.test(JSON.stringify(prompt.at(-1))))
        throw new Error(JSON.stringify(prompt.at(-1)));
      return {
        content: [called ? { type: "text", text: answer(prompt) } : call],
        finishReason: { unified: called ? "stop" : "tool-calls", raw: undefined },
        usage,
        warnings: [],
      };
    },
  });
  return generateText({
    model,
    instructions: await context.freezeSystemPrompt(),
    tools: await context.tools(),
    stopWhen: stepCountIs(2),
    prompt,
  });
}
