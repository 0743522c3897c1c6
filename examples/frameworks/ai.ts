// A chat with the AI SDK that is stored in Engram, and a second chat that recalls it. Needs a running
// service.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { engramMemory, loadChat, saveChat } from "@engram/sdk/ai";
import { convertToModelMessages, generateText, type UIMessage, wrapLanguageModel } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { engram } from "./client.ts";
import { answer } from "./model.ts";

const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => ({
    content: [{ type: "text", text: answer(prompt) }],
    finishReason: { unified: "stop", raw: undefined },
    usage: {
      inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 0, text: 0, reasoning: 0 },
    },
    warnings: [],
  }),
});
// A new guest for each run, so that memories of earlier runs do not interfere.
const user_id = `maria-${randomUUID()}`;

await chat("Arrival", ["I'm allergic to walnuts, badly.", "And can I have a late check-out?"]);
const dinner = await chat("Dinner", ["Could you book me a table for dinner? Mind what I'm allergic to."]);
const reply = dinner.at(-1)?.parts[0];
assert.deepEqual(reply, {
  type: "text",
  text: "Booked for eight. I told the kitchen about your allergy to walnuts.",
});

/**
 * Run a chat like a route of a web application, with one request per line. Resolves to the stored messages.
 */
async function chat(title: string, lines: string[]): Promise<UIMessage[]> {
  const chatId = randomUUID();
  const middleware = engramMemory(engram, { user_id, exceptThreadId: chatId });
  for (const line of lines) {
    const messages = [...(await loadChat(engram, chatId, { user_id })), toMessage("user", line)];
    const { text } = await generateText({
      model: wrapLanguageModel({ model, middleware }),
      messages: await convertToModelMessages(messages),
    });
    console.log(`${title}\n  guest: ${line}\n  agent: ${text}`);
    await saveChat(engram, chatId, [...messages, toMessage("assistant", text)], { user_id, title });
  }
  return loadChat(engram, chatId, { user_id });
}

function toMessage(role: "user" | "assistant", text: string): UIMessage {
  return { id: randomUUID(), role, parts: [{ type: "text", text }] };
}
