// Text that a user's or a model's program has cut in the middle of an emoji.
import { randomUUID } from "node:crypto";
import { engramMemory, engramTools, loadChat, saveChat } from "@engram/sdk/ai";
import { EngramSearchProvider } from "@engram/sdk/cloudflare-agents";
import { EngramChatMessageHistory, EngramStore } from "@engram/sdk/langchain";
import { EngramMemoryStorage } from "@engram/sdk/mastra";
import { EngramSession } from "@engram/sdk/openai-agents";
import { ToolMessage } from "@langchain/core/messages";
import type { AgentInputItem } from "@openai/agents-core";
import { generateText, wrapLanguageModel } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, test } from "vitest";
import { client } from "./support/client.ts";

const BROKEN = "A kettle \ud83d";
const SHOWN = "A kettle \ufffd";
const call = { toolCallId: "1", messages: [], context: {} };

const conversationWith = async (external_id: string) =>
  (await client.conversations.list({ external_id }).page()).items[0];
const messagesOf = async (external_id: string) =>
  client.messages.list((await conversationWith(external_id))?.id ?? "").toArray({ max: 9 });

/** A user with a conversation and a memory, both of a kettle. */
async function userWithKettle(): Promise<string> {
  const user_id = randomUUID();
  const { id } = await client.conversations.create({ user_id });
  await client.messages.append(id, { messages: [{ role: "user", content: "Where is my kettle?" }] });
  await client.memories.create({ user_id, content: "Wants a red kettle." });
  return user_id;
}

