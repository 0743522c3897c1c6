// The prompts that models get through the adapters that add memories, in one form.

import type { Engram } from "@engram/sdk";
import * as ai from "@engram/sdk/ai";
import * as langchain from "@engram/sdk/langchain";
import * as mastra from "@engram/sdk/mastra";
import * as openai from "@engram/sdk/openai-agents";
import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { RunnableLambda } from "@langchain/core/runnables";
import { Agent as MastraAgent } from "@mastra/core/agent";
import { Agent, type AgentInputItem, assistant, run, setTracingDisabled, user } from "@openai/agents-core";
import { assistantMessage, ScriptedModel } from "@openai/agents-core/testing";
import { generateText, wrapLanguageModel } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { says } from "./model.ts";

// Traces would be sent to OpenAI.
setTracingDisabled(true);

export type Turn = [role: "user" | "assistant", text: string];
export interface Prompt {
  /** The system messages or instructions. */
  instructions: string;
  /** The conversation, with the text of each message. */
  turns: Turn[];
  /** As the model got it. */
  raw: unknown;
}

export const INSTRUCTIONS = "Serve the guests of a hotel.";
const REPLY = "Noted.";

/** Asks a scripted model with the memories of an adapter. Resolves to the prompt that it got. */
export type Ask = (client: Engram, options: ai.MemoryOptions, turns: Turn[]) => Promise<Prompt>;

type ModelPrompt = MockLanguageModelV4["doGenerateCalls"][number]["prompt"];
const textOf = (content: unknown): string =>
  typeof content === "string"
    ? content
    : (content as { text?: string }[]).flatMap(({ text }) => text ?? []).join("\n\n");
const isTurn = ({ role }: { role: string }) => role === "user" || role === "assistant";

function fromModelPrompt(prompt: ModelPrompt = []): Prompt {
  const texts = prompt.map(({ role, content }) => ({ role, text: textOf(content) }));
  return {
    instructions: texts.flatMap(({ role, text }) => (role === "system" ? text : [])).join("\n\n"),
    turns: texts.filter(isTurn).map(({ role, text }) => [role, text] as Turn),
    raw: prompt,
  };
}

const withAi: Ask = async (client, options, turns) => {
  const model = new MockLanguageModelV4({ doGenerate: [says(REPLY)] });
  await generateText({
    model: wrapLanguageModel({ model, middleware: ai.engramMemory(client, options) }),
    instructions: INSTRUCTIONS,
    messages: turns.map(([role, content]) => ({ role, content })),
    maxRetries: 0,
  });
  return fromModelPrompt(model.doGenerateCalls[0]?.prompt);
};

const withMastra: Ask = async (client, options, turns) => {
  const model = new MockLanguageModelV4({ doGenerate: [says(REPLY)] });
  const agent = new MastraAgent({
    ...{ id: "concierge", name: "Concierge", instructions: INSTRUCTIONS, maxRetries: 0 },
    // The type of the mock comes from another version of the provider package.
    model: model as never,
    inputProcessors: [mastra.engramMemory(client, options)],
  });
  await agent.generate(turns.map(([role, content]) => ({ role, content })) as never);
  return fromModelPrompt(model.doGenerateCalls[0]?.prompt);
};

const withLangchain: Ask = async (client, options, turns) => {
  let got: BaseMessage[] = [];
  const model = RunnableLambda.from((messages: BaseMessage[]) => {
    got = messages;
    return REPLY;
  });
  const messages = turns.map(([role, text]) =>
    role === "user" ? new HumanMessage(text) : new AIMessage(text),
  );
  await langchain
    .engramMemory(client, options)
    .pipe(model)
    .invoke([new SystemMessage(INSTRUCTIONS), ...messages]);
  const said = got.filter((message) => message.getType() !== "system");
  return {
    instructions: got.flatMap((message) => (message.getType() === "system" ? message.text : [])).join("\n\n"),
    turns: said.map((message) => [
      message.getType() === "human" ? "user" : "assistant",
      textOf(message.content),
    ]),
    raw: got,
  };
};

const withOpenai: Ask = async (client, options, turns) => {
  const model = new ScriptedModel([[assistantMessage(REPLY)]]);
  const remember = openai.engramMemory(client, options);
  const items = turns.map(([role, text]): AgentInputItem => (role === "user" ? user(text) : assistant(text)));
  await run(new Agent({ name: "Concierge", instructions: INSTRUCTIONS, model: remember(model) }), items);
  const { request } = model.calls[0] ?? {};
  return {
    instructions: request?.systemInstructions ?? "",
    turns: ((request?.input ?? []) as { role: string; content: unknown }[])
      .filter(isTurn)
      .map(({ role, content }) => [role, textOf(content)] as Turn),
    raw: request,
  };
};

export const ADAPTERS: [string, Ask][] = [
  ["ai", withAi],
  ["langchain", withLangchain],
  ["mastra", withMastra],
  ["openai-agents", withOpenai],
];
