import { readFileSync } from "node:fs";
import type { Engram } from "@engram/sdk";
import { Hono } from "hono";
import { streamSSE } from "hono/streaming";

const page = readFileSync(new URL("page.html", import.meta.url), "utf8");

/** A page that shows a conversation live. The browser gets the messages of this conversation, and never the key. */
export function createTranscript(engram: Engram, conversationId: string): Hono {
  const app = new Hono();
  app.get("/", (c) => c.html(page));
  app.get("/messages", (c) =>
    streamSSE(c, async (stream) => {
      const controller = new AbortController();
      stream.onAbort(() => controller.abort());
      // A browser that reconnects sends the last id that it received.
      const after = Number(c.req.header("last-event-id") ?? 0);
      const messages = engram.conversations.follow(conversationId, { after, signal: controller.signal });
      try {
        for await (const { sequence, role, name, content } of messages)
          await stream.writeSSE({ id: `${sequence}`, data: JSON.stringify({ role, name, content }) });
      } catch (error) {
        if (!controller.signal.aborted) throw error;
      }
    }),
  );
  return app;
}
