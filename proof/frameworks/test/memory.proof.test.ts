// What every adapter promises that adds memories to a prompt.
import { randomUUID } from "node:crypto";
import { Engram } from "@engram/sdk";
import { engramMemory as forLangchain } from "@engram/sdk/langchain";
import { EngramMemoryStorage, engramMemory as forMastra } from "@engram/sdk/mastra";
import { EngramSession, engramMemory as forOpenai } from "@engram/sdk/openai-agents";
import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { Agent as MastraAgent } from "@mastra/core/agent";
import { MockMemory } from "@mastra/core/memory";
import { MastraCompositeStore } from "@mastra/core/storage";
import { Agent, run } from "@openai/agents-core";
import { assistantMessage, ScriptedModel } from "@openai/agents-core/testing";
import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { client } from "./support/client.ts";
import { says } from "./support/model.ts";
import { ADAPTERS, INSTRUCTIONS, type Turn } from "./support/prompts.ts";

const preference = (i: number) =>
  `Preference ${i}: towel number ${i} goes on the balcony, never into the bathroom of the suite.`;
const remember = (user_id: string, content: string) => client.memories.create({ content, user_id });

/** A user with memories and something said in another thread, and the thread of now, whose messages are stored. */
async function createGuest() {
  const [user_id, threadId] = [randomUUID(), randomUUID()];
  const ids: string[] = [];
  for (let i = 0; i < 8; i++) ids.push((await remember(user_id, preference(i))).id);
  const other = await client.conversations.create({ user_id, external_id: randomUUID() });
  const walnuts = { role: "user", content: "I'm allergic to walnuts." } as const;
  await client.messages.append(other.id, { messages: [walnuts], wait: "indexed" });
  const { id } = await client.conversations.create({ user_id, external_id: threadId });
  const say = (role: Turn[0], content: string) =>
    client.messages.append(id, { messages: [{ role, content }], wait: "indexed" });
  return { user_id, ids, say, options: { user_id, exceptThreadId: threadId } };
}
const occurrences = (raw: unknown, text: string) => JSON.stringify(raw).split(text).length - 1;

describe.for(ADAPTERS)("the memories that %s adds", ([, ask]) => {
  test("leave the beginning of the prompt as it was over ten turns, and come last with the question", async () => {
    const { user_id, say, options } = await createGuest();
    const turns: Turn[] = [];
    let before = INSTRUCTIONS;
    const lengths = new Set<number>();
    for (let turn = 1; turn <= 10; turn++) {
      const question = `Question ${turn}: what am I allergic to, walnuts?`;
      turns.push(["user", question]);
      await say("user", question);
      const prompt = await ask(client, options, turns);
      expect(prompt.instructions.slice(0, before.length)).toBe(before);
      expect(prompt.turns.slice(0, -1)).toEqual(turns.slice(0, -1));
      const [role, last = ""] = prompt.turns.at(-1) ?? [];
      expect([role, last.endsWith(`\n\n${question}`)]).toEqual(["user", true]);
      expect(last).toContain("I'm allergic to walnuts.");
      expect(prompt.instructions).toContain("Preference 7:");
      for (const [, text] of turns) expect([text, occurrences(prompt.raw, text)]).toEqual([text, 1]);
      before = prompt.instructions;
      lengths.add(before.length);
      const answer = `Answer ${turn}: walnuts, as you said.`;
      turns.push(["assistant", answer]);
      await say("assistant", answer);
      if (turn % 2 === 0)
        for (const i of [0, 1]) await remember(user_id, preference(10 * turn + i).repeat(3));
    }
    expect(lengths.size).toBeGreaterThan(1);
    expect(before).toContain("Preference 20:");
  });

  test("have no trace of a memory from the moment at which it is deleted, and nothing of another user", async () => {
    const { ids, options } = await createGuest();
    const turns: Turn[] = [["user", "What goes on the balcony?"]];
    const first = await ask(client, options, turns);
    expect(occurrences(first.raw, "Preference 7:")).toBe(1);
    await client.memories.delete(ids[7] ?? "");
    const second = await ask(client, options, turns);
    expect([7, 6].map((i) => occurrences(second.raw, `Preference ${i}:`))).toEqual([0, 1]);
    const others = await ask(client, { ...options, user_id: randomUUID() }, turns);
    expect([others.instructions, others.turns]).toEqual([INSTRUCTIONS, turns]);
  });

  test("are none if Engram is unreachable and `onError` is set, and the call rejects otherwise", async () => {
    // Mastra logs the error, too.
    const log = vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => log.mockRestore());
    const unreachable = new Engram({ baseUrl: "http://127.0.0.1:9", apiKey: "k", maxRetries: 0 });
    const errors: unknown[] = [];
    const turns: Turn[] = [["user", "A table?"]];
    const onError = (error: unknown) => errors.push(error);
    const prompt = await ask(unreachable, { user_id: "maria", onError }, turns);
    expect([prompt.instructions, prompt.turns]).toEqual([INSTRUCTIONS, turns]);
    expect(errors).toMatchObject([{ name: "ConnectionError" }]);
    await expect(ask(unreachable, { user_id: "maria" }, turns)).rejects.toThrow(
      "No response to POST /v1/context",
    );
  });

  test("are all with the question in the layout `single`, with the filters of a search", async () => {
    const { user_id, options } = await createGuest();
    const tags = [randomUUID()];
    const tagged = await client.conversations.create({ user_id, tags });
    const content = "The walnuts were in the cake.";
    await client.messages.append(tagged.id, { messages: [{ role: "user", content }], wait: "indexed" });
    const turns: Turn[] = [["user", "Where were the walnuts?"]];
    const prompt = await ask(client, { ...options, layout: "single", tags_any: tags }, turns);
    expect(prompt.instructions).toBe(INSTRUCTIONS);
    expect(prompt.turns[0]?.[1]).toMatch(/The walnuts were in the cake\.\n\nWhere were the walnuts\?$/);
    expect(occurrences(prompt.raw, "allergic")).toBe(0);
  });
});

