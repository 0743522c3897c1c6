import { randomUUID } from "node:crypto";
import { Engram } from "@engram/sdk";
import { engramMemory, loadChat, saveChat } from "@engram/sdk/ai";
import { convertToModelMessages, streamText, toUIMessageStream, type UIMessage, wrapLanguageModel } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, inject, test } from "vitest";
import { client } from "./support/client.ts";
import { type Part, type Stream, streamed, textOf, textsIn } from "./support/model.ts";

const PIECES = ["It was ", "sent on ", "Tuesday."];
/** A model that streams `PIECES` as fast as they are read, and fails before the piece `breaksAt`. */
function modelThatSays({ breaksAt }: { breaksAt?: string } = {}) {
  return new MockLanguageModelV4({
    doStream: async ({ abortSignal }) => {
      const left = streamed(...PIECES);
      const stream: Stream = new ReadableStream<Part>({
        start: (controller) =>
          abortSignal?.addEventListener("abort", () => controller.error(abortSignal.reason)),
        pull: (controller) => {
          const part = left.shift();
          if (part === undefined) controller.close();
          else if (part.type === "text-delta" && part.delta === breaksAt)
            controller.error(new Error("the model broke off"));
          else controller.enqueue(part);
        },
      });
      return { stream };
    },
  });
}

/** One turn of a chat as in the documentation; resolves before the response is read. */
async function turn(
  of: { chatId: string; user_id: string; message: UIMessage; model?: MockLanguageModelV4 },
  { signal, asks = client }: { signal?: AbortSignal; asks?: Engram } = {},
) {
  const { chatId, user_id, message, model = modelThatSays() } = of;
  const messages = [...(await loadChat(client, chatId, { user_id })), message];
  const middleware = engramMemory(asks, { user_id, exceptThreadId: chatId });
  const result = streamText({
    model: wrapLanguageModel({ model, middleware }),
    messages: await convertToModelMessages(messages),
    abortSignal: signal,
    onError: () => {},
  });
  const answer = toUIMessageStream({
    stream: result.stream,
    originalMessages: messages,
    generateMessageId: randomUUID,
    onEnd: ({ messages }) => saveChat(client, chatId, messages, { user_id }),
  });
  return { result, answer };
}

async function readAll<Part>(stream: AsyncIterable<Part>): Promise<Part[]> {
  const parts: Part[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

const newChat = () => ({ chatId: randomUUID(), user_id: randomUUID() });
const saved = async ({ chatId, user_id }: { chatId: string; user_id: string }) =>
  textsIn(await loadChat(client, chatId, { user_id }));
const conversationOf = async (chatId: string) =>
  (await client.conversations.list({ external_id: chatId }).page()).items[0];

describe("a streamed answer of a model with memory", () => {
  test("is requested with earlier messages in the prompt, and the middleware stores nothing", async () => {
    const { chatId, user_id } = newChat();
    await saveChat(client, randomUUID(), [textOf("I'm allergic to walnuts.")], { user_id });
    const model = modelThatSays();
    const wrapped = wrapLanguageModel({
      model,
      middleware: engramMemory(client, { user_id, exceptThreadId: chatId }),
    });
    const { textStream } = streamText({ model: wrapped, prompt: "What am I allergic to?" });
    expect(await readAll(textStream)).toEqual(PIECES);
    expect(JSON.stringify(model.doStreamCalls[0]?.prompt)).toContain("user: I'm allergic to walnuts.");
    const conversations = await client.conversations.list({ user_id }).toArray({ max: 9 });
    expect(conversations.map(({ message_count }) => message_count)).toEqual([1]);
  });

  test("is saved once and completely when the caller has read it to the end", async () => {
    const chat = newChat();
    const { result, answer } = await turn({ ...chat, message: textOf("When was it sent?") });
    const [text] = await Promise.all([result.text, readAll(answer)]);
    expect(await saved(chat)).toEqual(["When was it sent?", text]);
    expect(text).toBe(PIECES.join(""));
    const [, kept] = await loadChat(client, chat.chatId, { user_id: chat.user_id });
    expect(kept?.parts).toEqual([{ type: "step-start" }, { type: "text", text, state: "done" }]);
    expect(await conversationOf(chat.chatId)).toMatchObject({ message_count: 2, last_sequence: 2 });
  });

  test.for<[string, (answer: ReadableStreamDefaultReader, aborting: AbortController) => Promise<unknown>]>([
    ["aborts it", async (_, aborting) => aborting.abort()],
    ["stops reading", async (answer) => answer.cancel()],
  ])("is saved up to the point at which the caller %s", async ([, end]) => {
    const [chat, aborting] = [newChat(), new AbortController()];
    const first = await turn({ ...chat, message: textOf("When was it sent?") }, { signal: aborting.signal });
    const answer = first.answer.getReader();
    let seen = "";
    for (let read = await answer.read(); !read.done; read = await answer.read()) {
      if (read.value.type === "text-delta") seen += read.value.delta;
      if (seen !== PIECES[0]) continue;
      await end(answer, aborting);
    }
    const [asked, kept = ""] = await saved(chat);
    expect(asked).toBe("When was it sent?");
    expect(kept.startsWith(seen)).toBe(true);
    expect(PIECES.join("").startsWith(kept)).toBe(true);

    const second = await turn({ ...chat, message: textOf("On which day?") });
    await readAll(second.answer);
    expect(await saved(chat)).toEqual([asked, kept, "On which day?", PIECES.join("")]);
    expect(await conversationOf(chat.chatId)).toMatchObject({ message_count: 4, last_sequence: 4 });
  });

  test("is requested with memories also for a long prompt, whose search query is cut between characters", async () => {
    const { user_id } = newChat();
    await saveChat(client, randomUUID(), [textOf("I'm allergic to walnuts.")], { user_id });
    const model = modelThatSays();
    const wrapped = wrapLanguageModel({
      model,
      middleware: engramMemory(client, { user_id, min_relevance: 0 }),
    });
    for (const prompt of [`😀${" walnuts".repeat(1_249)} walnut`, "Half \ud83d of walnuts"]) {
      const { textStream } = streamText({ model: wrapped, prompt });
      expect(await readAll(textStream)).toEqual(PIECES);
      expect(JSON.stringify(model.doStreamCalls.at(-1)?.prompt)).toContain("I'm allergic to walnuts.");
    }
  });

  test("is saved up to the point at which the model fails", async () => {
    const chat = newChat();
    const model = modelThatSays({ breaksAt: "Tuesday." });
    const { answer } = await turn({ ...chat, message: textOf("When was it sent?"), model });
    await readAll(answer).catch(() => {});
    expect(await saved(chat)).toEqual(["When was it sent?", "It was sent on "]);
  });

  test("is not requested if the caller aborts during the search for memories, and the question is saved", async () => {
    const [chat, aborting, model] = [newChat(), new AbortController(), modelThatSays()];
    const asks = new Engram({
      baseUrl: inject("url"),
      apiKey: inject("key"),
      fetch: (request) => {
        aborting.abort();
        return fetch(request);
      },
    });
    const of = { ...chat, message: textOf("When was it sent?"), model };
    const { answer } = await turn(of, { signal: aborting.signal, asks });
    await readAll(answer).catch(() => {});
    expect(model.doStreamCalls).toEqual([]);
    expect((await saved(chat))[0]).toBe("When was it sent?");
  });
});
