// A chat and a second one that recalls it, with the AI SDK, and the two programs of the SDK's README:
//   ENGRAM_URL=… ENGRAM_API_KEY=… node ai.mjs VERSION
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { Engram } from "@engram/sdk";
import { engramMemory, engramTools, loadChat, saveChat } from "@engram/sdk/ai";
import { convertToModelMessages, generateText, wrapLanguageModel } from "ai";
import { MockLanguageModelV3, simulateReadableStream } from "ai/test";
import { answer } from "./readme-answer.mjs";
import { POST } from "./readme-route.mjs";

const engram = new Engram();
const user_id = `maria-${randomUUID()}`;
const prompts = [];
const finishReason = { unified: "stop", raw: undefined };
const usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};
const model = new MockLanguageModelV3({
  doGenerate: async ({ prompt }) => {
    prompts.push(JSON.stringify(prompt));
    return { content: [{ type: "text", text: "Noted." }], finishReason, usage, warnings: [] };
  },
  doStream: async ({ prompt }) => {
    prompts.push(JSON.stringify(prompt));
    const chunks = [
      { type: "stream-start", warnings: [] },
      { type: "text-start", id: "t" },
      { type: "text-delta", id: "t", delta: "Noted." },
      { type: "text-end", id: "t" },
      { type: "finish", finishReason, usage },
    ];
    return { stream: simulateReadableStream({ chunks }) };
  },
});

// In place of the model of the README's route.
globalThis.model = model;
const message = (role, text) => ({ id: randomUUID(), role, parts: [{ type: "text", text }] });

async function say(chatId, content) {
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

const [chatId, routeId] = [randomUUID(), randomUUID()];
assert.match(await (await answer(model, chatId, message("user", "A table at eight."))).text(), /Noted\./);
const messages = [message("user", "Where is my table?")];
const request = () =>
  new Request("http://chat/", { method: "POST", body: JSON.stringify({ id: routeId, messages }) });
// The second time, the question is answered again.
for (let time = 1; time <= 2; time += 1) assert.match(await (await POST(request())).text(), /Noted\./);
const owner = { user_id: "maria" };
for (const id of [chatId, routeId])
  assert.deepEqual(
    (await loadChat(engram, id, owner)).map(({ role }) => role),
    ["user", "assistant"],
  );
assert.match(prompts.at(-1), /A table at eight/);
console.log(
  `Node ${process.versions.node}, AI SDK ${process.argv[2]}: chats are kept, and recalled in others`,
);
