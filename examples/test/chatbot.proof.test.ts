import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { service, start } from "./support/start.ts";

const START_TIMEOUT_MS = 30_000;

/** Starts the chat. Resolves to what it printed, once it serves or has ended. */
async function startChat(env: Record<string, string> = {}) {
  const chat = start("chatbot/server.ts", { env });
  const url = () => /^Chat with .*?(http:\S+)/m.exec(chat.printed)?.[1];
  const isReady = () => url() !== undefined || chat.status !== undefined;
  await expect.poll(isReady, { timeout: START_TIMEOUT_MS }).toBe(true);
  return { output: chat.printed, url: url(), status: chat.status };
}

describe("examples/chatbot", { timeout: START_TIMEOUT_MS }, () => {
  const say = async (url: string, user: string, chat: string, text: string) =>
    (await fetch(`${url}/api/${user}/chats/${chat}`, { method: "POST", body: text })).text();

  test("remembers what a user said in another chat, but not what another user said", async () => {
    const { url = "", output } = await startChat();
    expect(output).toContain("Chat with the echo model at");
    const page = await (await fetch(url)).text();
    expect(page).toContain("Chat with memory");
    const [maria, otto] = [`maria-${randomUUID()}`, `otto-${randomUUID()}`];
    expect(await say(url, maria, "one", "I'm allergic to walnuts.")).toContain("I remember nothing like it");
    const asked = "What am I allergic to?";
    expect(await say(url, maria, "two", asked)).toContain("before: “I'm allergic to walnuts.”");
    expect(await say(url, otto, "two", asked)).not.toContain("walnuts");

    const read = async (path: string) => (await fetch(`${url}/api/${path}`)).json();
    expect(await read(`${maria}/chats`)).toEqual([
      { id: "two", title: asked },
      { id: "one", title: "I'm allergic to walnuts." },
    ]);
    expect(await read(`${maria}/chats/two`)).toMatchObject([
      { role: "user", parts: [{ text: asked }] },
      { role: "assistant", parts: [{ text: expect.stringContaining("walnuts") }] },
    ]);
    expect(await read(`${otto}/chats/one`)).toEqual([]);
  });

  test("answers the question that its page offers, also among other chats, and one in other words", async () => {
    const { url = "" } = await startChat();
    const page = await (await fetch(url)).text();
    const [, welcome = ""] = /<div id="welcome">(.*?)<\/div>/s.exec(page) ?? [];
    const [told = "", asked = ""] = [...welcome.matchAll(/<button[^>]*>(.*?)<\/button>/g)].map(
      ([, text = ""]) => text,
    );
    expect([told, asked]).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(/\?$/)]);
    const user = `maria-${randomUUID()}`;
    await say(url, user, "one", told);
    expect(await say(url, user, "two", asked)).toContain(`before: “${told}”`);
    const notes = [
      "Lena wants refunds on her card, never as store credit.",
      "The kettle is red.",
      "I like tea.",
    ];
    for (const [i, note] of notes.entries()) await say(url, user, `note-${i}`, note);
    expect(await say(url, user, "three", asked)).toContain(`before: “${told}”`);
    expect(await say(url, user, "four", "How do I get my money back?")).toContain("before: “");
  });

  test("does not quote a question as the answer to a question", async () => {
    const { url = "" } = await startChat();
    const user = `maria-${randomUUID()}`;
    const asked = "What am I allergic to?";
    await say(url, user, "one", asked);
    expect(await say(url, user, "two", asked)).toContain("I remember nothing like it");
    await say(url, user, "three", "I'm allergic to walnuts.");
    expect(await say(url, user, "four", asked)).toContain("before: “I'm allergic to walnuts.”");
  });

  test("refuses an empty or too large message, and stores nothing", async () => {
    const { url = "" } = await startChat();
    const user = `maria-${randomUUID()}`;
    for (const [body, reason] of [
      [" ", "The message is empty."],
      ["x".repeat(1_200_000), "A message can have at most 50,000 characters. Nothing was stored."],
    ] as const) {
      const response = await fetch(`${url}/api/${user}/chats/one`, { method: "POST", body });
      expect([response.status, await response.text()]).toEqual([400, reason]);
    }
    expect(await (await fetch(`${url}/api/${user}/chats`)).json()).toEqual([]);
    expect(await say(url, user, "one", "x".repeat(50_000))).not.toContain("could not be saved");
  });

  test("explains that a name or an id is too long", async () => {
    const { url = "" } = await startChat();
    for (const [path, reason] of [
      [`${"m".repeat(300)}/chats`, "A name can have at most 60 characters."],
      [`${"m".repeat(300)}/chats/one`, "A name can have at most 60 characters."],
      [`maria/chats/${"c".repeat(300)}`, /external_id.*256/],
    ] as const) {
      const response = await fetch(`${url}/api/${path}`);
      expect(response.status).toBe(400);
      expect(await response.text()).toMatch(reason);
    }
  });

  test("separates two chats whose user and chat ids differ only in the position of a slash", async () => {
    const { url = "" } = await startChat();
    const user = `a-${randomUUID()}`;
    await say(url, `${user}%2Fb`, "c", "Of the user with a slash.");
    expect(await (await fetch(`${url}/api/${user}/chats/b%2Fc`)).json()).toEqual([]);
    await say(url, user, "b%2Fc", "Of the chat with a slash.");
    const list = await (await fetch(`${url}/api/${user}/chats`)).json();
    expect(list).toEqual([{ id: "b/c", title: "Of the chat with a slash." }]);
  });

  test("sends the history to the model that the environment names", async () => {
    const prompts: string[] = [];
    const endpoint = createServer(async (request, response) => {
      let body = "";
      for await (const part of request) body += part;
      prompts.push(body);
      const chunk = { id: "1", object: "chat.completion.chunk", created: 1, model: "tiny" };
      const choice = { index: 0, delta: { role: "assistant", content: "Walnuts." }, finish_reason: "stop" };
      response.setHeader("content-type", "text/event-stream");
      response.end(`data: ${JSON.stringify({ ...chunk, choices: [choice] })}\n\ndata: [DONE]\n\n`);
    });
    await new Promise<void>((listening) => endpoint.listen(0, "127.0.0.1", listening));
    try {
      const { port } = endpoint.address() as AddressInfo;
      const { url = "" } = await startChat({ MODEL_URL: `http://127.0.0.1:${port}/v1`, MODEL: "tiny" });
      const user = `maria-${randomUUID()}`;
      await say(url, user, "one", "I'm allergic to walnuts.");
      expect(await say(url, user, "two", "What am I allergic to?")).toBe("Walnuts.");
      expect(prompts).toHaveLength(2);
      expect(prompts[1]).toContain("user: I'm allergic to walnuts.");
    } finally {
      endpoint.close();
    }
  });

  test.for([
    ["the key is wrong", { ENGRAM_API_KEY: "engram_sk_live_wrong" }, /^[^\n]*valid key[^\n]*$/],
    [
      "no service responds",
      { ENGRAM_URL: "http://127.0.0.1:9" },
      /^The Engram service does not answer at http:\/\/127\.0\.0\.1:9\. Start it with `npm start`\.$/,
    ],
    ["a model has no name", { MODEL_URL: "http://127.0.0.1:9/v1" }, /^Set MODEL[^\n]*$/],
    ["its port is taken", { PORT: new URL(service.url).port }, /^Port \d+ is taken\. Set PORT[^\n]*$/],
  ] as const)("does not start when %s, and says so in one line", async ([, settings, reason]) => {
    const { url, output, status } = await startChat(settings);
    expect(url).toBeUndefined();
    expect(output.trim()).toMatch(reason);
    expect(status).toBe(1);
  });
});