describe("the block before the conversation that changes no more is marked", () => {
  test("for the AI SDK's and Mastra's provider of Anthropic", async () => {
    const { options } = await createGuest();
    for (const [name, ask] of ADAPTERS.filter(([name]) => name === "ai" || name === "mastra")) {
      const { raw } = await ask(client, options, [["user", "Hello."]]);
      const marks = (raw as { role: string; providerOptions?: unknown }[]).map((message) => [
        message.role,
        message.providerOptions,
      ]);
      const cached = { anthropic: { cacheControl: { type: "ephemeral" } } };
      expect([name, marks.filter(([, mark]) => mark !== undefined)]).toEqual([name, [["system", cached]]]);
      expect(marks.findIndex(([, mark]) => mark !== undefined)).toBe(marks.length - 2);
    }
  });

  test("for LangChain's models of Anthropic if `cacheControl` is set, and no content is a list otherwise", async () => {
    const { options } = await createGuest();
    const messages = [new SystemMessage({ id: "s", content: INSTRUCTIONS }), new HumanMessage("Walnuts?")];
    const cacheControl = { type: "ephemeral" } as const;
    const [system, question] = await forLangchain(client, { ...options, cacheControl }).invoke(messages);
    expect(system?.id).toBe("s");
    expect(system?.content).toEqual([
      { type: "text", text: INSTRUCTIONS },
      { type: "text", text: expect.stringContaining("Preference 7:"), cache_control: cacheControl },
    ]);
    expect(question?.text).toMatch(/allergic to walnuts\.[\s\S]*\n\nWalnuts\?$/);
    const plain = await forLangchain(client, options).invoke(messages);
    expect(plain.map(({ content }) => typeof content)).toEqual(["string", "string"]);
    expect(messages.map(({ text }) => text)).toEqual([INSTRUCTIONS, "Walnuts?"]);
    const [made] = await forLangchain(client, options).invoke(messages.slice(1));
    expect([made?.getType(), made?.text.includes("Preference 7:")]).toEqual(["system", true]);
  });
});

test("an agent of LangGraph gets them in its prompt, and its state has none", async () => {
  const { user_id } = await createGuest();
  const memory = forLangchain(client, { user_id });
  const llm = new FakeListChatModel({ responses: ["Walnuts."] });
  const agent = createReactAgent({ llm, tools: [], prompt: ({ messages }) => memory.invoke(messages) });
  const prompts: unknown[] = [];
  const callbacks = [{ handleChatModelStart: (_: unknown, sent: unknown) => void prompts.push(sent) }];
  const asked = { messages: [new HumanMessage("What am I allergic to?")] };
  const { messages } = await agent.invoke(asked, { callbacks });
  expect(prompts.map((prompt) => occurrences(prompt, "I'm allergic to walnuts."))).toEqual([1]);
  expect(messages.map(({ text }) => text)).toEqual(["What am I allergic to?", "Walnuts."]);
});

test("a session of the OpenAI Agents SDK stores the question alone", async () => {
  const { user_id } = await createGuest();
  const session = new EngramSession(client, randomUUID(), { user_id });
  const model = new ScriptedModel([[assistantMessage("Walnuts.")]]);
  const agent = new Agent({ name: "Concierge", model: forOpenai(client, { user_id })(model) });
  const stream = await run(agent, "What am I allergic to?", { session, stream: true });
  await stream.completed;
  expect(occurrences(model.calls[0]?.request, "I'm allergic to walnuts.")).toBe(1);
  const items = await session.getItems();
  expect(items).toMatchObject([{ content: "What am I allergic to?" }, { role: "assistant" }]);
});

describe("the processor of Mastra", () => {
  const createAgent = async () => {
    const model = new MockLanguageModelV4({ doGenerate: async () => says("Noted.") });
    const memory = new MockMemory();
    const domains = { memory: new EngramMemoryStorage(client) };
    memory.setStorage(new MastraCompositeStore({ id: "engram", domains }));
    const agent = new MastraAgent({
      ...{ id: "concierge", name: "Concierge", instructions: INSTRUCTIONS, memory },
      model: model as never,
      inputProcessors: [forMastra(client)],
    });
    return { agent, promptOf: () => JSON.stringify(model.doGenerateCalls.at(-1)?.prompt) };
  };

  test("adds what the resource said in its other threads, and memory stores nothing of it", async () => {
    const { user_id: resource } = await createGuest();
    const { agent, promptOf } = await createAgent();
    const thread = randomUUID();
    await agent.generate("The tram was late.", { memory: { thread, resource } });
    await agent.generate("What am I allergic to, and the tram?", { memory: { thread, resource } });
    for (const text of ["Preference 7:", "I'm allergic to walnuts.", "The tram was late."])
      expect([text, promptOf().split(text).length - 1]).toEqual([text, 1]);
    const { messages } = await new EngramMemoryStorage(client).listMessages({ threadId: thread });
    expect(messages).toHaveLength(4);
    expect(JSON.stringify(messages)).not.toContain("walnuts");
  });

  test("adds nothing without a resource, a user or an agent", async () => {
    await createGuest();
    const { agent, promptOf } = await createAgent();
    await agent.generate("What am I allergic to?");
    expect(promptOf()).not.toContain("walnuts");
  });
});
