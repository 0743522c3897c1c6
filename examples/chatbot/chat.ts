import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Engram, isEngramError } from "@engram/sdk";
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
const NAME_CHARACTERS_MAX = 60;
/** Below the 500,000 bytes that Engram stores of one message, also if a model repeats the whole text. */
const TEXT_CHARACTERS_MAX = 50_000;

/**
 * The application: a page, and an API for it. The person is the `user` in the address. In your application, take it
 * from the session of the person who is signed in, or anyone can read everyone's chats.
 */
export function createChat(engram: Engram, model: Exclude<LanguageModel, string>): Hono {
  const app = new Hono();

  app.get("/", (c) => c.html(PAGE));

  // The page shows the text of every response that is not successful.
  app.onError((error, c) => {
    if (isEngramError(error) && error.name === "ApiError" && error.status === 400)
      return c.text(error.message, 400);
    console.error(error);
    return c.text("The chat does not work at the moment. Please try again.", 500);
  });

  app.use("/api/:user/*", async (c, next) => {
    if (c.req.param("user").length > NAME_CHARACTERS_MAX)
      return c.text(`A name can have at most ${NAME_CHARACTERS_MAX} characters.`, 400);
    await next();
  });

  app.get("/api/:user/chats", async (c) => {
    const user_id = c.req.param("user");
    const { items } = await engram.conversations.list({ user_id, limit: LISTED_CHATS }).page();
    const prefix = threadId(user_id, "");
    return c.json(
      items.flatMap(({ external_id, title }) =>
        external_id?.startsWith(prefix)
          ? [{ id: decodeURIComponent(external_id.slice(prefix.length)), title }]
          : [],
      ),
    );
  });

  app.get("/api/:user/chats/:id", async (c) => {
    const user_id = c.req.param("user");
    return c.json(await loadChat(engram, threadId(user_id, c.req.param("id")), { user_id }));
  });

  app.post("/api/:user/chats/:id", async (c) => {
    const user_id = c.req.param("user");
    const thread = threadId(user_id, c.req.param("id"));
    const text = await c.req.text();
    if (text.trim() === "") return c.text("The message is empty.", 400);
    if (text.length > TEXT_CHARACTERS_MAX)
      return c.text(
        `A message can have at most ${TEXT_CHARACTERS_MAX.toLocaleString("en")} characters. Nothing was stored.`,
        400,
      );
    const messages = [...(await loadChat(engram, thread, { user_id })), toMessage("user", text)];
    const { textStream } = streamText({
      // Adds to the prompt what this person said in other chats about the same thing, at least the three best passages: a
      // person with few chats often asks in other words.
      model: wrapLanguageModel({
        model,
        middleware: engramMemory(engram, { layout: "single", user_id, exceptThreadId: thread, keep_best: 3 }),
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
      try {
        await saveChat(engram, thread, [...messages, toMessage("assistant", reply)], { user_id, title });
      } catch (error) {
        console.error(error);
        await out.write("\n\n(This answer could not be saved.)");
      }
    });
  });
  return app;
}

/**
 * The `external_id` of the conversation. It has the user's name, so that the id of a chat alone does not open it. Each
 * slash in a part is encoded, so that two different pairs never have the same id.
 */
const threadId = (user: string, id: string): string =>
  ["chatbot", ...[user, id].map((part) => part.replace(/[%/]/g, encodeURIComponent))].join("/");

const toMessage = (role: "user" | "assistant", text: string): UIMessage => ({
  id: randomUUID(),
  role,
  parts: [{ type: "text", text }],
});

const firstTextOf = ([message]: UIMessage[]): string =>
  message?.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(" ") ?? "";
