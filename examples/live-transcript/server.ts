// A page that shows a conversation live: `node server.ts conv_…`. Needs a running Engram.
import { Engram } from "@engram/sdk";
import { serve } from "@hono/node-server";
import { findService } from "../service.ts";
import { createTranscript } from "./transcript.ts";

try {
  const [conversationId] = process.argv.slice(2);
  if (conversationId === undefined) throw new Error("Name the conversation: node server.ts conv_…");
  const engram = new Engram(await findService());
  const { title } = await engram.conversations.get(conversationId, { message_limit: 0 });
  const port = Number(process.env.PORT ?? 3000);
  const { fetch } = createTranscript(engram, conversationId);
  serve({ fetch, hostname: "127.0.0.1", port }, (address) =>
    console.log(`${title ?? "Conversation"} at http://127.0.0.1:${address.port}`),
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
