import { Engram } from "@engram/sdk";
import { saveChat } from "@engram/sdk/ai";
import { EngramSessionStore } from "@engram/sdk/claude-agent";
import { EngramSearchProvider } from "@engram/sdk/cloudflare-agents";
import { EngramChatMessageHistory, EngramStore } from "@engram/sdk/langchain";
import { EngramMemoryStorage } from "@engram/sdk/mastra";
import { EngramSession } from "@engram/sdk/openai-agents";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import type { MastraDBMessage } from "@mastra/core/agent";
import { setTracingDisabled } from "@openai/agents-core";
import { assistantMessage, modelResponder, ScriptedModel } from "@openai/agents-core/testing";
import { MockLanguageModelV4 } from "ai/test";
import { inject } from "vitest";
// The types of what `inject` returns, which the examples are compiled without otherwise.
import type {} from "../../../support/project-service.ts";
import { result, says, textOf } from "./model.ts";

// Traces would be sent to OpenAI.
setTracingDisabled(true);

const ASKED = "I'm allergic to walnuts. What can I order?";
const ANSWERED = "The soup has no nuts.";

/** Variables that the examples of each adapter's reference use, in a new organization each time. */
export const given = {
  "./ai": async () => {
    const engram = await createClient();
    const messages = [textOf(ASKED, "user", "msg-1"), textOf(ANSWERED, "assistant", "msg-2")].map(
      (message) => ({ ...message, metadata: { createdAt: "2026-11-02" } }),
    );
    await saveChat(engram, "chat-17", messages, { user_id: "maria", title: "Arrival" });
    return { engram, model: new MockLanguageModelV4({ doGenerate }) };
  },

  "./claude-agent": async () => {
    const engram = await createClient();
    const sessionStore = new EngramSessionStore(engram, { user_id: "maria" });
    const sessionId = crypto.randomUUID();
    const key = { projectKey: "-home-maria-shop", sessionId };
    const entry = (minute: number, type: "user" | "assistant", content: string) => ({
      type,
      uuid: crypto.randomUUID(),
      sessionId,
      timestamp: `2026-11-02T09:3${minute}:00.000Z`,
      message: { role: type, content },
    });
    await sessionStore.append(key, [
      entry(0, "user", "Why does the test fail?"),
      entry(1, "assistant", "A typo."),
    ]);
    const theirs = { ...key, subpath: "subagents/agent-a1" };
    await sessionStore.append(theirs, [entry(1, "user", "Look for typos in the tests.")]);
    return { engram, sessionStore, sessionId };
  },

  "./cloudflare-agents": async () => {
    const engram = await createClient();
    const { id } = await engram.conversations.create({ title: "Arrival", user_id: "maria" });
    await engram.messages.append(id, { messages: [{ role: "user", content: "I'm allergic to walnuts." }] });
    return { engram, provider: new EngramSearchProvider(engram, { user_id: "maria" }) };
  },

  "./langchain": async () => {
    const engram = await createClient();
    const history = new EngramChatMessageHistory(engram, "chat-17", { user_id: "maria" });
    await history.addMessages([new HumanMessage(ASKED), new AIMessage(ANSWERED)]);
    const store = new EngramStore(engram);
    await store.put(["guests", "maria"], "diet", { text: "Allergic to walnuts" });
    return { engram, history, store, model: new FakeListChatModel({ responses: ["Then the salad."] }) };
  },

  "./mastra": async () => {
    const engram = await createClient();
    const storage = new EngramMemoryStorage(engram);
    const [createdAt, updatedAt] = [new Date("2026-11-02T09:30:00Z"), new Date("2026-11-02T09:31:00Z")];
    const [threadId, resourceId] = ["thread-17", "maria"];
    await storage.saveThread({
      thread: { id: threadId, resourceId, title: "Arrival", metadata: { room: 12 }, createdAt, updatedAt },
    });
    const message = (
      id: string,
      role: "user" | "assistant",
      createdAt: Date,
      text: string,
    ): MastraDBMessage => ({
      id,
      role,
      createdAt,
      threadId,
      resourceId,
      content: { format: 2, parts: [{ type: "text", text }] },
    });
    await storage.saveMessages({
      messages: [
        message("msg-1", "user", createdAt, ASKED),
        message("msg-2", "assistant", updatedAt, ANSWERED),
      ],
    });
    const workingMemory = "- Allergic to walnuts";
    await storage.saveResource({ resource: { id: resourceId, workingMemory, createdAt, updatedAt } });
    // The type of the mock comes from another version of the provider package than that of Mastra.
    return { engram, storage, model: new MockLanguageModelV4({ doGenerate }) as never };
  },

  "./openai-agents": async () => {
    const engram = await createClient();
    const session = new EngramSession(engram, "chat-17", { user_id: "maria" });
    await session.addItems([{ role: "user", content: ASKED }, assistantMessage(ANSWERED)]);
    const reply = modelResponder(({ request }) => [assistantMessage(answer(request.input))]);
    return { engram, session, model: new ScriptedModel([reply, reply, reply]) };
  },
};

/** A client of a new organization, with every scope. */
async function createClient(): Promise<Engram> {
  const baseUrl = inject("url");
  const operator = new Engram({ apiKey: inject("adminToken"), baseUrl });
  const { key } = await operator.organizations.create({ name: "Hotel" });
  return new Engram({ apiKey: key.secret, baseUrl });
}

/** A scripted model's answer to a prompt. */
function answer(prompt: unknown): string {
  return JSON.stringify(prompt).includes("walnuts") ? "The soup: it has no walnuts." : "Anything you like.";
}

/** A model with tools searches memories first. */
const doGenerate: NonNullable<ConstructorParameters<typeof MockLanguageModelV4>[0]>["doGenerate"] = async ({
  prompt,
  tools = [],
}) => {
  const looks = tools.length > 0 && prompt.every(({ role }) => role !== "tool");
  const input = JSON.stringify({ query: "What is the guest allergic to?" });
  return looks
    ? result({ type: "tool-call", toolCallId: "call-1", toolName: "searchMemories", input })
    : says(answer(prompt));
};