describe("half of a surrogate pair", () => {
  test("in a query counts as U+FFFD", async () => {
    const user_id = await userWithKettle();
    const query = BROKEN;
    const { results } = await client.search({ query, user_id, in: ["conversations", "memories"] });
    expect(results.map(({ type }) => type).sort()).toEqual(["memory", "messages"]);
    expect((await client.context({ query, user_id })).text).toContain("red kettle");
    expect((await client.memories.search({ query, user_id })).results).toHaveLength(1);
    const { searchMemories } = engramTools(client, { user_id });
    expect(await searchMemories.execute?.({ query }, call)).toContain("red kettle");
    expect(await new EngramSearchProvider(client, { user_id }).search(query)).toContain("red kettle");
    const model = new MockLanguageModelV4({ doGenerate: async () => Promise.reject(new Error("asked")) });
    const middleware = engramMemory(client, { user_id });
    const generated = generateText({
      model: wrapLanguageModel({ model, middleware }),
      prompt: query,
      maxRetries: 0,
    });
    await expect(generated).rejects.toThrow("asked");
    expect(JSON.stringify(model.doGenerateCalls[0]?.prompt)).toContain("red kettle");
  });

  test("in a message that is stored without an adapter is refused, because messages are kept verbatim", async () => {
    const { id } = await client.conversations.create({});
    const appended = client.messages.append(id, { messages: [{ role: "user", content: BROKEN }] });
    await expect(appended).rejects.toMatchObject({
      code: "invalid_json",
      message: expect.stringContaining("`messages.0.content` contains half of a surrogate pair"),
    });
  });

  test("in a memory that a model adds is stored as U+FFFD", async () => {
    const user_id = randomUUID();
    await engramTools(client, { user_id }).addMemory.execute?.({ memory: BROKEN }, call);
    const provider = new EngramSearchProvider(client, { user_id });
    provider.init("notes");
    await provider.set(BROKEN, BROKEN);
    await provider.set(BROKEN, `${BROKEN}!`);
    const memories = await client.memories
      .list({ user_id, sort: "created_at", order: "asc" })
      .toArray({ max: 9 });
    expect(memories.map(({ external_id, content }) => [external_id, content])).toEqual([
      [null, SHOWN],
      [`notes/${SHOWN}`, `${SHOWN}!`],
    ]);
  });

  test("in the id or title of a chat is stored as U+FFFD, and its messages are returned equal", async () => {
    const chatId = `${randomUUID()} \ud83d`;
    const chat = [{ id: BROKEN, role: "user" as const, parts: [{ type: "text" as const, text: BROKEN }] }];
    const metadata = { [BROKEN]: [{ deep: BROKEN }] };
    await saveChat(client, chatId, chat, { title: BROKEN, tags: [BROKEN], metadata });
    expect(await loadChat(client, chatId)).toEqual(chat);
    expect(await conversationWith(chatId.replace("\ud83d", "\ufffd"))).toMatchObject({
      ...{ title: SHOWN, tags: [SHOWN], metadata: { [SHOWN]: [{ deep: SHOWN }] } },
    });
  });

  test("in the ids and names that a model makes up is stored as U+FFFD, and its messages are returned equal", async () => {
    const [sessionId, historyId] = [randomUUID(), randomUUID()];
    const items: AgentInputItem[] = [
      { type: "function_call", callId: BROKEN, name: BROKEN, arguments: BROKEN },
      { type: "function_call_result", callId: BROKEN, name: BROKEN, status: "completed", output: BROKEN },
    ];
    const session = new EngramSession(client, sessionId);
    await session.addItems(items);
    await session.applyHistoryTransaction({
      operationId: BROKEN,
      transaction: { type: "append_items", items: [{ role: "user", content: BROKEN }] },
    });
    expect(await session.getItems()).toEqual([...items, { role: "user", content: BROKEN }]);

    const history = new EngramChatMessageHistory(client, historyId);
    const answer = new ToolMessage({
      id: BROKEN,
      tool_call_id: BROKEN,
      name: `${BROKEN}\n`,
      content: BROKEN,
    });
    await history.addMessage(answer);
    expect(await history.getMessages()).toMatchObject([
      { id: BROKEN, tool_call_id: BROKEN, content: BROKEN },
    ]);
    const tool = { tool_call_id: SHOWN, tool_name: SHOWN, content: SHOWN };
    expect(await messagesOf(sessionId)).toMatchObject([tool, tool, { content: SHOWN }]);
    expect(await messagesOf(historyId)).toMatchObject([
      { ...tool, external_id: SHOWN, tool_name: `${SHOWN} ` },
    ]);
  });

  test("in a thread or resource of Mastra is stored as U+FFFD", async () => {
    const storage = new EngramMemoryStorage(client);
    const [id, resourceId, at] = [randomUUID(), randomUUID(), new Date(0)];
    const metadata = { [BROKEN]: { deep: [BROKEN] } };
    const shown = { [SHOWN]: { deep: [SHOWN] } };
    const times = { createdAt: at, updatedAt: at };
    await storage.saveThread({ thread: { id, resourceId, title: BROKEN, metadata, ...times } });
    expect(await storage.getThreadById({ threadId: id })).toMatchObject({ title: SHOWN, metadata: shown });
    await storage.updateThread({ id, title: `${BROKEN}!`, metadata: { more: BROKEN } });
    const { threads } = await storage.listThreads({ filter: { resourceId, metadata } });
    expect(threads).toMatchObject([{ title: `${SHOWN}!`, metadata: { ...shown, more: SHOWN } }]);

    await storage.saveResource({ resource: { id: resourceId, workingMemory: BROKEN, metadata, ...times } });
    await storage.updateResource({ resourceId, metadata: { more: BROKEN } });
    expect(await storage.getResourceById({ resourceId })).toMatchObject({
      ...{ workingMemory: BROKEN, metadata: { ...metadata, more: BROKEN } },
    });
    const [memory] = await client.memories.list({ user_id: resourceId }).toArray({ max: 9 });
    expect(memory?.content).toBe(SHOWN);
  });

  test("in an item of LangGraph, its key or its namespace is stored as U+FFFD", async () => {
    const [store, root] = [new EngramStore(client), randomUUID()];
    const namespace = [root, BROKEN];
    await store.put(namespace, BROKEN, { text: BROKEN, [BROKEN]: [BROKEN] });
    const item = { namespace: [root, SHOWN], key: SHOWN, value: { text: SHOWN, [SHOWN]: [SHOWN] } };
    expect(await store.get(namespace, BROKEN)).toMatchObject(item);
    expect(await store.search(namespace, { query: BROKEN })).toMatchObject([item]);
    expect(await store.search(namespace, { filter: { text: BROKEN } })).toMatchObject([item]);
    expect(await store.listNamespaces({ prefix: namespace })).toEqual([[root, SHOWN]]);
    await store.delete(namespace, BROKEN);
    expect(await store.get(namespace, BROKEN)).toBeNull();
  });
});
