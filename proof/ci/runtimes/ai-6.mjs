// A chat and a second one that recalls it, with version 6 of the AI SDK, which npm installs on Node 20:
//   node ai-6.mjs URL KEY
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { Engram } from "@engram/sdk";
import { engramMemory, engramTools, loadChat, saveChat } from "@engram/sdk/ai";
import { convertToModelMessages, generateText, wrapLanguageModel } from "ai";
import { MockLanguageModelV3 } from "ai/test";

const [baseUrl, apiKey] = process.argv.slice(2);
const engram = new Engram({ baseUrl, apiKey });
const user_id = `maria-${randomUUID()}`;
const prompts = [];
const model = new MockLanguageModelV3({
  doGenerate: async ({ prompt }) => {
    prompts.push(JSON.stringify(prompt));
    return {
      content: [{ type: "text", text: "Noted." }],
      finishReason: { unified: "stop", raw: undefined },
      usage: {
        inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 0, text: 0, reasoning: 0 },
      },
      warnings: [],
    };
  },
});

async function say(chatId, content) {
  const message = (role, text) => ({ id: randomUUID(), role, parts: [{ type: "text", text }] });
  const messages = [...(await loadChat(engram, chatId, { user_id })), message("user", content)];
  const { text } = await generateText({
    model: wrapLanguageModel({
      model,
      middleware: engramMemory(engram, { user_id, exceptThreadId: chatId }),
    }),
    tools: engramTools(engram, { user_id }),
    messages: await convertToModelMessages(messages),
  });
  await saveChat(engram, chatId, [...messages, message("assistant", text)], { user_id });
}

await say(randomUUID(), "I am allergic to walnuts.");
await say(randomUUID(), "What am I allergic to?");
assert.match(prompts[1], /allergic to walnuts/);
console.log("Node 20, AI SDK 6: a chat is kept, and recalled in another");
