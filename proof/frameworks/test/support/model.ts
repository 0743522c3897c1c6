import { randomUUID } from "node:crypto";
import type { UIMessage } from "ai";
import { MockLanguageModelV4, simulateReadableStream } from "ai/test";

type Options = NonNullable<ConstructorParameters<typeof MockLanguageModelV4>[0]>;
type Result = Extract<Options["doGenerate"], unknown[]>[0];
export type Stream = Awaited<ReturnType<MockLanguageModelV4["doStream"]>>["stream"];
export type Part = Stream extends ReadableStream<infer Part> ? Part : never;

export const usage: Result["usage"] = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** An answer of a mock model. */
export const result = (content: Result["content"][number]): Result => ({
  content: [content],
  finishReason: { unified: content.type === "tool-call" ? "tool-calls" : "stop", raw: undefined },
  usage,
  warnings: [],
});
export const says = (text: string) => result({ type: "text", text });

/** A streamed answer whose text comes in these pieces. */
export const streamed = (...pieces: string[]): Part[] => [
  { type: "stream-start", warnings: [] },
  { type: "text-start", id: "t" },
  ...pieces.map((delta) => ({ type: "text-delta" as const, id: "t", delta })),
  { type: "text-end", id: "t" },
  { type: "finish", finishReason: { unified: "stop", raw: undefined }, usage },
];

/** A model that streams each answer in these pieces. */
export const modelThatStreams = (...pieces: string[]) =>
  new MockLanguageModelV4({
    doStream: async () => ({ stream: simulateReadableStream({ chunks: streamed(...pieces) }) }),
  });

/** A message of the AI SDK. */
export const textOf = (
  text: string,
  role: UIMessage["role"] = "user",
  id: string = randomUUID(),
): UIMessage => ({
  id,
  role,
  parts: [{ type: "text", text }],
});

/** The texts of messages of the AI SDK. */
export const textsIn = (messages: UIMessage[]) =>
  messages.map(({ parts }) => parts.flatMap((part) => (part.type === "text" ? part.text : [])).join());
