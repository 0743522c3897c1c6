import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Engram } from "@engram/sdk";
import { engramMemory, loadChat, saveChat } from "@engram/sdk/ai";
import {
  convertToModelMessages,
  type LanguageModel,
  streamText,
  type UIMessage,
  wrapLanguageModel,
} from "ai";
import { Hono } from "hono";
import { stream } from "hono/streaming";

const PAGE = readFileSync(new URL("page.html", import.meta.url), "utf8");
const INSTRUCTIONS =
  "You are a friendly assistant. Use what the person said in earlier chats where it helps, and do not invent memories.";
const LISTED_CHATS = 30;
const TITLE_CHARACTERS = 60;

/**
 * The application: a page, and an API for it. The person is the `user` in the address. In your application, take it
 * from the session of the person who is signed in, or anyone can read everyone's chats.
 */
export function createChat(engram: Engram, model: Exclude<LanguageModel, string>): Hono {
  const app = new Hono();

  app.get("/", (c) => c.html(PAGE));

  app.get("/api/:user/chats", async (c) => {
    const user_id = c.req.param("user");
    const { items } = await engram.conversations.list({ user_id, limit: LISTED_CHATS }).page();
    const prefix = threadId(user_id, "");
    return c.json(
      items.flatMap(({ external_id, title }) =>
        external_id?.startsWith(prefix) ? [{ id: external_id.slice(prefix.length), title }] : [],
      ),
    );
  });

  app.get("/api/:user/chats/:id", async (c) =>
    c.json(await loadChat(engram, threadId(c.req.param("user"), c.req.param("id")))),
  );

  app.post("/api/:user/chats/:id", async (c) => {
    const user_id = c.req.param("user");
    const thread = threadId(user_id, c.req.param("id"));
    const text = await c.req.text();
    const messages = [...(await loadChat(engram, thread)), toMessage("user", text)];
    const { textStream } = streamText({
      // Adds to the prompt what this person said in other chats about the same thing.
      model: wrapLanguageModel({
        model,
        middleware: engramMemory(engram, { user_id, exceptThreadId: thread }),
      }),
      instructions: INSTRUCTIONS,
      messages: await convertToModelMessages(messages),
      abortSignal: c.req.raw.signal,
    });
    return stream(c, async (out) => {
      let reply = "";
      for await (const part of textStream) {
        reply += part;
        await out.write(part);
      }
      const title = firstTextOf(messages).slice(0, TITLE_CHARACTERS);
      await saveChat(engram, thread, [...messages, toMessage("assistant", reply)], { user_id, title });
    });
  });
  return app;
}

/** The `external_id` of the conversation. It has the user's name, so that the id of a chat alone does not open it. */
const threadId = (user: string, id: string): string => `chatbot/${user}/${id}`;

const toMessage = (role: "user" | "assistant", text: string): UIMessage => ({
  id: randomUUID(),
  role,
  parts: [{ type: "text", text }],
});

const firstTextOf = ([message]: UIMessage[]): string =>
  message?.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(" ") ?? "";
