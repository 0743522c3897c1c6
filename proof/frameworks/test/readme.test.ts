// The AI SDK's programs in the SDK's README run as they are, but for the key and the model.
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadChat } from "@engram/sdk/ai";
import type { UIMessage } from "ai";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { client } from "./support/client.ts";
import { modelThatStreams, textOf, textsIn } from "./support/model.ts";

const FOLDER = join(import.meta.dirname, "support/.snippets");

type Answer = (model: unknown, chatId: string, message: UIMessage) => Promise<Response>;
let answer: Answer;
let POST: (request: Request) => Promise<Response>;

const model = modelThatStreams("Noted.");

beforeAll(async () => {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  const readme = readFileSync(join(import.meta.dirname, "../../../sdk/README.md"), "utf8");
  const [, section = ""] = /^### AI SDK\n([\s\S]*?)^### /m.exec(readme) ?? [];
  const programs = [...section.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = ""]) => code);
  for (const [i, code] of programs.entries())
    writeFileSync(
      join(FOLDER, `${i}.ts`),
      code.replace(/new Engram\(.*?\)/, "new Engram()").replace(/gateway\(".*?"\)/, "globalThis.model"),
    );
  vi.stubEnv("ENGRAM_URL", inject("url"));
  vi.stubEnv("ENGRAM_API_KEY", inject("key"));
  vi.stubGlobal("model", model);
  ({ answer } = await import(/* @vite-ignore */ join(FOLDER, "0.ts")));
  ({ POST } = await import(/* @vite-ignore */ join(FOLDER, "1.ts")));
}, 60_000);
afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  rmSync(FOLDER, { recursive: true, force: true });
});

const textsOf = async (chatId: string) => textsIn(await loadChat(client, chatId, { user_id: "maria" }));

test("`answer` streams an answer, and stores the chat", async () => {
  const chatId = randomUUID();
  for (const text of ["A table, please.", "At eight."])
    expect(await (await answer(model, chatId, textOf(text))).text()).toContain("Noted.");
  expect(await textsOf(chatId)).toEqual(["A table, please.", "Noted.", "At eight.", "Noted."]);
  expect(JSON.stringify(model.doStreamCalls.at(-1)?.prompt)).toContain("A table, please.");
});

test("the route of Next.js continues a chat, and replaces an answer that is asked for again", async () => {
  const id = randomUUID();
  const post = async (...messages: UIMessage[]) => {
    const body = JSON.stringify({ id, messages, trigger: "submit-message" });
    const response = await POST(new Request("http://chat/api/chat", { method: "POST", body }));
    return [response.status, await response.text()] as const;
  };
  const [first, second] = [textOf("A table, please."), textOf("At eight.")];
  expect(await post(first)).toEqual([200, expect.stringContaining("Noted.")]);
  // The page sends every message. The stored ones count.
  await post({ ...textOf("Never said."), role: "assistant" }, second);
  await post(second);
  expect(await textsOf(id)).toEqual(["A table, please.", "Noted.", "At eight.", "Noted."]);
  expect((await post())[0]).toBe(400);
});
