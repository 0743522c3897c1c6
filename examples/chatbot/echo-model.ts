import { simulateReadableStream } from "ai";
import { MockLanguageModelV4 } from "ai/test";

/**
 * Stands in for a language model: repeats what was said, and the closest thing that was said in earlier chats, except
 * questions, which answer nothing.
 */
export const echoModel = new MockLanguageModelV4({
  doStream: async ({ prompt }) => {
    const said = textOf(prompt.findLast(({ role }) => role === "user")?.content);
    const memories = prompt.flatMap(({ role, content }) => (role === "system" ? [content] : [])).join("\n");
    const earlier = [...memories.matchAll(/^user: (.+)$/gm)]
      .map(([, line = ""]) => line.trim())
      .find((line) => line !== said.trim() && !line.endsWith("?"));
    const reply =
      earlier === undefined
        ? `You said: “${said}” I remember nothing like it.`
        : `You said: “${said}” The closest that you said before: “${earlier}”`;
    return {
      stream: simulateReadableStream({
        chunkDelayInMs: 20,
        chunks: [
          { type: "stream-start", warnings: [] },
          { type: "text-start", id: "reply" },
          ...(reply.match(/\S+\s*/g) ?? []).map(
            (delta) => ({ type: "text-delta", id: "reply", delta }) as const,
          ),
          { type: "text-end", id: "reply" },
          {
            type: "finish",
            finishReason: { unified: "stop", raw: undefined },
            usage: {
              inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
              outputTokens: { total: 0, text: 0, reasoning: 0 },
            },
          },
        ],
      }),
    };
  },
});

const textOf = (content: unknown): string =>
  Array.isArray(content)
    ? content
        .map((part: { type: string; text?: string }) => (part.type === "text" ? part.text : ""))
        .join(" ")
    : String(content ?? "");
