import { randomUUID } from "node:crypto";
import { EngramChatMessageHistory } from "@engram/sdk/langchain";
import { InMemoryChatMessageHistory } from "@langchain/core/chat_history";
import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  ChatMessage,
  HumanMessage,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { ChatPromptTemplate, MessagesPlaceholder } from "@langchain/core/prompts";
import { RunnableWithMessageHistory } from "@langchain/core/runnables";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { describe, expect, test } from "vitest";
import { client } from "./support/client.ts";

/**
 * All visible fields of a message. `lc_kwargs` is left out because it varies with the version of LangChain.
 */
const seen = (messages: BaseMessage[]) =>
  messages.map((message) => ({
    class: message.constructor.name,
    text: message.text,
    ...Object.fromEntries(Object.entries(message).filter(([name]) => name !== "lc_kwargs")),
  }));

/** A message as a model returns it: id and usage are set after construction. */
function answered(): AIMessage {
  const message = new AIMessage("It was sent on Tuesday.");
  message.id = "run-1";
  message.name = "support";
  message.usage_metadata = { input_tokens: 7, output_tokens: 5, total_tokens: 12 };
  message.response_metadata = { model_name: "m", logprobs: null };
  return message;
}

const messages = () => [
  new SystemMessage("Be brief."),
  new HumanMessage({
    id: "h-1",
    name: "Maria",
    content: [
      { type: "text", text: "Where is order 1029? \u0000 😀" },
      { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
    ],
    additional_kwargs: { channel: "mail" },
  }),
  new AIMessage({
    content: "",
    tool_calls: [{ id: "call_1", name: "lookup", args: { order: "1029", deep: [{}] }, type: "tool_call" }],
    invalid_tool_calls: [
      { id: "call_2", name: "lookup", args: "{", error: "not JSON", type: "invalid_tool_call" },
    ],
  }),
  new ToolMessage({
    tool_call_id: "call_1",
    name: "lookup",
    content: "Tuesday",
    artifact: { rows: [1, null] },
    status: "success",
  }),
  new AIMessage({
    content: [{ type: "reasoning", reasoning: "Tuesday, then." }],
    response_metadata: { output_version: "v1" },
  }),
  new ChatMessage({ role: "critic", content: "Too brief." }),
  answered(),
];

describe.for([
  ["InMemoryChatMessageHistory", () => new InMemoryChatMessageHistory()],
  ["EngramChatMessageHistory", () => new EngramChatMessageHistory(client, randomUUID())],
] as const)("%s as a chat history of LangChain", ([, open]) => {
  test("a chat history returns messages unchanged and in order", async () => {
    const history = open();
    expect(await history.getMessages()).toEqual([]);
    const [first, ...others] = messages();
    if (first !== undefined) await history.addMessage(first);
    await history.addMessages(others);
    await history.addUserMessage("Thank you.");
    await history.addAIMessage("You are welcome.");
    const expected = [...messages(), new HumanMessage("Thank you."), new AIMessage("You are welcome.")];
    expect(seen(await history.getMessages())).toEqual(seen(expected));
  });

  test("a chat history is empty after clear(), and can be used again", async () => {
    const history = open();
    await history.addUserMessage("a");
    await history.clear();
    expect(await history.getMessages()).toEqual([]);
    await history.addUserMessage("b");
    expect(seen(await history.getMessages())).toEqual(seen([new HumanMessage("b")]));
  });

  test("a chat history gives a runnable the session's earlier messages", async () => {
    const prompt = ChatPromptTemplate.fromMessages([
      new MessagesPlaceholder("history"),
      ["human", "{input}"],
    ]);
    const model = new FakeListChatModel({ responses: ["On Tuesday.", "At noon."] });
    const history = open();
    const runnable = new RunnableWithMessageHistory({
      runnable: prompt.pipe(model),
      getMessageHistory: () => history,
      inputMessagesKey: "input",
      historyMessagesKey: "history",
    });
    const configurable = { sessionId: "any" };
    for (const input of ["When was it sent?", "When exactly?"])
      await runnable.invoke({ input }, { configurable });
    const said = (await history.getMessages()).map((message) => [message.getType(), message.text]);
    expect(said).toEqual([
      ["human", "When was it sent?"],
      ["ai", "On Tuesday."],
      ["human", "When exactly?"],
      ["ai", "At noon."],
    ]);
  });
});

describe("EngramChatMessageHistory", () => {
  test("is the same in every process, keeps the fields it was created with, and is searchable", async () => {
    const [id, user_id] = [randomUUID(), randomUUID()];
    await new EngramChatMessageHistory(client, id, { user_id }).addMessages(messages());
    expect(seen(await new EngramChatMessageHistory(client, id, { user_id }).getMessages())).toEqual(
      seen(messages()),
    );
    const { results } = await client.search({
      query: "order 1029",
      user_id,
      neighbors: { before: 9, after: 9 },
    });
    expect(results[0]?.conversation.external_id).toBe(id);
    const fields = results[0]?.messages.map((said) => [
      said.role,
      said.name,
      said.tool_name,
      said.tool_call_id,
      said.content,
    ]);
    expect(fields).toEqual([
      ["system", null, null, null, "Be brief."],
      ["user", "Maria", null, null, "Where is order 1029? \u0000 😀"],
      ["assistant", null, null, null, ""],
      ["tool", null, "lookup", "call_1", "Tuesday"],
      ["assistant", null, null, null, ""],
      ["user", "critic", null, null, "Too brief."],
      ["assistant", "support", null, null, "It was sent on Tuesday."],
    ]);
  });

  test("stores a message once, however often it is added", async () => {
    const history = new EngramChatMessageHistory(client, randomUUID());
    await history.addMessages([answered()]);
    await history.addMessages([answered(), new HumanMessage("Thanks.")]);
    expect(seen(await history.getMessages())).toEqual(seen([answered(), new HumanMessage("Thanks.")]));
    const other = answered();
    other.content = "On Wednesday.";
    await expect(history.addMessages([other])).rejects.toMatchObject({ code: "external_id_conflict" });
  });

  test("stores a streamed chunk as the corresponding message", async () => {
    const history = new EngramChatMessageHistory(client, randomUUID());
    const call = {
      id: "call_1",
      name: "lookup",
      args: '{"order":"1029"}',
      index: 0,
      type: "tool_call_chunk" as const,
    };
    await history.addMessages([
      new AIMessageChunk({ id: "run-2", content: "Wait.", tool_call_chunks: [call] }),
    ]);
    const [message] = await history.getMessages();
    expect(message).toBeInstanceOf(AIMessage);
    expect(message).toMatchObject({
      id: "run-2",
      content: "Wait.",
      tool_calls: [{ id: "call_1", name: "lookup", args: { order: "1029" } }],
    });
  });

  test("stores values that JSON does not support as text, and a lone surrogate unchanged", async () => {
    const history = new EngramChatMessageHistory(client, randomUUID());
    await history.addMessages([
      new HumanMessage({ content: [{ type: "image", data: new Uint8Array([1]) }] }),
      new AIMessage({
        id: "a-1",
        content: "Half: \ud83d",
        response_metadata: { at: new Date(0), count: 1n },
      }),
    ]);
    const [image, answer] = await history.getMessages();
    expect(image?.content).toEqual([{ type: "image", data: "AQ==" }]);
    expect(answer?.content).toBe("Half: \ud83d");
    expect(answer?.response_metadata).toEqual({ at: "1970-01-01T00:00:00.000Z", count: "1" });
  });

  test("stores the last of several messages with the same id in one call", async () => {
    const history = new EngramChatMessageHistory(client, randomUUID());
    await history.addMessages(["On", "On Tuesday."].map((content) => new AIMessage({ id: "a-1", content })));
    expect((await history.getMessages()).map(({ text }) => text)).toEqual(["On Tuesday."]);
  });

  test("rejects an instruction to remove a message, and stores nothing", async () => {
    const history = new EngramChatMessageHistory(client, randomUUID());
    const remove = new RemoveMessage({ id: "h-1" });
    await expect(history.addMessages([new HumanMessage("a"), remove])).rejects.toThrow("remove");
    expect(await history.getMessages()).toEqual([]);
  });
});
